// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/node.hpp>
#include <hashring/core/text.hpp>

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

/// \file
/// The text that a virtual node is hashed from.

namespace hashring {

/// A label rule: a function object that appends the label of virtual node `j` of a node to `out`.
///
/// `L::name` describes it; `L::unambiguous` says that no two (node, j) share a label, whatever the
/// names. Where it is false a name that continues another in digits takes some of its points.
template <class L>
concept label_rule = std::regular<L> && requires(const L& label, std::string& out,
                                                 const placed_node& node, std::uint32_t j) {
    label(out, node, j);
    requires std::same_as<decltype(L::name), const std::string_view>;
    { L::unambiguous } -> std::convertible_to<bool>;
};

namespace labels {

/// `name` and the index with a separator between: `cache-a-17`, `cache-a#17`. As the index is the
/// digits after the last separator, no two nodes share a label.
template <char Separator>
struct separated {
    static constexpr std::string_view name = Separator == '#' ? "name#j" : "name-j";
    static constexpr bool unambiguous = true;
    static_assert(Separator == '#' || Separator == '-');

    void operator()(std::string& out, const placed_node& node, std::uint32_t j) const {
        out += node.name;
        out += Separator;
        append_decimal(out, j);
    }

    friend bool operator==(const separated&, const separated&) = default;
};

/// `name-j`: libmemcached, twemproxy, spymemcached, libketama and many others.
using dashed = separated<'-'>;

/// `name#j`.
using hashed = separated<'#'>;

/// `namej`, with nothing between: `GroupA0`. Ambiguous: `n1` with 10 is `n11` with 0.
///
/// Source: Redis paper, algorithm 2.
struct joined {
    static constexpr std::string_view name = "namej";
    static constexpr bool unambiguous = false;

    void operator()(std::string& out, const placed_node& node, std::uint32_t j) const {
        out += node.name;
        append_decimal(out, j);
    }

    friend bool operator==(const joined&, const joined&) = default;
};

/// `SHARD-<i>-NODE-<j>` with i the node's place in the list: removing a node renames all after it.
///
/// Source: shard blog, `init()`; Jedis' `Sharded` for shards without a name.
struct shard_index {
    static constexpr std::string_view name = "SHARD-i-NODE-j";
    static constexpr bool unambiguous = true;

    void operator()(std::string& out, const placed_node& node, std::uint32_t j) const {
        out += "SHARD-";
        append_decimal(out, node.index);
        out += "-NODE-";
        append_decimal(out, j);
    }

    friend bool operator==(const shard_index&, const shard_index&) = default;
};

/// `SHARD-<name>-NODE-<j>`: the blog's text with the node's name for its place in the list.
struct shard_name {
    static constexpr std::string_view name = "SHARD-name-NODE-j";
    static constexpr bool unambiguous = true;

    void operator()(std::string& out, const placed_node& node, std::uint32_t j) const {
        out += "SHARD-";
        out += node.name;
        out += "-NODE-";
        append_decimal(out, j);
    }

    friend bool operator==(const shard_name&, const shard_name&) = default;
};

} // namespace labels

/// The label of virtual node `j` of `node` as text.
template <label_rule Label>
[[nodiscard]] std::string label_text(const Label& label, const placed_node& node, std::uint32_t j) {
    std::string out;
    label(out, node, j);
    return out;
}

} // namespace hashring
