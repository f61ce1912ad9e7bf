// SPDX-License-Identifier: MIT
#pragma once

#include "nodes_file.hpp"

#include <hashring/placement/scheme.hpp>
#include <hashring/ring/domains.hpp>
#include <hashring/ring/point_list.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tool {

using hashring::no_node;

/// Options as given: name and value.
using option_values = std::vector<std::pair<std::string, std::string>>;

/// How a key found its owner.
struct explanation {
    std::string hash; ///< the rule
    std::string position;
    std::string point;                    ///< empty if there are no points
    std::size_t point_number = 0;         ///< its place among all points, from 0
    std::string distance;                 ///< positions from the key to the point
    std::string label;                    ///< what the point was hashed from
    std::uint32_t vnode = 0;              ///< which of its node's virtual nodes it is
    std::vector<std::uint32_t> clockwise; ///< all nodes with points in the order of the walk
    std::string slot;                     ///< in place of a point: a table's slot or bucket
    std::size_t slots = 0;                ///< how many there are
};

/// A node of a placement as it is reported.
struct placed {
    std::string name;
    hashring::weight weight{};
    std::uint32_t vnodes = 0;
    double wished_share = 0.0;
    double share = 0.0;
    bool down = false;
};

/// An arc that moves, in words.
struct moved {
    std::string first;
    std::string last;
    std::string from;
    std::string to;
};

/// All that moves from one node to another.
struct moved_total {
    std::string from;
    std::string to;
    std::size_t arcs = 0;
    double share = 0.0;
};

/// The difference of two placements; `-` stands for no owner.
struct difference {
    std::vector<moved> arcs;
    std::vector<moved_total> totals;
    double moved_share = 0.0;
    double least_share = 0.0;
};

/// The failure domains of nodes: by level from the widest, then by place in the nodes file.
using domain_texts = std::vector<std::vector<std::string>>;

/// Nodes placed by some scheme: what the commands need of it, whatever the scheme. Nodes are known
/// by their place in the nodes file. Nodes that are down keep their points, and the next one
/// clockwise that is up answers for them, unless the scheme says what its program does.
class placement {
public:
    virtual ~placement() = default;

    /// The node that answers for a key, or `no_node`.
    [[nodiscard]] virtual std::uint32_t owner(std::string_view key) const = 0;
    /// Fills `out` with the first nodes that are up, clockwise, and returns how many there are.
    virtual std::size_t copies(std::string_view key, std::span<std::uint32_t> out) const = 0;

    /// Says in which failure domains the nodes are.
    virtual void set_domains(const domain_texts& levels) = 0;
    /// The same as `copies` with as few as can be in one domain: see `replicas_over_domains`. The
    /// scheme has a circle.
    [[nodiscard]] virtual hashring::domain_spread
    copies_apart(std::string_view key, hashring::domain_rule rule,
                 std::span<std::uint32_t> out) const = 0;

    /// So many look-ups, for a clock to measure: a number made of all owners.
    [[nodiscard]] virtual std::uint64_t owners_sum(std::span<const std::string> keys) const = 0;
    /// Bytes of memory that a look-up reads from; names are not counted.
    [[nodiscard]] virtual std::size_t memory_bytes() const = 0;

    /// Where a key stands, in decimal.
    [[nodiscard]] virtual std::string position_text(std::string_view key) const = 0;

    [[nodiscard]] virtual std::vector<placed> nodes() const = 0;
    /// By node, of how much of the circle it has one of the first `copies` copies.
    [[nodiscard]] virtual std::vector<double> shares_with_copies(std::size_t copies) const = 0;
    [[nodiscard]] virtual std::size_t point_count() const = 0;
    /// The position of point `i` as the program of the scheme prints it.
    [[nodiscard]] virtual std::string point_position(std::size_t i) const = 0;
    /// The same of a dump by the program; empty if it leaves the point out.
    [[nodiscard]] virtual std::string point_text(std::size_t i) const = 0;
    [[nodiscard]] virtual std::uint32_t point_owner(std::size_t i) const = 0;
    /// By node, how many points its program makes of it; none for a table. `placed::vnodes` also
    /// counts those that a ring has besides, so that it owns as the program does.
    [[nodiscard]] virtual std::vector<std::uint32_t> program_counts() const = 0;
    /// What virtual node `j` of a node is hashed from; empty for a table.
    [[nodiscard]] virtual std::string label(std::uint32_t node, std::uint32_t j) const = 0;
    [[nodiscard]] virtual explanation explain(std::string_view key) const = 0;
    [[nodiscard]] virtual std::uint64_t fingerprint() const = 0;
    /// What changes hands from here to another placement by the same scheme: whose node answers.
    [[nodiscard]] virtual difference changes_to(const placement& after) const = 0;
};

/// How the shares of a scheme's nodes come about.
enum class counting {
    independent, ///< by virtual nodes that lie independently of each other
    spaced,      ///< by one of a node's; the others follow from it
    corrected,   ///< by virtual nodes that were picked so that shares are as wished
    slots,       ///< by the rule of a table, and no node comes next
};

/// A scheme as the tool knows it. It comes whole from the scheme's own declarations.
struct scheme_entry {
    std::string_view name;
    std::string_view summary;
    std::vector<hashring::scheme_option> options;
    counting counts = counting::independent;
    bool removes_any = true;             ///< whether others than the last node of a list may leave
    bool has_fixed_counts = false;       ///< counts of virtual nodes cannot be chosen
    std::string_view lists = "position"; ///< what `ring` lists; empty if there is nothing to list
    std::string down_rule;               ///< who answers for a node that is down, in words
    std::string (*describe)(const option_values&);
    /// Throws if the count of this node alone is more than a ring can hold.
    void (*check_count)(const listed_node&, const option_values&);
    std::unique_ptr<placement> (*place)(const std::vector<listed_node>&, const option_values&);
    /// The same scheme with `--allocator corrected`; null if there is nothing to correct.
    std::shared_ptr<const scheme_entry> corrected{};
};

/// All schemes, the default first.
[[nodiscard]] const std::vector<scheme_entry>& all_schemes();

/// The scheme called `name`; throws `usage_failure` that lists the names there are.
[[nodiscard]] const scheme_entry& find_scheme(std::string_view name);

} // namespace tool
