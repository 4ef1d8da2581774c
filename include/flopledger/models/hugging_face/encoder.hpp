// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// What encoders, towers and the heads on labels share.

#include <flopledger/models/hugging_face/decoder.hpp>

namespace flopledger::hugging_face {

/// A bidirectional stack of classic blocks.
constexpr block_shape encoder_shape(std::int64_t layers, std::int64_t hidden, std::int64_t heads,
                                    std::int64_t intermediate, norm_placement placement, bool final_norm) {
  block_shape s;
  make_classic(s);
  s.layers = layers;
  s.hidden = hidden;
  s.heads = heads;
  s.intermediate = intermediate;
  s.placement = placement;
  s.final_norm = final_norm;
  s.causal = false;
  return s;
}

/// Labels that a classifier tells apart: `num_labels`, or as many as `id2label` names.
constexpr std::int64_t read_label_count(const config_fields& in) {
  std::int64_t named = 0;
  if (const json::value* labels = in.find(field::id2label); labels != nullptr) {
    if (labels->type != json::kind::object)
      in.fail(config_problem::wrong_type, field::id2label);
    else
      json::for_each_member(*labels, [&](json::slice, const json::value&) { ++named; });
  }
  const std::int64_t count = in.count_or(field::num_labels, named > 0 ? named : 2);
  if (named > 0 && count != named) in.contradict(field::num_labels, count, field::id2label, named);
  return count;
}

}  // namespace flopledger::hugging_face
