// SPDX-License-Identifier: MIT
#include "differences.hpp"

#include "failure.hpp"

#include <hashring/core/text.hpp>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

namespace tool {

namespace {

/// What a scheme says of itself on the line that begins with `what`; empty if it says nothing.
std::string rule(const placed_by& program, std::string_view what) {
    const std::string text = concat("\n", program.scheme->describe(program.options));
    const std::string head = concat("\n", what, ": ");
    const std::size_t at = text.find(head);
    if (at == std::string::npos) {
        return {};
    }
    const std::size_t first = at + head.size();
    return text.substr(first, text.find('\n', first) - first);
}

std::string unlike(std::string_view what, std::string_view here, std::string_view there) {
    return concat(what, ": ", here, ", not ", there);
}

/// The rules called `what` of the two, if they do not read the same.
std::optional<std::string> unlike_rules(std::string_view what, const placed_by& reference,
                                        const placed_by& other) {
    const std::string here = rule(other, what);
    const std::string there = rule(reference, what);
    if (here == there) {
        return std::nullopt;
    }
    return unlike(what, here, there);
}

bool is_table(const placed_by& program) {
    return program.scheme->counts == counting::slots;
}

/// How keys are hashed, where a key stands elsewhere for it.
std::optional<std::string> unlike_hashes(const placed_by& reference, const placed_by& other,
                                         std::span<const std::string> keys) {
    for (const std::string& key : keys) {
        if (other.placed->position_text(key) != reference.placed->position_text(key)) {
            return unlike("key", other.placed->explain(key).hash,
                          reference.placed->explain(key).hash);
        }
    }
    return std::nullopt;
}

void add(std::vector<std::string>& said, std::optional<std::string> text) {
    if (text) {
        said.push_back(std::move(*text));
    }
}

/// `:11211` of a name that ends so; empty if it ends otherwise.
std::string_view port_of(std::string_view name) {
    const std::size_t digits = name.find_last_not_of("0123456789");
    const bool has_port =
        digits != std::string_view::npos && name[digits] == ':' && digits + 1 < name.size();
    return has_port ? name.substr(digits) : std::string_view{};
}

/// What two labels of the node called `name` say, if it is not the same.
std::optional<std::string> unlike_label(std::string_view name, const std::string& here,
                                        const std::string& there) {
    if (here == there) {
        return std::nullopt;
    }
    const std::string_view port = port_of(name);
    const auto has_port = [&](const std::string& label) {
        return !port.empty() && label.find(port) != std::string::npos;
    };
    return unlike(has_port(here) == has_port(there) ? "label" : "label (port rule)",
                  in_quotes(here), in_quotes(there));
}

/// The same of the first label that differs; from one this far on another looks as the ones before.
std::optional<std::string> unlike_labels(const placed_by& reference, const placed_by& other,
                                         const std::vector<placed>& here,
                                         const std::vector<placed>& there) {
    constexpr std::uint32_t enough = 128;
    for (std::uint32_t i = 0; i < here.size(); ++i) {
        const std::uint32_t count = std::min({here[i].vnodes, there[i].vnodes, enough});
        for (std::uint32_t j = 0; j < count; ++j) {
            std::optional<std::string> found = unlike_label(here[i].name, other.placed->label(i, j),
                                                            reference.placed->label(i, j));
            if (found) {
                return found;
            }
        }
    }
    return std::nullopt;
}

/// Whether two counts are one that was rounded: apart by a digest's points or less, of many.
bool is_rounding(std::uint32_t fewer, std::uint32_t more) {
    return more - fewer <= 4 && more - fewer <= more / 32;
}

/// How many points a node has, where the two give it other counts: of those the first that is more
/// than a rounding, if there is one. One that is down may have none.
std::optional<std::string> unlike_counts(const placed_by& reference, const placed_by& other,
                                         const std::vector<placed>& nodes) {
    const std::vector<std::uint32_t> here = other.placed->program_counts();
    const std::vector<std::uint32_t> there = reference.placed->program_counts();
    std::optional<std::string> rounded;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const auto [fewer, more] = std::minmax(here[i], there[i]);
        if (fewer == more || (fewer == 0 && nodes[i].down)) {
            continue;
        }
        const std::string ours = concat(decimal(here[i]), " points for ", nodes[i].name);
        if (!is_rounding(fewer, more)) {
            return unlike("count", ours, decimal(there[i]));
        }
        if (!rounded) {
            rounded = unlike("count (rounding)", ours, decimal(there[i]));
        }
    }
    return rounded;
}

std::vector<std::string> sorted_positions(const placement& placed) {
    std::vector<std::string> positions;
    positions.reserve(placed.point_count());
    for (std::size_t i = 0; i < placed.point_count(); ++i) {
        positions.push_back(placed.point_position(i));
    }
    std::sort(positions.begin(), positions.end());
    return positions;
}

/// Whether two rings whose labels are alike have all points in common that both could have.
bool puts_points_alike(const placement& a, const placement& b) {
    const std::vector<std::uint32_t> counts = a.program_counts();
    const std::vector<std::uint32_t> others = b.program_counts();
    std::size_t both = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        both += std::min(counts[i], others[i]);
    }
    std::vector<std::string> common;
    std::ranges::set_intersection(sorted_positions(a), sorted_positions(b),
                                  std::back_inserter(common));
    return common.size() >= both;
}

/// What two rings differ in, behind where keys stand.
void add_unlike_points(const placed_by& reference, const placed_by& other,
                       std::vector<std::string>& said) {
    const std::vector<placed> here = other.placed->nodes();
    const std::optional<std::string> labels =
        unlike_labels(reference, other, here, reference.placed->nodes());
    const std::optional<std::string> owner = unlike_rules("owner", reference, other);
    add(said, labels);
    add(said, unlike_counts(reference, other, here));
    if (!labels && !owner && !puts_points_alike(*reference.placed, *other.placed)) {
        add(said, unlike_rules("points", reference, other));
    }
    add(said, owner);
    add(said, unlike_rules("tie", reference, other));
}

/// Who answers for a node that is down, where one is.
std::optional<std::string> unlike_when_down(const placed_by& reference, const placed_by& other) {
    const std::vector<placed> nodes = other.placed->nodes();
    const std::string& here = other.scheme->down_rule;
    const std::string& there = reference.scheme->down_rule;
    if (here == there ||
        std::none_of(nodes.begin(), nodes.end(), [](const placed& node) { return node.down; })) {
        return std::nullopt;
    }
    return unlike("down", here, there);
}

} // namespace

std::vector<std::string> differences(const placed_by& reference, const placed_by& other,
                                     std::span<const std::string> keys) {
    std::vector<std::string> said;
    add(said, unlike_hashes(reference, other, keys));
    if (is_table(reference) != is_table(other)) {
        said.emplace_back(is_table(other) ? "owner: slots of a table, not a ring's points"
                                          : "owner: a ring's points, not slots of a table");
    } else if (is_table(other)) {
        add(said, unlike_rules("nodes", reference, other));
        add(said, unlike_rules("owner", reference, other));
    } else {
        add_unlike_points(reference, other, said);
    }
    add(said, unlike_when_down(reference, other));
    return said;
}

} // namespace tool
