// SPDX-License-Identifier: MIT
#pragma once

#include "fuzz/fuzz.hpp"
#include "fuzz/memory_file.hpp"
#include "tool/failure.hpp"
#include "tool/plan_state.hpp"

#include <string>
#include <string_view>

namespace fuzz {

/// The state between two plans is read or refused with the file's name; saved again it is the same.
inline void plan_state(std::string_view text) {
    const memory_file file(text);
    std::string saved;
    try {
        saved = tool::text_of(tool::load_state(file.name()), file.name());
    } catch (const tool::input_failure& reason) {
        expect(std::string_view(reason.what()).starts_with(file.name() + ": "),
               "an error names the file");
        return;
    }
    const memory_file second(saved);
    expect(tool::text_of(tool::load_state(second.name()), "again") == saved,
           "a state that is saved loads as the same");
}

} // namespace fuzz
