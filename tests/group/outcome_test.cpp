// SPDX-License-Identifier: MIT
#include "support/catch.hpp"

#include <hashring/group/outcome.hpp>
#include <hashring/group/server_error.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

using namespace hashring;
using group::error_kind;
using group::outcome;
using group::outcome_of;
using group::phase;
using group::server_error;

namespace {

// Every kind of error, what becomes of a write that it meets before it was sent, after that, and
// after the master applied it (`r` refused, `?` unknown), and whether the master is looked for.
struct row {
    error_kind kind;
    std::string_view outcomes;
    bool discovers;
};

const std::vector<row> table = {
    {error_kind::connect_failed, "r??", true},
    {error_kind::timed_out, "r??", true},
    {error_kind::closed, "r??", true},
    {error_kind::bad_reply, "r??", true},
    {error_kind::read_only, "rr?", true},
    {error_kind::no_replicas, "rr?", false},
    {error_kind::out_of_memory, "rr?", false},
    {error_kind::loading, "rr?", true},
    {error_kind::master_down, "rr?", true},
    {error_kind::write_disabled, "rr?", false},
    {error_kind::busy, "rr?", false},
    {error_kind::not_permitted, "rr?", false},
    {error_kind::too_many_clients, "rr?", true},
    {error_kind::no_script, "rr?", false},
    {error_kind::aborted, "rr?", false},
    {error_kind::moved, "rr?", true},
    {error_kind::wrong_type, "rr?", false},
    {error_kind::unblocked, "r??", true},
    {error_kind::other, "r??", false},
};

char letter(outcome o) {
    return o == outcome::refused ? 'r' : o == outcome::unknown ? '?' : 'D';
}

} // namespace

TEST_CASE("outcome: every error in every phase", "[outcome][golden]") {
    for (const row& r : table) {
        CAPTURE(static_cast<int>(r.kind));
        const std::string got = {letter(outcome_of(r.kind, phase::not_sent)),
                                 letter(outcome_of(r.kind, phase::sent)),
                                 letter(outcome_of(r.kind, phase::applied))};
        CHECK(got == r.outcomes);
        CHECK(group::needs_discovery(r.kind) == r.discovers);
        CHECK(group::is_refusal(r.kind) == (r.outcomes[1] == 'r'));
    }
    CHECK(table.size() == static_cast<std::size_t>(error_kind::other) + 1);
}

// Texts as Redis 7.0.15 sends them, those of scripts with what a script adds.
TEST_CASE("outcome: the errors of a server by their text", "[outcome][golden]") {
    CHECK(server_error("READONLY You can't write against a read only replica.") ==
          error_kind::read_only);
    CHECK(server_error("READONLY You can't write against a read only replica. script: "
                       "a7db9b427de7dae172287c3250c6c5009d6036e4, on @user_script:1.") ==
          error_kind::read_only);
    CHECK(server_error("NOREPLICAS Not enough good replicas to write.") == error_kind::no_replicas);
    CHECK(server_error("OOM command not allowed when used memory > 'maxmemory'.") ==
          error_kind::out_of_memory);
    CHECK(server_error("LOADING Redis is loading the dataset in memory") == error_kind::loading);
    CHECK(server_error("MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set "
                       "to 'no'.") == error_kind::master_down);
    CHECK(server_error("MISCONF Redis is configured to save RDB snapshots, but …") ==
          error_kind::write_disabled);
    CHECK(server_error("BUSY Redis is busy running a script.") == error_kind::busy);
    CHECK(server_error("NOAUTH Authentication required.") == error_kind::not_permitted);
    CHECK(server_error("WRONGPASS invalid username-password pair or user is disabled.") ==
          error_kind::not_permitted);
    CHECK(server_error("NOPERM this user has no permissions to run the 'set' command") ==
          error_kind::not_permitted);
    CHECK(server_error("DENIED Redis is running in protected mode") == error_kind::not_permitted);
    CHECK(server_error("ERR max number of clients reached") == error_kind::too_many_clients);
    CHECK(server_error("NOSCRIPT No matching script. Please use EVAL.") == error_kind::no_script);
    CHECK(server_error("EXECABORT Transaction discarded because of previous errors.") ==
          error_kind::aborted);
    CHECK(server_error("MOVED 3999 127.0.0.1:6381") == error_kind::moved);
    CHECK(server_error("ASK 3999 127.0.0.1:6381") == error_kind::moved);
    CHECK(server_error("TRYAGAIN Multiple keys request during rehashing of slot") ==
          error_kind::moved);
    CHECK(server_error("CROSSSLOT Keys in request don't hash to the same slot") ==
          error_kind::moved);
    CHECK(server_error("CLUSTERDOWN Hash slot not served") == error_kind::moved);
    CHECK(server_error("WRONGTYPE Operation against a key holding the wrong kind of value") ==
          error_kind::wrong_type);
    CHECK(server_error("UNBLOCKED force unblock from blocking operation, instance state changed "
                       "(master -> replica?)") == error_kind::unblocked);
    CHECK(group::describe(outcome::done) == "done");
    CHECK(group::describe(outcome::refused) == "refused");
    CHECK(group::describe(outcome::unknown) == "unknown");
}

TEST_CASE("outcome: an error is never success", "[outcome][law]") {
    for (int kind = 0; kind < 256; ++kind) { // also numbers that are no kind
        for (const phase at : {phase::not_sent, phase::sent, phase::applied}) {
            CHECK_FALSE(outcome_of(static_cast<error_kind>(kind), at) == outcome::done);
        }
        CHECK(outcome_of(static_cast<error_kind>(kind), phase::applied) == outcome::unknown);
    }
    CHECK(outcome_of(static_cast<error_kind>(200), phase::sent) == outcome::unknown);
}

// A script that failed after its first write says ERR too: what it wrote before stays.
TEST_CASE("outcome: a text that is not known leaves a write unknown", "[outcome][edge]") {
    for (const std::string_view text :
         {"", " ", "ERR", "ERR value is not an integer or out of range script: 3dbc, on @user:1.",
          "ERR wrong number of arguments for 'get' command", "READONLYX no", "readonly no",
          " READONLY no", "OOMPH", "-OOM with the sign of the line", "ERR max number of clients",
          "UNBLOCKED"}) {
        CAPTURE(text);
        CHECK(outcome_of(server_error(text), phase::sent) == outcome::unknown);
    }
    CHECK(server_error("ERR unknown command") == error_kind::other);
    CHECK(server_error(std::string_view("OOM\0 x", 6)) == error_kind::other);
    CHECK(server_error("OOM") == error_kind::out_of_memory);
}
