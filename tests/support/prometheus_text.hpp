// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/text.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

// A strict reader of the Prometheus text format 0.0.4, written from its description: it takes less
// than Prometheus does, and also refuses what Prometheus only notices later (a series that is there
// twice, families in pieces, buckets that do not grow).

namespace support {

struct parsed_metrics {
    std::map<std::string, std::string> types; // of families
    // name{label="value",…} with the labels by name and their values unescaped: the value's text
    std::map<std::string, std::string> series;

    [[nodiscard]] std::string at(const std::string& name) const {
        const auto found = series.find(name);
        return found == series.end() ? "none" : found->second;
    }
};

class prometheus_reader {
public:
    // Throws std::runtime_error with the number of the line.
    static parsed_metrics read(std::string_view text) {
        prometheus_reader reader;
        if (!text.empty() && text.back() != '\n') {
            throw std::runtime_error("the last line does not end");
        }
        while (!text.empty()) {
            const std::size_t end = text.find('\n');
            ++reader.number_;
            reader.rest_ = text.substr(0, end);
            reader.line();
            text.remove_prefix(end + 1);
        }
        reader.end_family();
        return std::move(reader.result_);
    }

private:
    [[noreturn]] void fail(std::string_view why) const {
        throw std::runtime_error(
            hashring::concat("line ", hashring::decimal(number_), ": ", why, " at '", rest_, "'"));
    }
    bool take(std::string_view text) {
        const bool is_there = rest_.starts_with(text);
        rest_.remove_prefix(is_there ? text.size() : 0);
        return is_there;
    }
    void need(std::string_view text) {
        if (!take(text)) {
            fail(hashring::concat("no '", text, "'"));
        }
    }
    std::string name(bool may_have_colon) {
        std::size_t n = 0;
        const auto fits = [&](char c) {
            const std::string_view more = may_have_colon ? "_:" : "_";
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                   (n > 0 && c >= '0' && c <= '9') || more.find(c) != std::string_view::npos;
        };
        while (n < rest_.size() && fits(rest_[n])) {
            ++n;
        }
        if (n == 0) {
            fail("no name");
        }
        const std::string result(rest_.substr(0, n));
        rest_.remove_prefix(n);
        return result;
    }

    void line() {
        if (take("# HELP ")) {
            end_family();
            family_ = name(true);
            need(" ");
            if (rest_.find('\r') != std::string_view::npos || result_.types.count(family_) != 0) {
                fail("HELP");
            }
            result_.types[family_] = "";
        } else if (take("# TYPE ")) {
            if (name(true) != family_ || !result_.types[family_].empty() || has_samples_) {
                fail("TYPE");
            }
            need(" ");
            if (rest_ != "gauge" && rest_ != "counter" && rest_ != "histogram") {
                fail("a type");
            }
            result_.types[family_] = rest_;
        } else {
            sample();
        }
    }

    void sample() {
        const std::string metric = name(true);
        const std::string& type = result_.types[family_];
        const std::string suffix =
            metric.starts_with(family_) ? metric.substr(family_.size()) : "?";
        const std::set<std::string> allowed =
            type == "histogram" ? std::set<std::string>{"_bucket", "_sum", "_count"}
                                : std::set<std::string>{""};
        if (type.empty() || allowed.count(suffix) == 0) {
            fail("a sample outside of its family");
        }
        std::map<std::string, std::string> labels;
        if (take("{")) {
            do {
                const std::string label = name(false);
                need("=\"");
                if (!labels.emplace(label, value()).second) {
                    fail("a label twice");
                }
            } while (take(","));
            need("}");
        }
        need(" ");
        check_number(suffix == "_bucket" || suffix == "_count");
        has_samples_ = true;
        if (suffix == "_bucket") {
            bucket(labels);
        }
        std::string key = metric;
        for (const auto& [label, text] : labels) {
            key += hashring::concat(key.size() == metric.size() ? "{" : ",", label, "=", text);
        }
        key += labels.empty() ? "" : "}";
        if (!result_.series.emplace(key, rest_).second) {
            fail("a series twice");
        }
    }

    std::string value() {
        std::string result;
        while (!take("\"")) {
            if (take("\\\\")) {
                result += '\\';
            } else if (take("\\\"")) {
                result += '"';
            } else if (take("\\n")) {
                result += '\n';
            } else if (rest_.empty() || rest_[0] == '\\' ||
                       static_cast<unsigned char>(rest_[0]) < 0x20) {
                fail("a value");
            } else {
                result += rest_[0];
                rest_.remove_prefix(1);
            }
        }
        return result;
    }

    void check_number(bool is_count) const {
        if (!is_count && (rest_ == "NaN" || rest_ == "+Inf" || rest_ == "-Inf")) {
            return;
        }
        const std::string text(rest_);
        char* end = nullptr;
        std::strtod(text.c_str(), &end); // tests run in the C locale
        const std::string_view taken = is_count ? "0123456789" : "0123456789+-.e";
        if (text.empty() || *end != '\0' || text.find_first_not_of(taken) != std::string::npos) {
            fail("a number");
        }
    }

    // Buckets of one series follow each other, rise in both numbers and end at +Inf.
    void bucket(const std::map<std::string, std::string>& labels) {
        const auto le = labels.find("le");
        const auto count = hashring::parse_decimal<std::uint64_t>(rest_);
        if (le == labels.end() || !count) {
            fail("a bucket");
        }
        const bool is_last = le->second == "+Inf";
        const double bound = is_last ? 1e308 : std::strtod(le->second.c_str(), nullptr);
        if (is_open_ && (bound <= last_bound_ || *count < last_count_)) {
            fail("buckets that do not rise");
        }
        is_open_ = !is_last;
        last_bound_ = bound;
        last_count_ = *count;
    }

    void end_family() {
        if (!family_.empty() && (!has_samples_ || is_open_)) {
            fail("a family that is empty, or whose buckets do not end at +Inf");
        }
        has_samples_ = false;
    }

    parsed_metrics result_;
    std::string_view rest_;
    std::size_t number_ = 0;
    std::string family_;
    bool has_samples_ = false;
    bool is_open_ = false;
    double last_bound_ = 0;
    std::uint64_t last_count_ = 0;
};

} // namespace support
