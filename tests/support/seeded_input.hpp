// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>

namespace hashring::test {

/// Pseudo-random input, the same on every platform: the standard fixes what std::mt19937_64 gives
/// but not what its distributions make of it.
class seeded_input {
public:
    explicit seeded_input(std::uint64_t seed) : engine_(seed) {}

    [[nodiscard]] std::uint64_t number() { return engine_(); }

    /// A number of 1 to 64 bits, every width as likely as the others.
    [[nodiscard]] std::uint64_t number_of_any_width() {
        const std::uint64_t bits = engine_();
        return bits >> (engine_() % 64);
    }

    /// In [0, bound), evenly but for a bias of bound / 2^64.
    [[nodiscard]] std::uint64_t below(std::uint64_t bound) { return engine_() % bound; }

    /// Any bytes: half of them 0x80 or above, NUL among them.
    [[nodiscard]] std::string bytes(std::size_t length) {
        std::string text;
        for (std::size_t i = 0; i < length; ++i) {
            text += static_cast<char>(static_cast<unsigned char>(engine_() & 0xffU));
        }
        return text;
    }

private:
    std::mt19937_64 engine_;
};

} // namespace hashring::test
