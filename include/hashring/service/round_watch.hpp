// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <concepts>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>

/// \file
/// What a function that a self-check calls can ask while it runs.

namespace hashring {

/// Whether the round that is going on still counts. It is valid during the call that got it; its
/// functions may be called from any thread.
class round_watch {
public:
    round_watch(const std::atomic<bool>& stop, const std::atomic<std::uint64_t>& revision) noexcept
        : stop_(stop), revision_(revision), began_(revision.load()) {}

    /// Whether the self-check has been told to stop: a slow function had better return.
    [[nodiscard]] bool stop_requested() const noexcept { return stop_.load(); }
    /// Whether the cluster was changed (`note_change`) after the round began.
    [[nodiscard]] bool is_superseded() const noexcept { return revision_.load() != began_; }
    /// Neither of them. An apply function that asks under the lock under which all other changes
    /// are made and noted never applies a plan over a newer change.
    [[nodiscard]] bool is_current() const noexcept { return !stop_requested() && !is_superseded(); }
    /// The number of changes that had been noted when the round began.
    [[nodiscard]] std::uint64_t revision() const noexcept { return began_; }

private:
    const std::atomic<bool>& stop_;
    const std::atomic<std::uint64_t>& revision_;
    std::uint64_t began_;
};

namespace detail {

/// A function that may leave out the watch, its last parameter, and where the result is bool, the
/// result too: then it is true.
template <class Result, class... Args>
class watched_function {
public:
    watched_function() = default;
    template <class F>
        requires(!std::same_as<std::remove_cvref_t<F>, watched_function> &&
                 (std::invocable<F&, Args..., const round_watch&> || std::invocable<F&, Args...>))
    watched_function(F function)
        : call_([f = std::move(function)](Args... args, const round_watch& watch) mutable {
              if constexpr (std::invocable<F&, Args..., const round_watch&>) {
                  return result([&]() -> decltype(auto) { return f(args..., watch); });
              } else {
                  return result([&]() -> decltype(auto) { return f(args...); });
              }
          }) {}

    [[nodiscard]] explicit operator bool() const noexcept { return static_cast<bool>(call_); }
    Result operator()(Args... args, const round_watch& watch) const {
        return call_(args..., watch);
    }

private:
    template <class Call>
    static Result result(Call call) {
        if constexpr (std::is_void_v<std::invoke_result_t<Call&>>) {
            static_assert(std::same_as<Result, bool>, "the function has to return something");
            call();
            return true;
        } else {
            return call();
        }
    }

    std::function<Result(Args..., const round_watch&)> call_{};
};

} // namespace detail

} // namespace hashring
