// SPDX-License-Identifier: MIT

// The command-line tool: keys on nodes, from files. README.md says what it reads and prints, and
// how errors end.

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

/// Scheme options as the command line holds them, by name.
using raw_options = std::map<std::string, std::string>;

/// Offers an option that a scheme declares, unless another scheme's of that name is offered.
void add_scheme_option(CLI::App& sub, const hashring::scheme_option& option, raw_options& raw) {
    const std::string flag = concat("--", option.name);
    if (sub.get_option_no_throw(flag) != nullptr) {
        return;
    }
    std::string& value = raw[std::string(option.name)];
    if (option.values.empty()) {
        sub.add_flag_callback(
               flag, [&value] { value = "1"; }, std::string(option.help))
            ->disable_flag_override();
    } else {
        sub.add_option(flag, value, std::string(option.help))
            ->type_name(std::string(option.values));
    }
}

/// Offers every option that some scheme declares, once.
void add_options_of_schemes(CLI::App& sub, raw_options& raw) {
    for (const scheme_entry& scheme : all_schemes()) {
        for (const hashring::scheme_option& option : scheme.options) {
            add_scheme_option(sub, option, raw);
        }
    }
}

/// The same, and what there is only with `--allocator corrected`.
void add_scheme_options(CLI::App& sub, request& asked, raw_options& raw) {
    sub.add_option("--scheme", asked.scheme, "how keys and nodes are placed; `schemes` lists them")
        ->type_name("NAME")
        ->capture_default_str();
    sub.add_option("--allocator", asked.allocator,
                   "how virtual nodes are counted: so many a unit of weight (plain, the default), "
                   "or picked so that shares are as wished (corrected)")
        ->type_name("plain|corrected");
    add_options_of_schemes(sub, raw);
    for (const scheme_entry& scheme : all_schemes()) {
        if (scheme.corrected) {
            for (const hashring::scheme_option& option : scheme.corrected->options) {
                add_scheme_option(sub, option, raw);
            }
        }
    }
}

void add_nodes(CLI::App& sub, request& asked) {
    sub.add_option("--nodes", asked.nodes,
                   "a node a line: NAME [WEIGHT] [key=value ...]; - is standard input")
        ->type_name("FILE");
}

void add_keys(CLI::App& sub, request& asked, const std::string& help) {
    sub.add_option("--keys", asked.keys, help)->type_name("FILE");
    sub.add_flag("--hex", asked.hex, "keys are spelled in hexadecimal digits")
        ->disable_flag_override();
}

/// Offers keys one by one. The parser splits [a,b] in two unless it expects a certain number of
/// values: so it is given a large one, on which `TakeAll` does not insist.
void add_given_keys(CLI::App& sub, request& asked, const std::string& help) {
    sub.add_option("KEYS", asked.given_keys, help)
        ->option_text("...")
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->expected(1 << 20, -1)
        ->allow_extra_args(false);
}

void add_copies(CLI::App& sub, request& asked, const std::string& help) {
    sub.add_option("--copies", asked.copies, help)->type_name("N");
}

void add_format(CLI::App& sub, request& asked, const std::string& preset) {
    sub.add_option("--format", asked.format, "table, tsv or json (default " + preset + ")")
        ->type_name("FORMAT");
}

void add_plan_options(CLI::App& sub, request& asked) {
    sub.add_option("--report", asked.report,
                   "`hdfs dfsadmin -report`, a NameNode's /jmx, or TSV `name total free [vnodes]`; "
                   "- is standard input")
        ->type_name("FILE");
    sub.add_option("--command", asked.command,
                   "run by the shell for a report; it has --period to finish")
        ->type_name("CMD");
    sub.add_option("--nodes", asked.nodes,
                   "names and weights: NAME or addr= is the ip:port or host name of the report")
        ->type_name("FILE");
    sub.add_option("--state", asked.state, "what the rule remembers from plan to plan, in JSON")
        ->type_name("FILE");
    sub.add_option("--rule", asked.rule, "literal, weights or transfers")
        ->type_name("RULE")
        ->capture_default_str();
    sub.add_option("--threshold", asked.threshold,
                   "the distance from the median load that is allowed: 5% of it, or 0.05 absolute")
        ->type_name("PART")
        ->capture_default_str();
    sub.add_flag("--watch", asked.watch, "a plan every period, until stopped")
        ->disable_flag_override();
    sub.add_option("--period", asked.period, "such as 30s, 500ms, 5m")
        ->type_name("TIME")
        ->capture_default_str();
}

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
        const bool plans = chosen.get_name() == "plan"; // which finds its nodes in the report
        for (const char* needed : {"--nodes", "--from", "--to", "KEY", "EXPERIMENT"}) {
            const CLI::Option* const option = chosen.get_option_no_throw(needed);
            if (option != nullptr && option->count() == 0 && !plans) {
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
