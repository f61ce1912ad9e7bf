// SPDX-License-Identifier: MIT

#include "client_options.hpp"

#include "../tool/duration.hpp"
#include "../tool/failure.hpp"

#include <hashring/core/text.hpp>

#include <cstdlib>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace redis_groups {

namespace {

namespace group = hashring::group;
using hashring::concat;

/// What one of the names stands for. Throws `tool::usage_failure` that lists them.
template <class Value>
Value named(std::string_view option, std::string_view text,
            std::initializer_list<std::pair<std::string_view, Value>> values) {
    std::string names;
    for (const auto& [name, value] : values) {
        if (name == text) {
            return value;
        }
        names += names.empty() ? "" : ", ";
        names += name;
    }
    throw tool::usage_failure(concat(option, " ", tool::in_quotes(text), " is none of ", names));
}

std::vector<address> parse_addresses(std::string_view text) {
    std::vector<address> result;
    while (!text.empty()) {
        const std::size_t comma = text.find(',');
        try {
            result.push_back(parse_address(text.substr(0, comma)));
        } catch (const std::invalid_argument& problem) {
            throw tool::usage_failure(concat("--sentinels: ", problem.what()));
        }
        text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
    }
    return result;
}

/// The password that was given, or that which `redis-cli` would take from the environment: one on
/// the command line can be seen by all who may list processes.
std::string password_of(const std::string& given) {
    const char* const kept = std::getenv("REDISCLI_AUTH");
    return given.empty() && kept != nullptr ? kept : given;
}

} // namespace

void client_options::add_strategies(CLI::App& to) {
    to.add_option("--write", write, "who acknowledges a write: master, async or sync (a majority)")
        ->type_name("HOW")
        ->capture_default_str();
    to.add_option("--read", read, "who is read: master, any, replica, replica-only or majority")
        ->type_name("HOW")
        ->capture_default_str();
}

void client_options::add_servers(CLI::App& to) {
    to.add_option("--groups", groups,
                  "a group and its copies, NAME=HOST:PORT[,HOST:PORT...]; with --sentinels a name "
                  "is enough; once for each group")
        ->type_name("GROUP")
        ->allow_extra_args(false);
    to.add_option("--sentinels", sentinels,
                  "HOST:PORT[,HOST:PORT...]; without --groups all groups that they watch")
        ->type_name("ADDRESSES");
    to.add_option("--user", user, "as whom to come")->type_name("NAME");
    to.add_option("--password", password, "(default: the environment's REDISCLI_AUTH)")
        ->type_name("TEXT");
    to.add_option("--database", database, "the database's number")
        ->type_name("N")
        ->capture_default_str();
    to.add_option("--repairing", repairing,
                  "what copies do that are not complete: serve, read-only or refuse")
        ->type_name("WHAT")
        ->capture_default_str();
    to.add_option("--patience", patience, "how long to try again what is certainly not applied")
        ->type_name("TIME")
        ->capture_default_str();
    to.add_option("--io-timeout", io_timeout, "how long to wait for an answer")
        ->type_name("TIME")
        ->capture_default_str();
    to.add_option("--wait-timeout", wait_timeout, "how long to wait for replicas")
        ->type_name("TIME")
        ->capture_default_str();
}

settings client_options::chosen() const {
    settings result;
    result.rules.write =
        named<group::write_strategy>("--write", write,
                                     {{"master", group::write_strategy::master_only},
                                      {"async", group::write_strategy::master_first_async},
                                      {"sync", group::write_strategy::master_first_sync}});
    result.rules.read =
        named<group::read_strategy>("--read", read,
                                    {{"master", group::read_strategy::master},
                                     {"any", group::read_strategy::any_copy},
                                     {"replica", group::read_strategy::replica_preferred},
                                     {"replica-only", group::read_strategy::replica_only},
                                     {"majority", group::read_strategy::majority}});
    result.rules.repair =
        named<group::repair_policy>("--repairing", repairing,
                                    {{"serve", group::repair_policy::serve},
                                     {"read-only", group::repair_policy::read_only},
                                     {"refuse", group::repair_policy::refuse}});
    result.sentinels = parse_addresses(sentinels);
    result.connections.user = user;
    result.connections.password = password_of(password);
    result.connections.database = database;
    result.connections.io_timeout = tool::parse_duration("--io-timeout", io_timeout);
    result.patience = tool::parse_duration("--patience", patience);
    result.wait_timeout = tool::parse_duration("--wait-timeout", wait_timeout);
    return result;
}

std::vector<group_spec> client_options::named_groups() const {
    if (groups.empty() && sentinels.empty()) {
        throw tool::usage_failure("run needs --groups or --sentinels");
    }
    return parse_groups(groups, !sentinels.empty());
}

std::vector<group_spec> parse_groups(const std::vector<std::string>& texts, bool has_sentinels) {
    std::vector<group_spec> result;
    for (const std::string& text : texts) {
        if (has_sentinels && !text.empty() && text.find('=') == std::string::npos) {
            result.push_back({text, {}, {}});
            continue;
        }
        try {
            result.push_back(parse_group(text));
        } catch (const std::invalid_argument& problem) {
            throw tool::usage_failure(problem.what());
        }
    }
    return result;
}

} // namespace redis_groups
