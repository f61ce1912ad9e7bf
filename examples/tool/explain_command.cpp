// SPDX-License-Identifier: MIT
#include "commands.hpp"
#include "explain_copies.hpp"
#include "failure.hpp"
#include "json.hpp"
#include "keys.hpp"
#include "named_scheme.hpp"

namespace tool {

namespace {

/// An explanation with the marks of the nodes applied.
struct account {
    std::string key;
    std::string bytes; ///< in hexadecimal digits
    std::size_t length = 0;
    explanation steps;
    std::string owner = "-";
    std::vector<std::string> skipped;
    std::vector<std::string> next;
    std::optional<copies_account> copies; ///< if any were asked for
};

/// The same in words, the nodes one behind the other.
std::string joined(const std::vector<std::pair<std::string, std::string>>& named) {
    std::string text;
    for (const auto& [name, why] : named) {
        text += text.empty() ? "" : ", ";
        text += name;
        text += why.empty() ? std::string() : concat(" (", why, ")");
    }
    return text.empty() ? "-" : text;
}

account account_for(const placement& placed, const request& asked, std::string_view key) {
    account a;
    a.key = asked.hex ? encode_hex(key) : asked.key;
    a.bytes = encode_hex(key);
    a.length = key.size();
    a.steps = placed.explain(key);
    const auto nodes = placed.nodes();
    bool found = false;
    for (const std::uint32_t place : a.steps.clockwise) {
        if (nodes[place].down) {
            if (!found) {
                a.skipped.push_back(nodes[place].name);
            }
        } else if (found) {
            a.next.push_back(nodes[place].name);
        } else {
            a.owner = nodes[place].name;
            found = true;
        }
    }
    return a;
}

std::string joined(const std::vector<std::string>& names, std::string_view behind_each) {
    std::string text;
    for (const std::string& name : names) {
        text += text.empty() ? "" : ", ";
        text += name;
        text += behind_each;
    }
    return text.empty() ? "-" : text;
}

void print_steps(const account& a, output& out) {
    const auto line = [&](std::string_view what, std::string_view value) {
        out << what << std::string(14 - what.size(), ' ') << value << '\n';
    };
    line("key", a.key);
    line("hashed bytes", concat(a.bytes, " (", decimal(a.length), " bytes)"));
    line("hash", a.steps.hash);
    line("position", a.steps.position);
    if (!a.steps.point.empty()) {
        line("point", concat(a.steps.point, ", number ", decimal(a.steps.point_number), ", ",
                             a.steps.distance, " positions on"));
        line("label", concat(a.steps.label, " (vnode ", decimal(a.steps.vnode), ")"));
    }
    if (!a.steps.slot.empty()) {
        line("slot", concat(a.steps.slot, " of ", decimal(a.steps.slots)));
    }
    line("owner", a.owner);
    line("skipped", joined(a.skipped, " (down)"));
    line("next", joined(a.next, ""));
    if (a.copies) {
        line("copies", joined(a.copies->copies));
        line("passed over", joined(a.copies->passed));
        line("short of", decimal(a.copies->short_of));
    }
}

void print_tsv_steps(const account& a, output& out) {
    out << "key\t" << a.key << "\nhashed_bytes\t" << a.bytes << "\nhash\t" << a.steps.hash
        << "\nposition\t" << a.steps.position << "\npoint\t" << a.steps.point << "\nlabel\t"
        << a.steps.label << '\n';
    if (!a.steps.slot.empty()) {
        out << "slot\t" << a.steps.slot << '\n';
    }
    out << "owner\t" << a.owner << '\n';
    for (const std::string& name : a.skipped) {
        out << "skipped\t" << name << "\tdown\n";
    }
    for (const std::string& name : a.next) {
        out << "next\t" << name << '\n';
    }
    if (!a.copies) {
        return;
    }
    const auto lines = [&](std::string_view what, const auto& named) {
        for (const auto& [name, why] : named) {
            out << what << '\t' << name << (why.empty() ? "" : "\t") << why << '\n';
        }
    };
    lines("copy", a.copies->copies);
    lines("passed", a.copies->passed);
    out << "short_of\t" << decimal(a.copies->short_of) << '\n';
}

void print_as_json(const request& asked, const account& a, output& out) {
    json skipped = json::array();
    for (const std::string& name : a.skipped) {
        skipped.push_back({{"name", name}, {"reason", "down"}});
    }
    json whole = named_scheme(asked);
    whole.update({{"key", a.key},
                  {"hashed_bytes", a.bytes},
                  {"hash", a.steps.hash},
                  {"position", a.steps.position},
                  {"point", a.steps.point},
                  {"label", a.steps.label},
                  {"owner", a.owner},
                  {"skipped", std::move(skipped)},
                  {"next", a.next}});
    if (!a.steps.slot.empty()) {
        whole["slot"] = a.steps.slot;
    }
    if (a.copies) {
        add_to_json(*a.copies, whole);
    }
    print_json(whole, out);
}

} // namespace

void explain_command(const request& asked, output& out) {
    const format as = parse_format(asked.format.value_or("table"));
    const std::string bytes = key_bytes(asked.key, asked.hex);
    copies_request copies{checked_copies(asked), checked_spread(asked), {}, {}};
    const std::vector<listed_node> nodes = read_nodes_file(asked.nodes);
    const std::unique_ptr<placement> placed =
        placement_by(checked_scheme(asked), nodes, asked.options, asked.nodes);
    if (copies.spread) {
        copies.domains = domains_of(nodes, copies.spread->domain, asked.nodes);
        copies.levels = level_names(copies.spread->domain);
        placed->set_domains(copies.domains);
    }
    account a = account_for(*placed, asked, bytes);
    if (asked.copies) {
        a.copies = copies_of(*placed, copies, bytes, a.steps.clockwise);
    }
    if (as == format::json) {
        print_as_json(asked, a, out);
    } else if (as == format::tsv) {
        print_tsv_steps(a, out);
    } else {
        print_steps(a, out);
    }
}

} // namespace tool
