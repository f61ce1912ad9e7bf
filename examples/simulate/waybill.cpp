// SPDX-License-Identifier: MIT
#include "simulate/waybill.hpp"

#include <hashring/core/text.hpp>

#include <algorithm>

namespace simulate {

namespace {

using hashring::concat;
using hashring::decimal;

/// `value` in so many digits, zeros in front.
std::string digits(std::uint64_t value, std::size_t width) {
    const std::string text = decimal(value);
    return std::string(width - std::min(width, text.size()), '0') + text;
}

/// Year, month and day of a day since 1970-01-01, which is day 719468 of a calendar that begins
/// with March of the year 0 and so has its leap day at the end (H. Hinnant, "chrono-Compatible
/// Low-Level Date Algorithms").
std::string date_text(std::uint64_t days) {
    const std::uint64_t z = days + 719468;
    const std::uint64_t era = z / 146097;
    const std::uint64_t day_of_era = z % 146097;
    const std::uint64_t year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    const std::uint64_t day_of_year =
        day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    const std::uint64_t shifted = (5 * day_of_year + 2) / 153; // March is 0
    const std::uint64_t day = day_of_year - (153 * shifted + 2) / 5 + 1;
    const std::uint64_t month = shifted < 10 ? shifted + 3 : shifted - 9;
    const std::uint64_t year = year_of_era + era * 400 + (month <= 2 ? 1 : 0);
    return concat(digits(year, 4), "-", digits(month, 2), "-", digits(day, 2));
}

std::string time_text(std::uint64_t seconds) {
    const std::uint64_t of_day = seconds % 86400;
    return concat(date_text(seconds / 86400), " ", digits(of_day / 3600, 2), ":",
                  digits(of_day / 60 % 60, 2), ":", digits(of_day % 60, 2));
}

constexpr std::array<std::string_view, 5> scans = {"picked up", "sorted", "loaded", "unloaded",
                                                   "delivered"};
constexpr std::uint64_t batch = 1000;

} // namespace

std::array<std::string, 11> waybill::columns() const {
    return {time_text(scanned),
            number,
            std::string(scans[scan]),
            digits(station, 5),
            digits(next, 5),
            digits(courier, 6),
            digits(from, 6),
            digits(to, 6),
            concat(decimal(grams / 1000), ".", digits(grams % 1000, 3)),
            digits(bag, 10),
            concat("PDA", digits(device, 4))};
}

waybill_numbers::waybill_numbers(std::uint64_t seed) : random_(seed, 1) {
    last_[static_cast<std::size_t>(waybill_kind::twelve_sequential)] =
        750'000'000'000 + random_.below(10'000'000'000);
    last_[static_cast<std::size_t>(waybill_kind::fifteen_sequential)] =
        730'000'000'000'000 + random_.below(10'000'000'000'000);
    last_[static_cast<std::size_t>(waybill_kind::lettered)] = random_.below(1'000'000'000'000);
}

std::string waybill_numbers::next(waybill_kind kind) {
    std::uint64_t& last = last_[static_cast<std::size_t>(kind)];
    switch (kind) {
    case waybill_kind::twelve_sequential:
    case waybill_kind::fifteen_sequential:
        return decimal(++last);
    case waybill_kind::twelve_random:
        return decimal(750'000'000'000 + random_.below(40'000'000'000));
    case waybill_kind::fourteen_batches:
        if (left_in_batch_ == 0) {
            left_in_batch_ = batch;
            last = 75'000'000'000'000 + random_.below(4'000'000'000) * batch;
        }
        --left_in_batch_;
        return decimal(last++);
    case waybill_kind::thirteen_random:
        return decimal(1'000'000'000'000 + random_.below(9'000'000'000'000));
    case waybill_kind::lettered:
        last += 3;
        return concat("YT", digits(last, 13));
    }
    return {};
}

std::string waybill_numbers::next() {
    return next(static_cast<waybill_kind>(random_.below(waybill_kinds)));
}

waybills::waybills(std::uint64_t seed)
    : numbers_(seed), random_(seed, 2), now_(1'700'000'000 + random_.below(10'000'000)) {}

waybill waybills::next() {
    waybill w;
    now_ += random_.below(3);
    w.scanned = now_;
    w.number = numbers_.next();
    w.scan = random_.below(scans.size());
    w.station = random_.below(30'000);
    w.next = random_.below(30'000);
    w.courier = random_.below(400'000);
    w.from = 10'000 + random_.below(840'000);
    w.to = 10'000 + random_.below(840'000);
    w.grams = 50 + random_.below(300) * random_.below(100);
    w.bag = random_.below(10'000'000'000);
    w.device = random_.below(10'000);
    return w;
}

} // namespace simulate
