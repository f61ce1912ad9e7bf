// SPDX-License-Identifier: MIT
#include "commands.hpp"
#include "failure.hpp"
#include "json.hpp"

#include <string>

namespace tool {

namespace {

std::string option_text(const hashring::scheme_option& option) {
    return concat("--", option.name, option.values.empty() ? "" : " ", option.values);
}

grid as_grid() {
    grid g{{"scheme", "option", "default", "what it is"}, {}, {}};
    for (const scheme_entry& scheme : all_schemes()) {
        g.rows.push_back({std::string(scheme.name), "", "", std::string(scheme.summary)});
        for (const hashring::scheme_option& option : scheme.options) {
            g.rows.push_back({std::string(scheme.name), option_text(option),
                              std::string(option.preset), std::string(option.help)});
        }
    }
    return g;
}

json as_json() {
    json all = json::array();
    for (const scheme_entry& scheme : all_schemes()) {
        json options = json::array();
        for (const hashring::scheme_option& option : scheme.options) {
            options.push_back({{"name", option.name},
                               {"values", option.values},
                               {"default", option.preset},
                               {"help", option.help}});
        }
        all.push_back({{"name", scheme.name},
                       {"summary", scheme.summary},
                       {"rules", scheme.describe({})},
                       {"options", std::move(options)}});
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
