// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Collectives of NCCL, between arrays of the devices' memory, a device a rank. MPI starts the ranks.

#include <memory>

#include "mpi_transport.hpp"

namespace harness {

/// Throws `unavailable` where a rank has no device of its own, or this build no NCCL.
std::unique_ptr<transport> make_nccl_transport(const mpi_world& world);

}  // namespace harness
