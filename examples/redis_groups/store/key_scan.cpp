// SPDX-License-Identifier: MIT

#include "key_scan.hpp"

#include "reply_check.hpp"

#include <hashring/core/text.hpp>

#include <utility>

namespace redis_groups {

std::vector<std::string> key_scan::next(connection& server) {
    if (server.server() != server_) {
        server_ = server.server();
        cursor_.assign(1, '0');
        is_over_ = false;
    }
    std::vector<std::string> keys;
    while (keys.empty() && !is_over_) { // a page may be empty before the end
        keys = page(server);
    }
    return keys;
}

std::vector<std::string> key_scan::page(connection& server) {
    reply answer = server.call({"SCAN", cursor_, "COUNT", hashring::decimal(page_)});
    check(answer);
    if (answer.items.size() != 2) {
        throw server_failure(hashring::group::error_kind::bad_reply, "no answer to SCAN");
    }
    std::vector<std::string> keys;
    for (reply& key : answer.items[1].items) {
        keys.push_back(std::move(key.text));
    }
    cursor_ = std::move(answer.items[0].text);
    is_over_ = cursor_ == "0";
    return keys;
}

} // namespace redis_groups
