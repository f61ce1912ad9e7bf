// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace laws {

// Makes a history that fails shorter, as long as it fails: first whole stretches are dropped, half
// of it, then quarters, down to single steps, and then the arguments of single steps are lowered,
// or of all steps together. In the end it still fails, and neither without any one of its steps nor
// with a simpler one does it.
template <class Step>
class shrinker {
public:
    using history = std::vector<Step>;
    using histories = std::vector<history>;

    // `simpler` lists simpler forms of a step, the simplest first, and `together` simpler forms of
    // a whole history, such as another name throughout. Both must come to an end.
    shrinker(
        std::function<bool(const history&)> fails, std::function<history(const Step&)> simpler,
        std::function<histories(const history&)> together =
            [](const history&) { return histories(); })
        : fails_(std::move(fails)), simpler_(std::move(simpler)), together_(std::move(together)) {}

    // `failing` fails.
    history shrunk(history failing) const {
        for (bool changed = true; changed;) {
            changed = drop(failing);
            changed = lower(failing) || changed;
            while (lower_together(failing)) {
                changed = true;
            }
        }
        return failing;
    }

private:
    bool replaces(history& kept, history candidate) const {
        const bool still_fails = fails_(candidate);
        if (still_fails) {
            kept = std::move(candidate);
        }
        return still_fails;
    }

    // Down to single steps, from the end, as later steps seldom need to stay.
    bool drop(history& kept) const {
        bool changed = false;
        for (std::size_t length = std::max<std::size_t>(kept.size(), 1); length > 0; length /= 2) {
            for (std::size_t end = kept.size(); end >= length;) {
                history shorter = kept;
                shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(end - length),
                              shorter.begin() + static_cast<std::ptrdiff_t>(end));
                const bool dropped = replaces(kept, std::move(shorter));
                changed = changed || dropped;
                end = dropped ? std::min(end - length, kept.size()) : end - 1;
            }
        }
        return changed;
    }

    bool lower(history& kept) const {
        bool changed = false;
        for (std::size_t i = 0; i < kept.size(); ++i) {
            while (lower_one(kept, i)) {
                changed = true;
            }
        }
        return changed;
    }
    bool lower_one(history& kept, std::size_t i) const {
        for (Step& step : simpler_(kept[i])) {
            history candidate = kept;
            candidate[i] = std::move(step);
            if (replaces(kept, std::move(candidate))) {
                return true;
            }
        }
        return false;
    }

    bool lower_together(history& kept) const {
        const histories candidates = together_(kept);
        return std::ranges::any_of(candidates,
                                   [&](const history& simple) { return replaces(kept, simple); });
    }

    std::function<bool(const history&)> fails_;
    std::function<history(const Step&)> simpler_;
    std::function<histories(const history&)> together_;
};

} // namespace laws
