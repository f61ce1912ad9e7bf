// SPDX-License-Identifier: MIT
#pragma once

#include <cctype>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

// Whether text is well-formed XML, as far as drawings need it: elements, attributes, text and the
// five named entities; no comments, processing instructions, CDATA or document types.

namespace support {

class xml_check {
public:
    explicit xml_check(std::string_view text) : text_(text) {}

    // Nothing if the text is one well-formed element, else what is wrong with it.
    [[nodiscard]] std::string fault() {
        while (fault_.empty() && at_ < text_.size()) {
            if (text_[at_] == '<') {
                tag();
            } else {
                character(true);
            }
        }
        if (fault_.empty() && (!open_.empty() || roots_ != 1)) {
            fail("not one whole element");
        }
        return fault_;
    }

    // The names of all elements, in order.
    [[nodiscard]] const std::vector<std::string>& elements() const { return elements_; }

private:
    void fail(std::string_view what) {
        if (fault_.empty()) {
            fault_ = std::string(what) + " at byte " + std::to_string(at_);
        }
        at_ = text_.size();
    }

    void character(bool outside_tags) {
        const char c = text_[at_];
        if (outside_tags && open_.empty() && std::isspace(static_cast<unsigned char>(c)) == 0) {
            return fail("text outside of the element");
        }
        if (c == '&') {
            const std::string_view rest = text_.substr(at_);
            for (const std::string_view entity : {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"}) {
                if (rest.starts_with(entity)) {
                    at_ += entity.size();
                    return;
                }
            }
            return fail("a bare ampersand");
        }
        ++at_;
    }

    std::string name() {
        const std::size_t begin = at_;
        while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 ||
                                      text_[at_] == '-' || text_[at_] == ':')) {
            ++at_;
        }
        if (begin == at_) {
            fail("no name");
            return {};
        }
        return std::string(text_.substr(begin, at_ - begin));
    }

    void blanks() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) {
            ++at_;
        }
    }

    bool take(std::string_view what) {
        if (!text_.substr(at_ < text_.size() ? at_ : text_.size()).starts_with(what)) {
            return false;
        }
        at_ += what.size();
        return true;
    }

    void tag() {
        ++at_;
        if (take("/")) {
            const std::string closed = name();
            if (open_.empty() || open_.back() != closed || !take(">")) {
                return fail("an end tag of nothing that is open");
            }
            return open_.pop_back();
        }
        const std::string opened = name();
        roots_ += open_.empty() ? 1U : 0U;
        elements_.push_back(opened);
        attributes();
        if (take("/>")) {
            return;
        }
        if (!take(">")) {
            return fail("a tag without end");
        }
        open_.push_back(opened);
    }

    void attributes() {
        std::set<std::string> seen;
        for (blanks(); at_ < text_.size() && text_[at_] != '>' && text_[at_] != '/'; blanks()) {
            if (!seen.insert(name()).second) {
                return fail("an attribute twice");
            }
            if (!take("=\"")) {
                return fail("an attribute without value");
            }
            while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '<') {
                character(false);
            }
            if (!take("\"")) {
                return fail("a value without end");
            }
        }
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t roots_ = 0;
    std::vector<std::string> open_;
    std::vector<std::string> elements_;
    std::string fault_;
};

inline std::string xml_fault(std::string_view text) {
    return xml_check(text).fault();
}

} // namespace support
