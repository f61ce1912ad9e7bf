// SPDX-License-Identifier: MIT
#include "plan_state.hpp"

#include "failure.hpp"
#include "hdfs/limits.hpp"
#include "input.hpp"
#include "json.hpp"

#include <unistd.h>

#include <cerrno>
#include <set>
#include <string_view>
#include <utility>

namespace tool {

namespace {

using hashring::alert_kind;
using hashring::direction;

constexpr std::string_view format_name = "hashring plan state 1";

constexpr std::string_view text_of(direction d) {
    return d == direction::over ? "over" : d == direction::under ? "under" : "none";
}
constexpr std::string_view text_of(alert_kind kind) {
    return kind == alert_kind::overloaded ? "overloaded" : "underloaded";
}

/// 64-bit numbers are text: JSON's own lose digits above 2^53 in many readers.
json as_json(const plan_state& state) {
    json alerts = json::array();
    for (const hashring::node_alert& alert : state.literal.alerts) {
        alerts.push_back({{"name", alert.name}, {"kind", text_of(alert.kind)}});
    }
    json nodes = json::array();
    for (const hashring::node_memory& node : state.weights.nodes) {
        nodes.push_back({{"name", node.name},
                         {"load", decimal(node.load.bits)},
                         {"gain", decimal(node.gain.bits())},
                         {"last", text_of(node.last)},
                         {"cooldown", node.cooldown},
                         {"active", node.active}});
    }
    return {{"format", format_name},
            {"literal", {{"alerts", std::move(alerts)}}},
            {"weights", {{"vnodes", state.weights.vnodes}, {"nodes", std::move(nodes)}}},
            {"transfers", {{"cooldown", state.transfers.cooldown}}}};
}

/// Why a state cannot be taken.
class bad_state : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

std::uint64_t bits_of(const json& text, std::uint64_t most) {
    const auto bits = hashring::parse_decimal<std::uint64_t>(text.get<std::string>());
    if (!bits || *bits > most) {
        throw bad_state("a load or a gain is not a number in range");
    }
    return *bits;
}

std::uint32_t count_of(const json& number) {
    if (!number.is_number_unsigned() || number.get<std::uint64_t>() > UINT32_MAX) {
        throw bad_state("a cooldown or a count is not a whole number below 2^32");
    }
    return number.get<std::uint32_t>();
}

direction direction_of(const std::string& text) {
    for (const direction d : {direction::none, direction::over, direction::under}) {
        if (text == text_of(d)) {
            return d;
        }
    }
    throw bad_state("a direction is none of none, over, under");
}

alert_kind kind_of(const std::string& text) {
    for (const alert_kind kind : {alert_kind::overloaded, alert_kind::underloaded}) {
        if (text == text_of(kind)) {
            return kind;
        }
    }
    throw bad_state("an alert is neither overloaded nor underloaded");
}

hashring::node_memory memory_of(const json& node) {
    hashring::node_memory memory;
    memory.name = node.at("name").get<std::string>();
    memory.load.bits = bits_of(node.at("load"), UINT64_MAX);
    memory.gain =
        hashring::fraction64::from_bits(bits_of(node.at("gain"), hashring::fraction64::one_bits));
    memory.last = direction_of(node.at("last").get<std::string>());
    memory.cooldown = count_of(node.at("cooldown"));
    memory.active = node.at("active").get<bool>();
    return memory;
}

plan_state from_json(const json& whole) {
    if (!whole.is_object() || whole.value("format", "") != format_name) {
        throw bad_state(concat("it is not a ", format_name));
    }
    plan_state state;
    for (const json& alert : whole.at("literal").at("alerts")) {
        state.literal.alerts.push_back(
            {alert.at("name").get<std::string>(), kind_of(alert.at("kind").get<std::string>())});
    }
    state.weights.vnodes = count_of(whole.at("weights").at("vnodes"));
    std::set<std::string> names;
    for (const json& node : whole.at("weights").at("nodes")) {
        state.weights.nodes.push_back(memory_of(node));
        if (!names.insert(state.weights.nodes.back().name).second) {
            throw bad_state(concat("the node ", in_quotes(state.weights.nodes.back().name),
                                   " stands in it twice"));
        }
    }
    state.transfers.cooldown = count_of(whole.at("transfers").at("cooldown"));
    return state;
}

} // namespace

plan_state load_state(const std::string& file) {
    if (::access(file.c_str(), F_OK) != 0 && errno == ENOENT) {
        return {};
    }
    try {
        const std::string text = whole_text(file);
        if (hdfs::is_nested_deeper(text, most_nested)) {
            throw bad_state(concat("more than ", decimal(most_nested),
                                   " lists and objects stand in each other"));
        }
        return from_json(json::parse(text));
    } catch (const json::parse_error&) {
        throw input_failure(file, "the state is not JSON, or is cut");
    } catch (const json::exception&) {
        throw input_failure(file, "the state lacks something, or has it in another form");
    } catch (const bad_state& reason) {
        throw input_failure(file, concat("the state cannot be taken: ", reason.what()));
    }
}

std::string text_of(const plan_state& state, const std::string& file) {
    // Names of nodes that are not UTF-8 would not come back as they are.
    try {
        return as_json(state).dump(2) + '\n';
    } catch (const json::exception&) {
        throw input_failure(
            file, "the name of a node is not UTF-8, and the state could not give it back");
    }
}

} // namespace tool
