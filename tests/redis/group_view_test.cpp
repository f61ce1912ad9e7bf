// SPDX-License-Identifier: MIT

#include "redis_groups/store/group_view.hpp"
#include "support/catch.hpp"

#include <optional>
#include <string>
#include <vector>

using hashring::group::copy_state;
using hashring::group::mode;
using hashring::group::no_copy;
using redis_groups::address;
using redis_groups::group_view;
using redis_groups::observation;

namespace {

const std::vector<address> three = {{"h", 1}, {"h", 2}, {"h", 3}};

observation master(std::uint64_t offset, const std::string& run = "m") {
    return {true, offset, run, {}, false};
}

observation replica(std::uint16_t of, std::uint64_t offset, const std::string& run,
                    bool connected = true) {
    return {false, offset, run, {"h", of}, connected};
}

using seen = std::vector<std::optional<observation>>;

group_view healthy() {
    group_view view(three, hashring::group::safe_exit::all_copies);
    view.look(seen{master(100), replica(1, 100, "r2"), replica(1, 90, "r3")}, std::nullopt);
    return view;
}

copy_state state(const group_view& view, std::size_t i) {
    return view.copies()[i].state;
}

} // namespace

TEST_CASE("group view: what is seen first is taken as it is", "[redis][golden]") {
    const group_view view = healthy();
    CHECK(view.copies().master() == 0);
    CHECK(view.copies().complete() == 3);
    CHECK(view.copies()[2].offset == 90);
    CHECK(view.mode() == mode::normal);
}

TEST_CASE("group view: a replica that returns is complete when it has what the master had",
          "[redis][law]") {
    group_view view = healthy();
    view.look(seen{master(200), replica(1, 200, "r2"), std::nullopt}, std::nullopt);
    CHECK(state(view, 2) == copy_state::down);
    view.look(seen{master(300), replica(1, 300, "r2"), replica(1, 0, "new", false)}, std::nullopt);
    CHECK(state(view, 2) == copy_state::behind);
    view.look(seen{master(400), replica(1, 400, "r2"), replica(1, 399, "new")}, std::nullopt);
    CHECK(state(view, 2) == copy_state::repairing);
    // The master has gone on, but what it had when the replica was seen again is there.
    view.look(seen{master(500), replica(1, 500, "r2"), replica(1, 400, "new")}, std::nullopt);
    CHECK(state(view, 2) == copy_state::up);
}

TEST_CASE("group view: a replica that restarted between two looks is not complete",
          "[redis][law]") {
    group_view view = healthy();
    view.look(seen{master(200), replica(1, 100, "other"), replica(1, 200, "r3")}, std::nullopt);
    CHECK(state(view, 1) == copy_state::repairing);
}

TEST_CASE("group view: a master that restarted among others may be empty", "[redis][law]") {
    group_view view = healthy();
    view.look(seen{master(0, "empty"), replica(1, 0, "r2"), replica(1, 0, "r3")}, std::nullopt);
    CHECK(view.copies().master() == 0);
    CHECK(state(view, 0) == copy_state::behind);
    view.look(seen{master(9, "empty"), replica(1, 9, "r2"), replica(1, 9, "r3")}, std::nullopt);
    CHECK(state(view, 0) == copy_state::behind);
}

TEST_CASE("group view: the only copy is complete whenever it answers", "[redis][edges]") {
    group_view view({{"h", 1}}, hashring::group::safe_exit::all_copies);
    view.look(seen{master(5, "a")}, std::nullopt);
    view.look(seen{std::nullopt}, std::nullopt);
    CHECK(state(view, 0) == copy_state::down);
    view.look(seen{master(0, "b")}, std::nullopt);
    CHECK(state(view, 0) == copy_state::up);
}

TEST_CASE("group view: a master that was only not heard of keeps what it had", "[redis][law]") {
    group_view view = healthy();
    view.lost(0);
    CHECK(state(view, 0) == copy_state::down);
    view.look(seen{master(100), replica(1, 100, "r2"), replica(1, 100, "r3")}, std::nullopt);
    CHECK(state(view, 0) == copy_state::up);
}

TEST_CASE("group view: half of the copies lost is safe mode until all are complete",
          "[redis][law]") {
    group_view view = healthy();
    view.lost(1);
    CHECK(view.mode() == mode::normal);
    view.lost(2);
    CHECK(view.mode() == mode::safe);
    view.look(seen{master(10), replica(1, 10, "r2"), replica(1, 5, "r3")}, std::nullopt);
    CHECK(state(view, 2) == copy_state::repairing);
    CHECK(view.mode() == mode::safe);
    view.look(seen{master(10), replica(1, 10, "r2"), replica(1, 10, "r3")}, std::nullopt);
    CHECK(view.mode() == mode::normal);
}

TEST_CASE("group view: an old master that returns is not the master", "[redis][law]") {
    group_view view = healthy();
    const seen two_masters{master(100), master(120, "r2"), replica(2, 120, "r3")};
    SECTION("as others follow the new one") {
        view.look(two_masters, std::nullopt);
        CHECK(view.copies().master() == 1);
        CHECK(state(view, 1) == copy_state::up);
    }
    SECTION("as Sentinel names the new one") {
        view.look(two_masters, address{"h", 2});
        CHECK(view.copies().master() == 1);
    }
    SECTION("and where Sentinel names one that does not say so there is none") {
        view.look(two_masters, address{"h", 3});
        CHECK(view.copies().master() == no_copy);
    }
    SECTION("and of two that nobody follows neither is") {
        view.look(seen{master(100), master(120, "r2"), std::nullopt}, std::nullopt);
        CHECK(view.copies().master() == no_copy);
    }
    SECTION("however many") {
        view.look(seen{master(100), master(120, "r2"), master(7, "r3")}, std::nullopt);
        CHECK(view.copies().master() == no_copy);
    }
}

TEST_CASE("group view: copies are added once, and are down until they are seen", "[redis][edges]") {
    group_view view = healthy();
    CHECK(view.add({"h", 2}) == 1);
    CHECK(view.copies().size() == 3);
    CHECK(view.add({"h", 4}) == 3);
    CHECK(state(view, 3) == copy_state::down);
    CHECK(view.copies().master() == 0);
    CHECK(view.where(3) == address{"h", 4});
}
