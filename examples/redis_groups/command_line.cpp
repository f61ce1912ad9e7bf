// SPDX-License-Identifier: MIT

#include "command_line.hpp"

#include "../tool/duration.hpp"
#include "../tool/failure.hpp"
#include "bench/bench.hpp"
#include "client_options.hpp"
#include "demo/demo.hpp"
#include "run/run.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace redis_groups {

namespace {

using hashring::concat;
using hashring::decimal;

/// What `run` can do.
struct run_command {
    const char* name;
    const char* help;
    run::command effect;
    std::vector<const char*> words; ///< that follow
};

const std::array<run_command, 8>& run_commands() {
    static const std::array<run_command, 8> commands{{
        {"status", "the copies of each group, and how they are", run::status, {}},
        {"get", "the value of a key", run::get, {"KEY"}},
        {"set", "gives a key a value", run::set, {"KEY", "VALUE"}},
        {"del", "deletes a key", run::erase, {"KEY"}},
        {"compare", "whether all copies of each group hold the same", run::compare, {}},
        {"repair", "completes copies that are not complete", run::repair, {}},
        {"move",
         "moves keys to where other groups, --to, place them; no other client may write "
         "meanwhile",
         run::move,
         {}},
        {"metrics", "the state in the text format of Prometheus", run::metrics, {}},
    }};
    return commands;
}

std::size_t in_range(std::string_view option, std::size_t value, std::size_t least,
                     std::size_t most) {
    if (value < least || value > most) {
        throw tool::usage_failure(concat(option, " ", decimal(value), " is not from ",
                                         decimal(least), " to ", decimal(most)));
    }
    return value;
}

class command_line {
public:
    command_line() : app_("Groups of Redis servers on a ring.", "redis_groups") {
        app_.require_subcommand(1);
        app_.failure_message(
            [](const CLI::App*, const CLI::Error& e) { return std::string(e.what()); });
        add_demo();
        add_bench();
        add_run();
    }

    int run(int argc, const char* const* argv, tool::output& out) {
        if (argc > 1) {
            check_name(app_, argv[1]);
        }
        if (argc > 2 && std::string_view(argv[1]) == "run") {
            check_name(*app_.get_subcommand("run"), argv[2]);
        }
        try {
            app_.parse(argc, argv);
        } catch (const CLI::CallForHelp&) {
            out << help();
            return 0;
        } catch (const CLI::ParseError& e) {
            throw tool::usage_failure(e.what());
        }
        const std::string chosen = app_.get_subcommands().front()->get_name();
        if (chosen == "demo") {
            in_range("--keys", demo_.keys, 1000, 10'000'000);
            if (demo_.metrics && demo_.metrics->empty()) {
                throw tool::usage_failure("--metrics names no file");
            }
            demo::run(demo_, out);
            return 0;
        }
        if (chosen == "bench") {
            bench::run(checked_bench(), out);
            return 0;
        }
        return run_on_servers(out);
    }

private:
    void add_demo() {
        CLI::App& demo = *app_.add_subcommand(
            "demo", "starts its own servers, and shows distribution, failover, repair and "
                    "migration; leaves nothing behind");
        demo.add_option("--keys", demo_.keys, "to load")->type_name("N")->capture_default_str();
        demo.add_option("--metrics", demo_.metrics, "where the state is put for Prometheus")
            ->type_name("FILE");
    }

    void add_bench() {
        CLI::App& bench =
            *app_.add_subcommand("bench", "the Redis paper's experiments, on servers of its own");
        bench.add_option("EXPERIMENT", bench_.experiments,
                         "distribution, throughput, reliability (default: all)");
        const auto number = [&](const char* name, std::size_t& value, const char* help) {
            bench.add_option(name, value, help)->type_name("N")->capture_default_str();
        };
        number("--keys", bench_.keys, "that are written and read");
        number("--clients", bench_.clients, "threads that do so");
        number("--pipeline", bench_.pipeline, "requests that travel together");
        number("--groups", bench_.groups, "from one to so many");
        number("--replicas", bench_.replicas, "of each group");
        number("--rounds", bench_.rounds, "of which the median is shown");
        bench
            .add_option("--server-time", server_time_,
                        "microseconds that a server is busy with a request besides: so it is what "
                        "limits, and not this machine")
            ->type_name("US")
            ->capture_default_str();
        bench.add_option("--format", format_, "table, tsv or json")
            ->type_name("FORMAT")
            ->capture_default_str();
        bench.add_option("--svg", bench_.charts, "a folder for charts")->type_name("FOLDER");
        bench_strategies_.write = "async";
        bench_strategies_.read = "master";
        bench_strategies_.add_strategies(bench);
    }

    void add_run() {
        CLI::App& run = *app_.add_subcommand("run", "the client against servers that are there");
        run.require_subcommand(1);
        run.fallthrough(false);
        for (const run_command& command : run_commands()) {
            CLI::App& sub = *run.add_subcommand(command.name, command.help);
            run_options_.add_servers(sub);
            run_options_.add_strategies(sub);
            words_[command.name].resize(command.words.size());
            for (std::size_t i = 0; i < command.words.size(); ++i) {
                sub.add_option(command.words[i], words_[command.name][i], "any bytes but NUL")
                    ->required();
            }
            if (command.effect == run::set) {
                sub.add_option("--expire", expire_, "after so long, such as 30s")
                    ->type_name("TIME");
            }
            if (command.effect == run::move) {
                sub.add_option("--to", to_, "a group of those that shall be; once for each")
                    ->type_name("GROUP")
                    ->allow_extra_args(false)
                    ->required();
            }
        }
    }

    /// Names what there is for a command that there is not.
    static void check_name(const CLI::App& parent, std::string_view name) {
        std::string names;
        for (const CLI::App* sub : parent.get_subcommands(nullptr)) {
            if (name == sub->get_name() || name.starts_with('-')) {
                return;
            }
            names += concat(names.empty() ? "" : ", ", sub->get_name());
        }
        throw tool::usage_failure(
            concat("unknown command ", tool::in_quotes(name), ": there are ", names));
    }

    [[nodiscard]] std::string help() const {
        const CLI::App* deepest = &app_;
        std::string names;
        while (!deepest->get_subcommands().empty()) {
            names += concat(names.empty() ? "" : " ", deepest->get_name());
            deepest = deepest->get_subcommands().front();
        }
        return deepest->help(names);
    }

    bench::options checked_bench() {
        constexpr std::array<std::string_view, 3> known{"distribution", "throughput",
                                                        "reliability"};
        for (const std::string& name : bench_.experiments) {
            if (std::find(known.begin(), known.end(), name) == known.end()) {
                throw tool::usage_failure(
                    concat("experiment ", tool::in_quotes(name),
                           " is none of distribution, throughput, reliability"));
            }
        }
        in_range("--keys", bench_.keys, 1000, 100'000'000);
        in_range("--clients", bench_.clients, 1, 256);
        in_range("--pipeline", bench_.pipeline, 1, 10'000);
        in_range("--groups", bench_.groups, 2, 16);
        in_range("--replicas", bench_.replicas, 0, 4);
        in_range("--rounds", bench_.rounds, 1, 1000);
        bench_.service_time =
            std::chrono::microseconds(in_range("--server-time", server_time_, 0, 100'000));
        bench_.as = tool::parse_format(format_);
        bench_.how = bench_strategies_.chosen();
        bench_.how.pipeline = bench_.pipeline;
        return bench_;
    }

    int run_on_servers(tool::output& out) {
        const std::string name = app_.get_subcommand("run")->get_subcommands().front()->get_name();
        const auto command =
            std::find_if(run_commands().begin(), run_commands().end(),
                         [&](const run_command& each) { return name == each.name; });
        run::request asked;
        asked.how = run_options_.chosen();
        asked.groups = run_options_.named_groups();
        asked.words = words_[name];
        if (expire_) {
            asked.lives_for = tool::parse_duration("--expire", *expire_);
        }
        asked.to = parse_groups(to_, !asked.how.sentinels.empty());
        return command->effect(asked, out);
    }

    CLI::App app_;
    demo::options demo_;
    bench::options bench_;
    client_options bench_strategies_;
    client_options run_options_;
    std::size_t server_time_ = 0;
    std::string format_ = "table";
    std::map<std::string, std::vector<std::string>> words_;
    std::optional<std::string> expire_;
    std::vector<std::string> to_;
};

} // namespace

int run_command_line(int argc, const char* const* argv, tool::output& out) {
    return command_line().run(argc, argv, out);
}

} // namespace redis_groups
