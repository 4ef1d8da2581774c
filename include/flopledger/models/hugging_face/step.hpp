// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// StepFun's Step-3.5 and Step-3.7: a mixture whose windowed layers may have more heads.

#include <flopledger/models/hugging_face/decoder.hpp>

namespace flopledger::hugging_face {

/// `layer_types` goes on with the modules that predict further tokens, which are no layers of the stack.
constexpr layer_set read_step_windows(const config_fields& in, const block_shape& s) {
  if (!in.has(field::layer_types)) return layer_set::every(2, 0, s.layers);
  const std::int64_t modules = in.count_or(field::num_nextn_predict_layers, 0, 0, layer_set::capacity);
  layer_set windowed;
  const std::int64_t named = in.each(field::layer_types, [&](const json::value& v, std::int64_t i) {
    if (v.text == "sliding_attention") {
      if (i < s.layers) windowed.insert(i);
    } else if (!(v.text == "full_attention")) {
      in.fail(config_problem::unknown, field::layer_types, v.text);
    }
  });
  if (named != s.layers && named != s.layers + modules)
    in.contradict(field::layer_types, named, field::num_hidden_layers, s.layers);
  return windowed;
}

/// The sparse layers: "3,4,5" in `moe_layers_enum`, or all but the first `first_k_dense_replace`. Where neither is
/// there the reference makes all but the first sparse.
constexpr layer_set read_step_experts(const config_fields& in, std::int64_t layers) {
  const json::value* listed = in.find(field::moe_layers_enum);
  if (listed == nullptr) return layer_set::range(in.count_or(field::first_k_dense_replace, 1, 0), layers);
  layer_set sparse;
  if (listed->type == json::kind::array) {
    in.each(field::moe_layers_enum, [&](const json::value& v, std::int64_t) {
      const json::exact_integer layer = json::as_integer(v);
      if (!layer.ok || layer.value < 0 || layer.value >= layers)
        in.fail(config_problem::out_of_range, field::moe_layers_enum, v.text);
      else
        sparse.insert(layer.value);
    });
    return sparse;
  }
  std::int64_t layer = -1;
  const std::string_view text = in.text(field::moe_layers_enum).raw;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] >= '0' && text[i] <= '9') {
      layer = (layer < 0 ? 0 : layer) * 10 + (text[i] - '0');
      if (layer < layers) continue;
    } else if ((i == text.size() || text[i] == ',') && layer >= 0) {
      sparse.insert(layer);
      layer = -1;
      continue;
    }
    in.fail(config_problem::out_of_range, field::moe_layers_enum);
    return {};
  }
  return sparse;
}

constexpr block_shape step_shape(const config_fields& in, const architecture& known) {
  block_shape s = read_dense_shape(in, known);
  s.kv_heads = in.count_of(field::num_attention_groups, field::num_key_value_heads);
  set_attention_biases(s, in.flag_or(field::attention_bias, false), false);
  s.query_key_norm = qk_norm::per_head;
  s.experts = in.count_of(field::moe_num_experts, field::num_experts);
  s.experts_per_token = in.count_of(field::moe_top_k, field::num_experts_per_tok);
  s.expert_intermediate = in.count(field::moe_intermediate_size);
  s.shared_intermediate = in.count_or(field::share_expert_dim, s.expert_intermediate);
  s.correction_bias = in.flag_or(field::use_moe_router_bias, true);
  s.sparse = read_step_experts(in, s.layers);
  s.windowed = read_step_windows(in, s);
  return s;
}

/// What `attention_other_setting` says of the layers of its type.
constexpr void read_other_attention(const config_fields& in, transformer_config& made) {
  const json::value* other = in.find(field::attention_other_setting);
  if (other == nullptr || other->type != json::kind::object) {
    if (other != nullptr) in.fail(config_problem::wrong_type, field::attention_other_setting);
    return;
  }
  attention changed = made.stack.attention;
  bool windowed = false;
  json::for_each_member(*other, [&](json::slice name, const json::value& v) {
    if (name == "attention_type") {
      windowed = v.text == "sliding_attention";
      return;
    }
    std::int64_t* size = name == "num_attention_heads"    ? &changed.heads
                         : name == "num_attention_groups" ? &changed.kv_heads
                         : name == "head_dim"             ? &changed.head_dim
                                                          : nullptr;
    if (size == nullptr) return;
    const json::exact_integer n = json::as_integer(v);
    if (!n.ok || n.value < 1 || n.value > 65536)
      in.fail(config_problem::out_of_range, field::attention_other_setting, v.text);
    else
      *size = n.value;
  });
  if (!windowed) return in.fail(config_problem::unknown, field::attention_other_setting);
  changed.rotary_dims = static_cast<double>(changed.head_dim);
  made.stack.windowed_attention = changed;
}

constexpr transformer_config read_step(const model_file& file) {
  transformer_config made = read_wrapped(file);
  const config_fields wrapped = file.in.in(config_scope::text);
  const config_fields& in = wrapped.present() ? wrapped : file.in;
  made.stack.attention.head_gate = in.flag_or(field::use_head_wise_attn_gate, false);
  read_other_attention(in, made);
  // Its modules have dense blocks with a window, and heads of their own (step3p5_mtp.py of vLLM).
  made.prediction = {.as_last = false, .kind = {.windowed = true}, .own_head = true};
  return made;
}

inline constexpr architecture step_family[] = {
    {.model_type = "step3p5", .class_prefix = "Step3p5", .shape = step_shape, .read = read_step},
    {.model_type = "step3p7", .class_prefix = "Step3p7Flash", .shape = step_shape, .read = read_step},
};

}  // namespace flopledger::hugging_face
