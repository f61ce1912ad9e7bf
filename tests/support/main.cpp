// SPDX-License-Identifier: MIT

// Catch2 2.x brings its main function in the header; with 3.x this file is not built.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
