// SPDX-License-Identifier: MIT
#include "fuzz/corpus_files.hpp"
#include "fuzz/redis_replies.hpp"
#include "support/catch.hpp"

HASHRING_CORPUS_TEST(redis_replies)
