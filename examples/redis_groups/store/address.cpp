// SPDX-License-Identifier: MIT

#include "address.hpp"

#include <hashring/core/text.hpp>

#include <optional>
#include <stdexcept>

namespace redis_groups {

namespace {

struct parts {
    std::string_view host;
    std::optional<std::string_view> port;
};

std::optional<parts> split(std::string_view text) {
    if (text.starts_with('[')) {
        const std::size_t end = text.find(']');
        if (end == std::string_view::npos) {
            return std::nullopt;
        }
        const std::string_view rest = text.substr(end + 1);
        if (!rest.empty() && !rest.starts_with(':')) {
            return std::nullopt;
        }
        return parts{text.substr(1, end - 1),
                     rest.empty() ? std::nullopt : std::optional(rest.substr(1))};
    }
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) {
        return parts{text, std::nullopt};
    }
    if (text.find(':', colon + 1) != std::string_view::npos) {
        return std::nullopt; // an address of IPv6 needs brackets
    }
    return parts{text.substr(0, colon), text.substr(colon + 1)};
}

std::optional<address> read_address(std::string_view text) {
    const std::optional<parts> found = split(text);
    if (!found || found->host.empty()) {
        return std::nullopt;
    }
    address result{std::string(found->host)};
    if (found->port) {
        const auto port = hashring::parse_decimal<std::uint16_t>(*found->port);
        if (!port || *port == 0) {
            return std::nullopt;
        }
        result.port = *port;
    }
    return result;
}

} // namespace

std::string describe(const address& where) {
    const bool has_colon = where.host.find(':') != std::string::npos;
    return has_colon ? hashring::concat("[", where.host, "]:", hashring::decimal(where.port))
                     : hashring::concat(where.host, ":", hashring::decimal(where.port));
}

address parse_address(std::string_view text) {
    const std::optional<address> found = read_address(text);
    if (!found) {
        throw std::invalid_argument(
            hashring::concat("'", text, "' is no address: host, host:port or [host]:port"));
    }
    return *found;
}

} // namespace redis_groups
