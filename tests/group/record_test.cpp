// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/mismatches.hpp"

#include <hashring/core/text.hpp>
#include <hashring/group/record.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

using namespace hashring;
using group::damage;
using group::decode;
using group::encode;
using group::record_kind;
using group::record_view;
using namespace std::string_view_literals;

namespace {

constexpr std::uint64_t most = ~std::uint64_t{0};

std::string hex(std::string_view bytes) {
    std::string out;
    append_hex(out, bytes);
    return out;
}

record_view tombstone(group::version v, std::uint64_t until = 0) {
    return {v, record_kind::tombstone, until, {}};
}

record_view drawn(dice& random, std::string& payload) {
    payload.clear();
    for (std::uint64_t n = random.below(40); n > 0; --n) {
        payload += static_cast<char>(random.below(256));
    }
    record_view result{
        {random.next() >> random.below(64), random.next() >> random.below(64), random.next()},
        record_kind::value,
        random.next() >> random.below(64),
        payload};
    if (random.below(3) == 0) {
        result.kind = record_kind::tombstone;
        result.payload = {};
    }
    return result;
}

std::string with_byte(std::string bytes, std::size_t at, int value) {
    bytes[at] = static_cast<char>(value);
    return bytes;
}

} // namespace

// Made by a script of a dozen lines in Redis 7.0.15 that counts versions and puts them in.
TEST_CASE("record: the bytes are those that a script in Redis makes", "[record][golden][small]") {
    const record_view first{
        {5, 1, 0xfedcba9876543210U}, record_kind::value, 1796000000123U, "he\0lo"sv};
    CHECK(hex(encode(first)) == "f76801010000000500000000000000050000000000000001fedcba9876543210"
                                "000001a229f1287b644519606865006c6f");
    record_view later = first;
    later.version = {6, 3, 0x0123456789abcdefU};
    CHECK(hex(encode(later)) == "f768010100000005000000000000000600000000000000030123456789abcdef"
                                "000001a229f1287ba46519606865006c6f");
    later.version = {9007199254740990U, 4, most};
    CHECK(hex(encode(later)) == "f768010100000005001ffffffffffffe0000000000000004ffffffffffffffff"
                                "000001a229f1287b969127d16865006c6f");
}

TEST_CASE("record: a tombstone and an empty value", "[record][golden][small]") {
    CHECK(hex(encode(tombstone({1, 2, 3}, 4))) ==
          "f768010200000000000000000000000100000000000000020000000000000003"
          "0000000000000004400052e9");
    CHECK(encode({}).size() == group::record_payload_at);
    const group::decoded empty = decode(encode({}));
    CHECK(empty.record == record_view{});
    CHECK(static_cast<bool>(empty));
}

TEST_CASE("record: who is gone, and who may be forgotten", "[record][golden][small]") {
    const record_view stays{{1, 1, 1}, record_kind::value, 0, "v"};
    const record_view expires{{1, 1, 1}, record_kind::value, 1000, "v"};
    CHECK_FALSE(group::is_gone(stays, most));
    CHECK_FALSE(group::is_gone(expires, 999));
    CHECK(group::is_gone(expires, 1000));
    CHECK(group::is_gone(expires, 1001));
    CHECK(group::is_gone(tombstone({1, 1, 1}), 0));
    CHECK(group::is_gone(tombstone({1, 1, 1}, 5000), 0));
    CHECK(group::forget_at(stays, 60) == 0);
    CHECK(group::forget_at(expires, 60) == 1060);
    CHECK(group::forget_at(expires, most) == most);
    CHECK(group::forget_at(tombstone({1, 1, 1}, 5000), 60) == 5000);
    CHECK(group::forget_at(tombstone({1, 1, 1}), 60) == 0);
}

TEST_CASE("record: what was encoded is decoded", "[record][law]") {
    constexpr std::uint64_t seed = 31;
    CAPTURE(seed);
    dice random(seed);
    test::mismatches wrong;
    std::string payload;
    for (int round = 0; round < 2000; ++round) {
        const record_view record = drawn(random, payload);
        std::string bytes = "before";
        group::append_record(bytes, record);
        wrong.expect(bytes == "before" + encode(record), round);
        const group::decoded back = decode(std::string_view(bytes).substr(6));
        wrong.expect(back.error == damage::none && back.record == record, round);
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("record: the bytes of versions compare as versions do", "[record][law]") {
    constexpr std::uint64_t seed = 32;
    CAPTURE(seed);
    dice random(seed);
    test::mismatches wrong;
    std::string payload;
    for (int round = 0; round < 2000; ++round) {
        record_view a = drawn(random, payload);
        record_view b = drawn(random, payload);
        a.payload = b.payload = {};
        b.version.epoch = random.below(2) == 0 ? a.version.epoch : b.version.epoch;
        b.version.counter = random.below(2) == 0 ? a.version.counter : b.version.counter;
        // std::string compares bytes as unsigned.
        const std::string of_a = encode(a).substr(group::record_version_at, 24);
        const std::string of_b = encode(b).substr(group::record_version_at, 24);
        wrong.expect((of_a < of_b) == (a.version < b.version), round);
        wrong.expect((of_a == of_b) == (a.version == b.version), round);
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("record: one wrong bit or a cut or an addition is seen", "[record][law]") {
    constexpr std::uint64_t seed = 33;
    CAPTURE(seed);
    dice random(seed);
    test::mismatches wrong;
    std::string payload;
    for (int round = 0; round < 40; ++round) {
        const std::string bytes = encode(drawn(random, payload));
        for (std::size_t bit = 0; bit < 8 * group::record_payload_at; ++bit) {
            std::string other = bytes;
            other[bit / 8] =
                static_cast<char>(static_cast<unsigned char>(other[bit / 8]) ^ (1U << (bit % 8)));
            const group::decoded what = decode(other);
            wrong.expect(what.error != damage::none && what.record == record_view{}, round, bit);
        }
        for (std::size_t length = 0; length < bytes.size(); ++length) {
            wrong.expect(!decode(bytes.substr(0, length)), round, length, "cut");
        }
        wrong.expect(decode(bytes + "x").error == damage::wrong_length, round, "longer");
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("record: any bytes have an answer", "[record][law]") {
    constexpr std::uint64_t seed = 34;
    CAPTURE(seed);
    dice random(seed);
    int records = 0;
    for (int round = 0; round < 20000; ++round) {
        std::string bytes = random.below(2) == 0 ? "\xf7h\x01\x01" : "";
        for (std::uint64_t n = random.below(80); n > 0; --n) {
            bytes += static_cast<char>(random.below(256));
        }
        records += decode(bytes) ? 1 : 0;
    }
    CHECK(records == 0); // one in 2^32 would be
}

TEST_CASE("record: why bytes are none", "[record][edge]") {
    const std::string good = encode({{1, 2, 3}, record_kind::value, 0, "value"});
    CHECK(decode("").error == damage::foreign);
    CHECK(decode("\xf7").error == damage::foreign);
    CHECK(decode("plain text, as others write it").error == damage::foreign);
    CHECK(decode("\xf7h").error == damage::wrong_length);
    CHECK(decode(good.substr(0, 43)).error == damage::wrong_length);
    CHECK(decode(good.substr(0, good.size() - 1)).error == damage::wrong_length);
    CHECK(decode(with_byte(good, 0, 'x')).error == damage::foreign);
    CHECK(decode(with_byte(good, 1, 'x')).error == damage::foreign);
    CHECK(decode(with_byte(good, 2, 2)).error == damage::unknown_form);
    CHECK(decode(with_byte(good, 3, 2)).error == damage::altered);
    CHECK(decode(with_byte(good, 7, 6)).error == damage::altered);
    CHECK(decode(with_byte(good, 20, 9)).error == damage::altered);
    CHECK(decode(with_byte(good, 43, 9)).error == damage::altered);
    // The value is the user's; nothing here checks it.
    CHECK(decode(with_byte(good, 44, 'V')).record.payload == "Value");
}

// A check that is right does not make a record of a kind that there is not.
TEST_CASE("record: other kinds and a tombstone with a value are none", "[record][edge]") {
    for (const int kind : {0, 3, 255}) {
        CAPTURE(kind);
        std::string bytes = with_byte(encode({}), 3, kind);
        // The check is linear: what the kind changes in the first word, turned left nine times.
        const auto changed = static_cast<std::uint32_t>(kind) ^ 1U;
        const std::uint32_t turned = (changed << 13U) | (changed >> 19U); // 45 mod 32
        for (std::size_t i = 0; i < 4; ++i) {
            bytes[40 + i] = static_cast<char>(static_cast<unsigned char>(bytes[40 + i]) ^
                                              ((turned >> (24U - 8U * i)) & 255U));
        }
        CHECK(decode(bytes).error == damage::altered);
    }
    std::string dead = encode(tombstone({1, 2, 3}));
    dead[7] = 1; // the length, whose change is turned by 40 bits
    dead[42] = static_cast<char>(static_cast<unsigned char>(dead[42]) ^ 1U);
    CHECK(decode(dead + "v").error == damage::wrong_length);
}

TEST_CASE("record: foreign bytes can be taken as the oldest value", "[record][edge]") {
    const record_view old = group::unversioned("plain");
    CHECK(old == record_view{{}, record_kind::value, 0, "plain"});
    CHECK(old.version < group::next_version({}, 0, 0));
    CHECK_FALSE(group::is_gone(old, most));
}

TEST_CASE("record: a tombstone has no value", "[record][error]") {
    record_view wrong = tombstone({1, 2, 3});
    wrong.payload = "v";
    std::string out = "kept";
    CHECK_THROWS_AS(group::append_record(out, wrong), invalid_record);
    CHECK(out == "kept");
    if constexpr (sizeof(std::size_t) > 4) {
        // A view of 4 GiB that is never read: the size is looked at first.
        const std::string_view huge("", std::size_t{1} << 32U);
        CHECK_THROWS_AS(group::append_record(out, {{}, record_kind::value, 0, huge}),
                        invalid_record);
        CHECK(out == "kept");
    }
}
