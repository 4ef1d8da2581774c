// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// What the readers of several families of decoders share.

#include <flopledger/models/hugging_face/architecture.hpp>

namespace flopledger::hugging_face {

constexpr activation_function activation_named(const config_fields& in, field f, activation_function fallback) {
  const json::slice name = in.text(f);
  if (name.raw.empty()) return fallback;
  if (name == "silu" || name == "swish") return activation_function::silu;
  if (name == "gelu") return activation_function::gelu;
  if (name == "gelu_new" || name == "gelu_pytorch_tanh" || name == "gelu_fast") return activation_function::gelu_tanh;
  if (name == "quick_gelu" || name == "swigluoai") return activation_function::quick_gelu;
  if (name == "relu") return activation_function::relu;
  if (name == "relu2") return activation_function::relu_squared;
  if (name == "sigmoid") return activation_function::sigmoid;
  if (name == "situ") return activation_function::situ;
  if (name == "tanh") return activation_function::tanh;
  if (name == "xielu") return activation_function::xielu;
  in.fail(config_problem::unknown, f);
  return fallback;
}

inline constexpr norm_config layer_norm{.kind = norm_kind::layer, .weight = true, .bias = true};
inline constexpr norm_config layer_norm_without_bias{.kind = norm_kind::layer, .weight = true, .bias = false};

constexpr void set_attention_biases(block_shape& s, bool query_key_value, bool output) {
  s.query_bias = s.key_bias = s.value_bias = query_key_value;
  s.output_bias = output;
}

/// A classic block: LayerNorm, two matrices, biases everywhere.
constexpr void make_classic(block_shape& s) {
  s.norm = layer_norm;
  s.gated = false;
  s.activation = activation_function::gelu;
  s.feed_bias = true;
  s.rotary_fraction = 0;
  set_attention_biases(s, true, true);
}

/// Rotary dimensions of a head given as a number, as a share of its width.
constexpr double read_rotary_dim(const config_fields& in, std::int64_t head_dim, std::int64_t fallback) {
  const std::int64_t turned = in.count_or(field::rotary_dim, fallback < head_dim ? fallback : head_dim, 0);
  if (turned > head_dim) in.fail(config_problem::out_of_range, field::rotary_dim);
  return head_dim > 0 && turned <= head_dim ? static_cast<double>(turned) / static_cast<double>(head_dim) : 0.0;
}

/// Layers of a list that has an entry for each: those whose entry is chosen. `is_chosen` refuses what it does not know.
constexpr layer_set read_listed_layers(const config_fields& in, field list, std::int64_t layers, auto is_chosen) {
  layer_set chosen;
  const std::int64_t listed = in.each(list, [&](const json::value& v, std::int64_t i) {
    if (is_chosen(v) && i < layer_set::capacity) chosen.insert(i);
  });
  if (listed != layers) in.contradict(list, listed, field::num_hidden_layers, layers);
  return chosen;
}

/// The same by name: those whose name is the first, where every other has the second.
constexpr layer_set read_named_layers(const config_fields& in, field list, std::int64_t layers, auto is_first,
                                      auto is_other) {
  return read_listed_layers(in, list, layers, [&](const json::value& v) {
    const bool first = is_first(v.text);
    if (!first && !is_other(v.text)) in.fail(config_problem::unknown, list, v.text);
    return first;
  });
}

/// Layers named one by one: `layer_types` where it is there.
constexpr bool read_layer_types(const config_fields& in, block_shape& s) {
  if (!in.has(field::layer_types)) return false;
  s.windowed = read_named_layers(
      in, field::layer_types, s.layers,
      [](json::slice name) { return name == "sliding_attention" || name == "chunked_attention"; },
      [](json::slice name) { return name == "full_attention"; });
  return true;
}

/// Tokens that a window holds: `sliding_window`, where null switches it off and leaving it out means the default.
constexpr std::int64_t read_window(const config_fields& in, const architecture& known) {
  return in.has_null(field::sliding_window) ? 0 : in.count_or(field::sliding_window, known.window);
}

/// What decoders in the manner of LLaMA share: RMSNorm, gated feed-forward, rotary positions, grouped queries. Sizes
/// may be left out only where a class has them for its `text_config` (Gemma-3, Llama-4).
constexpr block_shape read_shape(const config_fields& in, const architecture& known) {
  block_shape s;
  const auto size = [&](field f, std::int64_t fallback) {
    return in.nested() && fallback > 0 ? in.count_or(f, fallback) : in.count(f);
  };
  s.layers = in.limited_layers(size(field::num_hidden_layers, known.layers), field::num_hidden_layers);
  s.hidden = size(field::hidden_size, known.hidden);
  s.heads = size(field::num_attention_heads, known.heads);
  s.vocabulary = size(field::vocab_size, known.vocabulary);
  s.kv_heads = in.has_null(field::num_key_value_heads) ? 0 : in.count_or(field::num_key_value_heads, known.kv_heads);
  s.head_dim = in.count_or(field::head_dim, in.has_null(field::head_dim) ? 0 : known.head_dim);
  s.tied = in.flag_or(field::tie_word_embeddings, known.tied);
  const field activation = in.which(field::hidden_act, field::hidden_activation);
  s.activation = activation_named(in, activation, known.activation);
  const double nested = in.in(config_scope::rope).share_or(field::partial_rotary_factor, known.rotary_fraction);
  s.rotary_fraction = in.share_or(in.which(field::partial_rotary_factor, field::rotary_pct), nested);
  s.context = in.count_or(field::max_position_embeddings, 0);
  s.window = read_window(in, known);
  return s;
}

/// Where the fields of the language model stand.
constexpr config_fields text_of_file(const config_fields& in) {
  return in.in(config_scope::text).present() ? in.in(config_scope::text) : in;
}

constexpr layer_set all_layers(const block_shape& s) { return layer_set::range(0, s.layers); }

/// `attention_bias` of classes whose four projections all take it. Others have code without biases, or a name of their
/// own, and what a file says under this one is ignored there as the reference implementation ignores it.
constexpr void read_attention_bias(const config_fields& in, const architecture& known, block_shape& s) {
  const bool biased = in.flag_or(field::attention_bias, known.attention_bias);
  set_attention_biases(s, biased, biased);
}

/// The dense blocks of LLaMA, without biases.
constexpr block_shape read_dense_shape(const config_fields& in, const architecture& known) {
  block_shape s = read_shape(in, known);
  s.intermediate = in.nested() && known.intermediate > 0 ? in.count_or(field::intermediate_size, known.intermediate)
                                                         : in.count(field::intermediate_size);
  return s;
}

/// Every layer a mixture of experts that are `intermediate_size` wide, in Mixtral's terms.
constexpr block_shape read_mixture_shape(const config_fields& in, const architecture& known) {
  block_shape s = read_shape(in, known);
  s.experts = in.count_of(field::num_local_experts, field::num_experts);
  s.experts_per_token = in.count(field::num_experts_per_tok);
  s.expert_intermediate = s.intermediate = in.count(field::intermediate_size);
  s.sparse = all_layers(s);
  return s;
}

/// Experts that every token goes through: null is none, and leaving them out means the default.
constexpr std::int64_t read_shared_experts(const config_fields& in, field f, const architecture& known) {
  return in.has_null(f) ? 0 : in.count_or(f, known.shared_experts, 0);
}

/// Experts as DeepSeek's configuration names them, in some layers. Where none are named, `first_k_dense_replace` layers
/// are dense, and of the rest every `moe_layer_freq`-th has experts.
constexpr void read_routed_experts(const config_fields& in, const architecture& known, block_shape& s,
                                   const layer_set& sparse) {
  s.experts = in.count(field::n_routed_experts);
  s.experts_per_token = in.count(field::num_experts_per_tok);
  s.expert_intermediate = in.count(field::moe_intermediate_size);
  s.shared_intermediate = read_shared_experts(in, field::n_shared_experts, known) * s.expert_intermediate;
  s.sparse = sparse;
}
constexpr void read_routed_experts(const config_fields& in, const architecture& known, block_shape& s) {
  const std::int64_t first = in.count_or(field::first_k_dense_replace, known.first_dense, 0);
  const std::int64_t step = in.count_or(field::moe_layer_freq, 1);
  read_routed_experts(in, known, s, layer_set::range(first, s.layers) & layer_set::every(step, 0, s.layers));
}

/// Layers named dense or sparse one by one, where `mlp_layer_types` is there.
constexpr void read_sparse_layers(const config_fields& in, block_shape& s) {
  if (in.has(field::mlp_layer_types))
    s.sparse = read_named_layers(
        in, field::mlp_layer_types, s.layers, [](json::slice name) { return name == "sparse"; },
        [](json::slice name) { return name == "dense"; });
}

/// Layers whose entry in a list of ones and zeros is a one.
constexpr layer_set read_marked_layers(const config_fields& in, field f, std::int64_t layers) {
  return read_listed_layers(in, f, layers, [&](const json::value& v) {
    const json::exact_integer mark = json::as_integer(v);
    if (!mark.ok || mark.value < 0 || mark.value > 1) in.fail(config_problem::out_of_range, f, v.text);
    return mark.ok && mark.value == 1;
  });
}

/// A number that stands once, or once a layer; layers that differ in it are none that are known here.
constexpr std::int64_t read_uniform_count(const config_fields& in, field f) {
  const json::value* v = in.find(f);
  if (v == nullptr || v->type != json::kind::array) return in.count(f);
  std::int64_t all = 0;
  in.each(f, [&](const json::value& one, std::int64_t) {
    const json::exact_integer n = json::as_integer(one);
    if (!n.ok || n.value < 1 || (all > 0 && n.value != all)) in.fail(config_problem::unknown, f, one.text);
    all = n.value;
  });
  if (all == 0) in.fail(config_problem::out_of_range, f);
  return all;
}

/// A shape that the fields cannot make together.
constexpr void check_shape(const config_fields& in, const block_shape& s,
                           field heads_field = field::num_attention_heads, field kv_field = field::num_key_value_heads,
                           field hidden_field = field::hidden_size) {
  if (in.failed()) return;
  if (s.heads > 0 && s.head_dim == 0 && s.latent_rank == 0 && s.hidden % s.heads != 0)
    in.contradict(heads_field, s.heads, hidden_field, s.hidden);
  if (s.kv_heads > 0 && (s.kv_heads > s.heads || s.heads % s.kv_heads != 0))
    in.contradict(kv_field, s.kv_heads, heads_field, s.heads);
  if (s.experts > 0 && s.experts_per_token > s.experts)
    in.contradict(
        in.which(field::num_experts_per_tok, field::experts_per_token, field::moe_k, field::moe_top_k),
        s.experts_per_token,
        in.which(field::num_experts, field::num_local_experts, field::n_routed_experts, field::moe_num_experts),
        s.experts);
}

/// A shape that is all read, checked.
constexpr block_shape checked(const config_fields& in, block_shape s) {
  if (s.sparse.empty()) s.experts = 0;  // a step or a first layer beyond the last: all layers are dense
  check_shape(in, s);
  return s;
}

constexpr transformer_config finish(const config_fields& in, const block_shape& s, std::string_view class_name) {
  return make_decoder(class_name, checked(in, s));
}

/// The shape that an architecture reads, checked.
constexpr block_shape read_decoder(const config_fields& in, const architecture& known) {
  block_shape s = known.shape(in, known);
  if (s.window == 0) s.windowed = {};  // null: no window, whatever the layers are called
  if (s.windowed.empty()) s.window = 0;
  return checked(in, s);
}

/// A language model wrapped in a file of its own text_config is that language model.
constexpr transformer_config read_wrapped(const model_file& file, bool must_be_wrapped = false) {
  const config_fields& in = file.in;
  const bool wrapped = in.in(config_scope::text).present();
  if (!wrapped && must_be_wrapped) in.fail(config_problem::missing, field::text_config);
  const config_fields text = text_of_file(in);
  block_shape s = read_decoder(text, file.known);
  // A wrapper's tie_word_embeddings counts where its text_config has none.
  const bool outer = in.flag_or(field::tie_word_embeddings, s.tied);
  if (!text.has(field::tie_word_embeddings)) s.tied = outer;
  transformer_config made = make_decoder(file.class_name, s);
  made.prediction_layers = text.count_or(field::num_nextn_predict_layers, 0, 0, layer_set::capacity);
  return made;
}

}  // namespace flopledger::hugging_face
