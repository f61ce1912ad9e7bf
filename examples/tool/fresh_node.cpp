// SPDX-License-Identifier: MIT
#include "fresh_node.hpp"

#include "failure.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

namespace tool {

namespace {

/// How large the number behind `head` may be: a port, a part of an address, or any.
std::uint32_t largest_behind(std::string_view head) {
    return head.ends_with(':') ? 65535U : head.ends_with('.') ? 254U : 999'999'999U;
}

/// A text like `model` that is none of `taken`.
std::string another(std::string_view model, const std::set<std::string_view>& taken) {
    const std::size_t digits = model.find_last_not_of("0123456789") + 1; // 0 if there is no other
    const std::string_view head = model.substr(0, digits);
    if (const auto number = hashring::parse_decimal<std::uint32_t>(model.substr(digits))) {
        const std::uint32_t most = largest_behind(head);
        for (std::uint32_t n = *number < most ? *number + 1 : 1; n != *number;
             n = n < most ? n + 1 : 1) {
            if (std::string text = concat(head, decimal(n)); !taken.contains(text)) {
                return text;
            }
        }
    }
    std::string text(model);
    do {
        text += "-new";
    } while (taken.contains(text));
    return text;
}

/// The same for an attribute of the nodes, which stays empty if the last has none.
std::string another_of(const std::vector<listed_node>& nodes, std::string listed_node::* member) {
    const std::string& model = nodes.back().*member;
    std::set<std::string_view> taken;
    for (const listed_node& node : nodes) {
        taken.insert(node.*member);
    }
    return model.empty() ? model : another(model, taken);
}

} // namespace

hashring::weight median_weight(const std::vector<listed_node>& nodes) {
    std::vector<hashring::weight> weights;
    for (const listed_node& node : nodes) {
        if (!node.down && node.weight > hashring::weight{0}) {
            weights.push_back(node.weight);
        }
    }
    if (weights.empty()) {
        return hashring::weight{1};
    }
    const auto middle = weights.begin() + static_cast<std::ptrdiff_t>((weights.size() - 1) / 2);
    std::nth_element(weights.begin(), middle, weights.end());
    return *middle;
}

listed_node fresh_node(const std::vector<listed_node>& nodes) {
    listed_node node = nodes.back();
    node.name = another_of(nodes, &listed_node::name);
    node.addr = another_of(nodes, &listed_node::addr);
    node.guid = another_of(nodes, &listed_node::guid);
    node.weight = median_weight(nodes);
    node.down = false;
    if (node.id) {
        std::uint32_t largest = 0;
        for (const listed_node& other : nodes) {
            largest = std::max(largest, other.id.value_or(0));
        }
        node.id = largest + 1;
    }
    return node;
}

} // namespace tool
