// SPDX-License-Identifier: MIT
#include "commands.hpp"
#include "failure.hpp"
#include "json.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tool {

namespace {

std::string option_text(const hashring::scheme_option& option) {
    return concat("--", option.name, option.values.empty() ? "" : " ", option.values);
}

/// The options that the scheme has only with `--allocator corrected`.
std::vector<hashring::scheme_option> options_when_corrected(const scheme_entry& scheme) {
    std::vector<hashring::scheme_option> result;
    if (scheme.corrected) {
        std::copy_if(scheme.corrected->options.begin(), scheme.corrected->options.end(),
                     std::back_inserter(result), [&](const hashring::scheme_option& option) {
                         return std::none_of(
                             scheme.options.begin(), scheme.options.end(),
                             [&](const auto& known) { return known.name == option.name; });
                     });
    }
    return result;
}

grid as_grid() {
    grid g{{"scheme", "option", "default", "what it is"}, {}, {}};
    for (const scheme_entry& scheme : all_schemes()) {
        const std::string name(scheme.name);
        const auto add = [&](std::string option, std::string_view preset, std::string_view help) {
            g.rows.push_back({name, std::move(option), std::string(preset), std::string(help)});
        };
        add("", "", scheme.summary);
        for (const hashring::scheme_option& option : scheme.options) {
            add(option_text(option), option.preset, option.help);
        }
        if (scheme.corrected) {
            add("--allocator plain|corrected", "plain", scheme.corrected->summary);
        }
        for (const hashring::scheme_option& option : options_when_corrected(scheme)) {
            add(option_text(option), option.preset, concat("if corrected: ", option.help));
        }
    }
    return g;
}

json as_json(const std::vector<hashring::scheme_option>& options) {
    json all = json::array();
    for (const hashring::scheme_option& option : options) {
        all.push_back({{"name", option.name},
                       {"values", option.values},
                       {"default", option.preset},
                       {"help", option.help}});
    }
    return all;
}

json as_json() {
    json all = json::array();
    for (const scheme_entry& scheme : all_schemes()) {
        json entry = {{"name", scheme.name},
                      {"summary", scheme.summary},
                      {"rules", scheme.describe({})},
                      {"options", as_json(scheme.options)}};
        if (!scheme.has_fixed_counts) {
            entry["allocators"] = {"plain"};
        }
        if (scheme.corrected) {
            entry["allocators"].push_back("corrected");
            entry["options_when_corrected"] = as_json(options_when_corrected(scheme));
        }
        all.push_back(std::move(entry));
    }
    return {{"schemes", std::move(all)}};
}

} // namespace

void schemes_command(const request& asked, output& out) {
    const format as = parse_format(asked.format.value_or("table"));
    if (as == format::json) {
        print_json(as_json(), out);
    } else if (as == format::tsv) {
        print_tsv(as_grid(), out);
    } else {
        print_table(as_grid(), out);
    }
}

} // namespace tool
