// SPDX-License-Identifier: MIT
#include "input.hpp"

#include "failure.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace tool {

namespace {

constexpr std::size_t chunk = std::size_t{1} << 18U;

[[noreturn]] void unreadable(const std::string& file) {
    throw input_failure(file, std::strerror(errno));
}

} // namespace

line_reader::line_reader(std::string file, std::size_t longest_line)
    : file_(std::move(file)), longest_line_(longest_line), buffer_(chunk) {
    descriptor_ = file_ == "-" ? STDIN_FILENO : ::open(file_.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor_ < 0) {
        unreadable(file_);
    }
    if (file_ != "-") {
        fill();
    }
}

line_reader::~line_reader() {
    if (file_ != "-") { // not by its number: with standard input closed a file may have 0
        ::close(descriptor_);
    }
}

bool line_reader::fill() {
    if (at_end_) {
        return false;
    }
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    if (buffer_.size() - end_ < chunk) {
        buffer_.resize(2 * buffer_.size());
    }
    ssize_t got = 0;
    do {
        got = ::read(descriptor_, buffer_.data() + end_, buffer_.size() - end_);
    } while (got < 0 && errno == EINTR);
    if (got < 0) {
        unreadable(file_);
    }
    at_end_ = got == 0;
    end_ += static_cast<std::size_t>(got);
    return got > 0;
}

void line_reader::check_length(std::size_t length) const {
    if (length > longest_line_) {
        throw input_failure(file_, line_number_,
                            concat("the line is longer than ", decimal(longest_line_), " bytes"));
    }
}

bool line_reader::next(std::string_view& line) {
    ++line_number_;
    std::size_t searched = 0;
    for (;;) {
        const char* const start = buffer_.data() + begin_;
        const std::size_t length = end_ - begin_;
        const void* const lf = std::memchr(start + searched, '\n', length - searched);
        if (lf != nullptr) {
            line = {start, static_cast<std::size_t>(static_cast<const char*>(lf) - start)};
            check_length(line.size());
            begin_ += line.size() + 1;
            had_end_ = true;
            return true;
        }
        check_length(length);
        searched = length;
        if (!fill()) {
            line = {buffer_.data() + begin_, end_ - begin_};
            begin_ = end_;
            had_end_ = false;
            return !line.empty();
        }
    }
}

std::string whole_text(const std::string& file, std::size_t most) {
    line_reader lines(file, most);
    std::string text;
    std::string_view line;
    while (lines.next(line)) {
        text += line;
        if (lines.had_end()) {
            text += '\n';
        }
        if (text.size() > most) {
            throw input_failure(file, lines.line_number(),
                                concat("the text is longer than ", decimal(most), " bytes"));
        }
    }
    return text;
}

} // namespace tool
