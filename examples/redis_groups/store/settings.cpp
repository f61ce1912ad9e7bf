// SPDX-License-Identifier: MIT

#include "settings.hpp"

#include <hashring/core/text.hpp>

#include <algorithm>
#include <stdexcept>

namespace redis_groups {

group_spec parse_group(std::string_view text) {
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string_view::npos) {
        throw std::invalid_argument(
            hashring::concat("'", text, "' is no group: NAME=HOST:PORT[,HOST:PORT...]"));
    }
    group_spec group{std::string(text.substr(0, equals)), {}, {}};
    std::string_view rest = text.substr(equals + 1);
    for (bool more = true; more;) {
        const std::size_t comma = rest.find(',');
        const address copy = parse_address(rest.substr(0, comma));
        if (std::find(group.copies.begin(), group.copies.end(), copy) != group.copies.end()) {
            throw std::invalid_argument(
                hashring::concat("group '", group.name, "' lists ", describe(copy), " twice"));
        }
        group.copies.push_back(copy);
        more = comma != std::string_view::npos;
        rest.remove_prefix(more ? comma + 1 : rest.size());
    }
    return group;
}

} // namespace redis_groups
