// SPDX-License-Identifier: MIT
#pragma once

/// \file
/// What the program is made of: each function registers the benchmarks of the file of its name.
/// Registering costs nothing; rings are built when a benchmark that needs them runs.

namespace hashring::bench {

void register_hash_benches();
void register_ring_benches();
void register_key_benches();
void register_lookup_benches();
void register_batch_benches();
void register_skew_benches();
void register_change_benches();
void register_peer_benches(); ///< only where libmemcached is there

} // namespace hashring::bench
