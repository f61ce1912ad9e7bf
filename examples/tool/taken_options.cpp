// SPDX-License-Identifier: MIT
#include "taken_options.hpp"

#include "failure.hpp"

#include <hashring/core/error.hpp>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

namespace tool {

namespace {

bool takes(const scheme_entry& scheme, const std::pair<std::string, std::string>& given) {
    if (std::none_of(scheme.options.begin(), scheme.options.end(),
                     [&](const auto& option) { return option.name == given.first; })) {
        return false;
    }
    try {
        (void)scheme.describe({given});
        return true;
    } catch (const hashring::invalid_option&) {
        return false;
    }
}

} // namespace

void check_taken(const option_values& options) {
    const auto& schemes = all_schemes();
    for (const auto& given : options) {
        if (std::none_of(schemes.begin(), schemes.end(),
                         [&](const scheme_entry& s) { return takes(s, given); })) {
            throw usage_failure(
                concat("no scheme takes ", in_quotes(given.second), " for --", given.first));
        }
    }
}

option_values taken_by(const scheme_entry& scheme, const option_values& options) {
    option_values taken;
    std::copy_if(options.begin(), options.end(), std::back_inserter(taken),
                 [&](const auto& given) { return takes(scheme, given); });
    return taken;
}

} // namespace tool
