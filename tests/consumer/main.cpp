// SPDX-License-Identifier: MIT

// A stranger's program: it uses what the README shows and is compiled with its own strict flags.

#include <hashring/hashring.hpp>

#include <string>

int main() {
    hashring::ring<> ring{"cache-a", "cache-b"};
    ring.add("cache-c", hashring::weight{2});
    const auto owner = ring.owner("user:42");
    const hashring::ring<hashring::schemes::ketama_group> groups{"GroupA", "GroupB"};
    return owner && ring.replicas("user:42", 3).size() == 3 && groups.owner(std::string("k")) ? 0
                                                                                              : 1;
}
