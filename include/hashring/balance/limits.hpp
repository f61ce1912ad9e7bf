// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/balance/thresholds.hpp>
#include <hashring/core/error.hpp>
#include <hashring/core/text.hpp>
#include <hashring/placement/per_weight.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// Settings that were checked, and each node's threshold among them.

namespace hashring::detail {

/// Throws `invalid_option` for settings without a meaning.
inline void check_settings(const thresholds& settings) {
    const fraction64 zero;
    if (settings.gain == zero || settings.step == zero || settings.smoothing == zero ||
        settings.transfer_gain == zero) {
        throw invalid_option("a gain, a step or a smoothing of 0 would never change anything");
    }
    if (settings.vnodes && (*settings.vnodes < 1 || *settings.vnodes > max_points)) {
        throw invalid_option("virtual nodes of a node of mean capacity: 1 to 16777216");
    }
    if (settings.ceiling < 1 || settings.ceiling > max_points) {
        throw invalid_option("a ceiling is 1 to 16777216 times the count due by capacity");
    }
}

/// Thresholds by name. Refers to the settings.
class limits {
public:
    explicit limits(const thresholds& settings) : settings_(settings) {
        check_settings(settings);
        for (const named_threshold& t : settings.per_node) {
            by_name_.push_back(&t);
        }
        std::sort(by_name_.begin(), by_name_.end(),
                  [](const auto* a, const auto* b) { return a->name < b->name; });
        for (std::size_t i = 1; i < by_name_.size(); ++i) {
            if (by_name_[i]->name == by_name_[i - 1]->name) {
                throw invalid_option(concat("node '", by_name_[i]->name, "' has two thresholds"));
            }
        }
        if (settings.load == load_kind::requests) {
            check_relative(settings.limit);
            for (const named_threshold& t : settings.per_node) {
                check_relative(t.limit);
            }
        }
    }

    [[nodiscard]] const threshold& of(std::string_view name) const noexcept {
        const auto found =
            std::lower_bound(by_name_.begin(), by_name_.end(), name,
                             [](const auto* t, std::string_view n) { return t->name < n; });
        return found != by_name_.end() && (*found)->name == name ? (*found)->limit
                                                                 : settings_.limit;
    }

private:
    static void check_relative(const threshold& limit) {
        if (limit.is_absolute()) {
            throw invalid_option(
                concat("threshold ", limit.text(),
                       " is absolute, and requests have no absolute scale: give a part, as in 5%"));
        }
    }

    const thresholds& settings_;
    std::vector<const named_threshold*> by_name_;
};

} // namespace hashring::detail
