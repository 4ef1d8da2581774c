// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Kimi-K2.5, which sees; Kimi-Linear and Kimi-K3, which mix Kimi Delta Attention with latent attention.

#include <flopledger/models/hugging_face/deepseek.hpp>
#include <flopledger/models/hugging_face/tower.hpp>

namespace flopledger::hugging_face {

/// MoonViT (modeling_kimi_k25.py of Kimi-K2.5, modeling_kimi_k3.py of Kimi-K3): a square table of positions, and a
/// merger. Kimi-K3's has RMSNorms, no biases, heads of a width of their own, and normalises behind the merger. An image
/// is taken to be as large as the table.
constexpr vision_tower read_moon_tower(const config_fields& in, bool third) {
  block_shape s =
      encoder_shape(in.limited_layers(in.count_or(field::vt_num_hidden_layers, 27), field::vt_num_hidden_layers),
                    in.count_or(field::vt_hidden_size, third ? 1024 : 1152),
                    in.count_or(field::vt_num_attention_heads, third ? 12 : 16),
                    in.count_or(field::vt_intermediate_size, third ? 4096 : 4304), norms::pre, true);
  s.activation = activation_named(in, field::activation_func, activation_function::gelu_tanh);
  s.feed_bias = in.flag_or(field::linear_bias, !third);
  const bool biased = in.flag_or(field::attn_bias, !third);
  set_attention_biases(s, biased, biased);
  s.rotary_fraction = 1;
  const auto is = [&](field f, std::string_view by_default, std::string_view wanted) {
    const json::slice said = in.text(f);
    return said.raw.empty() ? by_default == wanted : said == wanted;
  };
  if (is(field::norm_type, third ? "rmsnorm" : "layernorm", "rmsnorm"))
    s.norm = {};
  else if (!is(field::norm_type, "layernorm", "layernorm"))
    in.fail(config_problem::unknown, field::norm_type);
  if (!is(field::mlp_type, "mlp2", "mlp2")) in.fail(config_problem::unknown, field::mlp_type);
  const std::int64_t width = in.count_or(field::qkv_hidden_size, third ? 1536 : s.hidden);
  if (width % s.heads != 0)
    in.contradict(field::vt_num_attention_heads, s.heads, field::qkv_hidden_size, width);
  else
    s.head_dim = width / s.heads;
  const std::int64_t high = in.count_or(field::init_pos_emb_height, 64, 1, 4096),
                     wide = in.count_or(field::init_pos_emb_width, 64, 1, 4096);
  if (high != wide) in.contradict(field::init_pos_emb_height, high, field::init_pos_emb_width, wide);
  const bool second = is(field::mm_projector_type, third ? "patchmergerv2" : "patchmerger", "patchmergerv2");
  if (!second && !is(field::mm_projector_type, "patchmerger", "patchmerger"))
    in.fail(config_problem::unknown, field::mm_projector_type);
  std::int64_t merged = 1, sides = 0;
  in.each(field::merge_kernel_size, [&](const json::value& v, std::int64_t) {
    const json::exact_integer side = json::as_integer(v);
    const bool sane = side.ok && side.value >= 1 && side.value <= 64;
    if (!sane) in.fail(config_problem::out_of_range, field::merge_kernel_size, v.text);
    merged *= sane ? side.value : 1;
    ++sides;
  });
  if (sides == 0) merged = 4;
  if (sides != 0 && sides != 2) in.fail(config_problem::out_of_range, field::merge_kernel_size);
  const std::int64_t patch = in.count_or(field::patch_size, 14, 1, 4096);
  vision_tower made{.patches = {.image_size = high * patch, .patch_size = patch, .channels = 3, .hidden = s.hidden},
                    .stack = make_stack(s),
                    .tokens_per_image = high * wide / merged,
                    .merger = {.merged = merged, .out = in.count_or(field::text_hidden_size, 7168)}};
  made.patches.bias = in.flag_or(field::patch_embed_proj_bias, !third);
  if (second) {
    made.merger.norm.kind = norm_kind::none;
    made.merger.bias = false;
    made.merger.norm_out = {};
  }
  return made;
}

constexpr transformer_config read_kimi_k25(const model_file& file) {
  transformer_config made = read_wrapped(file, true);
  if (has_tower(file.in)) made.vision = read_moon_tower(file.in.in(config_scope::vision), false);
  return made;
}

/// Layers of `linear_attn_config`, whose lists count from 1.
constexpr layer_set read_kimi_layers(const config_fields& in, field list, std::int64_t layers) {
  layer_set named;
  in.each(list, [&](const json::value& v, std::int64_t) {
    const json::exact_integer layer = json::as_integer(v);
    if (!layer.ok || layer.value < 1 || layer.value > layers)
      in.fail(config_problem::out_of_range, list, v.text);
    else
      named.insert(layer.value - 1);
  });
  return named;
}

/// The blocks of Kimi-Linear (modeling_kimi.py of Kimi-Linear-48B-A3B), and what Kimi-K3 added: experts on a latent, a
/// gate on what latent attention puts out.
constexpr block_shape kimi_linear_shape(const config_fields& in, const architecture& known) {
  block_shape s = read_dense_shape(in, known);
  read_latent_attention(in, s, in.has(field::q_lora_rank));
  s.window = 0;
  s.experts = in.count(field::num_experts);
  s.experts_per_token = in.count_of(field::num_experts_per_token, field::num_experts_per_tok);
  s.expert_intermediate = in.count(field::moe_intermediate_size);
  s.shared_intermediate = read_shared_experts(in, field::num_shared_experts, known) * s.expert_intermediate;
  s.expert_latent = in.count_or(field::routed_expert_hidden_size, 0);
  s.correction_bias = true;
  const std::int64_t first = in.count_or(field::first_k_dense_replace, 0, 0),
                     step = in.count_or(field::moe_layer_freq, 1);
  s.sparse = layer_set::range(first, s.layers) & layer_set::every(step, 0, s.layers);
  return s;
}

/// Before block i stand as many groups as have begun: each of its two sublayers reads those and the running sum.
constexpr double mean_sources(std::int64_t layers, std::int64_t group) {
  double sources = 0;
  for (std::int64_t i = 0; i < layers; ++i) {
    const std::int64_t before = (i + group - 1) / group, behind = i / group + 1;
    sources += 1 + static_cast<double>(before + behind) / 2;
  }
  return layers > 0 ? sources / static_cast<double>(layers) : 0.0;
}

constexpr transformer_config read_kimi_linear(const model_file& file) {
  const bool third = file.model_type == "kimi_k3";
  transformer_config made = read_wrapped(file, third);
  if (has_tower(file.in)) made.vision = read_moon_tower(file.in.in(config_scope::vision), third);
  const config_fields text = text_of_file(file.in), linear = text.in(config_scope::linear_attention);
  stack& blocks = made.stack;
  blocks.latent.rotary = !text.flag_or(field::mla_use_nope, false);
  blocks.latent.output_gate = text.flag_or(field::mla_use_output_gate, false);
  blocks.mixture.latent_norm = blocks.mixture.latent > 0 && text.flag_or(field::latent_moe_use_norm, false);
  if (text.has(field::attn_res_block_size))
    blocks.depth = {.hidden = blocks.hidden,
                    .sources = mean_sources(blocks.layers, text.count(field::attn_res_block_size))};
  if (!linear.present()) return made;
  blocks.recurrence = recurrent_kind::kimi_delta;
  blocks.recurrent = read_kimi_layers(linear, field::kda_layers, blocks.layers);
  const layer_set attending = read_kimi_layers(linear, field::full_attn_layers, blocks.layers);
  if (!((blocks.recurrent | attending) == layer_set::range(0, blocks.layers)) ||
      !(blocks.recurrent & attending).empty())
    linear.contradict(field::kda_layers, blocks.recurrent.size(), field::full_attn_layers, attending.size());
  blocks.kimi_delta = {.hidden = blocks.hidden,
                       .heads = linear.count(field::num_heads),
                       .head_dim = linear.count(field::head_dim),
                       .kernel = linear.count_or(field::short_conv_kernel_size, 4),
                       .whole_gate = linear.flag_or(field::use_full_rank_gate, false)};
  return made;
}

inline constexpr architecture kimi_linear{
    .model_type = "kimi_linear", .class_prefix = "KimiLinear", .shape = kimi_linear_shape, .read = read_kimi_linear};

inline constexpr architecture kimi_family[] = {
    {.model_type = "kimi_k25",
     .class_prefix = "KimiK25",
     .shape = deepseek_v3_shape,
     .read = read_kimi_k25,
     .sees = true,
     .shared_experts = 1,
     .first_dense = 3},
    kimi_linear,
    {.model_type = "kimi_k3",
     .class_prefix = "KimiK3",
     .shape = kimi_linear_shape,
     .read = read_kimi_linear,
     .sees = true},
};

}  // namespace flopledger::hugging_face
