// SPDX-License-Identifier: MIT

// One fuzz target for libFuzzer: `.ci/fuzz` says which, by FUZZ_HEADER and FUZZ_TARGET.

#include FUZZ_HEADER

#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::FUZZ_TARGET(size == 0 ? std::string_view()
                                : std::string_view(reinterpret_cast<const char*>(data), size));
    return 0;
}
