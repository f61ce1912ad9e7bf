// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/dice.hpp"

#include <hashring/hash/md5_digests.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

using hashring::hash::md5;
using hashring::hash::md5_digest;
using hashring::hash::md5_digests;

namespace {

// What `md5_digests` makes of texts, whether it wrote past them aside.
std::vector<md5_digest> digests_of(const std::vector<std::string>& texts) {
    const std::vector<std::string_view> views(texts.begin(), texts.end());
    std::vector<md5_digest> digests(texts.size() + 1);
    md5_digests(views, digests);
    REQUIRE(digests.back() == md5_digest{});
    digests.pop_back();
    return digests;
}

std::vector<md5_digest> one_by_one(const std::vector<std::string>& texts) {
    std::vector<md5_digest> digests;
    for (const std::string& text : texts) {
        digests.push_back(md5::digest(text));
    }
    return digests;
}

} // namespace

TEST_CASE("md5_digests: the examples of RFC 1321", "[hash][md5][golden]") {
    const std::vector<md5_digest> digests =
        digests_of({"", "a", "abc", "message digest", "abcdefghijklmnopqrstuvwxyz"});
    CHECK(digests[0].hex() == "d41d8cd98f00b204e9800998ecf8427e");
    CHECK(digests[1].hex() == "0cc175b9c0f1b6a831c399e269772661");
    CHECK(digests[2].hex() == "900150983cd24fb0d6963f7d28e17f72");
    CHECK(digests[3].hex() == "f96b697d7cb7938d525a2f31aaf161d0");
    CHECK(digests[4].hex() == "c3fcd3d76192e4007dfb496cca67e13b");
}

TEST_CASE("md5_digests: many together are what they are one by one", "[hash][md5][law]") {
    dice random(11);
    // Up to 55 bytes fit one block; 56, 64 and 120 are where another begins.
    for (const std::size_t longest : {1U, 4U, 55U, 56U, 64U, 130U}) {
        for (std::size_t count = 0; count <= 33; ++count) {
            CAPTURE(longest, count);
            std::vector<std::string> texts(count);
            for (std::string& text : texts) {
                text.resize(random.below(longest + 1));
                for (char& c : text) {
                    c = static_cast<char>(random.next() & 0xffU);
                }
            }
            CHECK(digests_of(texts) == one_by_one(texts));
        }
    }
}

TEST_CASE("md5_digests: one long text among short ones", "[hash][md5][edge]") {
    for (std::size_t place = 0; place < 9; ++place) {
        CAPTURE(place);
        std::vector<std::string> texts(9, "short");
        texts[place] = std::string(56, 'x');
        CHECK(digests_of(texts) == one_by_one(texts));
    }
}
