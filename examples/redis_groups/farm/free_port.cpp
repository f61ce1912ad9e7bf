// SPDX-License-Identifier: MIT

#include "free_port.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace redis_groups {

std::uint16_t free_port() {
    const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in where{};
    where.sin_family = AF_INET;
    where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof where;
    auto* const generic = reinterpret_cast<sockaddr*>(&where);
    const bool is_bound = listener >= 0 && ::bind(listener, generic, size) == 0 &&
                          ::getsockname(listener, generic, &size) == 0;
    const int error = errno;
    if (listener >= 0) {
        ::close(listener);
    }
    if (!is_bound) {
        throw std::system_error(error, std::generic_category(), "a free port");
    }
    return ntohs(where.sin_port);
}

} // namespace redis_groups
