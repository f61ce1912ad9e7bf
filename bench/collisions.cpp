// SPDX-License-Identifier: MIT

/// \file
/// Collisions of every hash over many different keys, beside what chance would give:
/// `build/bench/hashring_collisions [keys]`, 10,000,000 keys unless said otherwise.
///
/// A collision is a pair of keys with one value. Of n random values of b bits, n(n − 1) / 2^(b + 1)
/// pairs collide: 11,642 in 32 bits for 10,000,000 keys, give or take 3 %, and none in 64. A ratio
/// near 1 is what a good hash has. Far below 1 is no better hash but one that keeps an order in the
/// keys, as a checksum of consecutive numbers does.
///
/// It needs 12 bytes of memory a key and takes half a minute.

#include <hashring/core/key.hpp>
#include <hashring/core/text.hpp>
#include <hashring/hash/bkdr.hpp>
#include <hashring/hash/crc32.hpp>
#include <hashring/hash/md5.hpp>
#include <hashring/hash/mix.hpp>
#include <hashring/hash/murmur64a.hpp>
#include <hashring/hash/xxhash.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace hashring;

/// Key `i` as a number, in the encoding that the library gives it: eight bytes, little-endian.
struct sequential_numbers {
    static constexpr const char* name = "numbers 0, 1, 2, ... (8 bytes)";
    template <class Use>
    void operator()(std::uint64_t i, Use use) const {
        with_key_bytes(i, use);
    }
};

/// Key `i` as text of 6 bytes and more.
struct sequential_texts {
    static constexpr const char* name = "texts user:0, user:1, user:2, ...";
    mutable std::string text = {};
    template <class Use>
    void operator()(std::uint64_t i, Use use) const {
        text = "user:";
        append_decimal(text, i);
        use(std::string_view(text));
    }
};

/// Key `i` as 16 hexadecimal digits in no order; all different, as `mix` is a bijection.
struct random_texts {
    static constexpr const char* name = "texts of 16 random hexadecimal digits";
    template <class Use>
    void operator()(std::uint64_t i, Use use) const {
        constexpr std::string_view digits = "0123456789abcdef";
        std::array<char, 16> text;
        std::uint64_t value = hash::mix(i);
        for (char& digit : text) {
            digit = digits[value & 15U];
            value >>= 4U;
        }
        use(std::string_view(text.data(), text.size()));
    }
};

/// The pairs of equal values; sorts them.
template <std::unsigned_integral Value>
std::uint64_t equal_pairs(std::vector<Value>& values) {
    std::sort(values.begin(), values.end());
    std::uint64_t pairs = 0;
    std::uint64_t run = 0;
    for (std::size_t i = 1; i < values.size(); ++i) {
        run = values[i] == values[i - 1] ? run + 1 : 0; // one pair with each of the run so far
        pairs += run;
    }
    return pairs;
}

template <std::unsigned_integral Value>
void print_row(std::string_view hash, const char* bits, std::vector<Value>& values) {
    const auto n = static_cast<double>(values.size());
    const double expected = n * (n - 1) / std::exp2(8.0 * sizeof(Value) + 1.0);
    const std::uint64_t pairs = equal_pairs(values);
    std::printf("%-20.*s %-8s %14llu %14.1f", static_cast<int>(hash.size()), hash.data(), bits,
                static_cast<unsigned long long>(pairs), expected);
    if (expected >= 1) {
        std::printf(" %10.3f", static_cast<double>(pairs) / expected);
    }
    std::printf("\n");
    std::fflush(stdout);
}

template <class Hash, class Keys>
void count(const Keys& keys, std::uint64_t n, const Hash& hash) {
    std::vector<typename Hash::result_type> values;
    values.reserve(n);
    for (std::uint64_t i = 0; i < n; ++i) {
        keys(i, [&](std::string_view bytes) { values.push_back(hash(bytes)); });
    }
    if constexpr (sizeof(typename Hash::result_type) == 4) {
        print_row(Hash::name, "all 32", values);
    } else {
        std::vector<std::uint32_t> low;
        low.reserve(n);
        for (const std::uint64_t value : values) {
            low.push_back(static_cast<std::uint32_t>(value & 0xffffffffU));
        }
        print_row(Hash::name, "low 32", low);
        low = {};
        print_row(Hash::name, "all 64", values);
    }
}

template <class Keys>
void print_table(std::uint64_t n) {
    const Keys keys;
    std::printf("\n%s: %llu keys\n%-20s %-8s %14s %14s %10s\n", Keys::name,
                static_cast<unsigned long long>(n), "hash", "bits", "pairs", "by chance", "ratio");
    count(keys, n, hash::murmur64a{hash::jedis_seed});
    count(keys, n, hash::xxh3{});
    count(keys, n, hash::xxh64{});
    count(keys, n, hash::md5{});
    count(keys, n, hash::crc32{});
    count(keys, n, hash::bkdr<31>{});
    count(keys, n, hash::bkdr<131>{});
    count(keys, n, hash::bkdr<131313>{});
    count(keys, n, hash::bkdr_printed<31>{});
    count(keys, n, hash::bkdr_printed<131>{});
    count(keys, n, hash::bkdr_printed<131313>{});
}

} // namespace

int main(int argc, char** argv) {
    std::optional<std::uint64_t> n = 10'000'000;
    if (argc > 1) {
        n = parse_decimal<std::uint64_t>(argv[1]);
    }
    if (argc > 2 || !n || *n < 2 || *n > 1'000'000'000) {
        std::fprintf(stderr, "usage: hashring_collisions [keys], from 2 to 1000000000\n");
        return 2;
    }
    print_table<sequential_numbers>(*n);
    print_table<sequential_texts>(*n);
    print_table<random_texts>(*n);
    return 0;
}
