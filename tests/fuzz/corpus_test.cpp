// SPDX-License-Identifier: MIT
#include "fuzz/corpus_files.hpp"
#include "fuzz/hashes.hpp"
#include "fuzz/histories.hpp"
#include "fuzz/ring_history.hpp"
#include "fuzz/saved.hpp"
#include "fuzz/values.hpp"
#include "support/catch.hpp"

HASHRING_CORPUS_TEST(saved)
HASHRING_CORPUS_TEST(exact_state)
HASHRING_CORPUS_TEST(anchor_state)
HASHRING_CORPUS_TEST(ring_history)
HASHRING_CORPUS_TEST(hashes)
HASHRING_CORPUS_TEST(values)
