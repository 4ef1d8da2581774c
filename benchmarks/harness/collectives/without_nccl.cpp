// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#include "backend.hpp"
#include "nccl_transport.hpp"

namespace harness {

std::unique_ptr<transport> make_nccl_transport(const mpi_world&) { throw unavailable("this build has no NCCL"); }

}  // namespace harness
