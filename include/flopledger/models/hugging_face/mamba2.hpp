// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Mamba-2 as configurations name it that call its fields `mamba_...`: Bamba's, which Granite-4 and Falcon-H1 took
/// over.

#include <flopledger/models/hugging_face/decoder.hpp>

namespace flopledger::hugging_face {

/// What the reference assumes where a file says nothing.
struct mamba2_defaults {
  std::int64_t heads, groups, state;
  std::int64_t width = 0;  ///< mamba_d_ssm; 0: mamba_expand times the hidden width
};

/// The width is `mamba_d_ssm`, or `mamba_expand` times the hidden one, and `mamba_d_head` may be "auto".
constexpr mamba2 read_expanded_mamba(const config_fields& in, std::int64_t hidden, mamba2_defaults d) {
  const std::int64_t expanded = in.count_or(field::mamba_expand, 2, 1, 1024) * hidden;
  const bool by_default = d.width > 0 && !in.has_null(field::mamba_d_ssm);
  const std::int64_t inner = in.count_or(field::mamba_d_ssm, by_default ? d.width : expanded);
  const std::int64_t heads = in.count_or(field::mamba_n_heads, d.heads);
  const json::value* width = in.find(field::mamba_d_head);
  const bool automatic = width == nullptr || (width->type == json::kind::string && width->text == "auto");
  const std::int64_t head_dim = automatic ? inner / heads : in.count(field::mamba_d_head);
  if (heads * head_dim != inner) in.contradict(field::mamba_n_heads, heads, field::mamba_d_head, head_dim);
  const bool biased = in.flag_or(field::mamba_proj_bias, false);
  return {.hidden = hidden,
          .heads = heads,
          .head_dim = head_dim,
          .groups = in.count_or(field::mamba_n_groups, d.groups),
          .state = in.count_or(field::mamba_d_state, d.state),
          .kernel = in.count_or(field::mamba_d_conv, 4),
          .projection_bias = biased,
          .output_bias = biased,
          .convolution_bias = in.flag_or(field::mamba_conv_bias, true)};
}

}  // namespace flopledger::hugging_face
