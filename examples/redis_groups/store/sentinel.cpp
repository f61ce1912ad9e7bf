// SPDX-License-Identifier: MIT

#include "sentinel.hpp"

#include <hashring/core/text.hpp>

#include <array>
#include <utility>

namespace redis_groups {

namespace {

template <class Number>
Number number_field(const reply& fields, std::string_view name, Number otherwise) {
    return hashring::parse_decimal<Number>(field(fields, name)).value_or(otherwise);
}

std::optional<address> address_of(const reply& fields) {
    const auto port = hashring::parse_decimal<std::uint16_t>(field(fields, "port"));
    const std::string_view host = field(fields, "ip");
    if (!port || *port == 0 || host.empty()) {
        return std::nullopt;
    }
    return address{std::string(host), *port};
}

bool has_down_flag(const reply& fields) {
    constexpr std::array<std::string_view, 3> bad = {"s_down", "o_down", "disconnected"};
    std::string_view flags = field(fields, "flags");
    while (!flags.empty()) {
        const std::size_t comma = flags.find(',');
        const std::string_view flag = flags.substr(0, comma);
        flags.remove_prefix(comma == std::string_view::npos ? flags.size() : comma + 1);
        for (const std::string_view name : bad) {
            if (flag == name) {
                return true;
            }
        }
    }
    return false;
}

std::vector<seen_replica> replicas_of(const reply& list) {
    std::vector<seen_replica> replicas;
    for (const reply& fields : list.items) {
        if (const auto where = address_of(fields)) {
            replicas.push_back({*where, has_down_flag(fields),
                                number_field<std::uint32_t>(fields, "slave-priority", 100),
                                number_field<std::uint64_t>(fields, "slave-repl-offset", 0)});
        }
    }
    return replicas;
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
    return sighting{*where, has_down_flag(master),
                    number_field<std::uint64_t>(master, "config-epoch", 0), replicas_of(replicas)};
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
