// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/error.hpp>
#include <hashring/core/key.hpp>
#include <hashring/core/text.hpp>
#include <hashring/ring/diff.hpp>
#include <hashring/ring/point_list.hpp>
#include <hashring/ring/saved_lines.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// \file
/// Two rings at once, while the keys that change owner are on their way.

namespace hashring {

/// Where a key is read and written meanwhile.
struct transition_route {
    /// The owner on the new ring, an index of its nodes: it is written, and asked first.
    std::uint32_t to = no_node;
    /// The owner on the old ring, an index of that ring's nodes, to be asked where the new one has
    /// nothing; `no_node` if it has nothing more to say: the key does not move, its arc is done, or
    /// nobody owned it.
    std::uint32_t from = no_node;

    friend bool operator==(const transition_route&, const transition_route&) = default;
};

/// A change from one ring to another that takes time: which arcs are still to be moved.
///
/// Whoever moves data marks each arc as done when all of it has arrived; when every arc is done the
/// transition is finished and the old ring can go. What is done stays done. A regular value; any
/// number of threads may ask while none marks.
///
/// **Deleting and moving.** A deletion goes to both owners, or the next read finds the value again
/// at the old one; and who moves data puts a value only where there is none, or it undoes a newer
/// write.
///
/// Law: `to` is the owner on the new ring for every key, and `from` that on the old one exactly
/// where the two differ and the arc is not done.
template <class Ring>
class transition {
public:
    using position_type = typename Ring::position_type;
    using diff_type = typename Ring::diff_type;

    /// Nothing is done yet. Throws as `diff` does if the rings do not place keys alike.
    transition(Ring before, Ring after)
        : before_(std::move(before)),
          after_(std::move(after)),
          moved_(before_.changes_to(after_)),
          done_(moved_.arcs().size()) {
        for (const std::string& name : moved_.names()) {
            from_.push_back(before_.index_of(name));
            to_.push_back(after_.index_of(name));
        }
    }

    /// As it was when `text` was saved: a transition that somebody else began. Throws as `resume`
    /// does too.
    transition(Ring before, Ring after, std::string_view text)
        : transition(std::move(before), std::move(after)) {
        resume(text);
    }

    [[nodiscard]] const Ring& before() const noexcept { return before_; }
    [[nodiscard]] const Ring& after() const noexcept { return after_; }
    /// The arcs that move, by which `mark_done` counts them.
    [[nodiscard]] const diff_type& moved() const noexcept { return moved_; }

    /// Where what stands at `p` is read and written. O(log arcs) on top of a look-up.
    [[nodiscard]] transition_route route_at(position_type p) const noexcept {
        const std::size_t arc = moved_.index_at(p);
        if (arc == moved_.arcs().size()) {
            return {after_.owner_index_at(p), no_node};
        }
        return route_of(arc);
    }
    /// Where all that stands on arc `i` of `moved().arcs()` is read and written: who moves it takes
    /// it from `from` to `to`.
    [[nodiscard]] transition_route route_of(std::size_t i) const noexcept {
        const auto& arc = moved_.arcs()[i];
        return {arc.to == no_node ? no_node : to_[arc.to],
                arc.from == no_node || is_done(i) ? no_node : from_[arc.from]};
    }
    /// Where a key is read and written.
    template <key Key>
    [[nodiscard]] transition_route route(const Key& k) const noexcept {
        return route_at(after_.position(k));
    }

    /// Marks arc `i` of `moved().arcs()` as done. Returns whether it was not.
    bool mark_done(std::size_t i) noexcept {
        const bool is_new = !is_done(i);
        done_[i] = 1;
        done_count_ += is_new ? 1U : 0U;
        return is_new;
    }
    [[nodiscard]] bool is_done(std::size_t i) const noexcept { return done_[i] != 0; }
    /// How many arcs are done, of `moved().arcs().size()`.
    [[nodiscard]] std::size_t done_count() const noexcept { return done_count_; }
    /// Whether every arc is done: at once where nothing moves.
    [[nodiscard]] bool is_finished() const noexcept { return done_count_ == done_.size(); }

    /// What is done, as text: a line for each run of arcs, and the fingerprints of both rings. For
    /// `resume`, by this or another process. O(arcs).
    [[nodiscard]] std::string save() const {
        detail::line_writer out;
        out.line("hashring transition", "1");
        out.line("rings", decimal(before_.fingerprint()), decimal(after_.fingerprint()));
        for (std::size_t i = 0; i < done_.size(); ++i) {
            const std::size_t first = i;
            while (i < done_.size() && is_done(i)) {
                ++i;
            }
            if (i > first) {
                out.line("done", decimal(first), decimal(i - 1));
            }
        }
        return std::move(out).finish();
    }

    /// Marks what was done when `text` was saved, on top of what is done here. Throws
    /// `invalid_state`, which names the line, for a text that is damaged or of other rings, and
    /// then has marked nothing.
    void resume(std::string_view text) {
        for (const auto& [first, last] : done_runs(text)) {
            for (std::size_t i = first; i <= last; ++i) {
                mark_done(i);
            }
        }
    }

private:
    /// The first and last arcs of the runs that `text` says are done, which there are.
    [[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>>
    done_runs(std::string_view text) const {
        detail::line_reader lines(text);
        lines.expect("hashring transition");
        if (lines.word() != "1") {
            lines.fail("another version's form");
        }
        lines.end_of_line();
        lines.expect("rings");
        if (lines.template number_word<std::uint64_t>() != before_.fingerprint() ||
            lines.template number_word<std::uint64_t>() != after_.fingerprint()) {
            lines.fail("it was saved between two other rings");
        }
        lines.end_of_line();
        std::vector<std::pair<std::size_t, std::size_t>> runs;
        std::size_t next = 0;
        while (lines.begin("done")) {
            const auto first = lines.template number_word<std::size_t>();
            const auto last = lines.template number_word<std::size_t>();
            lines.end_of_line();
            if (first < next || last < first || last >= done_.size()) {
                lines.fail("no arcs that there are, or none behind the ones before");
            }
            runs.emplace_back(first, last);
            next = last + 1;
        }
        lines.finish();
        return runs;
    }

    Ring before_;
    Ring after_;
    diff_type moved_;
    std::vector<std::uint32_t> from_; ///< by the names of `moved_`, the index on the old ring
    std::vector<std::uint32_t> to_;   ///< on the new one
    std::vector<std::uint8_t> done_;
    std::size_t done_count_ = 0;
};

} // namespace hashring
