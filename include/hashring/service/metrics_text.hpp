// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/bytes.hpp>
#include <hashring/core/error.hpp>
#include <hashring/core/text.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// \file
/// Numbers in the text format that Prometheus reads (version 0.0.4), for what serves or stores it:
/// the content type is `metrics_content_type`.

namespace hashring {

inline constexpr std::string_view metrics_content_type = "text/plain; version=0.0.4";

/// A label of a series; the value is any bytes.
struct metric_label {
    std::string_view name;
    std::string_view value;
};

namespace detail {

/// How many bytes of valid UTF-8 begin at `at`: 1 to 4, or 0 if none does. Not the longest form of
/// anything else: surrogates, values above 10FFFF and needlessly long forms are not valid.
[[nodiscard]] constexpr std::size_t utf8_length(std::string_view bytes, std::size_t at) noexcept {
    const std::uint8_t lead = byte_at(bytes, at);
    if (lead < 0x80) {
        return 1;
    }
    const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || at + length > bytes.size()) {
        return 0;
    }
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte_at(bytes, at + i) & 0xc0U) != 0x80U) {
            return 0;
        }
    }
    const std::uint8_t second = byte_at(bytes, at + 1);
    const bool is_wrong = (lead == 0xe0 && second < 0xa0) || (lead == 0xed && second > 0x9f) ||
                          (lead == 0xf0 && second < 0x90) || (lead == 0xf4 && second > 0x8f);
    return is_wrong ? 0 : length;
}

/// Appends `value` so that it may stand between quotes: `\`, `"` and LF are escaped, and other
/// control characters and what is not UTF-8, which a reader may refuse, spelled as `\xhh`.
inline void append_label_value(std::string& out, std::string_view value) {
    for (std::size_t at = 0; at < value.size();) {
        const std::size_t length = utf8_length(value, at);
        const char c = value[at];
        if (c == '\\' || c == '"') {
            out += '\\';
            out += c;
        } else if (c == '\n') {
            out += "\\n";
        } else if (length == 0 || byte_at(value, at) < 0x20 || c == 0x7f) {
            out += "\\\\x";
            append_hex(out, value.substr(at, 1));
        } else {
            out += value.substr(at, length);
        }
        at += length == 0 ? 1 : length;
    }
}

/// Whether `name` is one: letters, digits (not the first), `_`, and `:` in names of metrics.
[[nodiscard]] constexpr bool is_metric_name(std::string_view name, bool may_have_colon) noexcept {
    const auto fits = [&](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_' || (c == ':' && may_have_colon);
    };
    return !name.empty() && (name[0] < '0' || name[0] > '9') &&
           std::all_of(name.begin(), name.end(), fits);
}

/// A number without a locale: the shortest text that reads as the same one, `NaN`, `+Inf`, `-Inf`.
[[nodiscard]] inline std::string metric_number(double value) {
    if (std::isnan(value)) {
        return "NaN";
    }
    if (std::isinf(value)) {
        return value > 0 ? "+Inf" : "-Inf";
    }
    std::array<char, 32> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    return {digits.data(), static_cast<std::size_t>(end - digits.data())};
}
[[nodiscard]] inline std::string metric_number(std::integral auto value) {
    return decimal(value);
}

} // namespace detail

/// Families of series and their values, printed with each family in one piece.
///
/// Law: a series that is set again has the new value and is printed once. Names are checked:
/// `invalid_option` says which is wrong. Not for many threads at once: fill one when it is asked
/// for, from numbers that are counted elsewhere.
class metrics_text {
public:
    using labels = std::initializer_list<metric_label>;

    /// A number that goes up and down.
    void gauge(std::string_view name, std::string_view help, labels of, auto value) {
        set(family_of(name, "gauge", help), name, of, {}, detail::metric_number(value));
    }
    /// A number that only grows; the name ends in `_total`.
    void counter(std::string_view name, std::string_view help, labels of, std::uint64_t value) {
        if (!name.ends_with("_total")) {
            throw invalid_option(concat("counter '", name, "' does not end in _total"));
        }
        set(family_of(name, "counter", help), name, of, {}, decimal(value));
    }
    /// How often something was at most each of `bounds` (rising and finite) and above the one
    /// before: `counts` has one number more than there are bounds, the last for what was above all.
    /// `sum` is that of all that was measured.
    void histogram(std::string_view name, std::string_view help, labels of,
                   std::span<const double> bounds, std::span<const std::uint64_t> counts,
                   double sum);

    /// All of it; empty if nothing was set.
    [[nodiscard]] std::string text() const {
        std::string out;
        for (const family& f : families_) {
            out += f.series.empty() ? "" : f.head;
            for (const std::string& series : f.series) {
                out += series;
            }
        }
        return out;
    }

private:
    struct family {
        std::string name;
        std::string head;                         ///< `# HELP` and `# TYPE`
        std::vector<std::string> series;          ///< their lines
        std::map<std::string, std::size_t> where; ///< by name and labels, these in order of name
    };

    family& family_of(std::string_view name, std::string_view type, std::string_view help) {
        if (!detail::is_metric_name(name, true)) {
            throw invalid_option(concat("'", name, "' is no name of a metric"));
        }
        std::string head = concat("# HELP ", name, " ");
        for (const char c : help) {
            head += c == '\\' ? "\\\\" : c == '\n' ? "\\n" : std::string(1, c);
        }
        head += concat("\n# TYPE ", name, " ", type, "\n");
        for (family& f : families_) {
            if (f.name == name) {
                if (f.head != head) {
                    throw invalid_option(concat("metric '", name, "' has two types or meanings"));
                }
                return f;
            }
        }
        families_.push_back({std::string(name), std::move(head), {}, {}});
        return families_.back();
    }

    static void check_labels(std::span<const metric_label> sorted, bool is_bucket) {
        for (std::size_t i = 0; i < sorted.size(); ++i) {
            const std::string_view name = sorted[i].name;
            if (!detail::is_metric_name(name, false) || name.starts_with("__") ||
                (name == "le" && is_bucket)) {
                throw invalid_option(concat("'", name, "' is no name of a label here"));
            }
            if (i > 0 && sorted[i - 1].name == name) {
                throw invalid_option(concat("label '", name, "' is there twice"));
            }
        }
    }

    static std::string braced(std::span<const metric_label> of, std::string_view bound) {
        std::string out;
        const auto add = [&](std::string_view name, std::string_view value) {
            out += concat(out.empty() ? "{" : ",", name, "=\"");
            detail::append_label_value(out, value);
            out += '"';
        };
        for (const metric_label& label : of) {
            add(label.name, label.value);
        }
        if (!bound.empty()) {
            add("le", bound);
        }
        return out.empty() ? out : out + "}";
    }

    /// `bound` is that of a bucket, or empty.
    static void set(family& f, std::string_view name, std::span<const metric_label> of,
                    std::string_view bound, const std::string& value) {
        std::vector<metric_label> sorted(of.begin(), of.end());
        std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
            return a.name != b.name ? a.name < b.name : a.value < b.value;
        });
        check_labels(sorted, name != f.name);
        std::string line = concat(name, braced(of, bound), " ", value, "\n");
        const auto [at, is_new] =
            f.where.emplace(concat(name, braced(sorted, bound)), f.series.size());
        if (is_new) {
            f.series.push_back(std::move(line));
        } else {
            f.series[at->second] = std::move(line);
        }
    }
    static void set(family& f, std::string_view name, labels of, std::string_view bound,
                    const std::string& value) {
        set(f, name, std::span<const metric_label>(of.begin(), of.size()), bound, value);
    }

    std::vector<family> families_;
};

inline void metrics_text::histogram(std::string_view name, std::string_view help, labels of,
                                    std::span<const double> bounds,
                                    std::span<const std::uint64_t> counts, double sum) {
    const auto is_wrong = [&](std::size_t i) {
        return !std::isfinite(bounds[i]) || (i > 0 && !(bounds[i - 1] < bounds[i]));
    };
    bool fits = counts.size() == bounds.size() + 1;
    for (std::size_t i = 0; i < bounds.size(); ++i) {
        fits = fits && !is_wrong(i);
    }
    if (!fits) {
        throw invalid_option(concat("histogram '", name, "' needs finite bounds that rise, and a ",
                                    "count more than there are bounds"));
    }
    family& f = family_of(name, "histogram", help);
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        count += counts[i];
        set(f, concat(name, "_bucket"), of,
            i < bounds.size() ? detail::metric_number(bounds[i]) : "+Inf", decimal(count));
    }
    set(f, concat(name, "_sum"), of, {}, detail::metric_number(sum));
    set(f, concat(name, "_count"), of, {}, decimal(count));
}

} // namespace hashring
