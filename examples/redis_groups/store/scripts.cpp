// SPDX-License-Identifier: MIT

#include "scripts.hpp"

#include "reply_check.hpp"
#include "script_texts.hpp"

#include <hashring/core/text.hpp>

#include <openssl/sha.h>

#include <array>

namespace redis_groups {

namespace {

// Redis names a script by the SHA-1 of its text in lower case.
std::string sha1_of(std::string_view text) {
    std::array<unsigned char, SHA_DIGEST_LENGTH> digest{};
    SHA1(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data());
    std::string name;
    hashring::append_hex(name, {reinterpret_cast<const char*>(digest.data()), digest.size()});
    return name;
}

} // namespace

script::script(std::string_view text) : text_(text), name_(sha1_of(text)) {}

void script::load(connection& server) const {
    check(server.call({"SCRIPT", "LOAD", text_}));
}

const script& writing() {
    static const script instance(write_script);
    return instance;
}

const script& merging() {
    static const script instance(merge_script);
    return instance;
}

} // namespace redis_groups
