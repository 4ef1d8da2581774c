// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Time per output token, predicted and measured alike.

#include <flopledger/units.hpp>

#include <optional>

namespace flopledger {

/// Time per output token: (E2E − TTFT) / (output tokens − 1). The first token belongs to TTFT, and one token alone has
/// none. E2E over all tokens, which some tools print, is another number.
constexpr std::optional<seconds> time_per_output_token(seconds end_to_end, seconds time_to_first_token,
                                                       double output_tokens) {
  if (!(output_tokens > 1)) return std::nullopt;
  return (end_to_end - time_to_first_token) / (output_tokens - 1);
}

}  // namespace flopledger
