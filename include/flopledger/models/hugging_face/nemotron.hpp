// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Nemotron; Nemotron-H and Nemotron-3, whose layers are single sublayers; and Nemotron-NAS, which a search thinned
/// out.

#include <flopledger/models/hugging_face/decoder.hpp>

namespace flopledger::hugging_face {

constexpr block_shape nemotron_shape(const config_fields& in, const architecture& known) {
  block_shape s = read_dense_shape(in, known);
  read_attention_bias(in, known, s);
  s.norm = layer_norm;
  s.gated = known.gated;
  s.feed_bias = in.flag_or(field::mlp_bias, false);
  return s;
}

/// The mixer of Nemotron-H (NemotronHMamba2Mixer of transformers' modeling_nemotron_h.py).
constexpr mamba2 read_nemotron_mamba(const config_fields& in, std::int64_t hidden) {
  const bool biased = in.flag_or(field::use_bias, false);
  return {.hidden = hidden,
          .heads = in.count_or(field::mamba_num_heads, 128),
          .head_dim = in.count_or(field::mamba_head_dim, 64),
          .groups = in.count_or(in.which(field::n_groups, field::mamba_n_groups), 8),
          .state = in.count_or(field::ssm_state_size, 128),
          .kernel = in.count_or(in.which(field::conv_kernel, field::mamba_d_conv), 4),
          .projection_bias = biased,
          .output_bias = biased,
          .convolution_bias = in.flag_or(in.which(field::use_conv_bias, field::mamba_conv_bias), true)};
}

/// What one layer of Nemotron-H is.
enum class nemotron_layer : std::uint8_t { unknown, scan, attention, dense, experts };

constexpr nemotron_layer nemotron_layer_named(json::slice name) {
  if (name == "M" || name == "mamba" || name == "linear_attention") return nemotron_layer::scan;
  if (name == "*" || name == "attention" || name == "full_attention") return nemotron_layer::attention;
  if (name == "-" || name == "mlp") return nemotron_layer::dense;
  if (name == "E" || name == "moe") return nemotron_layer::experts;
  return nemotron_layer::unknown;
}

constexpr void set_nemotron_layer(stack& blocks, std::int64_t layer, nemotron_layer as) {
  const bool mixes = as == nemotron_layer::scan || as == nemotron_layer::attention;
  if (as == nemotron_layer::scan) blocks.recurrent.insert(layer);
  if (as == nemotron_layer::experts) blocks.sparse.insert(layer);
  // Four kinds of layers: the variants tell apart which sublayer is there, and which of two it is.
  blocks.variants.set(layer, {.mixer = mixes ? sublayer_form::whole : sublayer_form::absent,
                              .feed = mixes ? sublayer_form::absent : sublayer_form::whole,
                              .of = static_cast<std::uint8_t>(as)});
}

/// `hybrid_override_pattern`, a letter a layer, or `layers_block_type`, a name a layer.
constexpr void read_nemotron_layers(const config_fields& in, stack& blocks) {
  const auto set = [&](field list, std::int64_t layer, json::slice name) {
    const nemotron_layer as = nemotron_layer_named(name);
    if (as == nemotron_layer::unknown) in.fail(config_problem::unknown, list, name);
    if (layer < blocks.layers && as != nemotron_layer::unknown) set_nemotron_layer(blocks, layer, as);
  };
  const json::slice letters = in.text(field::hybrid_override_pattern);
  const field list =
      letters.raw.empty() ? in.which(field::layers_block_type, field::layer_types) : field::hybrid_override_pattern;
  std::int64_t named = 0;
  if (letters.raw.empty())
    named = in.each(list, [&](const json::value& v, std::int64_t i) { set(list, i, v.text); });
  else
    for (; named < static_cast<std::int64_t>(letters.raw.size()); ++named)
      set(list, named, {letters.raw.substr(static_cast<std::size_t>(named), 1)});
  if (named == 0) in.fail(config_problem::missing, field::hybrid_override_pattern);
  if (named != blocks.layers) in.contradict(list, named, field::num_hidden_layers, blocks.layers);
}

/// The module that predicts a further token: attention and experts, each as the stack has it. What else its pattern can
/// say no model has.
constexpr void read_nemotron_prediction(const config_fields& in, transformer_config& made) {
  made.prediction_layers = in.count_or(field::num_nextn_predict_layers, 0, 0, layer_set::capacity);
  if (made.prediction_layers == 0) return;
  const json::slice letters = in.text(field::mtp_hybrid_override_pattern);
  if (!letters.raw.empty() && !(letters == "*E")) in.fail(config_problem::unknown, field::mtp_hybrid_override_pattern);
  in.each(field::mtp_layers_block_type, [&](const json::value& v, std::int64_t i) {
    const nemotron_layer wanted = i == 0 ? nemotron_layer::attention : nemotron_layer::experts;
    if (i > 1 || nemotron_layer_named(v.text) != wanted)
      in.fail(config_problem::unknown, field::mtp_layers_block_type, v.text);
  });
  const stack& blocks = made.stack;
  block_kind attends{}, routes{};
  blocks.for_each_kind([&](block_kind kind) {
    const bool mixes = kind.variant > 0 && blocks.variants[kind.variant].mixer == sublayer_form::whole;
    if (mixes && !kind.recurrent) attends = kind;
    if (kind.sparse) routes = kind;
  });
  if (attends.variant == 0 || routes.variant == 0) in.fail(config_problem::unknown, field::num_nextn_predict_layers);
  made.prediction = {.as_last = false, .kind = attends, .second = routes, .two = true};
}

/// Every layer is one sublayer: a scan, attention without positions, a feed-forward layer, or experts, which may work
/// on a latent of `moe_latent_size` (Nemotron-3 Super).
constexpr transformer_config read_nemotron_h(const model_file& file) {
  const config_fields& in = file.in;
  block_shape s = read_shape(in, file.known);
  s.head_dim = in.count_or(in.which(field::head_dim, field::attention_head_dim), file.known.head_dim);
  s.activation = activation_named(in, field::mlp_hidden_act, activation_function::relu_squared);
  s.rotary_fraction = 0;
  s.gated = false;
  s.window = 0;
  read_attention_bias(in, file.known, s);
  s.feed_bias = s.expert_bias = in.flag_or(field::mlp_bias, false);
  s.intermediate = in.count_or(field::intermediate_size, 21504);
  transformer_config made = finish(in, s, file.class_name);
  made.stack.recurrence = recurrent_kind::mamba2;
  made.stack.mamba2 = read_nemotron_mamba(in, s.hidden);
  read_nemotron_layers(in, made.stack);
  if (made.stack.sparse.empty()) return made;
  s.experts = in.count_or(field::n_routed_experts, 8);
  s.experts_per_token = in.count_or(field::num_experts_per_tok, 2);
  s.expert_intermediate = in.count_or(field::moe_intermediate_size, 7688);
  s.shared_intermediate = read_shared_experts(in, field::n_shared_experts, file.known) > 0
                              ? in.count_or(field::moe_shared_expert_intermediate_size, 7688)
                              : 0;
  s.expert_latent = in.count_or(field::moe_latent_size, 0);
  s.correction_bias = true;
  check_shape(in, s);
  made.stack.mixture = make_mixture(s);
  read_nemotron_prediction(in, made);
  return made;
}

/// Calls `visit(name, value)` with each member of an object, and never for anything else.
constexpr void visit_members(const json::value& of, auto&& visit) {
  if (of.type == json::kind::object)
    json::for_each_member(of, [&](json::slice name, const json::value& v) {
      visit(name, v);
      return true;
    });
}

/// One entry of `block_configs`: for attention and for the feed-forward layer whether it is there, whether a matrix
/// stands in its place, and how wide it is (DeciLMDecoderLayer of the models' modeling_decilm.py).
constexpr block_variant read_thinned_block(const config_fields& in, const json::value& entry, const block_shape& s) {
  block_variant made;
  const auto is_on = [](const json::value& v) {
    return v.type != json::kind::null && !(v.type == json::kind::boolean && !v.truth);
  };
  const auto form = [&](sublayer_form& as, json::slice name, const json::value& v) {
    if (name == "no_op" && is_on(v)) as = sublayer_form::absent;
    if (name == "replace_with_linear" && is_on(v)) as = sublayer_form::one_matrix;
    const bool counts = name == "no_op" || name == "replace_with_linear" || name == "n_heads_in_group" ||
                        name == "ffn_mult" || name == "hidden_act" || name == "gated" || name == "intermediate_size";
    if (!counts && is_on(v)) in.fail(config_problem::unknown, field::block_configs, name);
  };
  visit_members(entry, [&](json::slice part, const json::value& of) {
    if (part == "attention")
      visit_members(of, [&](json::slice name, const json::value& v) {
        form(made.mixer, name, v);
        if (name == "n_heads_in_group" && v.type == json::kind::integer) {
          const bool divides = v.integer > 0 && s.heads % v.integer == 0;
          if (!divides) in.fail(config_problem::out_of_range, field::block_configs, v.text);
          made.kv_heads = divides ? s.heads / v.integer : 0;
        }
      });
    else if (part == "ffn")
      visit_members(of, [&](json::slice name, const json::value& v) {
        form(made.feed, name, v);
        if (name == "intermediate_size" && v.type == json::kind::integer) made.intermediate = v.integer;
        // Two thirds of the width, times the factor, up to the next multiple of 256.
        if (name == "ffn_mult" && (v.type == json::kind::real || v.type == json::kind::integer)) {
          const bool sane = v.real > 0 && v.real < 1024;
          if (!sane) in.fail(config_problem::out_of_range, field::block_configs, v.text);
          const auto wide = static_cast<std::int64_t>(sane ? 2 * v.real * static_cast<double>(s.hidden) / 3 : 1);
          made.intermediate = (wide + 255) / 256 * 256;
        }
      });
    else
      in.fail(config_problem::unknown, field::block_configs, part);
  });
  if (made.mixer == sublayer_form::whole && made.kv_heads == 0) in.fail(config_problem::missing, field::block_configs);
  if (made.feed == sublayer_form::whole && made.intermediate == 0)
    in.fail(config_problem::missing, field::block_configs);
  if (made.mixer != sublayer_form::whole) made.kv_heads = 0;
  if (made.feed != sublayer_form::whole) made.intermediate = 0;
  return made;
}

/// LLaMA's block, of which a search has left out or narrowed what it could (Puzzle, Bercovich et al. 2024).
constexpr transformer_config read_nemotron_nas(const model_file& file) {
  const config_fields& in = file.in;
  block_shape s = read_shape(in, file.known);
  read_attention_bias(in, file.known, s);
  s.feed_bias = in.flag_or(field::mlp_bias, false);
  s.intermediate = s.hidden;  // of no block: each has its own
  transformer_config made = finish(in, s, file.class_name);
  if (!in.has(field::block_configs)) in.fail(config_problem::missing, field::block_configs);
  const std::int64_t named = in.each(field::block_configs, [&](const json::value& v, std::int64_t i) {
    if (in.failed() || i >= s.layers) return;
    const block_variant as = read_thinned_block(in, v, s);
    if (as.kv_heads > 0) made.stack.attention.kv_heads = as.kv_heads;
    if (!made.stack.variants.set(i, as)) in.fail(config_problem::too_large, field::block_configs);
  });
  if (named != s.layers) in.contradict(field::block_configs, named, field::num_hidden_layers, s.layers);
  return made;
}

inline constexpr architecture nemotron_family[] = {
    {.model_type = "nemotron_h",
     .class_prefix = "NemotronH",
     .read = read_nemotron_h,
     .kv_heads = 8,
     .head_dim = 128,
     .shared_experts = 1},
    {.model_type = "nemotron-nas", .class_prefix = "DeciLM", .read = read_nemotron_nas},
    {.model_type = "nemotron",
     .class_prefix = "Nemotron",
     .shape = nemotron_shape,
     .gated = false,
     .rotary_fraction = 0.5,
     .activation = activation_function::relu_squared},
};

}  // namespace flopledger::hugging_face
