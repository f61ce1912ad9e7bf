// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/error.hpp>
#include <hashring/core/text.hpp>
#include <hashring/service/metrics_escape.hpp>

#include <algorithm>
#include <cmath>
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
        set(family_of(name, "gauge", help, of), name, of, {}, detail::metric_number(value));
    }
    /// A number that only grows; the name ends in `_total`.
    void counter(std::string_view name, std::string_view help, labels of, std::uint64_t value) {
        if (!name.ends_with("_total")) {
            throw invalid_option(concat("counter '", name, "' does not end in _total"));
        }
        set(family_of(name, "counter", help, of), name, of, {}, decimal(value));
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

    /// Checks everything before it makes a new one.
    family& family_of(std::string_view name, std::string_view type, std::string_view help,
                      labels of) {
        if (!detail::is_metric_name(name, true)) {
            throw invalid_option(concat("'", name, "' is no name of a metric"));
        }
        check_labels({of.begin(), of.size()}, type == "histogram");
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

    static void check_labels(std::span<const metric_label> of, bool has_buckets) {
        for (std::size_t i = 0; i < of.size(); ++i) {
            const std::string_view name = of[i].name;
            if (!detail::is_metric_name(name, false) || name.starts_with("__") ||
                (name == "le" && has_buckets)) {
                throw invalid_option(concat("'", name, "' is no name of a label here"));
            }
            const auto before = of.first(i);
            if (std::any_of(before.begin(), before.end(),
                            [&](const metric_label& other) { return other.name == name; })) {
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
    static void set(family& f, std::string_view name, labels of, std::string_view bound,
                    const std::string& value) {
        std::vector<metric_label> sorted(of);
        std::sort(sorted.begin(), sorted.end(),
                  [](const auto& a, const auto& b) { return a.name < b.name; });
        std::string line = concat(name, braced({of.begin(), of.size()}, bound), " ", value, "\n");
        const auto [at, is_new] =
            f.where.emplace(concat(name, braced(sorted, bound)), f.series.size());
        if (is_new) {
            f.series.push_back(std::move(line));
        } else {
            f.series[at->second] = std::move(line);
        }
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
    family& f = family_of(name, "histogram", help, of);
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
