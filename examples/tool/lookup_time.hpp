// SPDX-License-Identifier: MIT
#pragma once

#include "placement.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tool {

/// Keys to look up before a clock: the first ones of a stream, as many as stay near the processor.
class key_sample {
public:
    void add(std::string_view key) {
        if (keys_.size() < most_keys && bytes_ + key.size() <= most_bytes) {
            keys_.emplace_back(key);
            bytes_ += key.size();
        }
    }
    [[nodiscard]] const std::vector<std::string>& keys() const noexcept { return keys_; }

private:
    static constexpr std::size_t most_keys = 16384;
    static constexpr std::size_t most_bytes = std::size_t{64} << 20U;

    std::vector<std::string> keys_;
    std::size_t bytes_ = 0;
};

/// How often all are timed; the median of so many rounds counts.
inline constexpr std::size_t time_rounds = 7;

/// Nanoseconds that each of `placed` needs to find the owner of a key, hashing it included: all in
/// turns, so that what else the machine does slows all alike. 0 without keys.
[[nodiscard]] std::vector<double> lookup_times(const std::vector<const placement*>& placed,
                                               const std::vector<std::string>& keys);

} // namespace tool
