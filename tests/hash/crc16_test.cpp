// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/mismatches.hpp"
#include "support/seeded_input.hpp"

#include <hashring/hash/crc16.hpp>

#include <cstdint>
#include <string>

using namespace hashring;

namespace {

// Bit by bit, as the polynomial's definition has it.
std::uint32_t by_definition(const std::string& bytes) {
    std::uint32_t crc = 0;
    for (const char c : bytes) {
        crc ^= static_cast<std::uint32_t>(static_cast<unsigned char>(c)) << 8U;
        for (int bit = 0; bit < 8; ++bit) {
            crc = ((crc << 1U) ^ ((crc & 0x8000U) != 0 ? 0x1021U : 0U)) & 0xffffU;
        }
    }
    return crc;
}

} // namespace

TEST_CASE("crc16: the check values of XMODEM and of twemproxy", "[crc16][golden]") {
    STATIC_REQUIRE(hash::crc16{}("123456789") == 0x31c3);
    STATIC_REQUIRE(hash::crc16{}("") == 0);
    STATIC_REQUIRE(hash::crc16_uncut{}("player/5558") == 0x92e37716U);
    STATIC_REQUIRE(hash::crc16_uncut{}("\x94") == 0x0000c33dU);
}

TEST_CASE("crc16: it is the remainder of the polynomial", "[crc16][law]") {
    constexpr std::uint64_t seed = 612;
    CAPTURE(seed);
    test::seeded_input input(seed);
    test::mismatches wrong;
    for (std::size_t length = 0; length <= 64; ++length) {
        const std::string bytes = input.bytes(length);
        wrong.compare(hash::crc16{}(bytes), by_definition(bytes), length);
        wrong.compare(hash::crc16_uncut{}(bytes) & 0xffffU, by_definition(bytes), length);
    }
    CHECK(wrong.report() == "");
}
