// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/error.hpp>
#include <hashring/core/text.hpp>
#include <hashring/placement/scheme.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

/// \file
/// What schemes' options have in common.

namespace hashring::compat {

/// Whether a flag is set: `1` or `0`. Throws `invalid_option` for anything else.
[[nodiscard]] inline bool parse_flag(std::string_view option, std::string_view value) {
    if (value != "0" && value != "1") {
        throw invalid_option(concat(option, " '", value, "' is neither 0 nor 1"));
    }
    return value == "1";
}

/// A flag as an option's value.
[[nodiscard]] inline std::string flag_text(bool flag) {
    return flag ? "1" : "0";
}

/// The place of `name` among `names`; throws `invalid_option`, naming those that there are.
[[nodiscard]] inline std::size_t parse_name(std::string_view option, std::string_view name,
                                            std::span<const std::string_view> names) {
    std::string known;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i] == name) {
            return i;
        }
        known += i == 0 ? "" : ", ";
        known += names[i];
    }
    throw invalid_option(concat(option, " '", name, "' is none of ", known));
}

/// What to throw for an option that a scheme does not have.
[[nodiscard]] inline invalid_option unknown_option(std::string_view option) {
    // NOLINTNEXTLINE(modernize-return-braced-init-list): its constructor is explicit
    return invalid_option(concat("no option '", option, "'"));
}

/// `options` and one more behind them.
template <std::size_t N>
[[nodiscard]] constexpr std::array<scheme_option, N + 1>
with_option(const std::array<scheme_option, N>& options, const scheme_option& more) noexcept {
    std::array<scheme_option, N + 1> result{};
    for (std::size_t i = 0; i < N; ++i) {
        result[i] = options[i];
    }
    result[N] = more;
    return result;
}

/// The base of the schemes that have nothing to set.
struct no_options {
    [[nodiscard]] static constexpr std::array<scheme_option, 0> options() noexcept { return {}; }
    static void set(std::string_view option, std::string_view /*value*/) {
        throw unknown_option(option);
    }
    [[nodiscard]] static std::string get(std::string_view option) { throw unknown_option(option); }

    friend bool operator==(const no_options&, const no_options&) = default;
};

} // namespace hashring::compat
