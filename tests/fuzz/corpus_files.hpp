// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace fuzz {

/// The files of a target's corpus in the order of their names.
inline std::vector<std::filesystem::path> corpus_files(std::string_view target) {
    const std::filesystem::path folder =
        std::filesystem::path(HASHRING_GOLDEN_DIR).parent_path() / "fuzz" / "corpus" / target;
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

/// What the corpus of a target finds wrong, a line each; and how many files it has.
struct corpus_run {
    std::size_t files = 0;
    std::string wrong{};
};

inline corpus_run run_corpus(std::string_view target, void (*function)(std::string_view)) {
    corpus_run run;
    for (const std::filesystem::path& path : corpus_files(target)) {
        std::ifstream file(path, std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(file), {}};
        ++run.files;
        try {
            function(bytes);
        } catch (const std::exception& reason) {
            run.wrong += path.filename().string() + ": " + reason.what() + "\n";
        }
    }
    return run;
}

} // namespace fuzz

// A target with all files of its corpus: whole and broken inputs, and what fuzzing once found.
#define HASHRING_CORPUS_TEST(target)                                                               \
    TEST_CASE("corpus: " #target " holds for every file that is kept", "[fuzz][corpus]") {         \
        const fuzz::corpus_run run = fuzz::run_corpus(#target, fuzz::target);                      \
        CHECK(run.wrong == "");                                                                    \
        CHECK(run.files >= 3);                                                                     \
    }
