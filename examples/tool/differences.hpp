// SPDX-License-Identifier: MIT
#pragma once

#include "placement.hpp"

#include <span>
#include <string>
#include <vector>

namespace tool {

/// A scheme with its options, and the nodes placed by it.
struct placed_by {
    const scheme_entry* scheme = nullptr;
    option_values options;
    std::shared_ptr<const placement> placed;
};

/// In what `other` differs from `reference`, in words: each rule of the two whose outcome is not
/// the same for these nodes and keys, and each that only some keys or nodes would show. Both are of
/// the same list of nodes.
///
/// Looked at are, in this order: where keys stand, what labels say, how many points nodes have,
/// where points stand, which point owns a key, who owns a shared position, and who answers for a
/// node that is down. Empty if all is alike, and then no key has two owners.
[[nodiscard]] std::vector<std::string>
differences(const placed_by& reference, const placed_by& other, std::span<const std::string> keys);

} // namespace tool
