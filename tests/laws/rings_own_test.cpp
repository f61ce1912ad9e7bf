// SPDX-License-Identifier: MIT
#include "laws/ring_laws.hpp"
#include "laws/ring_subject.hpp"
#include "laws/schemes.hpp"
#include "support/catch.hpp"
#include "support/test_schemes.hpp"

#include <hashring/hash/crc32.hpp>
#include <hashring/hash/md5.hpp>
#include <hashring/placement/bkdr_spaced.hpp>
#include <hashring/placement/corrected.hpp>
#include <hashring/placement/ketama_group.hpp>
#include <hashring/placement/labelled.hpp>
#include <hashring/placement/labels.hpp>
#include <hashring/placement/murmur_shard.hpp>
#include <hashring/placement/xxh3.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>

namespace law_schemes {

using crc32_dashed =
    labelled<hashring::hash::finalised<hashring::hash::crc32>, hashring::labels::dashed>;
using md5_joined = labelled<hashring::hash::md5, hashring::labels::joined>;
using corrected_xxh3 = corrected<xxh3>;

// A circle of 31 positions, on which many points meet.
template <hashring::tie_rule Ties>
struct tiny : test_schemes::narrow<Ties> {
    static constexpr std::uint16_t last_position = 30;

    std::uint16_t position(std::string_view key) const noexcept {
        return cut(test_schemes::narrow<Ties>::position(key));
    }
    void points(const hashring::placed_node& node, std::span<std::uint16_t> out) const noexcept {
        test_schemes::narrow<Ties>::points(node, out);
        std::ranges::transform(out, out.begin(), cut);
    }

    friend bool operator==(const tiny&, const tiny&) = default;

private:
    static std::uint16_t cut(std::uint16_t hash) noexcept {
        return static_cast<std::uint16_t>(hash % 31U);
    }
};
using tiny_first = tiny<hashring::tie_rule::first>;
using tiny_last = tiny<hashring::tie_rule::last>;

} // namespace law_schemes

// What is made of schemes and hashes of a user's choice, and of the tests'.
#define HASHRING_MADE_RINGS                                                                        \
    law_schemes::crc32_dashed, law_schemes::md5_joined, law_schemes::corrected_xxh3,               \
        law_schemes::tiny_first, law_schemes::tiny_last

TEMPLATE_TEST_CASE("laws: a ring of a scheme of ours is at any time what its list of nodes says",
                   "[ring][law]", HASHRING_OWN_RINGS, HASHRING_MADE_RINGS) {
    const laws::ring_subject<TestType> empty(law_schemes::small<TestType>());
    CHECK(laws::broken_history(empty, laws::all_histories, 16) == "");
}
