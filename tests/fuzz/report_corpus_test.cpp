// SPDX-License-Identifier: MIT
#include "fuzz/corpus_files.hpp"
#include "fuzz/report.hpp"
#include "support/catch.hpp"

HASHRING_CORPUS_TEST(dfsadmin)
HASHRING_CORPUS_TEST(jmx)
HASHRING_CORPUS_TEST(tsv)
HASHRING_CORPUS_TEST(report)
