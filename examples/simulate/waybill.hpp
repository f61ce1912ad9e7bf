// SPDX-License-Identifier: MIT
#pragma once

#include "simulate/random.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace simulate {

/// How a courier numbers its waybills.
enum class waybill_kind : std::uint8_t {
    twelve_sequential,  ///< 12 digits, one after the other
    twelve_random,      ///< 12 digits that begin with 75 to 78
    fourteen_batches,   ///< 14 digits, in runs of a thousand
    thirteen_random,    ///< 13 digits
    fifteen_sequential, ///< 15 digits, one after the other
    lettered,           ///< YT and 13 digits, every third one
};
inline constexpr std::size_t waybill_kinds = 6;

/// One scan of a waybill: what the postal paper's data set has in its columns A to K.
struct waybill {
    std::uint64_t scanned = 0; ///< A, seconds since 1970
    std::string number{};      ///< B, the key
    std::uint64_t scan = 0;    ///< C, picked up, sorted, loaded, unloaded, delivered
    std::uint64_t station = 0; ///< D, where
    std::uint64_t next = 0;    ///< E, the station that it goes to
    std::uint64_t courier = 0; ///< F, who
    std::uint64_t from = 0;    ///< G, postal code of the sender
    std::uint64_t to = 0;      ///< H, postal code of the receiver
    std::uint64_t grams = 0;   ///< I, weight
    std::uint64_t bag = 0;     ///< J
    std::uint64_t device = 0;  ///< K, the scanner

    /// The columns as text, A first.
    [[nodiscard]] std::array<std::string, 11> columns() const;
};

/// Waybill numbers without end, each its kind's next one. Kinds that count on never repeat a
/// number.
class waybill_numbers {
public:
    explicit waybill_numbers(std::uint64_t seed);

    [[nodiscard]] std::string next(waybill_kind kind);
    /// Of a kind that is drawn.
    [[nodiscard]] std::string next();

private:
    random_source random_;
    std::array<std::uint64_t, waybill_kinds> last_{};
    std::uint64_t left_in_batch_ = 0;
};

/// Scans without end, in the order of time; the numbers are those of `waybill_numbers(seed)`.
class waybills {
public:
    explicit waybills(std::uint64_t seed);

    [[nodiscard]] waybill next();

private:
    waybill_numbers numbers_;
    random_source random_;
    std::uint64_t now_;
};

} // namespace simulate
