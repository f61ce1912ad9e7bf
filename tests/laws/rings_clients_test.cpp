// SPDX-License-Identifier: MIT
#include "laws/ring_laws.hpp"
#include "laws/ring_subject.hpp"
#include "laws/schemes.hpp"
#include "support/catch.hpp"

#include <hashring/compat/brpc.hpp>
#include <hashring/compat/dalli.hpp>
#include <hashring/compat/dubbo.hpp>
#include <hashring/compat/go_ketama.hpp>
#include <hashring/compat/groupcache.hpp>
#include <hashring/compat/jedis.hpp>
#include <hashring/compat/npm_hashring.hpp>
#include <hashring/compat/serialx.hpp>
#include <hashring/compat/stathat.hpp>

TEMPLATE_TEST_CASE("laws: a client's ring is at any time what its list of nodes says",
                   "[ring][law]", HASHRING_CLIENT_RINGS) {
    const laws::ring_subject<TestType> empty(law_schemes::small<TestType>());
    CHECK(laws::broken_history(empty, laws::all_histories, 16) == "");
}
