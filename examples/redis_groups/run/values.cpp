// SPDX-License-Identifier: MIT

#include "../../tool/complain.hpp"
#include "../store/client.hpp"
#include "run.hpp"

#include <hashring/core/text.hpp>

namespace redis_groups::run {

using hashring::concat;

namespace {

int report(const write_result& result, tool::output& out) {
    if (result.is_done()) {
        out << "done\n";
        return 0;
    }
    tool::complain(concat(describe(result.what), ": ", result.why));
    return 1;
}

} // namespace

int get(const request& asked, tool::output& out) {
    const std::string& key = asked.words.at(0);
    const read_value found = client(groups_of(asked), asked.how).get(key);
    if (found.is_found()) {
        out << found.value << '\n';
        return 0;
    }
    tool::complain(found.state == read_state::absent ? concat("there is no ", tool::in_quotes(key))
                                                     : found.why);
    return 1;
}

int set(const request& asked, tool::output& out) {
    client to(groups_of(asked), asked.how);
    return report(to.set(asked.words.at(0), asked.words.at(1), asked.lives_for), out);
}

int erase(const request& asked, tool::output& out) {
    client to(groups_of(asked), asked.how);
    return report(to.erase(asked.words.at(0)), out);
}

} // namespace redis_groups::run
