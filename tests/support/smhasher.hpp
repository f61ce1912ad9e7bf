// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hashring::test {

/// SMHasher's check value of a 32-bit hash, `hash(seed, bytes)`: the hash of the hashes of the keys
/// {}, {0}, {0, 1}, … {0, …, 254}, each with a seed of its own. So every length to 255 and every
/// byte counts.
template <class SeededHash>
std::uint32_t smhasher_value(SeededHash hash) {
    std::string key;
    std::string hashes;
    for (std::uint32_t i = 0; i < 256; ++i) {
        std::uint32_t h = hash(256 - i, std::string_view(key));
        for (int byte = 0; byte < 4; ++byte) {
            hashes += static_cast<char>(static_cast<unsigned char>(h & 0xffU));
            h >>= 8U;
        }
        key += static_cast<char>(static_cast<unsigned char>(i));
    }
    return hash(0, std::string_view(hashes));
}

} // namespace hashring::test
