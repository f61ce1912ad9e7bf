// SPDX-License-Identifier: MIT
#pragma once

#include "support/catch.hpp"
#include "support/process.hpp"

#include <string>
#include <vector>

// Calls of the command-line tool, and what many tests ask of them.

namespace support {

using arguments = std::vector<std::string>;

inline arguments with(arguments call, const arguments& more) {
    call.insert(call.end(), more.begin(), more.end());
    return call;
}

/// Nothing on standard output, one line on standard error that says `error` somewhere. Returns it.
inline std::string check_refused(const arguments& call, const std::string& error,
                                 const std::string& in = {}, int code = 2) {
    const outcome o = run_tool(call, {in});
    CAPTURE(call, o.err, error);
    CHECK(o.code == code);
    CHECK(o.out == "");
    CHECK(lines(o.err).size() == 1);
    CHECK(o.err.find(error) != std::string::npos);
    return o.err;
}

/// The same where the line begins with `error`.
inline void check_refused_with(const arguments& call, const std::string& error,
                               const std::string& in = {}) {
    const std::string said = check_refused(call, error, in);
    CAPTURE(call, said, error);
    CHECK(said.find(error) == 0);
}

/// What `place` answers for each of these keys: what stands behind the key on its line.
inline std::vector<std::string> answers(const arguments& call, const std::string& keys) {
    const outcome o = run_tool(call, {keys});
    CHECK(o.code == 0);
    std::vector<std::string> nodes;
    for (const std::string& line : lines(o.out)) {
        nodes.push_back(line.substr(line.find('\t') + 1));
    }
    return nodes;
}

} // namespace support
