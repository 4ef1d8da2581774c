// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// A Hugging Face config.json, read into a `transformer_config`: in a constant expression, and at run time.
///
/// One function serves both. It never throws and never guesses: what is wrong comes back as a problem, the field, the
/// line and the numbers. `require_config` (models/config_error.hpp) turns that into an exception, `model_from` into a
/// compile error.

#include <flopledger/models/block_shape.hpp>
#include <flopledger/models/config_document.hpp>
#include <flopledger/models/problem.hpp>
#include <flopledger/models/quantization.hpp>
#include <flopledger/models/reference_defaults.hpp>

namespace flopledger {

/// A model as its configuration file describes it.
struct model_description {
  transformer_config config{};
  weight_storage storage{};
  std::string_view model_type{};
};

/// A description, or why there is none.
struct config_reading {
  model_description value{};
  config_error_place error{};
  constexpr bool ok() const { return error.problem == config_problem::none; }
};

namespace detail {

using field = config_field;

/// The fields of one object of the document, with what to do where they are absent.
class config_fields {
 public:
  constexpr config_fields(config_document& document, config_scope scope) : document_(document), scope_(scope) {}

  constexpr config_fields in(config_scope scope) const { return {document_, scope}; }
  constexpr bool present() const { return document_.present[static_cast<int>(scope_)]; }
  constexpr bool failed() const { return document_.error.problem != config_problem::none; }
  constexpr bool has(field f) const { return find(f) != nullptr; }
  /// The first of the names that is there, for fields that models name differently.
  template <class... Fields>
  constexpr field which(field first, Fields... others) const {
    for (const field f : {first, others...})
      if (has(f)) return f;
    return first;
  }

  constexpr void fail(config_problem problem, field f) const {
    if (failed()) return;
    const json::value* v = find(f);
    document_.fail(problem, f, v != nullptr ? v->line : 0);
    if (v == nullptr) return;
    document_.error.text = v->text.raw;
    document_.error.is_string = v->type == json::kind::string;
  }
  /// Of a list, the element at fault is what a message shows.
  constexpr void fail(config_problem problem, field f, json::slice element) const {
    if (failed()) return;
    fail(problem, f);
    document_.error.text = element.raw;
  }
  constexpr void contradict(field f, std::int64_t value, field other, std::int64_t other_value) const {
    if (failed()) return;
    fail(config_problem::contradictory, f);
    document_.error.other = other;
    document_.error.value = value;
    document_.error.other_value = other_value;
  }

  /// A number of something: an integer from `least` to 2^24 (no width, vocabulary or count of a model comes near).
  constexpr std::int64_t count_or(field f, std::int64_t fallback, std::int64_t least = 1,
                                  std::int64_t most = largest) const {
    const json::value* v = find(f);
    if (v == nullptr) return fallback;
    if (v->type != json::kind::integer && v->type != json::kind::real) {
      fail(config_problem::wrong_type, f);
      return fallback;
    }
    const json::exact_integer n = json::as_integer(*v);
    if (!n.ok || n.value < least || n.value > most) {
      if (!failed()) {
        fail(config_problem::out_of_range, f);
        document_.error.value = n.value;
      }
      return fallback;
    }
    return n.value;
  }
  constexpr std::int64_t count(field f) const {
    if (!has(f)) document_.fail(config_problem::missing, f, 0);
    return count_or(f, 1);
  }
  /// Of several names for one thing: whichever is there. Two that disagree contradict each other.
  template <class... Fields>
  constexpr std::int64_t count_of(field first, Fields... others) const {
    const field named = which(first, others...);
    const std::int64_t value = count(named);
    for (const field f : {first, others...})
      if (f != named && has(f) && count_or(f, value) != value) contradict(f, count_or(f, value), named, value);
    return value;
  }
  /// Layers. More than a `layer_set` holds are refused at once, before anything walks over them.
  template <class... Fields>
  constexpr std::int64_t layers(field first, Fields... others) const {
    return limited_layers(count_of(first, others...), which(first, others...));
  }
  constexpr std::int64_t limited_layers(std::int64_t n, field f) const {
    if (n <= layer_set::capacity) return n;
    fail(config_problem::too_large, f);
    return 1;
  }
  /// A share of something: from `least` to 1.
  constexpr double share_or(field f, double fallback, double least = 0) const {
    const json::value* v = find(f);
    if (v == nullptr) return fallback;
    if (v->type != json::kind::integer && v->type != json::kind::real) {
      fail(config_problem::wrong_type, f);
      return fallback;
    }
    if (v->real < least || v->real > 1) {
      fail(config_problem::out_of_range, f);
      return fallback;
    }
    return v->real;
  }
  constexpr bool flag_or(field f, bool fallback) const {
    const json::value* v = find(f);
    if (v == nullptr) return fallback;
    if (v->type != json::kind::boolean) fail(config_problem::wrong_type, f);
    return v->truth;
  }
  constexpr json::slice text(field f) const {
    const json::value* v = find(f);
    if (v == nullptr) return {};
    if (v->type != json::kind::string) {
      fail(config_problem::wrong_type, f);
      return {};
    }
    return v->text;
  }
  /// Calls `visit(value, index)` for each element of an array.
  constexpr std::int64_t each(field f, auto&& visit) const {
    const json::value* v = find(f);
    if (v == nullptr) return 0;
    if (v->type != json::kind::array) {
      fail(config_problem::wrong_type, f);
      return 0;
    }
    std::int64_t index = 0;
    json::for_each_element(*v, [&](const json::value& element) { visit(element, index++); });
    return index;
  }
  constexpr const json::value* find(field f) const {
    const int place = document_.index[static_cast<int>(scope_)][static_cast<int>(f)];
    return place == 0 || place == config_document::null_place ? nullptr : &document_.values[place];
  }
  constexpr bool has_null(field f) const {
    return document_.index[static_cast<int>(scope_)][static_cast<int>(f)] == config_document::null_place;
  }
 private:
  static constexpr std::int64_t largest = 16777216;
  config_document& document_;
  config_scope scope_;
};

// Pieces that several families share
// ---------------------------------------------------------------------------------------

constexpr activation_function activation_named(const config_fields& in, field f, activation_function fallback) {
  const json::slice name = in.text(f);
  if (name.raw.empty()) return fallback;
  if (name == "silu" || name == "swish") return activation_function::silu;
  if (name == "gelu") return activation_function::gelu;
  if (name == "gelu_new" || name == "gelu_pytorch_tanh" || name == "gelu_fast") return activation_function::gelu_tanh;
  if (name == "quick_gelu") return activation_function::quick_gelu;
  if (name == "relu") return activation_function::relu;
  if (name == "relu2") return activation_function::relu_squared;
  if (name == "tanh") return activation_function::tanh;
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

/// Layers named one by one: `layer_types` where it is there.
constexpr bool read_layer_types(const config_fields& in, block_shape& s) {
  if (!in.has(field::layer_types)) return false;
  layer_set windowed;
  const std::int64_t named = in.each(field::layer_types, [&](const json::value& v, std::int64_t i) {
    if (i >= layer_set::capacity) return;
    if (v.text == "sliding_attention" || v.text == "chunked_attention")
      windowed.insert(i);
    else if (!(v.text == "full_attention"))
      in.fail(config_problem::unknown, field::layer_types, v.text);
  });
  if (named != s.layers) in.contradict(field::layer_types, named, field::num_hidden_layers, s.layers);
  s.windowed = windowed;
  return true;
}

/// Tokens that a window holds: `sliding_window`, where null switches it off and leaving it out means the default.
constexpr std::int64_t read_window(const config_fields& in, const reference_defaults& defaults) {
  return in.has_null(field::sliding_window) ? 0 : in.count_or(field::sliding_window, defaults.window);
}

/// The layers that are neither dense by their position nor named dense: mlp_only_layers and decoder_sparse_step (Qwen).
constexpr layer_set read_sparse_steps(const config_fields& in, std::int64_t layers) {
  const std::int64_t step = in.count_or(field::decoder_sparse_step, 1);
  layer_set sparse = layer_set::every(step, step - 1, layers);
  in.each(field::mlp_only_layers, [&](const json::value& v, std::int64_t) {
    const json::exact_integer layer = json::as_integer(v);
    if (!layer.ok || layer.value < 0 || layer.value >= layers)
      in.fail(config_problem::out_of_range, field::mlp_only_layers, v.text);
    else
      sparse = sparse - layer_set::range(layer.value, layer.value + 1);
  });
  return sparse;
}

/// first_k_dense_replace and moe_layer_freq (DeepSeek and those after it).
constexpr layer_set read_first_dense(const config_fields& in, std::int64_t layers, std::int64_t first_default) {
  const std::int64_t first = in.count_or(field::first_k_dense_replace, first_default, 0);
  const std::int64_t step = in.count_or(field::moe_layer_freq, 1);
  return layer_set::range(first, layers) & layer_set::every(step, 0, layers);
}

/// Experts as DeepSeek's configuration names them.
constexpr void read_routed_experts(const config_fields& in, block_shape& s, std::int64_t first_dense) {
  s.experts = in.count(field::n_routed_experts);
  s.experts_per_token = in.count(field::num_experts_per_tok);
  s.expert_intermediate = in.count(field::moe_intermediate_size);
  s.shared_intermediate = in.count_or(field::n_shared_experts, 0, 0) * s.expert_intermediate;
  s.sparse = read_first_dense(in, s.layers, first_dense);
}

constexpr void read_latent_attention(const config_fields& in, block_shape& s) {
  s.latent_rank = in.count(field::kv_lora_rank);
  s.query_rank = in.has_null(field::q_lora_rank) ? 0 : in.count(field::q_lora_rank);
  s.nope_dim = in.count(field::qk_nope_head_dim);
  s.rope_dim = in.count(field::qk_rope_head_dim);
  s.value_dim = in.count(field::v_head_dim);
  s.latent_bias = in.flag_or(field::attention_bias, false);
  s.kv_heads = s.heads;
}

/// What decoders in the manner of LLaMA share: RMSNorm, gated feed-forward, rotary positions, grouped queries. `nested`
/// where the object stands inside a file that leaves its class's defaults out (Gemma-3's and Llama-4's text_config).
constexpr block_shape read_shape(const config_fields& in, const reference_defaults& defaults, bool nested) {
  block_shape s;
  const auto size = [&](field f, std::int64_t fallback) { return nested ? in.count_or(f, fallback) : in.count(f); };
  s.layers = in.limited_layers(size(field::num_hidden_layers, defaults.layers), field::num_hidden_layers);
  s.hidden = size(field::hidden_size, defaults.hidden);
  s.heads = size(field::num_attention_heads, defaults.heads);
  s.vocabulary = size(field::vocab_size, defaults.vocabulary);
  s.kv_heads = in.has_null(field::num_key_value_heads) ? 0 : in.count_or(field::num_key_value_heads, defaults.kv_heads);
  s.head_dim = in.count_or(field::head_dim, in.has_null(field::head_dim) ? 0 : defaults.head_dim);
  s.tied = in.flag_or(field::tie_word_embeddings, defaults.tied);
  const field activation = in.which(field::hidden_act, field::hidden_activation);
  s.activation = activation_named(in, activation, defaults.activation);
  s.rotary_fraction = in.share_or(in.which(field::partial_rotary_factor, field::rotary_pct), defaults.rotary_fraction);
  s.context = in.count_or(field::max_position_embeddings, 0);
  s.window = read_window(in, defaults);
  return s;
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

// Decoders
// -----------------------------------------------------------------------------------------------------------------

constexpr transformer_config finish(const config_fields& in, const block_shape& s, std::string_view architecture) {
  check_shape(in, s);
  return make_decoder(architecture, s);
}

/// GPT-2, GPT-J and GPT-BigCode: n_embd, n_layer, n_head.
constexpr transformer_config read_gpt2(const config_fields& in, const reference_defaults& defaults,
                                       std::string_view architecture) {
  block_shape s;
  make_classic(s);
  s.layers = in.layers(field::n_layer, field::num_hidden_layers);
  s.hidden = in.count_of(field::n_embd, field::hidden_size);
  s.heads = in.count_of(field::n_head, field::num_attention_heads);
  s.vocabulary = in.count(field::vocab_size);
  s.head_dim = in.count_or(field::head_dim, 0);  // only GPT-3's paper needs it: 40 heads of 128 on 5140
  s.intermediate = in.count_or(field::n_inner, 4 * s.hidden);
  s.activation = activation_named(in, field::activation_function, activation_function::gelu_tanh);
  s.tied = in.flag_or(field::tie_word_embeddings, defaults.tied);
  s.context = in.count_or(in.which(field::n_positions, field::n_ctx, field::max_position_embeddings), 1024);
  s.dropout = in.share_or(field::resid_pdrop, defaults.dropout) > 0;
  if (defaults.family == model_family::gptj) {
    s.parallel = true;
    s.placement = norms::shared;
    s.head_bias = true;
    set_attention_biases(s, false, false);
    s.rotary_fraction = read_rotary_dim(in, s.heads > 0 ? s.hidden / s.heads : 0, 64);
  } else {
    s.positions = s.context;
  }
  if (defaults.family == model_family::gpt_bigcode && in.flag_or(field::multi_query, true)) s.kv_heads = 1;
  check_shape(in, s, in.which(field::n_head, field::num_attention_heads), field::multi_query,
              in.which(field::n_embd, field::hidden_size));
  return make_decoder(architecture, s);
}

constexpr transformer_config read_gpt_neo(const config_fields& in, const reference_defaults& defaults,
                                          std::string_view architecture) {
  block_shape s;
  make_classic(s);
  s.layers = in.layers(field::num_layers, field::num_hidden_layers);
  s.hidden = in.count(field::hidden_size);
  s.heads = in.count_of(field::num_heads, field::num_attention_heads);
  s.vocabulary = in.count(field::vocab_size);
  s.intermediate = in.count_or(field::intermediate_size, 4 * s.hidden);
  s.activation = activation_named(in, field::activation_function, activation_function::gelu_tanh);
  s.tied = in.flag_or(field::tie_word_embeddings, defaults.tied);
  s.positions = s.context = in.count_or(field::max_position_embeddings, 2048);
  set_attention_biases(s, false, true);
  s.window = in.count_or(field::window_size, 256);
  // attention_types: [[["global", "local"], 12]] repeats the inner list; what stands for "local" looks at a window.
  std::int64_t layer = 0;
  in.each(field::attention_types, [&](const json::value& group, std::int64_t) {
    json::value kinds{};
    std::int64_t repeat = 0, part = 0;
    json::for_each_element(group, [&](const json::value& v) {
      if (part++ == 0)
        kinds = v;
      else
        repeat = json::as_integer(v).value;
    });
    if (part != 2 || repeat < 1 || kinds.type != json::kind::array) {
      in.fail(config_problem::out_of_range, field::attention_types, group.text);
      return;
    }
    for (std::int64_t i = 0; i < repeat && layer <= s.layers; ++i) {
      const std::int64_t before = layer;
      json::for_each_element(kinds, [&](const json::value& v) {
        if (v.text == "local") {
          if (layer < layer_set::capacity) s.windowed.insert(layer);
        } else if (!(v.text == "global")) {
          in.fail(config_problem::unknown, field::attention_types, v.text);
        }
        ++layer;
      });
      if (layer == before) break;  // nothing is repeated
    }
  });
  if (layer != 0 && layer != s.layers)
    in.contradict(field::attention_types, layer, in.which(field::num_layers, field::num_hidden_layers), s.layers);
  if (layer == 0) s.windowed = layer_set::every(2, 1, s.layers);
  check_shape(in, s, in.which(field::num_heads, field::num_attention_heads));
  return make_decoder(architecture, s);
}

constexpr transformer_config read_opt(const config_fields& in, const reference_defaults& defaults,
                                      std::string_view architecture) {
  block_shape s = read_shape(in, defaults, false);
  make_classic(s);
  s.intermediate = in.count(field::ffn_dim);
  s.activation = activation_named(in, field::activation_function, activation_function::relu);
  s.positions = in.count_or(field::max_position_embeddings, 2048) + 2;  // OPT looks positions up two rows further on
  const bool biased = in.flag_or(field::enable_bias, true);
  set_attention_biases(s, biased, biased);
  s.feed_bias = biased;
  const bool affine = in.flag_or(field::layer_norm_elementwise_affine, true);
  s.norm = {.kind = norm_kind::layer, .weight = affine, .bias = affine};
  const bool before = in.flag_or(field::do_layer_norm_before, true);
  s.placement = before ? norms::pre : norms::post;
  s.final_norm = before && !in.flag_or(field::_remove_final_layer_norm, false);
  s.dropout = in.share_or(field::dropout, defaults.dropout) > 0;
  transformer_config made = finish(in, s, architecture);
  const std::int64_t width = in.count_or(field::word_embed_proj_dim, s.hidden);
  if (width != s.hidden) {
    made.embedding.width = width;
    made.embedding.projection = made.head.projection = true;
  }
  return made;
}

constexpr transformer_config read_bloom(const config_fields& in, const reference_defaults& defaults,
                                        std::string_view architecture) {
  block_shape s;
  make_classic(s);
  s.layers = in.layers(field::n_layer, field::num_hidden_layers);
  s.hidden = in.count_of(field::hidden_size, field::n_embed);
  s.heads = in.count_of(field::n_head, field::num_attention_heads);
  s.vocabulary = in.count(field::vocab_size);
  s.intermediate = 4 * s.hidden;
  s.activation = activation_function::gelu_tanh;
  s.tied = in.flag_or(field::tie_word_embeddings, defaults.tied);
  s.context = in.count_or(field::seq_length, 2048);
  check_shape(in, s, in.which(field::n_head, field::num_attention_heads), field::num_key_value_heads,
              in.which(field::hidden_size, field::n_embed));
  transformer_config made = make_decoder(architecture, s);
  made.embedding.norm = true;
  return made;
}

constexpr transformer_config read_gpt_neox(const config_fields& in, const reference_defaults& defaults,
                                           std::string_view architecture) {
  block_shape s = read_shape(in, defaults, false);
  make_classic(s);
  s.intermediate = in.count(field::intermediate_size);
  s.activation = activation_named(in, field::hidden_act, activation_function::gelu);
  s.rotary_fraction = in.share_or(field::rotary_pct, 0.25);
  s.parallel = in.flag_or(field::use_parallel_residual, true);
  const bool biased = in.flag_or(field::attention_bias, true);
  set_attention_biases(s, biased, biased);
  return finish(in, s, architecture);
}

constexpr transformer_config read_falcon(const config_fields& in, const reference_defaults& defaults,
                                         std::string_view architecture, std::string_view model_type) {
  block_shape s;
  make_classic(s);
  s.layers = in.layers(field::num_hidden_layers, field::n_layer);
  s.hidden = in.count(field::hidden_size);
  s.heads = in.count_of(field::num_attention_heads, field::n_head);
  s.vocabulary = in.count(field::vocab_size);
  s.intermediate = in.count_or(field::ffn_hidden_size, 4 * s.hidden);
  s.activation =
      activation_named(in, in.which(field::hidden_act, field::activation_function), activation_function::gelu);
  s.tied = in.flag_or(field::tie_word_embeddings, defaults.tied);
  s.context = in.count_or(field::max_position_embeddings, 2048);
  const bool alibi = in.flag_or(field::alibi, false);
  s.rotary_fraction = alibi ? 0 : 1;
  // The 40B's first files ("RefinedWeb") are of the new architecture without saying so.
  const bool newer = in.flag_or(field::new_decoder_architecture, model_type == "RefinedWeb");
  const field kv = in.which(field::num_kv_heads, field::n_head_kv);
  if (newer)
    s.kv_heads = in.count_or(kv, s.heads);
  else if (in.flag_or(field::multi_query, true))
    s.kv_heads = 1;
  const bool biased = in.flag_or(field::bias, false);
  set_attention_biases(s, biased, biased);
  s.feed_bias = biased;
  s.parallel = newer || in.flag_or(field::parallel_attn, true);
  const bool two_norms = newer ? in.count_or(field::num_ln_in_parallel_attn, 2) == 2 : !s.parallel;
  s.placement = two_norms ? norms::pre : norms::shared;
  check_shape(in, s, in.which(field::num_attention_heads, field::n_head), kv);
  return make_decoder(architecture, s);
}

constexpr transformer_config read_mpt(const config_fields& in, const reference_defaults& defaults,
                                      std::string_view architecture) {
  const config_fields attention = in.in(config_scope::attention);
  block_shape s;
  make_classic(s);
  s.layers = in.layers(field::n_layers);
  s.hidden = in.count(field::d_model);
  s.heads = in.count(field::n_heads);
  s.vocabulary = in.count(field::vocab_size);
  s.intermediate = in.count_or(field::expansion_ratio, 4) * s.hidden;
  s.tied = in.flag_or(field::tie_word_embeddings, defaults.tied);
  s.context = in.count_or(field::max_seq_len, 2048);
  const bool biased = !in.flag_or(field::no_bias, true);
  set_attention_biases(s, biased, biased);
  s.feed_bias = biased;
  s.norm = {.kind = norm_kind::layer, .weight = true, .bias = biased};
  if (!attention.flag_or(field::alibi, true) && in.flag_or(field::learned_pos_emb, true)) s.positions = s.context;
  // Norms on queries and keys, and other feed-forward layers than the plain one, are llm-foundry's to count.
  if (attention.flag_or(field::qk_ln, false)) attention.fail(config_problem::unknown, field::qk_ln);
  const config_fields feed = in.in(config_scope::feed_forward);
  if (feed.has(field::ffn_type) && !(feed.text(field::ffn_type) == "mptmlp"))
    feed.fail(config_problem::unknown, field::ffn_type);
  const json::slice kind = attention.text(field::attn_type);
  if (kind == "multiquery_attention") s.kv_heads = 1;
  if (kind == "grouped_query_attention") s.kv_heads = attention.count(field::kv_n_heads);
  check_shape(in, s, field::n_heads, field::attn_config, field::d_model);
  return make_decoder(architecture, s);
}

constexpr transformer_config read_dbrx(const config_fields& in, const reference_defaults& defaults,
                                       std::string_view architecture) {
  const config_fields attention = in.in(config_scope::attention), feed = in.in(config_scope::feed_forward);
  block_shape s;
  s.layers = in.layers(field::n_layers);
  s.hidden = in.count(field::d_model);
  s.heads = in.count(field::n_heads);
  s.vocabulary = in.count(field::vocab_size);
  s.tied = in.flag_or(field::tie_word_embeddings, defaults.tied);
  s.context = in.count_or(field::max_seq_len, 2048);
  s.norm = layer_norm_without_bias;
  s.kv_heads = attention.count_or(field::kv_n_heads, 1);
  s.experts = feed.count(field::moe_num_experts);
  s.experts_per_token = feed.count(field::moe_top_k);
  s.expert_intermediate = feed.count(field::ffn_hidden_size);
  s.sparse = layer_set::range(0, s.layers);
  check_shape(in, s, field::n_heads, field::attn_config, field::d_model);
  return make_decoder(architecture, s);
}

/// Qwen of the first generation: its intermediate_size is twice the width of each matrix.
constexpr transformer_config read_qwen(const config_fields& in, const reference_defaults& defaults,
                                       std::string_view architecture) {
  block_shape s = read_shape(in, defaults, false);
  s.head_dim = in.count_or(field::kv_channels, 0);
  const std::int64_t doubled = in.count(field::intermediate_size);
  if (doubled % 2 != 0) in.fail(config_problem::out_of_range, field::intermediate_size);
  s.intermediate = doubled / 2;
  const bool biased = !in.flag_or(field::no_bias, true);
  set_attention_biases(s, true, biased);
  s.feed_bias = biased;
  s.context = in.count_or(in.which(field::seq_length, field::max_position_embeddings), 8192);
  return finish(in, s, architecture);
}

constexpr transformer_config read_chatglm(const config_fields& in, const reference_defaults& defaults,
                                          std::string_view architecture) {
  block_shape s;
  s.layers = in.layers(field::num_layers, field::num_hidden_layers);
  s.hidden = in.count(field::hidden_size);
  s.heads = in.count(field::num_attention_heads);
  s.vocabulary = in.count_of(field::padded_vocab_size, field::vocab_size);
  s.intermediate = in.count(field::ffn_hidden_size);
  s.head_dim = in.count_or(field::kv_channels, 128);
  if (in.flag_or(field::multi_query_attention, false)) s.kv_heads = in.count_or(field::multi_query_group_num, 1);
  const bool linear_bias = in.flag_or(field::add_bias_linear, false);
  set_attention_biases(s, in.flag_or(field::add_qkv_bias, false) || linear_bias, linear_bias);
  s.feed_bias = linear_bias;
  s.tied = in.flag_or(field::tie_word_embeddings, defaults.tied);
  s.rotary_fraction = 0.5;
  s.context = in.count_or(field::seq_length, 2048);
  check_shape(in, s, field::num_attention_heads, field::multi_query_group_num);
  return make_decoder(architecture, s);
}

constexpr transformer_config read_mamba(const config_fields& in, const reference_defaults& defaults,
                                        std::string_view architecture) {
  block_shape s;
  s.layers = in.layers(field::num_hidden_layers, field::n_layer);
  s.hidden = in.count_of(field::hidden_size, field::d_model);
  s.vocabulary = in.count(field::vocab_size);
  s.tied = in.flag_or(field::tie_word_embeddings, defaults.tied);
  check_shape(in, s);
  transformer_config made = make_decoder(architecture, s);
  const std::int64_t inner = in.count_or(field::expand, 2) * s.hidden;
  const std::int64_t rank =
      in.find(field::time_step_rank) != nullptr && in.find(field::time_step_rank)->type == json::kind::string
          ? (s.hidden + 15) / 16
          : in.count_or(field::time_step_rank, (s.hidden + 15) / 16);
  if (in.has(field::intermediate_size) && in.count(field::intermediate_size) != inner)
    in.contradict(field::intermediate_size, in.count(field::intermediate_size), field::expand,
                  in.count_or(field::expand, 2));
  made.stack.recurrence = recurrent_kind::mamba;
  made.stack.recurrent = layer_set::range(0, s.layers);
  made.stack.has_feed_forward = false;
  made.stack.mamba = {.hidden = s.hidden,
                      .inner = inner,
                      .state = in.count_or(field::state_size, 16),
                      .kernel = in.count_or(field::conv_kernel, 4),
                      .step_rank = rank,
                      .projection_bias = in.flag_or(field::use_bias, false),
                      .convolution_bias = in.flag_or(field::use_conv_bias, true)};
  return made;
}

constexpr transformer_config read_jamba(const config_fields& in, const reference_defaults& defaults,
                                        std::string_view architecture) {
  block_shape s = read_shape(in, defaults, false);
  s.rotary_fraction = 0;
  s.intermediate = s.expert_intermediate = in.count(field::intermediate_size);
  s.experts = in.count_or(field::num_experts, 16);
  s.experts_per_token = in.count_or(field::num_experts_per_tok, 2);
  if (s.experts > 1)
    s.sparse = layer_set::every(in.count_or(field::expert_layer_period, 2),
                                in.count_or(field::expert_layer_offset, 1, 0), s.layers);
  transformer_config made = finish(in, s, architecture);
  const std::int64_t period = in.count_or(field::attn_layer_period, 8),
                     offset = in.count_or(field::attn_layer_offset, 4, 0);
  if (offset >= period) in.contradict(field::attn_layer_offset, offset, field::attn_layer_period, period);
  const std::int64_t sparse_period = in.count_or(field::expert_layer_period, 2);
  if (const std::int64_t first = in.count_or(field::expert_layer_offset, 1, 0); first >= sparse_period)
    in.contradict(field::expert_layer_offset, first, field::expert_layer_period, sparse_period);
  const layer_set attending = layer_set::every(period, offset, s.layers);
  made.stack.recurrence = recurrent_kind::mamba;
  made.stack.recurrent = layer_set::range(0, s.layers) - attending;
  const bool automatic =
      in.find(field::mamba_dt_rank) != nullptr && in.find(field::mamba_dt_rank)->type == json::kind::string;
  made.stack.mamba = {
      .hidden = s.hidden,
      .inner = in.count_or(field::mamba_expand, 2) * s.hidden,
      .state = in.count_or(field::mamba_d_state, 16),
      .kernel = in.count_or(field::mamba_d_conv, 4),
      .step_rank = automatic ? (s.hidden + 15) / 16 : in.count_or(field::mamba_dt_rank, (s.hidden + 15) / 16),
      .projection_bias = in.flag_or(field::mamba_proj_bias, false),
      .convolution_bias = in.flag_or(field::mamba_conv_bias, true),
      .inner_norms = true};
  return made;
}

constexpr transformer_config read_minimax_text(const config_fields& in, const reference_defaults& defaults,
                                               std::string_view architecture) {
  block_shape s = read_shape(in, defaults, false);
  s.experts = in.count(field::num_local_experts);
  s.experts_per_token = in.count(field::num_experts_per_tok);
  s.expert_intermediate = s.intermediate = in.count(field::intermediate_size);
  s.shared_intermediate = in.count_or(field::shared_intermediate_size, 0, 0);
  s.sparse = layer_set::range(0, s.layers);
  s.rotary_fraction = read_rotary_dim(in, s.head_dim > 0 ? s.head_dim : s.hidden / s.heads, 64);
  transformer_config made = finish(in, s, architecture);
  // The first files list 0 for lightning and 1 for full attention; transformers' own class names each layer.
  layer_set lightning;
  const field list = in.which(field::attn_type_list, field::layer_types);
  const std::int64_t named = in.each(list, [&](const json::value& v, std::int64_t i) {
    const bool number = v.type == json::kind::integer;
    if (number ? v.integer == 0 : v.text == "linear_attention") {
      if (i < layer_set::capacity) lightning.insert(i);
    } else if (number ? v.integer != 1 : !(v.text == "full_attention")) {
      in.fail(config_problem::unknown, list, v.text);
    }
  });
  if (named != s.layers) in.contradict(list, named, field::num_hidden_layers, s.layers);
  made.stack.recurrence = recurrent_kind::lightning;
  made.stack.recurrent = lightning;
  made.stack.lightning = {.hidden = s.hidden, .heads = s.heads, .head_dim = made.stack.attention.head_dim};
  return made;
}

/// Llama-4's sparse layers one by one.
constexpr layer_set read_moe_layers(const config_fields& in, std::int64_t layers) {
  layer_set sparse;
  in.each(field::moe_layers, [&](const json::value& v, std::int64_t) {
    const json::exact_integer layer = json::as_integer(v);
    if (!layer.ok || layer.value < 0 || layer.value >= layers)
      in.fail(config_problem::out_of_range, field::moe_layers, v.text);
    else
      sparse.insert(layer.value);
  });
  return sparse;
}

/// Llama-4's no_rope_layers: 1 a layer that turns its queries and sees its chunk alone, 0 one that sees everything. An
/// empty list means the default.
constexpr bool read_chunked_layers(const config_fields& in, block_shape& s) {
  layer_set chunked;
  const std::int64_t named = in.each(field::no_rope_layers, [&](const json::value& v, std::int64_t i) {
    if (v.integer != 0 && i < layer_set::capacity) chunked.insert(i);
  });
  if (named == 0) return false;
  if (named != s.layers) in.contradict(field::no_rope_layers, named, field::num_hidden_layers, s.layers);
  s.windowed = chunked;
  return true;
}

/// Every decoder that is LLaMA's with some of its habits changed. What the families differ in, and nothing else, stands
/// in the switch.
constexpr block_shape read_llama_like(const config_fields& in, const reference_defaults& defaults,
                                      bool nested = false) {
  block_shape s = read_shape(in, defaults, nested);
  const auto dense = [&] {
    s.intermediate =
        nested ? in.count_or(field::intermediate_size, defaults.intermediate) : in.count(field::intermediate_size);
  };
  const bool attention_bias = in.flag_or(field::attention_bias, defaults.attention_bias);
  const layer_set all = layer_set::range(0, s.layers);
  set_attention_biases(s, attention_bias, attention_bias);
  switch (defaults.family) {
    case model_family::llama:
    case model_family::granite:
    case model_family::smollm3:
      dense();
      s.feed_bias = in.flag_or(field::mlp_bias, false);
      break;
    case model_family::mistral:
    case model_family::phi3:
      dense();
      if (s.window > 0) s.windowed = all;
      break;
    case model_family::qwen2:
    case model_family::qwen3:
      dense();
      if (defaults.family == model_family::qwen2) {
        set_attention_biases(s, true, false);
      } else {
        s.query_key_norm = qk_norm::per_head;
      }
      if (!in.flag_or(field::use_sliding_window, false)) {
        s.window = 0;
      } else if (!read_layer_types(in, s)) {
        s.windowed = layer_set::range(in.count_or(field::max_window_layers, 28, 0), s.layers);
      }
      break;
    case model_family::internlm:
      dense();
      set_attention_biases(s, in.flag_or(field::bias, defaults.attention_bias),
                           in.flag_or(field::bias, defaults.attention_bias));
      break;
    case model_family::baichuan:
      dense();
      // The 13B models have ALiBi, and their files name no positions but the tokenizer's.
      if (!in.has(field::max_position_embeddings) && in.has(field::model_max_length)) {
        s.rotary_fraction = 0;
        s.context = in.count(field::model_max_length);
      }
      break;
    case model_family::gemma:
      dense();
      break;
    case model_family::gemma2:
      dense();
      s.placement = norms::sandwich;
      if (!read_layer_types(in, s)) s.windowed = layer_set::every(2, 0, s.layers);
      break;
    case model_family::gemma3:
      dense();
      s.placement = norms::sandwich;
      s.query_key_norm = qk_norm::per_head;
      if (!read_layer_types(in, s))
        s.windowed = all - every_last_of(in.count_or(field::sliding_window_pattern, 6), s.layers);
      break;
    case model_family::phi:
      dense();
      make_classic(s);
      s.activation = activation_named(in, field::hidden_act, activation_function::gelu_tanh);
      s.rotary_fraction = in.share_or(field::partial_rotary_factor, 0.5);
      s.parallel = true;
      s.placement = norms::shared;
      s.head_bias = true;
      if (in.flag_or(field::qk_layernorm, false)) {
        s.query_key_norm = qk_norm::per_head;
        s.query_key_norm_kind = norm_kind::layer;
        s.query_key_norm_bias = true;
      }
      break;
    case model_family::stablelm:
      dense();
      s.norm = layer_norm;
      set_attention_biases(s, in.flag_or(field::use_qkv_bias, false), false);
      if (in.flag_or(field::use_parallel_residual, false)) {
        s.parallel = true;
        s.placement = norms::shared;
      }
      if (in.flag_or(field::qk_layernorm, false)) {
        s.query_key_norm = qk_norm::every_head;
        s.query_key_norm_kind = norm_kind::layer;
      }
      break;
    case model_family::cohere:
    case model_family::cohere2:
      dense();
      s.norm = layer_norm_without_bias;
      s.parallel = true;
      s.placement = norms::shared;
      if (in.flag_or(field::use_qk_norm, false)) {
        s.query_key_norm = qk_norm::every_head;
        s.query_key_norm_kind = norm_kind::layer;
      }
      if (defaults.family == model_family::cohere2 && !read_layer_types(in, s))
        s.windowed = all - every_last_of(in.count_or(field::sliding_window_pattern, 4), s.layers);
      break;
    case model_family::starcoder2: {
      dense();
      const bool biased = in.flag_or(field::use_bias, true);
      s.norm = layer_norm;
      s.gated = false;
      s.feed_bias = biased;
      set_attention_biases(s, biased, biased);
      if (s.window > 0) s.windowed = all;
      break;
    }
    case model_family::nemotron:
      dense();
      s.norm = layer_norm;
      s.gated = false;
      s.feed_bias = in.flag_or(field::mlp_bias, false);
      break;
    case model_family::olmo:
      dense();
      s.norm = {.kind = norm_kind::layer, .weight = false, .bias = false};
      break;
    case model_family::olmo2:
      dense();
      s.placement = norms::post;
      s.query_key_norm = qk_norm::per_projection;
      if (s.window > 0 && !read_layer_types(in, s)) s.windowed = all - every_last_of(4, s.layers);  // Olmo3Config
      break;
    case model_family::olmoe:
      s.query_key_norm = qk_norm::per_projection;
      s.experts = in.count(field::num_experts);
      s.experts_per_token = in.count(field::num_experts_per_tok);
      s.expert_intermediate = s.intermediate = in.count(field::intermediate_size);
      s.sparse = all;
      break;
    case model_family::mixtral:
    case model_family::phimoe:
    case model_family::granitemoe:
    case model_family::grok1:
    case model_family::minimax_m2:
      s.experts = in.count_of(field::num_local_experts, field::num_experts);
      s.experts_per_token = in.count(field::num_experts_per_tok);
      s.expert_intermediate = s.intermediate = in.count(field::intermediate_size);
      s.sparse = all;
      if (defaults.family == model_family::phimoe) {
        s.norm = layer_norm;
        s.head_bias = in.flag_or(field::lm_head_bias, false);
      }
      if (defaults.family == model_family::grok1) s.placement = norms::sandwich;
      if (defaults.family == model_family::minimax_m2) {
        if (in.flag_or(field::use_qk_norm, true)) s.query_key_norm = qk_norm::per_projection;
        s.correction_bias = in.flag_or(field::use_routing_bias, true);
        if (in.has(field::rotary_dim))
          s.rotary_fraction = read_rotary_dim(in, s.head_dim > 0 ? s.head_dim : s.hidden / s.heads, 64);
        s.shared_intermediate = in.count_or(field::shared_intermediate_size, 0, 0);
      }
      if (s.window > 0) s.windowed = all;
      break;
    case model_family::qwen2_moe:
    case model_family::qwen3_moe:
      dense();
      s.experts = in.count(field::num_experts);
      s.experts_per_token = in.count(field::num_experts_per_tok);
      s.expert_intermediate = in.count(field::moe_intermediate_size);
      s.sparse = read_sparse_steps(in, s.layers);
      if (defaults.family == model_family::qwen2_moe) {
        set_attention_biases(s, in.flag_or(field::qkv_bias, true), false);
        s.shared_intermediate = in.count(field::shared_expert_intermediate_size);
        s.shared_gate = true;
      } else {
        s.query_key_norm = qk_norm::per_head;
      }
      if (!in.flag_or(field::use_sliding_window, false))
        s.window = 0;
      else
        s.windowed = layer_set::range(in.count_or(field::max_window_layers, 28, 0), s.layers);
      break;
    case model_family::deepseek:
      dense();
      read_routed_experts(in, s, 0);
      break;
    case model_family::deepseek_v2:
    case model_family::deepseek_v3:
      dense();
      read_routed_experts(in, s, defaults.family == model_family::deepseek_v3 ? 3 : 0);
      read_latent_attention(in, s);
      s.correction_bias = defaults.family == model_family::deepseek_v3;
      break;
    case model_family::dots1:
      dense();
      read_routed_experts(in, s, 0);
      s.query_key_norm = qk_norm::per_head;
      s.correction_bias = true;
      break;
    case model_family::glm4_moe:
      dense();
      read_routed_experts(in, s, 1);
      set_attention_biases(s, attention_bias, false);
      if (in.flag_or(field::use_qk_norm, false)) s.query_key_norm = qk_norm::per_head;
      s.correction_bias = true;
      break;
    case model_family::ernie4_5_moe: {
      dense();
      const bool biased = in.flag_or(field::use_bias, false);
      set_attention_biases(s, biased, biased);
      s.feed_bias = s.expert_bias = biased;
      s.experts = in.count(field::moe_num_experts);
      s.experts_per_token = in.count(field::moe_k);
      s.expert_intermediate = in.count(field::moe_intermediate_size);
      s.shared_intermediate = in.count_or(field::moe_num_shared_experts, 0, 0) * s.expert_intermediate;
      s.correction_bias = true;
      const std::int64_t first = in.count_or(field::moe_layer_start_index, 1, 0);
      const std::int64_t end = in.count_or(field::moe_layer_end_index, -1, -1);
      const std::int64_t last = end < 0 ? s.layers : end + 1;
      // A layer is sparse where its number from 1 is a multiple of the interval (Ernie4_5_MoeDecoderLayer).
      const std::int64_t step = in.count_or(field::moe_layer_interval, 1);
      s.sparse = layer_set::range(first, last) & layer_set::every(step, step - 1, s.layers);
      break;
    }
    case model_family::gpt_oss: {
      s.experts = in.count_of(field::num_local_experts, field::num_experts);
      s.experts_per_token = in.count_of(field::num_experts_per_tok, field::experts_per_token);
      s.expert_intermediate = s.intermediate = in.count(field::intermediate_size);
      s.expert_bias = s.router_bias = true;
      s.sinks = true;
      s.sparse = all;
      if (!read_layer_types(in, s)) s.windowed = layer_set::every(2, 0, s.layers);
      break;
    }
    case model_family::llama4: {
      s.intermediate = in.count_or(field::intermediate_size_mlp, 16384);
      s.experts = in.count_or(field::num_local_experts, 16);
      s.experts_per_token = in.count_or(field::num_experts_per_tok, 1);
      s.expert_intermediate = s.shared_intermediate = in.count_or(field::intermediate_size, 8192);
      const std::int64_t step = in.count_or(field::interleave_moe_layer_step, 1);
      s.sparse = layer_set::every(step, step - 1, s.layers);
      if (in.has(field::moe_layers)) s.sparse = read_moe_layers(in, s.layers);
      if (in.flag_or(field::use_qk_norm, true)) s.query_key_norm = qk_norm::weightless;
      // Every fourth layer has no rotary positions and sees everything; the others see their own chunk.
      s.span = attention_span::chunked;
      s.window = in.count_or(field::attention_chunk_size, 8192);
      if (!read_layer_types(in, s) && !read_chunked_layers(in, s))
        s.windowed = all - every_last_of(in.count_or(field::no_rope_layer_interval, 4), s.layers);
      break;
    }
    default:
      break;
  }
  if (s.windowed.empty()) s.window = 0;
  check_shape(in, s);
  return s;
}

// Encoders, encoder-decoders, towers
// ---------------------------------------------------------------------------------------

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

/// BERT, RoBERTa, XLM-RoBERTa and DistilBERT; the class decides what stands on top.
constexpr transformer_config read_bert(const config_fields& in, const reference_defaults& defaults,
                                       std::string_view architecture, head_class head) {
  const bool distilled = defaults.family == model_family::distilbert;
  block_shape s = distilled ? encoder_shape(in.layers(field::n_layers, field::num_hidden_layers),
                                            in.count_of(field::dim, field::hidden_size),
                                            in.count_of(field::n_heads, field::num_attention_heads),
                                            in.count(field::hidden_dim), norms::post, false)
                            : encoder_shape(in.layers(field::num_hidden_layers), in.count(field::hidden_size),
                                            in.count(field::num_attention_heads), in.count(field::intermediate_size),
                                            norms::post, false);
  s.activation =
      activation_named(in, distilled ? field::activation_function : field::hidden_act, activation_function::gelu);
  s.vocabulary = in.count(field::vocab_size);
  s.dropout = in.share_or(in.which(field::hidden_dropout_prob, field::dropout), defaults.dropout) > 0;
  s.context = in.count_or(field::max_position_embeddings, 512);
  check_shape(in, s, distilled ? field::n_heads : field::num_attention_heads, field::num_key_value_heads,
              distilled ? field::dim : field::hidden_size);
  transformer_config made{.architecture = architecture, .stack = make_stack(s), .context = s.context};
  made.embedding = {.vocabulary = s.vocabulary,
                    .width = s.hidden,
                    .positions = s.context,
                    .token_types = distilled ? 0 : in.count_or(field::type_vocab_size, 2),
                    .norm = true};
  // Relative positions have tables of their own, and a decoder has a mask and a cache.
  if (in.has(field::position_embedding_type) && !(in.text(field::position_embedding_type) == "absolute"))
    in.fail(config_problem::unknown, field::position_embedding_type);
  if (in.flag_or(field::is_decoder, false)) in.fail(config_problem::unknown, field::is_decoder);
  const bool roberta = defaults.family == model_family::roberta;
  const std::int64_t labels = read_label_count(in);
  switch (head) {
    case head_class::model:
      made.head = {.pooler = !distilled};
      break;
    case head_class::masked_language:
      made.head = {.transform = true,
                   .outputs = s.vocabulary,
                   .tied = in.flag_or(field::tie_word_embeddings, true),
                   .bias = true};
      break;
    case head_class::pretraining:
      if (roberta || distilled) in.fail(config_problem::unknown, field::architectures);
      made.head = {.pooler = true,
                   .transform = true,
                   .outputs = s.vocabulary,
                   .tied = in.flag_or(field::tie_word_embeddings, true),
                   .bias = true,
                   .sequence_labels = 2};
      break;
    // The dense layer in front of RoBERTa's and DistilBERT's labels has a pooler's shape.
    case head_class::sequence_labels:
      made.head = {.pooler = true, .outputs = labels, .bias = true, .on_sequence = true};
      break;
    case head_class::token_labels:
      made.head = {.outputs = labels, .bias = true};
      break;
    case head_class::question_answering:
      made.head = {.outputs = 2, .bias = true};
      break;
    default:
      in.fail(config_problem::unknown, field::architectures);
  }
  return made;
}

constexpr transformer_config read_t5(const config_fields& in, const reference_defaults& defaults,
                                     std::string_view architecture, head_class head) {
  block_shape s;
  s.layers = in.layers(field::num_layers);
  s.hidden = in.count(field::d_model);
  s.heads = in.count(field::num_heads);
  s.head_dim = in.count(field::d_kv);
  s.intermediate = in.count(field::d_ff);
  s.vocabulary = in.count(field::vocab_size);
  s.rotary_fraction = 0;
  s.causal = false;
  s.context = in.count_or(field::n_positions, 512);
  const json::slice kind = in.text(field::feed_forward_proj);
  s.gated =
      kind == "gated-gelu" || kind == "gated-silu" || kind == "gated-relu" || (kind.raw.empty() && defaults.gated);
  s.activation = kind == "gated-gelu"   ? activation_function::gelu_tanh
                 : kind == "gated-silu" ? activation_function::silu
                 : kind == "gelu"
                     ? activation_function::gelu
                     : (s.gated && kind.raw.empty() ? activation_function::gelu_tanh : activation_function::relu);
  if (!kind.raw.empty() && !s.gated && !(kind == "relu") && !(kind == "gelu"))
    in.fail(config_problem::unknown, field::feed_forward_proj);
  s.dropout = in.share_or(field::dropout_rate, defaults.dropout) > 0;
  check_shape(in, s, field::num_heads, field::num_heads, field::d_model);
  const std::int64_t buckets = in.count_or(field::relative_attention_num_buckets, 32);
  transformer_config made{.architecture = architecture, .context = s.context};
  made.embedding = {.vocabulary = s.vocabulary, .width = s.hidden};
  stack encoder = make_stack(s);
  encoder.relative_positions = buckets;
  if (head == head_class::encoder) {
    made.stack = encoder;
    return made;
  }
  made.encoder = encoder;
  s.layers = in.limited_layers(in.count_or(field::num_decoder_layers, s.layers), field::num_decoder_layers);
  s.causal = true;
  made.stack = make_stack(s);
  made.stack.relative_positions = buckets;
  made.stack.cross_attention = true;
  made.stack.cross = made.stack.attention;
  made.stack.cross.source_hidden = s.hidden;
  if (head == head_class::conditional_generation)
    made.head = {.outputs = s.vocabulary, .tied = in.flag_or(field::tie_word_embeddings, defaults.tied)};
  else if (head != head_class::model)
    in.fail(config_problem::unknown, field::architectures);
  return made;
}

/// BART and Whisper name both stacks' dimensions one by one.
constexpr transformer_config read_bart_like(const config_fields& in, const reference_defaults& defaults,
                                            std::string_view architecture, head_class head) {
  const bool whisper = defaults.family == model_family::whisper;
  const std::int64_t hidden = in.count(field::d_model);
  const norm_placement placement = whisper ? norms::pre : norms::post;
  block_shape s = encoder_shape(in.layers(field::encoder_layers), hidden, in.count(field::encoder_attention_heads),
                                in.count(field::encoder_ffn_dim), placement, whisper);
  s.activation = activation_named(in, field::activation_function, activation_function::gelu);
  s.key_bias = !whisper;
  s.dropout = in.share_or(field::dropout, defaults.dropout) > 0;
  check_shape(in, s, field::encoder_attention_heads, field::encoder_attention_heads, field::d_model);
  transformer_config made{.architecture = architecture};
  made.encoder = make_stack(s);
  s.layers = in.layers(field::decoder_layers);
  s.heads = in.count(field::decoder_attention_heads);
  s.intermediate = in.count(field::decoder_ffn_dim);
  s.causal = true;
  s.vocabulary = in.count(field::vocab_size);
  check_shape(in, s, field::decoder_attention_heads, field::decoder_attention_heads, field::d_model);
  made.stack = make_stack(s);
  made.stack.cross_attention = true;
  made.stack.cross = made.stack.attention;
  made.stack.cross.source_hidden = hidden;
  if (whisper) {
    const std::int64_t frames = in.count_or(field::max_source_positions, 1500);
    made.context = in.count_or(field::max_target_positions, 448);
    made.encoder_positions = frames;
    made.embedding = {.vocabulary = s.vocabulary, .width = hidden, .positions = made.context};
    made.encoder_embedding = {.width = hidden, .positions = frames, .learned_positions = false};  // sinusoids, stored
    made.audio_in = {.in = in.count_or(field::num_mel_bins, 80), .out = hidden, .input_grad = false};
    made.audio_down = {.in = hidden, .out = hidden};
  } else {
    made.context = in.count_or(field::max_position_embeddings, 1024);
    made.embedding = {.vocabulary = s.vocabulary,
                      .width = hidden,
                      .positions = made.context + 2,
                      .norm = true};  // two rows of offset
    made.encoder_embedding = {.width = hidden, .positions = made.context + 2, .norm = true};
  }
  if (head == head_class::conditional_generation)
    made.head = {.outputs = s.vocabulary, .tied = in.flag_or(field::tie_word_embeddings, defaults.tied)};
  else if (head != head_class::model)
    in.fail(config_problem::unknown, field::architectures);
  return made;
}

struct vision_defaults {
  std::int64_t hidden, intermediate, layers, heads, image, patch;
};

/// The tower of ViT, CLIP, SigLIP and Llama-4: patches, positions, classic blocks.
constexpr vision_tower read_tower(const config_fields& in, vision_defaults d, bool nested,
                                  activation_function activation) {
  const auto size = [&](field f, std::int64_t fallback) { return nested ? in.count_or(f, fallback) : in.count(f); };
  block_shape s = encoder_shape(in.limited_layers(size(field::num_hidden_layers, d.layers), field::num_hidden_layers),
                                size(field::hidden_size, d.hidden), size(field::num_attention_heads, d.heads),
                                size(field::intermediate_size, d.intermediate), norms::pre, true);
  s.activation = activation_named(in, field::hidden_act, activation);
  set_attention_biases(s, in.flag_or(field::qkv_bias, true), true);
  check_shape(in, s);
  // An image has two sides, so that their squares must be countable.
  const auto side = [&](field f, std::int64_t fallback) {
    if (!nested && !in.has(f)) return size(f, fallback);
    return in.count_or(f, fallback, 1, 65536);
  };
  vision_tower tower{.patches = {.image_size = side(field::image_size, d.image),
                                 .patch_size = side(field::patch_size, d.patch),
                                 .channels = in.count_or(field::num_channels, 3, 1, 4096),
                                 .hidden = s.hidden},
                     .class_token = true,
                     .stack = make_stack(s)};
  if (tower.patches.patch_size > tower.patches.image_size)
    in.contradict(field::patch_size, tower.patches.patch_size, field::image_size, tower.patches.image_size);
  if (!in.failed() && tower.patches.image_size % tower.patches.patch_size != 0 && nested)
    tower.patches.image_size -= tower.patches.image_size % tower.patches.patch_size;  // the convolution drops the rest
  return tower;
}

constexpr transformer_config read_vit(const config_fields& in, std::string_view architecture, head_class head) {
  transformer_config made{.architecture = architecture};
  made.vision = read_tower(in, {}, false, activation_function::gelu);
  made.vision_only = true;
  if (head == head_class::model)
    made.head = {.pooler = true};
  else if (head == head_class::image_labels)
    made.head = {.outputs = read_label_count(in), .bias = true, .on_sequence = true};
  else
    in.fail(config_problem::unknown, field::architectures);
  return made;
}

constexpr transformer_config read_clip(const config_fields& in, std::string_view architecture) {
  const config_fields text = in.in(config_scope::text), vision = in.in(config_scope::vision);
  if (!text.present()) in.fail(config_problem::missing, field::text_config);
  if (!vision.present()) in.fail(config_problem::missing, field::vision_config);
  // Defaults of CLIPTextConfig and CLIPVisionConfig.
  block_shape s =
      encoder_shape(text.limited_layers(text.count_or(field::num_hidden_layers, 12), field::num_hidden_layers),
                    text.count_or(field::hidden_size, 512), text.count_or(field::num_attention_heads, 8),
                    text.count_or(field::intermediate_size, 2048), norms::pre, true);
  s.activation = activation_named(text, field::hidden_act, activation_function::quick_gelu);
  s.vocabulary = text.count_or(field::vocab_size, 49408);
  s.context = text.count_or(field::max_position_embeddings, 77);
  check_shape(text, s);
  const std::int64_t projected = in.count_or(field::projection_dim, 512);
  transformer_config made{.architecture = architecture, .stack = make_stack(s), .context = s.context};
  made.stack.attention.bidirectional = false;  // CLIP's text tower is causal, though nothing is generated
  made.embedding = {.vocabulary = s.vocabulary, .width = s.hidden, .positions = s.context};
  made.head = {.projected = projected};
  made.logit_scale = true;
  made.vision =
      read_tower(vision, {.hidden = 768, .intermediate = 3072, .layers = 12, .heads = 12, .image = 224, .patch = 32},
                 true, activation_function::quick_gelu);
  made.vision.patches.bias = false;
  made.vision.pre_norm = true;
  made.vision.projector = projected;
  made.vision.tokens_per_image = 1;
  return made;
}

constexpr transformer_config read_gemma3(const config_fields& in, const reference_defaults& defaults,
                                         std::string_view architecture) {
  const config_fields text = in.in(config_scope::text), vision = in.in(config_scope::vision);
  if (!text.present()) in.fail(config_problem::missing, field::text_config);
  block_shape s = read_llama_like(text, defaults, true);
  s.tied = in.flag_or(field::tie_word_embeddings, defaults.tied);
  transformer_config made = make_decoder(architecture, s);
  if (!vision.present()) return made;
  made.vision =
      read_tower(vision, {.hidden = 768, .intermediate = 3072, .layers = 12, .heads = 12, .image = 224, .patch = 16},
                 true, activation_function::gelu_tanh);
  made.vision.class_token = false;
  made.vision.soft_norm = true;
  made.vision.projector = s.hidden;
  made.vision.tokens_per_image = in.count_or(field::mm_tokens_per_image, 256);
  return made;
}

constexpr transformer_config read_llama4(const config_fields& in, const reference_defaults& defaults,
                                         std::string_view architecture) {
  const config_fields text = in.in(config_scope::text), vision = in.in(config_scope::vision);
  if (!text.present()) in.fail(config_problem::missing, field::text_config);
  block_shape s = read_llama_like(text, defaults, true);
  s.tied = in.flag_or(field::tie_word_embeddings, s.tied);
  transformer_config made = make_decoder(architecture, s);
  if (!vision.present()) return made;
  // Defaults of Llama4VisionConfig.
  made.vision =
      read_tower(vision, {.hidden = 768, .intermediate = 5632, .layers = 34, .heads = 16, .image = 448, .patch = 14},
                 true, activation_function::gelu);
  made.vision.patches.bias = false;
  made.vision.pre_norm = true;
  const double ratio = vision.share_or(field::pixel_shuffle_ratio, 0.5, 1.0 / 64);
  const double shuffled = static_cast<double>(made.vision.stack.hidden) / (ratio * ratio);
  made.vision.adapter_in = static_cast<std::int64_t>(shuffled);
  made.vision.adapter_hidden = vision.count_or(field::projector_input_dim, 4096);
  made.vision.adapter_out = vision.count_or(field::projector_output_dim, 4096);
  made.vision.projector = s.hidden;
  made.vision.tokens_per_image =
      static_cast<std::int64_t>(static_cast<double>(made.vision.patches.patches()) * ratio * ratio);
  return made;
}

// Which family, which head
// -------------------------------------------------------------------------------------------------

struct identified {
  const reference_defaults* defaults = nullptr;
  head_class head = head_class::causal_language;
  std::string_view architecture{};
  std::string_view model_type{};
};

/// The family is named by model_type, by the class in `architectures`, or by both if they agree.
constexpr identified identify(const config_fields& in) {
  identified found;
  found.model_type = in.text(field::model_type).raw;
  const reference_defaults* by_type = found.model_type.empty() ? nullptr : defaults_of_model_type(found.model_type);
  in.each(field::architectures, [&](const json::value& v, std::int64_t i) {
    if (i == 0) found.architecture = v.text.raw;
  });
  const class_name by_class = found.architecture.empty() ? class_name{} : class_named(found.architecture);
  if (by_type == nullptr && by_class.defaults == nullptr) {
    if (found.model_type.empty() && found.architecture.empty())
      in.fail(config_problem::missing, field::model_type);
    else
      found.model_type.empty() ? in.fail(config_problem::unknown, field::architectures, {found.architecture})
                               : in.fail(config_problem::unknown, field::model_type);
    return found;
  }
  if (by_type != nullptr && by_class.defaults != nullptr && by_type->family != by_class.defaults->family) {
    in.contradict(field::architectures, 0, field::model_type, 0);
    return found;
  }
  found.defaults = by_type != nullptr ? by_type : by_class.defaults;
  found.head = by_class.defaults != nullptr ? by_class.head : found.defaults->head;
  // A class of somebody's own over a known type: taken for a language model only where its name says so.
  if (by_class.defaults == nullptr && !found.architecture.empty() && !found.architecture.ends_with("ForCausalLM") &&
      found.architecture.find("LMHeadModel") == std::string_view::npos)
    in.fail(config_problem::unknown, field::architectures, {found.architecture});
  return found;
}

constexpr bool is_decoder(model_family family) { return family < model_family::bert; }

/// What a wrapper and its text_config both say must be the same, and a tower that nothing here reads is refused.
constexpr void check_wrapper(const config_fields& in, const reference_defaults& defaults) {
  const config_fields text = in.in(config_scope::text);
  const bool reads_images = defaults.family == model_family::gemma3 || defaults.family == model_family::llama4;
  if (in.in(config_scope::vision).present() && !reads_images) in.fail(config_problem::unknown, field::vision_config);
  if (!text.present()) return;
  if (const json::slice inner = text.text(field::model_type); !inner.raw.empty()) {
    const reference_defaults* named = defaults_of_model_type(inner.raw);
    if (named == nullptr || named->family != defaults.family) text.fail(config_problem::unknown, field::model_type);
  }
  for (const field f : {field::hidden_size, field::num_hidden_layers, field::num_attention_heads,
                        field::num_key_value_heads, field::intermediate_size, field::vocab_size})
    if (in.has(f) && text.has(f) && in.count(f) != text.count(f))
      in.contradict(f, in.count(f), field::text_config, text.count(f));
}

/// Puts the head that the class names on a decoder.
constexpr void set_decoder_head(const config_fields& in, const identified& model, transformer_config& config) {
  switch (model.head) {
    case head_class::causal_language:
    case head_class::conditional_generation:
      break;
    case head_class::model:
      // ChatGLM's own class has the head although its name does not say so.
      if (model.defaults->family != model_family::chatglm) config.head = {};
      break;
    case head_class::sequence_labels:
      config.head = {.outputs = read_label_count(in), .on_sequence = true};
      break;
    case head_class::token_labels:
      config.head = {.outputs = read_label_count(in), .bias = true};
      break;
    default:
      in.fail(config_problem::unknown, field::architectures);
  }
}

constexpr transformer_config read_family(const config_fields& in, const identified& model) {
  const reference_defaults& defaults = *model.defaults;
  switch (defaults.family) {
    case model_family::gpt2:
    case model_family::gptj:
    case model_family::gpt_bigcode:
      return read_gpt2(in, defaults, model.architecture);
    case model_family::gpt_neo:
      return read_gpt_neo(in, defaults, model.architecture);
    case model_family::gpt_neox:
      return read_gpt_neox(in, defaults, model.architecture);
    case model_family::opt:
      return read_opt(in, defaults, model.architecture);
    case model_family::bloom:
      return read_bloom(in, defaults, model.architecture);
    case model_family::falcon:
      return read_falcon(in, defaults, model.architecture, model.model_type);
    case model_family::mpt:
      return read_mpt(in, defaults, model.architecture);
    case model_family::dbrx:
      return read_dbrx(in, defaults, model.architecture);
    case model_family::qwen:
      return read_qwen(in, defaults, model.architecture);
    case model_family::chatglm:
      return read_chatglm(in, defaults, model.architecture);
    case model_family::mamba:
      return read_mamba(in, defaults, model.architecture);
    case model_family::jamba:
      return read_jamba(in, defaults, model.architecture);
    case model_family::minimax_text:
      return read_minimax_text(in, defaults, model.architecture);
    case model_family::bert:
    case model_family::roberta:
    case model_family::distilbert:
      return read_bert(in, defaults, model.architecture, model.head);
    case model_family::t5:
      return read_t5(in, defaults, model.architecture, model.head);
    case model_family::bart:
    case model_family::whisper:
      return read_bart_like(in, defaults, model.architecture, model.head);
    case model_family::vit:
      return read_vit(in, model.architecture, model.head);
    case model_family::clip:
      return read_clip(in, model.architecture);
    case model_family::gemma3:
      if (in.in(config_scope::text).present() || model.model_type == "gemma3")
        return read_gemma3(in, defaults, model.architecture);
      break;
    case model_family::llama4:
      if (in.in(config_scope::text).present() || model.model_type == "llama4")
        return read_llama4(in, defaults, model.architecture);
      break;
    default:
      break;
  }
  // A language model wrapped in a file of its own text_config is that language model.
  const config_fields text = in.in(config_scope::text).present() ? in.in(config_scope::text) : in;
  block_shape s = read_llama_like(text, defaults);
  if (text.present() && !text.has(field::tie_word_embeddings))
    s.tied = in.flag_or(field::tie_word_embeddings, defaults.tied);
  return make_decoder(model.architecture, s);
}

/// The reference implementations turn int(share · head_dim) dimensions.
constexpr void make_rotary_whole(stack& blocks) {
  double& turned = blocks.attention.rotary_dims;
  turned = static_cast<double>(static_cast<std::int64_t>(turned + 1e-9));
}

constexpr number_format read_dtype(const config_fields& in) {
  const config_fields text = in.in(config_scope::text);
  const field named = in.which(field::torch_dtype, field::dtype);
  for (const config_fields& scope : {in, text})
    if (const json::slice one = scope.text(field::torch_dtype), other = scope.text(field::dtype);
        !one.raw.empty() && !other.raw.empty() && one.raw != other.raw)
      scope.contradict(field::torch_dtype, 0, field::dtype, 0);
  const json::slice name = in.has(named) ? in.text(named) : text.text(text.which(field::torch_dtype, field::dtype));
  if (name == "bfloat16") return bf16::format;
  if (name == "float16" || name == "half") return fp16::format;
  // The reference implementation loads what says nothing as float32.
  if (name.raw.empty() || name == "float32" || name == "float") return fp32::format;
  if (name == "float64") return fp64::format;
  if (name == "float8_e4m3fn") return fp8_e4m3::format;
  in.fail(config_problem::unknown, named);
  return fp32::format;
}

constexpr bool mentions(std::string_view text, auto... parts) {
  return ((text.find(parts) != std::string_view::npos) || ...);
}

/// Modules that a method leaves alone. Norms, tables, routers and heads it leaves anyway, and towers as a whole; a
/// matrix of a block that is left alone would need an account of its own, so it is refused.
constexpr void read_unconverted(const config_fields& in, field f, weight_storage& storage) {
  in.each(f, [&](const json::value& v, std::int64_t) {
    const std::string_view name = v.text.raw, last = name.substr(name.rfind('.') + 1);
    if (mentions(name, "vision", "visual", "multi_modal_projector", "mm_projector"))
      storage.towers = false;
    else if (storage.method == quantization_method::mxfp4 && !mentions(name, "experts"))
      return;
    else if (!mentions(last, "norm", "embed", "lm_head", "router", "correction_bias", "shared_expert_gate") &&
             !mentions(name, "eh_proj", "shared_head", "mtp") && last != "gate" && last != "wte" && last != "score")
      in.fail(config_problem::unknown, f, v.text);
  });
}

/// What GPTQ's tools can say beside the defaults: other modules than all of a block, other bits for some, the head too.
constexpr void check_gptq_exceptions(const config_fields& in) {
  if (in.flag_or(field::lm_head, false)) in.fail(config_problem::unknown, field::lm_head);
  if (const json::value* chosen = in.find(field::modules_in_block_to_quantize); chosen != nullptr) {
    const std::string_view names = chosen->text.raw;
    if (!mentions(names, "q_proj", "qkv", "query_key_value", "W_pack", "c_attn") ||
        !mentions(names, "down_proj", "4h_to_h", "fc2", "w2", "c_proj"))
      in.fail(config_problem::unknown, field::modules_in_block_to_quantize);
  }
  const json::value* rules = in.find(field::dynamic);
  if (rules == nullptr) return;
  if (rules->type != json::kind::object) return in.fail(config_problem::wrong_type, field::dynamic);
  json::for_each_member(*rules, [&](json::slice rule, const json::value&) {
    const std::string_view text = rule.raw;
    const bool leaves_out =
        text.starts_with("-:") && mentions(text, "gate", "norm", "lm_head") && !mentions(text, "gate_proj", "gate_up");
    if (!leaves_out) in.fail(config_problem::unknown, field::dynamic, rule);
  });
}

constexpr weight_storage read_storage(const config_fields& top) {
  weight_storage storage{.dtype = read_dtype(top)};
  const config_fields in = top.in(config_scope::quantization);
  if (top.has(field::compression_config)) top.fail(config_problem::unknown, field::compression_config);
  if (!in.present()) return storage;
  // What a method leaves alone is 16 bits wide, whatever the dtype says of the rest.
  if (storage.dtype.kind == number_kind::fp8_e4m3 || storage.dtype.kind == number_kind::fp32)
    storage.dtype = bf16::format;
  const json::slice method = in.text(field::quant_method);
  if (method.raw.empty()) in.fail(config_problem::missing, field::quant_method);
  if (method == "fp8") {
    storage.method = quantization_method::fp8;
    storage.bits = 8;
    std::int64_t sides[2]{};
    const std::int64_t given = in.each(field::weight_block_size, [&](const json::value& v, std::int64_t i) {
      const json::exact_integer side = json::as_integer(v);
      if (!side.ok || side.value < 1) in.fail(config_problem::out_of_range, field::weight_block_size, v.text);
      if (i < 2) sides[i] = side.value;
    });
    if (in.has(field::weight_block_size) && (given != 2 || sides[0] <= 0 || sides[1] <= 0))
      in.fail(config_problem::out_of_range, field::weight_block_size);
    storage.block_rows = sides[0];
    storage.block_columns = sides[1];
  } else if (method == "gptq" || method == "awq") {
    storage.method = method == "gptq" ? quantization_method::gptq : quantization_method::awq;
    storage.towers = method == "awq";  // GPTQ goes through the decoder's blocks
    check_gptq_exceptions(in);
    storage.bits = in.count_or(field::bits_, 4);
    if (storage.bits != 2 && storage.bits != 3 && storage.bits != 4 && storage.bits != 8)
      in.fail(config_problem::out_of_range, field::bits_);
    const json::value* group = in.find(field::group_size);
    storage.group_size = group != nullptr && group->integer == -1 ? 0 : in.count_or(field::group_size, 128);
    if (storage.dtype.kind == number_kind::bf16 && !top.has(field::torch_dtype) && !top.has(field::dtype))
      storage.dtype = fp16::format;
  } else if (method == "mxfp4") {
    storage.method = quantization_method::mxfp4;
    storage.bits = 4;
    storage.group_size = 32;
  } else {
    in.fail(config_problem::unknown, field::quant_method);
  }
  read_unconverted(in, field::modules_to_not_convert, storage);
  read_unconverted(in, field::ignored_layers, storage);
  return storage;
}

}  // namespace detail

/// Reads a config.json. Costs some fifty evaluation steps a byte in a constant expression.
constexpr config_reading read_config(std::string_view json) {
  config_reading reading;
  detail::config_document document;
  document.read(json);
  if (document.error.problem == config_problem::none) {
    const detail::config_fields fields{document, config_scope::top};
    const detail::identified model = detail::identify(fields);
    if (!fields.failed() && model.defaults != nullptr) {
      if (detail::is_decoder(model.defaults->family)) detail::check_wrapper(fields, *model.defaults);
      if (fields.flag_or(config_field::add_cross_attention, false))
        fields.fail(config_problem::unknown, config_field::add_cross_attention);
      reading.value.config = detail::read_family(fields, model);
      if (detail::is_decoder(model.defaults->family)) detail::set_decoder_head(fields, model, reading.value.config);
      detail::make_rotary_whole(reading.value.config.stack);
      reading.value.storage = detail::read_storage(fields);
      reading.value.model_type = model.model_type;
      // What the checks of single fields let pass.
      if (const model_verdict found = problem_of(reading.value.config); !fields.failed() && !found.ok())
        document.error = {.problem = config_problem::impossible, .value = found.value, .text = name_of(found.field)};
    }
  }
  reading.error = document.error;
  return reading;
}

}  // namespace flopledger
