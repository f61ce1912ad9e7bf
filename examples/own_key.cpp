// SPDX-License-Identifier: MIT

// Keys of your own type, weak hashes behind the finaliser, and payloads beside the names.

#include <hashring/hashring.hpp>

#include <cstdint>
#include <cstdio>
#include <string>

namespace shop {

struct order {
    std::uint64_t number = 0;
    std::string customer;
};

// Found beside the type; orders of one customer stay together.
inline const std::string& hashring_key(const order& o) noexcept {
    return o.customer;
}

} // namespace shop

int main() {
    // CRC32 is too weak for a position by itself, so it does not compile without the finaliser.
    using crc_ring = hashring::ring<
        hashring::schemes::labelled<hashring::hash::finalised<hashring::hash::crc32>>, std::string>;
    crc_ring ring;
    ring.add("db-1", "192.0.2.1:5432"); // the payload never touches placement
    ring.add("db-2", "192.0.2.2:5432");

    const shop::order first{1001, "ada"};
    const shop::order second{1002, "ada"};
    if (auto owner = ring.owner(first)) {
        std::printf("orders of %s are on %s; together: %s\n", first.customer.c_str(),
                    owner->payload().c_str(), ring.owner(second) == owner ? "yes" : "no");
    }
    ring.exchange_payload("db-1", "192.0.2.9:5432"); // moved to another machine; no key moves
    return 0;
}
