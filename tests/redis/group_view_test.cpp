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

// A master, as a process `run` with the history `history`.
observation master(const std::string& run = "m", const std::string& history = "h1",
                   const std::string& former = "0") {
    return {true, true, 100, run, history, former, false, false};
}

observation replica(const std::string& run, bool linked = true, const std::string& history = "h1") {
    return {true, false, 90, run, history, "0", linked, false};
}

observation syncing(const std::string& run) {
    observation result = replica(run, false, "none");
    result.is_syncing = true;
    return result;
}

using seen = std::vector<observation>;

const observation silent;

group_view healthy() {
    group_view view(three, hashring::group::safe_exit::all_copies);
    view.look(seen{master(), replica("r2"), replica("r3")}, std::nullopt);
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

TEST_CASE("group view: a replica that restarted is complete when it follows a complete master",
          "[redis][law]") {
    group_view view = healthy();
    view.look(seen{master(), replica("r2"), silent}, std::nullopt);
    CHECK(state(view, 2) == copy_state::down);
    view.look(seen{master(), replica("r2"), replica("new", false)}, std::nullopt);
    CHECK(state(view, 2) == copy_state::behind);
    view.look(seen{master(), replica("r2"), syncing("new")}, std::nullopt);
    CHECK(state(view, 2) == copy_state::repairing);
    view.look(seen{master(), replica("r2"), replica("new")}, std::nullopt);
    CHECK(state(view, 2) == copy_state::up);
}

TEST_CASE("group view: a replica that restarted between two looks is not complete",
          "[redis][law]") {
    group_view view = healthy();
    view.look(seen{master(), replica("other", false), replica("r3")}, std::nullopt);
    CHECK(state(view, 1) == copy_state::behind);
}

TEST_CASE("group view: a copy that was not heard of, and is the same process, keeps what it had",
          "[redis][law]") {
    group_view view = healthy();
    view.look(seen{silent, replica("r2", false), silent}, std::nullopt);
    CHECK(state(view, 0) == copy_state::down);
    CHECK(state(view, 1) == copy_state::up);
    CHECK(view.copies().master() == no_copy);
    view.look(seen{master(), replica("r2", false), replica("r3", false)}, std::nullopt);
    CHECK(view.copies().complete() == 3);
    CHECK(view.copies().master() == 0);
}

TEST_CASE("group view: a master that restarted among others may be empty, and empties them",
          "[redis][law]") {
    group_view view = healthy();
    const observation empty = master("again", "h2");
    for (int look = 0; look < 3; ++look) {
        view.look(seen{empty, replica("r2", true, "h2"), replica("r3", false)}, std::nullopt);
        CHECK(view.copies().master() == 0);
        CHECK(state(view, 0) == copy_state::behind);
        CHECK(state(view, 1) == copy_state::behind); // the same process, another history
        CHECK(state(view, 2) == copy_state::up);     // it has not been emptied yet
        CHECK(view.mode() == mode::safe);
    }
}

TEST_CASE("group view: a replica that becomes the master has the history of the old one",
          "[redis][law]") {
    group_view view = healthy();
    const observation promoted = master("r2", "h2", "h1");
    view.look(seen{silent, promoted, replica("r3", true, "h2")}, std::nullopt);
    CHECK(view.copies().master() == 1);
    CHECK(state(view, 1) == copy_state::up);
    CHECK(state(view, 2) == copy_state::up);
    SECTION("and the one after it that of its predecessor") {}
    SECTION("or was a complete replica when it was last seen, however many came between") {
        view.look(seen{silent, silent, master("r3", "h9", "h8")}, std::nullopt);
        CHECK(state(view, 2) == copy_state::up);
        return;
    }
    view.look(seen{silent, silent, master("r3", "h3", "h2")}, std::nullopt);
    CHECK(state(view, 2) == copy_state::up);
}

TEST_CASE("group view: who begins anew takes the master as it is", "[redis][law]") {
    group_view view = healthy();
    const seen later{silent, replica("r2", true, "h7"), master("r3", "h7", "h6")};
    SECTION("as any number of masters may have come between") {
        view.begin_anew();
    }
    SECTION("else one that has restarted is not known to have all") {
        view.look(seen{silent, replica("r2", true, "h7"), master("new", "h7", "h6")}, std::nullopt);
        CHECK(state(view, 2) == copy_state::behind);
        CHECK(state(view, 1) == copy_state::behind);
        view.begin_anew();
    }
    view.look(later, std::nullopt);
    CHECK(view.copies().master() == 2);
    CHECK(state(view, 1) == copy_state::up);
    CHECK(state(view, 2) == copy_state::up);
}

TEST_CASE("group view: the only copy is complete whenever it answers", "[redis][edges]") {
    group_view view({{"h", 1}}, hashring::group::safe_exit::all_copies);
    view.look(seen{master("a")}, std::nullopt);
    view.look(seen{silent}, std::nullopt);
    CHECK(state(view, 0) == copy_state::down);
    view.look(seen{master("b", "h9")}, std::nullopt);
    CHECK(state(view, 0) == copy_state::up);
}

TEST_CASE("group view: half of the copies lost is safe mode until all are complete",
          "[redis][law]") {
    group_view view = healthy();
    view.look(seen{master(), silent, replica("r3")}, std::nullopt);
    CHECK(view.mode() == mode::normal);
    view.look(seen{master(), silent, silent}, std::nullopt);
    CHECK(view.mode() == mode::safe);
    view.look(seen{master(), replica("r2"), syncing("new")}, std::nullopt);
    CHECK(view.mode() == mode::safe);
    view.look(seen{master(), replica("r2"), replica("new")}, std::nullopt);
    CHECK(view.mode() == mode::normal);
}

TEST_CASE("group view: an old master that returns is not the master", "[redis][law]") {
    group_view view = healthy();
    const observation promoted = master("r2", "h2", "h1");
    const seen two_masters{master(), promoted, replica("r3", true, "h2")};
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
        view.look(seen{master(), promoted, silent}, std::nullopt);
        CHECK(view.copies().master() == no_copy);
    }
    SECTION("however many") {
        view.look(seen{master(), promoted, master("r3")}, std::nullopt);
        CHECK(view.copies().master() == no_copy);
    }
}

TEST_CASE("group view: of two that as many follow neither is, whoever else there is",
          "[redis][law]") {
    const std::vector<address> five{{"h", 1}, {"h", 2}, {"h", 3}, {"h", 4}, {"h", 5}};
    group_view view(five, hashring::group::safe_exit::all_copies);
    view.look(seen{master("m1", "h1"), replica("r1", true, "h1"), master("m2", "h2"),
                   replica("r2", true, "h2"), master("m3", "h3")},
              std::nullopt);
    CHECK(view.copies().master() == no_copy);
    view.look(seen{master("m1", "h1"), replica("r1", true, "h1"), master("m2", "h2"),
                   replica("r2", true, "h2"), replica("r3", true, "h2")},
              std::nullopt);
    CHECK(view.copies().master() == 2);
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
