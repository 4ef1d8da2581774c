// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#include "kernels.hpp"

namespace harness::cuda {

std::unique_ptr<kernel> make_kernel(const attention_shape&, std::uint64_t, double, resources) {
  throw error("cuda: this build has no cuDNN, and so no attention");
}

}  // namespace harness::cuda
