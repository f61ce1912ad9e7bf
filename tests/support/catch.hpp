// SPDX-License-Identifier: MIT
#pragma once

// Catch2 2.x (Debian 12) and 3.x. Tests stay on what both offer: TEST_CASE, SECTION,
// TEMPLATE_TEST_CASE, GENERATE, CHECK…, REQUIRE…, STATIC_REQUIRE, CAPTURE, INFO.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif
