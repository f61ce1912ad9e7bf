// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/bytes.hpp>
#include <hashring/hash/concept.hpp>

// The one-shot functions of OpenSSL 3 look the algorithm up by name at each call, which costs more
// than hashing a short key. The calls that are called deprecated do not, and are its fastest.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/md5.h>
#include <openssl/sha.h>
#include <zlib.h>

#include <array>
#include <cstdint>
#include <string_view>

/// \file
/// Other libraries' hashes, called in the fastest way that they offer, as hashes of ours.

namespace hashring::bench {

/// The first bytes of a digest.
template <std::size_t N>
[[nodiscard]] std::string_view text_of(const std::array<unsigned char, N>& digest) noexcept {
    return {reinterpret_cast<const char*>(digest.data()), N};
}

struct zlib_crc32 {
    using result_type = std::uint32_t;
    static constexpr std::string_view name = "zlib_crc32";
    static constexpr bool avalanches = false;

    [[nodiscard]] result_type operator()(std::string_view bytes) const noexcept {
        return static_cast<result_type>(
            crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
    }

    friend bool operator==(const zlib_crc32&, const zlib_crc32&) = default;
};

/// The first little-endian word of the digest, as our `md5`.
struct openssl_md5 {
    using result_type = std::uint32_t;
    static constexpr std::string_view name = "openssl_md5";
    static constexpr bool avalanches = true;

    [[nodiscard]] result_type operator()(std::string_view bytes) const noexcept {
        return words(bytes)[0];
    }

    /// The whole digest as little-endian words.
    [[nodiscard]] static std::array<std::uint32_t, 4> words(std::string_view bytes) noexcept {
        std::array<unsigned char, MD5_DIGEST_LENGTH> digest;
        MD5_CTX context;
        MD5_Init(&context);
        MD5_Update(&context, bytes.data(), bytes.size());
        MD5_Final(digest.data(), &context);
        const std::string_view text = text_of(digest);
        return {load_le32(text, 0), load_le32(text, 4), load_le32(text, 8), load_le32(text, 12)};
    }

    friend bool operator==(const openssl_md5&, const openssl_md5&) = default;
};

/// The first little-endian 64 bits of the digest.
struct openssl_sha1 {
    using result_type = std::uint64_t;
    static constexpr std::string_view name = "openssl_sha1";
    static constexpr bool avalanches = true;

    [[nodiscard]] result_type operator()(std::string_view bytes) const noexcept {
        std::array<unsigned char, SHA_DIGEST_LENGTH> digest;
        SHA_CTX context;
        SHA1_Init(&context);
        SHA1_Update(&context, bytes.data(), bytes.size());
        SHA1_Final(digest.data(), &context);
        return load_le64(text_of(digest), 0);
    }

    friend bool operator==(const openssl_sha1&, const openssl_sha1&) = default;
};

static_assert(hash_function<zlib_crc32> && hash_function<openssl_md5> &&
              hash_function<openssl_sha1>);

} // namespace hashring::bench
