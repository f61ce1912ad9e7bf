// SPDX-License-Identifier: MIT
#include "differences.hpp"

#include "failure.hpp"

#include <hashring/core/text.hpp>

#include <algorithm>
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

/// How many points a node has, where the two give it other counts.
std::optional<std::string> unlike_counts(const std::vector<placed>& here,
                                         const std::vector<placed>& there) {
    for (std::size_t i = 0; i < here.size(); ++i) {
        const std::uint32_t ours = here[i].vnodes;
        const std::uint32_t theirs = there[i].vnodes;
        if (ours != theirs) {
            const bool is_close = std::max(ours, theirs) - std::min(ours, theirs) <= theirs / 20;
            return unlike(is_close ? "count (rounding)" : "count",
                          concat(decimal(ours), " points for ", here[i].name), decimal(theirs));
        }
    }
    return std::nullopt;
}

bool puts_points_alike(const placement& a, const placement& b) {
    if (a.point_count() != b.point_count()) {
        return false;
    }
    for (std::size_t i = 0; i < a.point_count(); ++i) {
        if (a.point_text(i) != b.point_text(i)) {
            return false;
        }
    }
    return true;
}

/// What two rings differ in, behind where keys stand.
void add_unlike_points(const placed_by& reference, const placed_by& other,
                       std::vector<std::string>& said) {
    const std::vector<placed> here = other.placed->nodes();
    const std::vector<placed> there = reference.placed->nodes();
    const std::size_t before = said.size();
    add(said, unlike_labels(reference, other, here, there));
    add(said, unlike_counts(here, there));
    const std::optional<std::string> owner = unlike_rules("owner", reference, other);
    if (said.size() == before && !owner && !puts_points_alike(*reference.placed, *other.placed)) {
        add(said, unlike_rules("points", reference, other));
    }
    add(said, owner);
    add(said, unlike_rules("tie", reference, other));
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
    return said;
}

} // namespace tool
