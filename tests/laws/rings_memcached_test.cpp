// SPDX-License-Identifier: MIT
#include "laws/ring_laws.hpp"
#include "laws/ring_subject.hpp"
#include "laws/schemes.hpp"
#include "support/catch.hpp"

#include <hashring/compat/libketama.hpp>
#include <hashring/compat/libmemcached.hpp>
#include <hashring/compat/spymemcached.hpp>
#include <hashring/compat/twemproxy.hpp>
#include <hashring/compat/uhashring.hpp>

TEMPLATE_TEST_CASE("laws: a ring of a memcached client is at any time what its list of nodes says",
                   "[ring][law]", HASHRING_MEMCACHED_RINGS) {
    const laws::ring_subject<TestType> empty(law_schemes::small<TestType>());
    CHECK(laws::broken_history(empty, laws::all_histories, 16) == "");
}
