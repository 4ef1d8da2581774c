// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// What makes a model impossible, whoever described it: guards, jobs and the reader of config.json ask the same.

#include <flopledger/models/transformer.hpp>
#include <flopledger/text/sentence.hpp>

namespace flopledger {

/// Why a model cannot be.
enum class model_problem : std::uint8_t {
  none,
  missing,                 ///< a size that the model needs is 0 or below
  heads_by_width,          ///< the width does not divide by the heads, and no head_dim says how wide one is
  kv_heads_by_heads,       ///< heads / kv_heads has a remainder
  another_width,           ///< a layer reads another width than its stack has
  experts_without_layers,  ///< experts, and no layer that has them
  more_than_experts,       ///< a token chooses more experts than there are
  layers_beyond,           ///< a set of layers holds one that the stack has not
};

/// Fields that a problem names: of a stack, unless `model_verdict::part` says of which.
enum class model_field : std::uint8_t {
  none,
  layers,
  hidden,
  attention_heads,
  attention_kv_heads,
  attention_head_dim,
  attention_hidden,
  latent_rank,
  latent_key_dim,
  latent_value_dim,
  recurrent_parts,
  recurrent_state,
  recurrent,
  windowed,
  sparse,
  reduced,
  window,
  feed_intermediate,
  mixture_experts,
  mixture_experts_per_token,
  mixture_intermediate,
  embedding_vocabulary,
  embedding_width,
};

/// The field as a description spells it.
constexpr const char* name_of(model_field which) {
  constexpr const char* names[] = {"",
                                   "layers",
                                   "hidden",
                                   "attention.heads",
                                   "attention.kv_heads",
                                   "attention.head_dim",
                                   "attention.hidden",
                                   "latent.latent_rank",
                                   "latent.nope_dim + rope_dim",
                                   "latent.value_dim",
                                   "recurrent_parts()",
                                   "recurrent_state()",
                                   "recurrent",
                                   "windowed",
                                   "sparse",
                                   "reduced",
                                   "window",
                                   "feed.intermediate",
                                   "mixture.experts",
                                   "mixture.experts_per_token",
                                   "mixture.intermediate",
                                   "embedding.vocabulary",
                                   "embedding.width"};
  return names[static_cast<std::size_t>(which)];
}

/// The first thing that makes a model impossible: the field, its value, and the other field that it does not go with.
struct model_verdict {
  model_problem problem = model_problem::none;
  model_field field = model_field::none;
  std::int64_t value = 0;
  model_field other = model_field::none;
  std::int64_t other_value = 0;
  model_part part = model_part::main;
  constexpr bool ok() const { return problem == model_problem::none; }
};

namespace detail {
/// Sizes that must be positive. A verdict names the first that is not.
struct needed_size {
  model_field field;
  std::int64_t value;
};
template <std::size_t Count>
constexpr model_verdict first_missing(const needed_size (&sizes)[Count]) {
  for (const needed_size& one : sizes)
    if (one.value < 1) return {.problem = model_problem::missing, .field = one.field, .value = one.value};
  return {};
}

constexpr model_verdict problem_of(const attention& a, std::int64_t hidden) {
  if (const model_verdict found =
          first_missing({{model_field::attention_heads, a.heads}, {model_field::attention_kv_heads, a.kv_heads}});
      !found.ok())
    return found;
  if (a.hidden != hidden)
    return {model_problem::another_width, model_field::attention_hidden, a.hidden, model_field::hidden, hidden};
  if (a.head_dim < 1 && hidden % a.heads != 0)
    return {model_problem::heads_by_width, model_field::attention_heads, a.heads, model_field::hidden, hidden};
  if (a.head_dim < 1) return {model_problem::missing, model_field::attention_head_dim, a.head_dim};
  if (a.heads % a.kv_heads != 0)
    return {model_problem::kv_heads_by_heads, model_field::attention_kv_heads, a.kv_heads, model_field::attention_heads,
            a.heads};
  return {};
}

constexpr model_verdict problem_of(const mixture_of_experts& m) {
  if (const model_verdict found = first_missing({{model_field::mixture_experts, m.experts},
                                                 {model_field::mixture_experts_per_token, m.experts_per_token},
                                                 {model_field::mixture_intermediate, m.intermediate}});
      !found.ok())
    return found;
  if (m.experts_per_token > m.experts)
    return {model_problem::more_than_experts, model_field::mixture_experts_per_token, m.experts_per_token,
            model_field::mixture_experts, m.experts};
  return {};
}

/// The first layer of a set that a stack of so many has not; −1: there is none.
constexpr std::int64_t layer_beyond(const layer_set& set, std::int64_t layers) {
  if (set.empty() || layers >= layer_set::capacity) return -1;
  const layer_set beyond = set - layer_set::range(0, layers);
  for (std::int64_t layer = layers; !beyond.empty() && layer < layer_set::capacity; ++layer)
    if (beyond.contains(layer)) return layer;
  return -1;
}

constexpr model_verdict problem_of(const stack& s) {
  if (const model_verdict found = first_missing({{model_field::layers, s.layers}, {model_field::hidden, s.hidden}});
      !found.ok())
    return found;
  const std::int64_t beyond[] = {layer_beyond(s.recurrent, s.layers), layer_beyond(s.windowed, s.layers),
                                 layer_beyond(s.sparse, s.layers), layer_beyond(s.reduced, s.layers)};
  constexpr model_field sets[] = {model_field::recurrent, model_field::windowed, model_field::sparse,
                                  model_field::reduced};
  for (int i = 0; i < 4; ++i)
    if (beyond[i] >= 0) return {model_problem::layers_beyond, sets[i], beyond[i], model_field::layers, s.layers};
  const std::int64_t recurrent = s.recurrent.size(), sparse = s.sparse.size();
  if (recurrent > 0) {
    const model_verdict found = first_missing(
        {{model_field::recurrent_parts, s.recurrent_parts()}, {model_field::recurrent_state, s.recurrent_state()}});
    if (!found.ok()) return found;
  }
  if (recurrent < s.layers) {
    const compressed_attention& c = s.compressed;
    const model_verdict found =
        c.heads > 0 ? first_missing({{model_field::attention_head_dim, c.head_dim}, {model_field::window, c.window}})
        : s.latent.heads > 0 ? first_missing({{model_field::latent_rank, s.latent.latent_rank},
                                              {model_field::latent_key_dim, s.latent.nope_dim + s.latent.rope_dim},
                                              {model_field::latent_value_dim, s.latent.value_dim}})
                             : problem_of(s.attention, s.hidden);
    if (!found.ok()) return found;
    if (s.windowed_attention.heads > 0)
      if (const model_verdict other = problem_of(s.windowed_attention, s.hidden); !other.ok()) return other;
  }
  if (!s.windowed.empty() && s.window < 1) return {model_problem::missing, model_field::window, s.window};
  if (!s.has_feed_forward) return {};
  if (sparse == 0 && s.mixture.experts > 0)
    return {model_problem::experts_without_layers, model_field::mixture_experts, s.mixture.experts, model_field::sparse,
            0};
  if (sparse < s.layers && s.feed.intermediate < 1)
    return {model_problem::missing, model_field::feed_intermediate, s.feed.intermediate};
  return sparse > 0 ? problem_of(s.mixture) : model_verdict{};
}

constexpr model_verdict of_part(model_verdict found, model_part part) {
  found.part = part;
  return found;
}
}  // namespace detail

/// What makes a model impossible. A description of one's own kind is asked for what it has of a `transformer_config`.
template <class Config>
constexpr model_verdict problem_of(const Config& config) {
  bool vision_only = false;
  if constexpr (requires { config.vision_only; }) vision_only = config.vision_only;
  if constexpr (requires { config.vision.stack.layers; })
    if (vision_only || config.vision.stack.layers > 0)
      if (const model_verdict found = detail::problem_of(config.vision.stack); !found.ok())
        return detail::of_part(found, model_part::vision);
  if (vision_only) return {};
  if (const model_verdict found = detail::problem_of(config.stack); !found.ok()) return found;
  // Blocks alone have neither a vocabulary nor a width of one.
  if constexpr (requires { config.embedding.vocabulary; })
    if (config.embedding.vocabulary != 0 || config.embedding.width != 0 || config.head.outputs != 0)
      if (const model_verdict found =
              detail::first_missing({{model_field::embedding_vocabulary, config.embedding.vocabulary},
                                     {model_field::embedding_width, config.embedding.width}});
          !found.ok())
        return found;
  if constexpr (requires { config.encoder.layers; })
    if (config.encoder.layers > 0)
      if (const model_verdict found = detail::problem_of(config.encoder); !found.ok())
        return detail::of_part(found, model_part::encoder);
  return {};
}

/// "impossible model: attention.kv_heads is 7, which does not divide attention.heads 40".
template <std::same_as<model_verdict> Verdict>
constexpr sentence sentence_of(const Verdict& judged) {
  sentence said;
  constexpr const char* parts[] = {"", "encoder.", "vision.stack."};
  const char* const other = name_of(judged.other);
  said << "impossible model: " << parts[static_cast<int>(judged.part)] << name_of(judged.field) << " is "
       << judged.value;
  switch (judged.problem) {
    case model_problem::none:
      return {};
    case model_problem::missing:
      return said << ", and must be at least 1";
    case model_problem::heads_by_width:
      return said << ", which does not divide " << other << " " << judged.other_value
                  << "; head_dim says how wide a head is";
    case model_problem::kv_heads_by_heads:
      return said << ", which does not divide " << other << " " << judged.other_value;
    case model_problem::another_width:
      return said << ", but " << other << " is " << judged.other_value;
    case model_problem::experts_without_layers:
      return said << ", but " << other << " names no layers that have them";
    case model_problem::more_than_experts:
      return said << ", more than " << other << ", which is " << judged.other_value;
    case model_problem::layers_beyond:
      return said << " among its layers, but " << other << " is " << judged.other_value;
  }
  return said;
}

}  // namespace flopledger
