// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Which matrices a quantised file means by the name or the pattern of a module: "model.layers.3.self_attn.q_proj",
/// "model.layers.*.self_attn*", "re:.*mlp\\.(gate|up|down)_proj.*".

#include <flopledger/ledger.hpp>
#include <flopledger/models/transformer.hpp>

#include <cstdint>
#include <string_view>

namespace flopledger::hugging_face {

/// The matrices of blocks that files name one by one.
// clang-format off
inline constexpr place matrices_of_blocks[] = {
    {sublayer::attention, position::query},         {sublayer::attention, position::key},
    {sublayer::attention, position::value},         {sublayer::attention, position::output},
    {sublayer::attention, position::query_down},    {sublayer::attention, position::query_up},
    {sublayer::attention, position::latent_down},   {sublayer::attention, position::latent_up},
    {sublayer::attention, position::output_down},   {sublayer::attention, position::head_gate},
    {sublayer::attention, position::index_query},   {sublayer::attention, position::index_key},
    {sublayer::attention, position::index_weight},  {sublayer::attention, position::compressed},
    {sublayer::attention, position::compression_gate},
    {sublayer::cross_attention, position::query},   {sublayer::cross_attention, position::key},
    {sublayer::cross_attention, position::value},   {sublayer::cross_attention, position::output},
    {sublayer::recurrence, position::input},        {sublayer::recurrence, position::gate},
    {sublayer::recurrence, position::query},        {sublayer::recurrence, position::key},
    {sublayer::recurrence, position::value},        {sublayer::recurrence, position::scan_parameters},
    {sublayer::recurrence, position::step},         {sublayer::recurrence, position::output},
    {sublayer::recurrence, position::gate_down},    {sublayer::recurrence, position::write_strength},
    {sublayer::attention, position::output_gate},
    {sublayer::feed_forward, position::gate},       {sublayer::feed_forward, position::up},
    {sublayer::feed_forward, position::down},
    {sublayer::experts, position::router},          {sublayer::experts, position::gate},
    {sublayer::experts, position::up},              {sublayer::experts, position::down},
    {sublayer::experts, position::latent_down},     {sublayer::experts, position::latent_up},
    {sublayer::shared_expert, position::gate},      {sublayer::shared_expert, position::up},
    {sublayer::shared_expert, position::down},      {sublayer::shared_expert, position::scale},
};
// clang-format on
inline constexpr int matrix_count = static_cast<int>(sizeof matrices_of_blocks / sizeof *matrices_of_blocks);

/// What one name means.
struct named_modules {
  enum class what : std::uint8_t {
    matrices,  ///< of blocks: those of `chosen`
    head,      ///< the product with the vocabulary
    table,     ///< of tokens
    apart,     ///< something that no method quantises: norms, tables of positions
    tower,     ///< of an encoder beside the language model
    unknown
  };
  what meant = what::unknown;
  std::int64_t layer = -1;  ///< -1: of every layer
  bool chosen[matrix_count]{};
};

namespace detail {

constexpr bool mentions(std::string_view text, auto... parts) {
  return ((text.find(parts) != std::string_view::npos) || ...);
}
constexpr bool is_one_of(std::string_view text, auto... names) { return ((text == names) || ...); }

/// A dotted name without the marks of a glob or of a regular expression.
class plain_name {
 public:
  constexpr explicit plain_name(std::string_view pattern) {
    for (std::size_t i = 0; i < pattern.size(); ++i) {
      const char c = pattern[i];
      const char next = i + 1 < pattern.size() ? pattern[i + 1] : '\0';
      if (c == '[' && pattern.substr(i, 6) == "[0-9]+") {
        i += 5;
      } else if (c == '\\') {  // "\\d+" is a number, "\\." a dot
        if (next == 'd') i += i + 2 < pattern.size() && pattern[i + 2] == '+' ? 2U : 1U;
      } else if (c == '.' && (next == '*' || next == '+')) {
        put('.');
        ++i;
      } else if (c == '*' || c == '^' || c == '$') {
        continue;
      } else {
        put(c);
      }
    }
  }
  constexpr std::string_view text() const { return {letters_, size_}; }
  constexpr bool fits() const { return fits_; }
 private:
  constexpr void put(char c) {
    const bool twice = c == '.' && (size_ == 0 || letters_[size_ - 1] == '.');
    if (twice) return;
    if (size_ == sizeof letters_)
      fits_ = false;
    else
      letters_[size_++] = c;
  }
  char letters_[160]{};
  std::size_t size_ = 0;
  bool fits_ = true;
};

/// The parts of a dotted name that stand behind the number of the layer, or behind the model's own name.
struct name_parts {
  std::string_view part[12]{};
  int count = 0;
  std::int64_t layer = -1;
  bool predicts = false;  ///< of a module that predicts further tokens
  bool sees = false;      ///< of an encoder beside the language model

  constexpr explicit name_parts(std::string_view name) {
    bool counts_layers = false;
    while (!name.empty()) {
      std::size_t dot = 0;
      while (dot < name.size() && name[dot] != '.') ++dot;
      const std::string_view one = name.substr(0, dot);
      name.remove_prefix(dot < name.size() ? dot + 1 : dot);
      if (one.empty() || one == "weight") continue;  // a tensor stands for its module
      predicts = predicts || is_one_of(one, "mtp", "eh_proj", "shared_head");
      sees = sees || is_one_of(one, "vision_tower", "vision_model", "visual", "audio_tower", "mm_projector",
                               "multi_modal_projector");
      const bool number = one.front() >= '0' && one.front() <= '9';
      if (counts_layers && number) {
        layer = 0;
        for (const char digit : one) layer = layer > 9999 ? layer : 10 * layer + (digit - '0');
        count = 0;
      } else if (is_one_of(one, "layers", "h", "blocks", "block")) {
        count = 0;
        counts_layers = true;
        continue;
      } else if (count < 12) {
        part[count++] = one;
      }
      counts_layers = false;
    }
  }
  constexpr bool has(auto... names) const {
    for (int i = 0; i < count; ++i)
      if (is_one_of(part[i], names...)) return true;
    return false;
  }
  constexpr std::string_view last() const { return count > 0 ? part[count - 1] : std::string_view{}; }
};

/// The sublayers that a name speaks of: bit `sublayer`.
constexpr unsigned sublayers_of(const name_parts& name) {
  const auto bit = [](auto... each) { return ((1U << static_cast<unsigned>(each)) | ...); };
  if (name.has("shared_experts", "shared_expert", "shared_mlp", "shared_expert_gate"))
    return bit(sublayer::shared_expert);
  if (name.has("experts", "switch_mlp")) return bit(sublayer::experts);
  if (name.has("cross_attn", "encoder_attn", "EncDecAttention")) return bit(sublayer::cross_attention);
  if (name.has("linear_attn", "mamba", "delta_net")) return bit(sublayer::recurrence);
  if (name.has("self_attn", "attn", "attention", "self_attention")) return bit(sublayer::attention);
  if (name.has("block_sparse_moe", "moe")) return bit(sublayer::experts, sublayer::shared_expert);
  if (name.has("mlp", "ffn", "feed_forward"))
    return is_one_of(name.last(), "gate", "router") ? bit(sublayer::experts)
           : is_one_of(name.last(), "mlp", "ffn", "feed_forward")
               ? bit(sublayer::feed_forward, sublayer::experts, sublayer::shared_expert)
               : bit(sublayer::feed_forward);
  if (name.has("mixer"))
    return bit(sublayer::attention, sublayer::recurrence, sublayer::feed_forward, sublayer::experts,
               sublayer::shared_expert);
  return name.count == 1 ? ~0U : 0U;  // "down_proj" alone: wherever it stands
}

/// Whether the last part of a name is the module of a position.
constexpr bool names_position(std::string_view last, position at) {
  switch (at) {
    case position::query:
      return is_one_of(last, "q_proj", "qkv_proj", "query_key_value", "c_attn", "W_pack", "Wqkv", "wq", "query");
    case position::key:
      return is_one_of(last, "k_proj", "qkv_proj", "query_key_value", "c_attn", "W_pack", "Wqkv", "wk", "key");
    case position::value:
      return is_one_of(last, "v_proj", "qkv_proj", "query_key_value", "c_attn", "W_pack", "Wqkv", "wv", "value");
    case position::output:
      return is_one_of(last, "o_proj", "out_proj", "dense", "wo", "wo_b");
    case position::query_down:
      return is_one_of(last, "q_a_proj", "wq_a", "fused_qkv_a_proj_with_mqa");
    case position::query_up:
      return is_one_of(last, "q_b_proj", "wq_b");
    case position::latent_down:
      return is_one_of(last, "kv_a_proj_with_mqa", "kv_a_proj", "wkv_a", "fused_qkv_a_proj_with_mqa",
                       "fc1_latent_proj");
    case position::latent_up:
      return is_one_of(last, "kv_b_proj", "wkv_b", "fc2_latent_proj");
    case position::output_down:
      return last == "wo_a";
    case position::input:
      return is_one_of(last, "in_proj", "in_proj_qkv", "in_proj_qkvz");
    case position::scan_parameters:
      return is_one_of(last, "x_proj", "in_proj_a", "in_proj_b", "in_proj_ba", "f_a_proj");
    case position::step:
      return is_one_of(last, "dt_proj", "f_b_proj");
    case position::gate_down:
      return last == "g_a_proj";
    case position::write_strength:
      return last == "b_proj";
    case position::router:
      return is_one_of(last, "gate", "router");
    case position::scale:
      return last == "shared_expert_gate";
    case position::gate:
      return is_one_of(last, "gate_proj", "gate_up_proj", "w1", "in_proj_z", "g_proj", "g_b_proj");
    case position::up:
      return is_one_of(last, "up_proj", "gate_up_proj", "w3", "c_fc", "fc1", "dense_h_to_4h");
    case position::down:
      return is_one_of(last, "down_proj", "w2", "c_proj", "fc2", "dense_4h_to_h");
    default:
      return false;
  }
}

/// The same of an indexer's modules; "indexer" alone is all of them.
constexpr bool names_part_of_indexer(std::string_view last, position at) {
  const bool all = last == "indexer";
  return (at == position::index_query && (all || is_one_of(last, "wq_b", "q_b_proj"))) ||
         (at == position::index_key && (all || is_one_of(last, "wk", "k_proj"))) ||
         (at == position::index_weight && (all || is_one_of(last, "weights_proj", "indexers_proj")));
}

/// Whether a name ends with a sublayer and so means all that stands in it.
constexpr bool names_whole_sublayer(std::string_view last) {
  return is_one_of(last, "shared_experts", "shared_expert", "shared_mlp", "experts", "switch_mlp", "cross_attn",
                   "encoder_attn", "EncDecAttention", "linear_attn", "mamba", "delta_net", "self_attn", "attn",
                   "attention", "self_attention", "block_sparse_moe", "moe", "mlp", "ffn", "feed_forward", "mixer");
}

/// Cheap questions first: a constant expression pays for every letter that is looked at.
constexpr named_modules modules_of_plain(std::string_view name) {
  named_modules found;
  using what = named_modules::what;
  const name_parts parts(name);
  found.layer = parts.layer;
  const std::string_view last = parts.last();
  if (parts.sees || parts.predicts) {
    found.meant = parts.sees ? what::tower : what::apart;
    return found;
  }
  if (is_one_of(last, "lm_head", "head", "output_layer", "proj_out")) {
    found.meant = what::head;
    return found;
  }
  if (is_one_of(last, "embed_tokens", "wte", "word_embeddings")) {
    found.meant = what::table;
    return found;
  }
  // The second as GLM-5's file writes the product that weighs an indexer's heads.
  const bool indexes = parts.has("indexer", "indexers_proj");
  const unsigned within = sublayers_of(parts);
  const bool whole = names_whole_sublayer(last) || last == "indexer";
  for (int i = 0; i < matrix_count; ++i) {
    const place& one = matrices_of_blocks[i];
    if ((within >> static_cast<unsigned>(one.in) & 1U) == 0) continue;
    if (indexes && !names_part_of_indexer(last, one.at)) continue;
    // A whole sublayer is its products; what chooses experts or scales the shared one is a module of its own.
    const bool apart = one.at == position::router || one.at == position::scale;
    if (!indexes && !(whole && !apart) && !names_position(last, one.at)) continue;
    found.chosen[i] = true;
    found.meant = what::matrices;
  }
  if (found.meant == what::unknown &&
      (last == "router" || mentions(last, "norm", "embed", "conv1d", "bias", "A_log", "rotary") ||
       is_one_of(last, "score", "wte", "wpe") || mentions(name, "nextn", "next_n")))
    found.meant = what::apart;
  if (found.meant == what::unknown && mentions(name, "vision", "visual")) found.meant = what::tower;
  return found;
}
}  // namespace detail

/// Calls `visit(named_modules)` for what a name or a pattern means; one that lists alternatives means several.
constexpr void for_each_named(std::string_view pattern, auto&& visit) {
  if (pattern.starts_with("re:")) pattern.remove_prefix(3);
  const std::size_t open = pattern.find('('), close = pattern.find(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) {
    const detail::plain_name plain(pattern);
    visit(plain.fits() ? detail::modules_of_plain(plain.text()) : named_modules{});
    return;
  }
  for (std::size_t begin = open + 1; begin <= close;) {
    std::size_t end = pattern.find('|', begin);
    if (end == std::string_view::npos || end > close) end = close;
    char whole[160]{};
    std::size_t size = 0;
    bool fits = true;
    for (const std::string_view part :
         {pattern.substr(0, open), pattern.substr(begin, end - begin), pattern.substr(close + 1)})
      for (const char c : part) {
        if (size == sizeof whole)
          fits = false;
        else
          whole[size++] = c;
      }
    const detail::plain_name plain({whole, size});
    visit(fits && plain.fits() ? detail::modules_of_plain(plain.text()) : named_modules{});
    begin = end + 1;
  }
}

}  // namespace flopledger::hugging_face
