// SPDX-License-Identifier: MIT

// A ring is kept on the disk over a restart, and two processes see whether they place alike: the
// fingerprint goes into a header of each request, and where it differs, the texts say why.

#include <hashring/hashring.hpp>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

namespace {

std::string read_file(const char* path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void write_file(const char* path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

} // namespace

int main(int count, char** arguments) {
    const char* path = count > 1 ? arguments[1] : "cluster.ring";
    hashring::ring<> ring{"cache-a", "cache-b", "cache-c"};
    ring.set_weight("cache-b", hashring::weight{2});
    write_file(path, hashring::save(ring));

    // The same program, started again; a text that is damaged is `invalid_state`.
    auto restarted = hashring::load<hashring::ring<>>(read_file(path));
    const bool is_same = restarted == ring;

    // A client that was told of another list of nodes.
    const hashring::ring<> client{"cache-a", "cache-b", "cache-d"};
    const std::string header = hashring::fingerprint_text(client.fingerprint());
    std::printf("placement: %s\n", header.c_str());
    if (hashring::parse_fingerprint(header) != ring.fingerprint()) {
        for (const std::string& line : hashring::differences(ring, client)) {
            std::printf("server and client differ, %s\n", line.c_str());
        }
    }
    std::remove(path);
    return is_same ? 0 : 1;
}
