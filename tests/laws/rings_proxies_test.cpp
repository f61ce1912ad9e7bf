// SPDX-License-Identifier: MIT
#include "laws/ring_laws.hpp"
#include "laws/ring_subject.hpp"
#include "laws/schemes.hpp"
#include "support/catch.hpp"

#include <hashring/compat/envoy.hpp>
#include <hashring/compat/grpc.hpp>
#include <hashring/compat/grpc_java.hpp>
#include <hashring/compat/haproxy.hpp>
#include <hashring/compat/nginx.hpp>

TEMPLATE_TEST_CASE("laws: a proxy's ring is at any time what its list of nodes says", "[ring][law]",
                   HASHRING_PROXY_RINGS) {
    const laws::ring_subject<TestType> empty(law_schemes::small<TestType>());
    CHECK(laws::broken_history(empty, laws::all_histories, 16) == "");
}
