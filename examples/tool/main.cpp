// SPDX-License-Identifier: MIT

// The command-line tool: keys on nodes, from files. README.md says what it reads and prints, and
// how errors end.

#include "command_options.hpp"
#include "commands.hpp"
#include "complain.hpp"
#include "failure.hpp"

#include <hashring/core/text.hpp>
#include <hashring/version.hpp>

#include <CLI/CLI.hpp>

#include <csignal>
#include <exception>
#include <map>
#include <string>

namespace tool {

namespace {

#define HASHRING_TEXT_OF(x) #x
#define HASHRING_TEXT(x) HASHRING_TEXT_OF(x)
constexpr const char* version = "hashring " HASHRING_TEXT(HASHRING_VERSION_MAJOR) "." HASHRING_TEXT(
    HASHRING_VERSION_MINOR) "." HASHRING_TEXT(HASHRING_VERSION_PATCH);

using command = void (*)(const request&, output&);

/// All commands, each bound to what it runs.
class command_line {
public:
    command_line() : app_("Consistent hashing: places keys on nodes, and says what moves.") {
        app_.set_version_flag("--version", version);
        app_.require_subcommand(1);
        app_.failure_message(
            [](const CLI::App*, const CLI::Error& e) { return std::string(e.what()); });
        CLI::App& place =
            add("place", "the node of each key: a line `key TAB node` per key", place_command);
        add_scheme_options(place, asked_, raw_);
        add_nodes(place, asked_);
        add_keys(place, asked_, "a key a line (default: standard input)");
        add_copies(place, asked_, "how many different nodes, in order: 1 (the default) to 1024");
        add_spread(place, asked_);

        CLI::App& ring =
            add("ring",
                "the points in order: a line `position TAB node` each (a table: `slot TAB node`)",
                ring_command);
        add_scheme_options(ring, asked_, raw_);
        add_nodes(ring, asked_);
        add_format(ring, asked_, "tsv");

        CLI::App& report =
            add("report", "shares, wished shares, and how even they are", report_command);
        add_scheme_options(report, asked_, raw_);
        add_nodes(report, asked_);
        add_keys(report, asked_, "keys to count by node (- is standard input)");
        add_copies(report, asked_, "also of how much each node has one of so many copies");
        add_format(report, asked_, "table");

        CLI::App& diff = add("diff", "the arcs that change owner: `first TAB last TAB from TAB to`",
                             diff_command);
        add_scheme_options(diff, asked_, raw_);
        diff.add_option("--from", asked_.from, "the nodes before")->type_name("FILE");
        diff.add_option("--to", asked_.to, "the nodes after")->type_name("FILE");
        add_format(diff, asked_, "tsv");

        CLI::App& explain =
            add("explain", "how one key finds its node, step by step", explain_command);
        add_scheme_options(explain, asked_, raw_);
        add_nodes(explain, asked_);
        explain.add_flag("--hex", asked_.hex, "the key is spelled in hexadecimal digits")
            ->disable_flag_override();
        explain.add_option("KEY", asked_.key, "the key");
        add_copies(explain, asked_, "also who has so many copies, and who was passed over");
        add_spread(explain, asked_);
        add_format(explain, asked_, "table");

        CLI::App& compat =
            add("compat", "who owns a key under each program, and why two differ", compat_command);
        compat
            .add_option("--scheme", asked_.reference,
                        "the one that all others are compared with; `schemes` lists them")
            ->type_name("NAME")
            ->capture_default_str();
        add_options_of_schemes(compat, raw_);
        add_nodes(compat, asked_);
        add_keys(compat, asked_, "keys to compare by (default: 10,000 of our own)");
        add_given_keys(compat, asked_, "keys whose nodes are shown side by side");
        add_format(compat, asked_, "table");

        CLI::App& compare =
            add("compare", "all schemes on these nodes: how even, what moves, memory and time",
                compare_command);
        compare
            .add_option("--scheme", asked_.schemes,
                        "one to compare, once for each (default: all); `schemes` lists them")
            ->type_name("NAME ...");
        add_options_of_schemes(compare, raw_);
        add_nodes(compare, asked_);
        add_keys(compare, asked_, "keys to count by node (default: 100,000 of our own)");
        add_no_time(compare, asked_);
        add_format(compare, asked_, "table");

        CLI::App& advise =
            add("advise", "which scheme is as even as that, and what it costs", advise_command);
        advise.add_option("--gap", asked_.gap, "the load gap to stay within: 5% or 0.05")
            ->type_name("PART");
        add_nodes(advise, asked_);
        advise.add_option("--count", asked_.count, "so many nodes of weight 1, in place of a file")
            ->type_name("N");
        add_no_time(advise, asked_);
        add_format(advise, asked_, "table");

        CLI::App& slot =
            add("slot", "the Redis Cluster slot of each key: a line `key TAB slot`", slot_command);
        add_keys(slot, asked_, "a key a line (default: standard input)");
        add_given_keys(slot, asked_, "keys, in place of a file");
        add_format(slot, asked_, "tsv");

        CLI::App& plan = add("plan", "who gets how many virtual nodes, or hands over what, by load",
                             plan_command);
        add_plan_options(plan, asked_);
        add_format(plan, asked_, "table");

        CLI::App& simulate =
            add("simulate", "the papers' experiments: how even each strategy is", simulate_command);
        add_simulate_options(simulate, asked_.simulation);
        add_format(simulate, asked_, "table");

        CLI::App& schemes = add("schemes", "the schemes and their options", schemes_command);
        add_format(schemes, asked_, "table");
    }

    void run(int argc, const char* const* argv, output& out) {
        check_command(argc, argv);
        try {
            app_.parse(argc, argv);
        } catch (const CLI::CallForHelp&) {
            const auto chosen = app_.get_subcommands();
            out << (chosen.empty() ? app_.help() : chosen.front()->help("hashring"));
            return;
        } catch (const CLI::CallForVersion&) {
            out << version << '\n';
            return;
        } catch (const CLI::ParseError& e) {
            throw usage_failure(e.what());
        }
        CLI::App* const chosen = app_.get_subcommands().front();
        for (const auto& [name, value] : raw_) {
            const CLI::Option* const option = chosen->get_option_no_throw("--" + name);
            if (option != nullptr && option->count() > 0) {
                asked_.options.emplace_back(name, value);
            }
        }
        check_given(*chosen);
        commands_.at(chosen->get_name())(asked_, out);
    }

private:
    /// Throws if something is missing that the command cannot do without. The parser would say so
    /// before it says that an option is misspelled.
    static void check_given(const CLI::App& chosen) {
        // One finds its nodes in a report, the other takes a number of them.
        const bool has_others = chosen.get_name() == "plan" || chosen.get_name() == "advise";
        for (const char* needed : {"--nodes", "--from", "--to", "KEY", "EXPERIMENT"}) {
            const CLI::Option* const option = chosen.get_option_no_throw(needed);
            if (option != nullptr && option->count() == 0 && !has_others) {
                throw usage_failure(concat(chosen.get_name(), " needs ", needed));
            }
        }
    }

    /// Names what there is for a command that there is not.
    void check_command(int argc, const char* const* argv) const {
        if (argc < 2 || argv[1][0] == '-' || commands_.contains(argv[1])) {
            return;
        }
        std::string names;
        for (const CLI::App* sub : app_.get_subcommands(nullptr)) {
            names += names.empty() ? "" : ", ";
            names += sub->get_name();
        }
        throw usage_failure(concat("unknown command ", in_quotes(argv[1]), ": there are ", names));
    }

    CLI::App& add(const std::string& name, const std::string& help, command effect) {
        commands_[name] = effect;
        return *app_.add_subcommand(name, help);
    }

    CLI::App app_;
    request asked_;
    raw_options raw_;
    std::map<std::string, command> commands_;
};

int guarded_main(int argc, const char* const* argv) {
    output out;
    try {
        command_line().run(argc, argv, out);
        out.flush();
        return 0;
    } catch (const reader_gone&) {
        return 0;
    } catch (const input_failure& reason) {
        complain(reason.what()); // it begins with the file
        return 2;
    } catch (const usage_failure& reason) {
        complain(concat("hashring: ", reason.what()));
        return 2;
    } catch (const std::exception& reason) {
        complain(concat("hashring: ", reason.what()));
        return 1;
    }
}

} // namespace

} // namespace tool

int main(int argc, char** argv) {
    std::signal(SIGPIPE, SIG_IGN); // a closed pipe is an answer of write, not a death
    return tool::guarded_main(argc, argv);
}
