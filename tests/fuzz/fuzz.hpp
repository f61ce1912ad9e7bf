// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

/// \file
/// What the fuzz targets have in common.
///
/// A target is a header with one function of bytes that throws where something does not hold.
/// libFuzzer calls it with what it thinks of (target.cpp, `.ci/fuzz`), and the tests with all files
/// under corpus/ (corpus_test.cpp), past finds among them.

namespace fuzz {

/// Something that should hold for any input does not.
class broken : public std::logic_error {
public:
    using std::logic_error::logic_error;
};

inline void expect(bool holds, const char* what) {
    if (!holds) {
        throw broken(what);
    }
}

/// Numbers drawn from the front of some bytes; 0 when they are used up.
class drawn {
public:
    explicit drawn(std::string_view bytes) noexcept : bytes_(bytes) {}

    [[nodiscard]] bool is_empty() const noexcept { return bytes_.empty(); }
    [[nodiscard]] std::string_view rest() const noexcept { return bytes_; }

    std::uint8_t byte() noexcept {
        if (bytes_.empty()) {
            return 0;
        }
        const auto result = static_cast<std::uint8_t>(bytes_.front());
        bytes_.remove_prefix(1);
        return result;
    }
    /// In [0, bound), of one byte.
    std::size_t below(std::size_t bound) noexcept { return byte() % bound; }

private:
    std::string_view bytes_;
};

} // namespace fuzz
