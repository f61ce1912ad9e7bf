// SPDX-License-Identifier: MIT
#include "ring_entry.hpp"
#include "schemes.hpp"
#include "table_placement.hpp"

#include <hashring/compat/envoy.hpp>
#include <hashring/compat/envoy_maglev.hpp>
#include <hashring/compat/grpc.hpp>
#include <hashring/compat/grpc_java.hpp>
#include <hashring/compat/haproxy.hpp>
#include <hashring/compat/haproxy_map_based.hpp>
#include <hashring/compat/nginx.hpp>
#include <hashring/compat/nginx_modulo.hpp>

namespace tool {

namespace compat = hashring::compat;

std::vector<scheme_entry> schemes_of_proxies() {
    return {
        entry_of<compat::nginx>(),
        table_entry_of<compat::nginx_modulo>(),
        entry_of<compat::haproxy>(),
        table_entry_of<compat::haproxy_map_based>(),
        entry_of<compat::envoy>(),
        table_entry_of<compat::envoy_maglev>(),
        table_entry_of<compat::envoy_maglev_1_26>(),
        entry_of<compat::grpc>(),
        entry_of<compat::grpc_core>(),
        entry_of<compat::grpc_java_1_41>(),
        entry_of<compat::grpc_java_1_49>(),
        entry_of<compat::grpc_java_1_68>(),
    };
}

} // namespace tool
