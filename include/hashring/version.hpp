// SPDX-License-Identifier: MIT
#pragma once

/// \file
/// The version number, and the only place where it stands: CMake reads it from here.
///
/// Semantic versioning. Within one major version, and below 1.0 within one minor version, no
/// release changes where a key is placed.

#define HASHRING_VERSION_MAJOR 0
#define HASHRING_VERSION_MINOR 1
#define HASHRING_VERSION_PATCH 0
