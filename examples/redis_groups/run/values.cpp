// SPDX-License-Identifier: MIT

#include "../../tool/complain.hpp"
#include "../store/client.hpp"
#include "run.hpp"

#include <hashring/core/text.hpp>

namespace redis_groups::run {

using hashring::concat;

namespace {

/// The copies of the key's group that do not answer, in brackets after why something failed.
std::string with_silent_copies(client& of, std::string_view key, std::string why) {
    const placement::use at(*of.ring());
    const group_number number = at.routes({&key, 1}).front().owner;
    for (const hashring::group::copy& each : of.group(at, number).view().copies()) {
        if (!is_answering(each.state)) {
            why += concat(" (", each.name, " does not answer)");
        }
    }
    return why;
}

int report(client& to, const std::string& key, const write_result& result, tool::output& out) {
    if (result.is_done()) {
        out << "done\n";
        return 0;
    }
    tool::complain(with_silent_copies(to, key, concat(describe(result.what), ": ", result.why)));
    return 1;
}

} // namespace

int get(request asked, tool::output& out) {
    const std::string& key = asked.words.at(0);
    client from(groups_of(asked), asked.how);
    const read_value found = from.get(key);
    if (found.is_found()) {
        out << found.value << '\n';
        return 0;
    }
    tool::complain(found.state == read_state::absent ? concat("there is no ", tool::in_quotes(key))
                                                     : with_silent_copies(from, key, found.why));
    return 1;
}

int set(request asked, tool::output& out) {
    client to(groups_of(asked), asked.how);
    const std::string& key = asked.words.at(0);
    return report(to, key, to.set(key, asked.words.at(1), asked.lives_for), out);
}

int erase(request asked, tool::output& out) {
    client to(groups_of(asked), asked.how);
    const std::string& key = asked.words.at(0);
    return report(to, key, to.erase(key), out);
}

} // namespace redis_groups::run
