// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Attention as one kernel of cuDNN's, whose scores never reach memory.

#include "kernels.hpp"

namespace harness::cuda {

/// The whole square of scores, in BF16 or FP16, forward or backward: cuDNN's graph of one SDPA operation. Null where
/// cuDNN, or the header of this build, has none for the shape, and `why_not` says so.
std::unique_ptr<kernel> make_fused_attention(const attention_shape& shape, std::uint64_t seed, double footprint,
                                             resources use, std::string& why_not);

/// Set to "products", attention is always two products and a softmax.
inline constexpr const char* attention_variable = "FLOPLEDGER_HARNESS_ATTENTION";

}  // namespace harness::cuda
