// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// What stands in for a back end that this build has not.

#include "backend.hpp"
#include "collectives/command.hpp"

namespace harness {

#ifndef HARNESS_HAS_CPU
std::unique_ptr<backend> make_cpu_backend(const backend_options&) {
  throw unavailable(
      "this build has no CPU back end: neither OpenBLAS nor oneDNN was found (libopenblas-dev, libdnnl-dev)");
}
#endif
#ifndef HARNESS_HAS_CUDA
std::unique_ptr<backend> make_cuda_backend(const backend_options&) {
  throw unavailable("this build has no CUDA back end: the CUDA toolkit was not found");
}
#endif
#ifndef HARNESS_HAS_COLLECTIVES
int run_collectives(int, char**) { throw unavailable("this build has no MPI (libopenmpi-dev)"); }
#endif

}  // namespace harness
