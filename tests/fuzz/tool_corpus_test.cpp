// SPDX-License-Identifier: MIT
#include "fuzz/corpus_files.hpp"
#include "fuzz/keys.hpp"
#include "fuzz/nodes_file.hpp"
#include "fuzz/plan_state.hpp"
#include "support/catch.hpp"

HASHRING_CORPUS_TEST(nodes_file)
HASHRING_CORPUS_TEST(keys)
HASHRING_CORPUS_TEST(plan_state)
