// SPDX-License-Identifier: MIT

#include "sentinel.hpp"

#include <hashring/core/text.hpp>

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

sentinels::sentinels(const std::vector<address>& servers, connection_options options)
    : options_(std::move(options)) {
    servers_.reserve(servers.size());
    for (const address& where : servers) {
        servers_.push_back({where});
    }
}

std::optional<sighting> sentinels::ask(server& from, std::string_view group) {
    if (!from.link || !from.link->is_usable()) {
        from.link.emplace(from.where, options_);
    }
    from.link->append({"SENTINEL", "MASTER", group});
    from.link->append({"SENTINEL", "REPLICAS", group});
    from.link->send();
    const reply master = from.link->receive();
    const reply replicas = from.link->receive();
    const std::optional<address> where = address_of(master);
    if (master.is_error() || !where) {
        why_not_ = hashring::concat(describe(from.where), ": ",
                                    master.is_error() ? master.text : "no address of a master");
        return std::nullopt;
    }
    const auto epoch = hashring::parse_decimal<std::uint64_t>(field(master, "config-epoch"));
    return sighting{*where, epoch.value_or(0), addresses_of(replicas)};
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

} // namespace redis_groups
