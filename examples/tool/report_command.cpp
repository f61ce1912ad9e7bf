// SPDX-License-Identifier: MIT
#include "commands.hpp"
#include "evenness.hpp"
#include "failure.hpp"
#include "json.hpp"
#include "keys.hpp"
#include "named_scheme.hpp"

#include <hashring/balance/expected_gap.hpp>
#include <hashring/balance/measures.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>

namespace tool {

namespace {

key_counts count_keys(const placement& placed, std::size_t nodes, key_reader& keys) {
    key_counts counts;
    counts.of_node.resize(nodes);
    while (keys.next()) {
        counts.add(placed.owner(keys.bytes()));
    }
    return counts;
}

/// Points that do not lie independently do no more for the balance than one a node. Where a rule
/// makes the shares, the gap that they have is the one to expect.
double expected_gap(const std::vector<placed>& nodes, counting counts, double gap) {
    if (counts == counting::slots || counts == counting::corrected) {
        return gap;
    }
    std::vector<std::uint32_t> vnodes;
    for (const placed& node : nodes) {
        if (takes_keys(node)) {
            vnodes.push_back(counts == counting::independent ? node.vnodes
                                                             : std::min(node.vnodes, 1U));
        }
    }
    return hashring::expected_load_gap(vnodes);
}

struct report {
    std::vector<placed> nodes;
    std::optional<key_counts> keys;
    std::vector<double> shares_with_copies; ///< empty unless copies were asked for
    hashring::load_measures over_shares;
    hashring::load_measures over_copies;
    hashring::load_measures over_keys;
    double expected = 0.0;
    std::string fingerprint;
};

report make_report(const request& asked, const scheme_entry& scheme, const placement& placed) {
    const std::size_t copies = checked_copies(asked);
    report r;
    r.nodes = placed.nodes();
    r.over_shares = measure_shares(r.nodes);
    r.expected = expected_gap(r.nodes, scheme.counts, r.over_shares.load_gap);
    r.fingerprint = hex_number(placed.fingerprint());
    if (asked.copies) {
        r.shares_with_copies = placed.shares_with_copies(copies);
        r.over_copies =
            measure_nodes(r.nodes, [&](std::size_t i) { return r.shares_with_copies[i]; });
    }
    if (asked.keys) {
        key_reader keys(*asked.keys, asked.hex, true);
        r.keys = count_keys(placed, r.nodes.size(), keys);
        r.over_keys = measure_keys(r.nodes, *r.keys);
    }
    return r;
}

using named_number = std::pair<const char*, double>;

std::vector<named_number> measures_of(const report& r) {
    std::vector<named_number> all = {
        {"load_gap", r.over_shares.load_gap},
        {"peak_to_mean", r.over_shares.peak_to_mean},
        {"coefficient_of_variation", r.over_shares.coefficient_of_variation},
        {"expected_gap", r.expected}};
    if (!r.shares_with_copies.empty()) {
        all.emplace_back("copies_load_gap", r.over_copies.load_gap);
        all.emplace_back("copies_peak_to_mean", r.over_copies.peak_to_mean);
        all.emplace_back("copies_coefficient_of_variation", r.over_copies.coefficient_of_variation);
    }
    if (r.keys) {
        all.emplace_back("keys_load_gap", r.over_keys.load_gap);
        all.emplace_back("keys_peak_to_mean", r.over_keys.peak_to_mean);
        all.emplace_back("keys_coefficient_of_variation", r.over_keys.coefficient_of_variation);
    }
    return all;
}

void print_as_json(const request& asked, const report& r, output& out) {
    json nodes = json::array();
    for (std::size_t i = 0; i < r.nodes.size(); ++i) {
        const placed& node = r.nodes[i];
        json row = {{"name", node.name},
                    {"weight", node.weight.value()},
                    {"vnodes", node.vnodes},
                    {"wished_share", node.wished_share},
                    {"share", node.share}};
        if (!r.shares_with_copies.empty()) {
            row["share_with_copies"] = r.shares_with_copies[i];
        }
        if (r.keys) {
            row["keys"] = r.keys->of_node[i];
        }
        if (node.down) {
            row["down"] = true;
        }
        nodes.push_back(std::move(row));
    }
    json whole = named_scheme(asked);
    whole["fingerprint"] = r.fingerprint;
    whole["nodes"] = std::move(nodes);
    for (const auto& [name, value] : measures_of(r)) {
        whole[name] = value;
    }
    if (r.keys) {
        whole["keys"] = r.keys->total;
        whole["keys_without_owner"] = r.keys->nobody;
    }
    print_json(whole, out);
}

grid as_grid(const request& asked, const report& r) {
    grid g{{"node", "weight", "vnodes", "wished_share", "share"}, {}, {}};
    if (!r.shares_with_copies.empty()) {
        g.headings.emplace_back("share_with_copies");
    }
    if (r.keys) {
        g.headings.emplace_back("keys");
    }
    for (std::size_t i = 0; i < r.nodes.size(); ++i) {
        const placed& node = r.nodes[i];
        g.rows.push_back({node.name, node.weight.text(), decimal(node.vnodes),
                          fixed(node.wished_share, 6), fixed(node.share, 6)});
        if (!r.shares_with_copies.empty()) {
            g.rows.back().push_back(fixed(r.shares_with_copies[i], 6));
        }
        if (r.keys) {
            g.rows.back().push_back(decimal(r.keys->of_node[i]));
        }
    }
    for (const placed& node : r.nodes) {
        if (node.down) {
            g.notes.emplace_back("down", node.name);
        }
    }
    g.notes.emplace_back("scheme", asked.scheme);
    if (const auto allocator = asked.allocator.value_or("plain"); allocator != "plain") {
        g.notes.emplace_back("allocator", allocator);
    }
    g.notes.emplace_back("fingerprint", r.fingerprint);
    for (const auto& [name, value] : measures_of(r)) {
        g.notes.emplace_back(name, fixed(value, 6));
    }
    if (r.keys) {
        g.notes.emplace_back("keys", decimal(r.keys->total));
        g.notes.emplace_back("keys_without_owner", decimal(r.keys->nobody));
    }
    return g;
}

} // namespace

void report_command(const request& asked, output& out) {
    const format as = parse_format(asked.format.value_or("table"));
    check_one_stdin(asked.nodes, asked.keys.value_or(""), "--nodes and --keys");
    if (asked.hex && !asked.keys) {
        throw usage_failure("--hex says how keys are spelled and needs --keys");
    }
    (void)checked_copies(asked);
    const std::unique_ptr<placement> placed = checked_placement(asked, asked.nodes);
    const report r = make_report(asked, checked_scheme(asked), *placed);
    if (as == format::json) {
        print_as_json(asked, r, out);
    } else if (as == format::tsv) {
        print_tsv(as_grid(asked, r), out);
    } else {
        print_table(as_grid(asked, r), out);
    }
}

} // namespace tool
