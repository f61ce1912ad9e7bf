// SPDX-License-Identifier: MIT
#include "simulate/waybill.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

using namespace simulate;

namespace {

std::vector<std::string> numbers_of(waybill_kind kind, std::size_t count, std::uint64_t seed) {
    waybill_numbers source(seed);
    std::vector<std::string> result;
    for (std::size_t i = 0; i < count; ++i) {
        result.push_back(source.next(kind));
    }
    return result;
}

bool is_digits(std::string_view text) {
    return text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::uint64_t value_of(const std::string& digits) {
    return std::stoull(digits);
}

/// How often the second of two neighbours is `step` more.
std::size_t steps(const std::vector<std::string>& numbers, std::size_t skipped,
                  std::uint64_t step) {
    std::size_t count = 0;
    for (std::size_t i = 1; i < numbers.size(); ++i) {
        count +=
            value_of(numbers[i].substr(skipped)) == value_of(numbers[i - 1].substr(skipped)) + step
                ? 1U
                : 0U;
    }
    return count;
}

} // namespace

TEST_CASE("waybill: the columns of a scan in order and as text", "[simulate][waybill]") {
    waybill w;
    w.scanned = 1'709'210'096; // 2024-02-29
    w.number = "750000000001";
    w.scan = 1;
    w.station = 123;
    w.next = 29'999;
    w.courier = 42;
    w.from = 10'000;
    w.to = 849'999;
    w.grams = 1'005;
    w.bag = 77;
    w.device = 9;
    const std::array<std::string, 11> expected = {"2024-02-29 12:34:56",
                                                  "750000000001",
                                                  "sorted",
                                                  "00123",
                                                  "29999",
                                                  "000042",
                                                  "010000",
                                                  "849999",
                                                  "1.005",
                                                  "0000000077",
                                                  "PDA0009"};
    CHECK(w.columns() == expected);
    w.scanned = 951'782'400;
    CHECK(w.columns()[0] == "2000-02-29 00:00:00");
    w.scanned = 1'704'067'199;
    CHECK(w.columns()[0] == "2023-12-31 23:59:59");
}

TEST_CASE("waybill: the first scans of a seed", "[simulate][waybill][golden]") {
    waybills scans(1);
    std::vector<std::string> numbers;
    for (int i = 0; i < 6; ++i) {
        numbers.push_back(scans.next().number);
    }
    CHECK(numbers == std::vector<std::string>{"5380547941470", "YT0782869953578", "753224446434",
                                              "77313689281000", "751751661113", "753224446435"});
}

TEST_CASE("waybill: numbers have the form of their kind", "[simulate][waybill]") {
    constexpr std::size_t count = 3000;
    constexpr std::uint64_t seed = 7;
    const auto of = [&](waybill_kind kind) {
        return numbers_of(kind, count, seed);
    };
    const auto all = [](const std::vector<std::string>& numbers, std::size_t length) {
        return std::all_of(numbers.begin(), numbers.end(), [&](const std::string& n) {
            return n.size() == length && is_digits(n);
        });
    };
    CHECK(all(of(waybill_kind::twelve_sequential), 12));
    CHECK(steps(of(waybill_kind::twelve_sequential), 0, 1) == count - 1);
    CHECK(all(of(waybill_kind::fifteen_sequential), 15));
    CHECK(steps(of(waybill_kind::fifteen_sequential), 0, 1) == count - 1);
    CHECK(all(of(waybill_kind::fourteen_batches), 14));
    CHECK(steps(of(waybill_kind::fourteen_batches), 0, 1) == count - 3); // three batches
    CHECK(all(of(waybill_kind::thirteen_random), 13));
    CHECK(all(of(waybill_kind::twelve_random), 12));
    std::set<std::string> heads;
    for (const std::string& n : of(waybill_kind::twelve_random)) {
        heads.insert(n.substr(0, 2));
    }
    CHECK(heads == std::set<std::string>{"75", "76", "77", "78"});
    const std::vector<std::string> lettered = of(waybill_kind::lettered);
    CHECK(std::all_of(lettered.begin(), lettered.end(), [](const std::string& n) {
        return n.size() == 15 && n.starts_with("YT") && is_digits(std::string_view(n).substr(2));
    }));
    CHECK(steps(lettered, 2, 3) == count - 1);
}

TEST_CASE("waybill: scans have the numbers of their seed, in the order of time",
          "[simulate][waybill][law]") {
    constexpr std::uint64_t seed = 11;
    waybills scans(seed);
    waybills again(seed);
    waybill_numbers numbers(seed);
    std::size_t mismatches = 0;
    std::uint64_t before = 0;
    std::set<std::size_t> lengths;
    for (int i = 0; i < 2000; ++i) {
        const waybill w = scans.next();
        lengths.insert(w.number.size());
        const bool is_as_said = w.number == numbers.next() && w.scanned >= before &&
                                w.columns() == again.next().columns();
        mismatches += is_as_said ? 0U : 1U;
        before = w.scanned;
    }
    CHECK(mismatches == 0);
    CHECK(lengths == std::set<std::size_t>{12, 13, 14, 15}); // every kind comes up
}

TEST_CASE("waybill: another seed gives other numbers", "[simulate][waybill]") {
    waybill_numbers a(1);
    waybill_numbers b(2);
    std::size_t equal = 0;
    for (int i = 0; i < 1000; ++i) {
        equal += a.next() == b.next() ? 1U : 0U;
    }
    CHECK(equal == 0);
}
