// SPDX-License-Identifier: MIT

#include "sentinel.hpp"

#include <hashring/core/text.hpp>

#include <set>
#include <stdexcept>
#include <utility>

namespace redis_groups {

namespace {

std::optional<address> address_of(const reply& fields) {
    const auto port = hashring::parse_decimal<std::uint16_t>(field(fields, "port"));
    const std::string_view host = field(fields, "ip");
    if (!port || *port == 0 || host.empty()) {
        return std::nullopt;
    }
    return address{std::string(host), *port};
}

std::vector<address> addresses_of(const reply& list) {
    std::vector<address> result;
    for (const reply& fields : list.items) {
        if (const auto where = address_of(fields)) {
            result.push_back(*where);
        }
    }
    return result;
}

} // namespace

std::optional<sighting> read_sighting(const reply& master, const reply& replicas) {
    const std::optional<address> where = address_of(master);
    if (master.is_error() || !where) {
        return std::nullopt;
    }
    const auto epoch = hashring::parse_decimal<std::uint64_t>(field(master, "config-epoch"));
    return sighting{*where, epoch.value_or(0), addresses_of(replicas)};
}

sentinels::sentinels(const std::vector<address>& servers, connection_options options)
    : options_(std::move(options)) {
    servers_.reserve(servers.size());
    for (const address& where : servers) {
        servers_.push_back({where});
    }
}

connection& sentinels::link_to(server& to, const connection_options& options) {
    if (!to.link || !to.link->is_usable()) {
        to.link.emplace(to.where, options);
    }
    return *to.link;
}

std::optional<sighting> sentinels::ask(server& from, std::string_view group) {
    connection& link = link_to(from, options_);
    link.append({"SENTINEL", "MASTER", group});
    link.append({"SENTINEL", "REPLICAS", group});
    link.send();
    const reply master = link.receive();
    const reply replicas = link.receive();
    std::optional<sighting> seen = read_sighting(master, replicas);
    if (!seen) {
        why_not_ = hashring::concat(describe(from.where), ": ",
                                    master.is_error() ? master.text : "no address of a master");
    }
    return seen;
}

std::optional<sighting> sentinels::look(std::string_view group) {
    std::optional<sighting> latest;
    why_not_ = "there are no sentinels";
    for (server& from : servers_) {
        try {
            std::optional<sighting> seen = ask(from, group);
            if (seen && (!latest || seen->epoch > latest->epoch)) {
                latest = std::move(seen);
            }
        } catch (const std::runtime_error& problem) {
            from.link.reset();
            why_not_ = problem.what();
        }
    }
    return latest;
}

std::vector<std::string> sentinels::groups() {
    std::set<std::string> names;
    why_not_ = "there are no sentinels";
    for (server& from : servers_) {
        try {
            const reply masters = link_to(from, options_).call({"SENTINEL", "MASTERS"});
            why_not_ = masters.is_error() ? masters.text : "they watch none";
            for (const reply& fields : masters.items) {
                names.emplace(field(fields, "name"));
            }
        } catch (const std::runtime_error& problem) {
            from.link.reset();
            why_not_ = problem.what();
        }
    }
    return {names.begin(), names.end()};
}

} // namespace redis_groups
