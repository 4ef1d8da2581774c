// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

namespace harness {

/// `mfu_harness --collectives`, with options of its own, under mpirun: collectives of MPI or NCCL, checked, timed, and
/// beside the library's model. The exit status: 0, 1 what failed (a wrong result among it), 2 what cannot be asked so.
/// Throws `unavailable` where this build has no MPI.
int run_collectives(int argc, char** argv);

}  // namespace harness
