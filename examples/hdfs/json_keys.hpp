// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hdfs {

/// Collects the keys of the outermost object. The parser's own call-backs would do, but with them
/// it goes through all members of an object after each one that is an object itself.
class json_key_collector : public nlohmann::json_sax<nlohmann::json> {
public:
    std::vector<std::string> keys;

    bool null() override { return true; }
    bool boolean(bool /*unused*/) override { return true; }
    bool number_integer(number_integer_t /*unused*/) override { return true; }
    bool number_unsigned(number_unsigned_t /*unused*/) override { return true; }
    bool number_float(number_float_t /*unused*/, const string_t& /*unused*/) override {
        return true;
    }
    bool string(string_t& /*unused*/) override { return true; }
    bool binary(binary_t& /*unused*/) override { return true; }
    bool start_object(std::size_t /*unused*/) override { return ++depth_ > 0; }
    bool end_object() override { return depth_-- > 0; }
    bool start_array(std::size_t /*unused*/) override { return ++depth_ > 0; }
    bool end_array() override { return depth_-- > 0; }
    bool key(string_t& name) override {
        if (depth_ == 1) {
            keys.push_back(std::move(name));
        }
        return true;
    }
    bool parse_error(std::size_t /*unused*/, const std::string& /*unused*/,
                     const nlohmann::json::exception& /*unused*/) override {
        return false;
    }

private:
    std::size_t depth_ = 0;
};

/// The keys of the JSON object `text` as they stand there, those that come again among them. O(n).
[[nodiscard]] inline std::vector<std::string> keys_of(std::string_view text) {
    json_key_collector collector;
    (void)nlohmann::json::sax_parse(text, &collector);
    return std::move(collector.keys);
}

} // namespace hdfs
