// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Memory of inference: weights, a cache under a named layout, the activations of one pass, the engine's own reserve;
/// and the inverses: how many sequences, how long, on how few devices.

#include <flopledger/memory/account.hpp>
#include <flopledger/parallel/plan.hpp>
#include <flopledger/time/traffic.hpp>

namespace flopledger {

/// How an engine lays the cache out. What one token leaves in a layer is the row's affair; how many tokens of a
/// sequence a layer has room for is the layout's.
enum class kv_layout : std::uint8_t {
  contiguous,    ///< room for the whole context in every layer, windows or not
  ring,          ///< windowed layers hold their window
  paged,         ///< whole blocks; windowed layers free the blocks behind their window
  unified_pages  ///< as paged, but layers of one kind stand in groups of equal size, whose last may be padded (vLLM's
                 ///< hybrid allocator: one page size for all groups)
};

constexpr std::string_view name_of(kv_layout layout) {
  constexpr std::string_view names[] = {"contiguous", "ring", "paged", "unified"};
  return names[static_cast<std::size_t>(layout)];
}

struct serving_setup {
  data_formats formats{};
  std::int64_t tensor = 1, pipeline = 1;
  std::int64_t expert = 1;  ///< ranks that share a layer's experts: of the tensor group, or of several such groups
  kv_layout layout = kv_layout::ring;
  std::int64_t block = 16;    ///< tokens of a page
  std::int64_t chunk = 2048;  ///< tokens of one prefill pass, over all sequences of it
  double source_length = 0;   ///< encoder tokens a sequence, for encoder-decoders
  bytes reserve{};            ///< what the engine keeps for itself: context, graphs, communication
};

/// The first thing that makes a service impossible, with the two numbers that do not go together. Key/value heads fewer
/// than tensor ranks are held by several, and stages need not be equally long.
template <class Model>
constexpr plan_verdict verdict(const serving_setup& s, const Model& model) {
  if (const plan_verdict found = model_problem_of(model); !found.ok()) return found;
  for (const std::int64_t degree : {s.tensor, s.pipeline, s.expert, s.block, s.chunk})
    if (degree < 1) return {plan_problem::not_positive, degree, 1};
  if (s.reserve.value() < 0 || s.source_length < 0) return {plan_problem::not_positive, -1, 0};
  if (const plan_verdict found = tensor_verdict_of(model, s.tensor); !found.ok()) return found;
  const std::int64_t layers = model.stack.layers;
  if (s.pipeline > 1 && s.pipeline > layers) return {plan_problem::layers_by_stages, layers, s.pipeline};
  const std::int64_t experts = model.stack.mixture.experts;
  if (s.expert > 1 && (experts == 0 || experts % s.expert != 0))
    return {plan_problem::experts_by_expert, experts, s.expert};
  if (s.tensor % s.expert != 0 && s.expert % s.tensor != 0) return {plan_problem::expert_ranks, s.tensor, s.expert};
  const std::int64_t inner = model.stack.mixture.intermediate, sharing = s.tensor > s.expert ? s.tensor / s.expert : 1;
  if (experts > 0 && inner % sharing != 0) return {plan_problem::feed_forward_by_tensor, inner, sharing};
  return {};
}

/// What a setup serves: sequences at once, and tokens that each holds.
constexpr plan_verdict load_verdict(std::int64_t sequences, std::int64_t context) {
  if (sequences < 1) return {plan_problem::service_without_sequences, sequences, 1};
  if (context < 1) return {plan_problem::service_without_context, context, 1};
  return {};
}

namespace detail {

/// What is the same for all rows of a service, worked out once.
struct service_rules {
  const data_formats& formats;
  double tensor, sharing;  ///< ranks; `sharing`: that share the experts
  role_bytes bytes;        ///< of an element that is no weight

  template <class Setup = serving_setup>
  constexpr explicit service_rules(const Setup& setup)
      : formats(setup.formats),
        tensor(static_cast<double>(setup.tensor)),
        // Fewer expert than tensor ranks share an expert's matrices; more of them are other engines' replicas of the
        // rest.
        sharing(static_cast<double>(setup.expert > setup.tensor ? setup.expert : setup.tensor)),
        bytes(formats.precision, formats.kernel) {}

  /// Over which a split goes: key/value heads fewer than ranks are held by several, a latent by all.
  constexpr double ranks_of(const operand& o) const {
    if (o.over != split::tensor) return 1;
    return o.parts > 0 && tensor > o.parts ? o.parts : tensor;
  }
};

/// Bytes of one device.
struct service_bytes {
  double weights = 0;
  double cached = 0;
  double widest = 0;  ///< the most that one operation has alive at once, beside weights and cache

  /// So many blocks after what is summed.
  constexpr void add(const service_bytes& one, std::int64_t times) {
    weights += static_cast<double>(times) * one.weights;
    cached += static_cast<double>(times) * one.cached;
    if (one.widest > widest) widest = one.widest;
  }
};

/// What rows take: one fold for all three, for a compiler instantiates every layer for each.
struct service_fold {
  const service_rules& rules;
  service_bytes sum{};

  template <class Row = row>
  constexpr void take(const Row& r, std::int64_t times) {
    const auto count = static_cast<double>(times);
    double alive = 0;
    for (const operand& o : r.operands) {
      const role what = o.what;
      if (what == role::none) break;
      if (outlives_pass(what))
        sum.cached += count * o.elements * rules.bytes[what] / rules.ranks_of(o);
      else if (what == role::weight || what == role::bias)
        sum.weights += count * rules.formats.bytes_of(r, o, o.elements) /
                       (o.over == split::expert ? rules.sharing : rules.ranks_of(o));
      else if (what == role::activation || what == role::attention_matrix)
        alive += o.elements * rules.bytes[what] / (o.over == split::tensor ? rules.tensor : 1.0);
    }
    if (alive > sum.widest) sum.widest = alive;
  }
};

/// What one sequence leaves in the layers of one kind: so much a token, and so much however long it is.
struct cache_growth {
  double a_token = 0, constant = 0;
};

}  // namespace detail

/// A model that serves on `tensor` × `pipeline` devices, by the fullest of them. A setup that the model does not
/// allow (`verdict(setup, model)`) is refused by `impossible_plan`, and so is a load of no sequences or no context.
///
/// A template only so that a build that never asks pays nothing; the model is deduced: `serving_memory(model, setup)`.
template <class Model>
class serving_memory {
 public:
  constexpr serving_memory(const Model& model, const serving_setup& setup)
      : model_(model), setup_(detail::must_be_possible(setup, model)) {
    const detail::service_rules rules(setup);
    const work pass = chunk_pass();
    model_.stack.for_each_kind([&](block_kind kind) {
      detail::service_bytes& blocks = blocks_[kind.number()];
      blocks = block(rules, pass, kind);
      // Attention leaves so much a token. A window may be shorter than the chunk; states and what an encoder left do
      // not grow.
      const bool limited =
          kind.recurrent || kind.windowed || model_.stack.attention.window > 0 || model_.stack.compressed.heads > 0;
      if (!limited && !model_.stack.cross_attention) {
        growth_[kind.number()] = {.a_token = blocks.cached / static_cast<double>(setup.chunk)};
        return;
      }
      if (const compressed_attention& mixer = model_.stack.compressed; mixer.heads > 0 && !kind.windowed) {
        // Behind a full window only entries are left: as many more tokens as make whole ones of every kind.
        const std::int64_t whole = mixer.window * mixer.ratio * model_.stack.heavy_ratio;
        const double length = whole > 0 ? static_cast<double>(whole) : 1.0;  // nvcc divides in branches not taken
        const double some = block(rules, pass_of(forward(1, length)), kind).cached;
        const double more = block(rules, pass_of(forward(1, 2 * length)), kind).cached;
        growth_[kind.number()] = {.a_token = (more - some) / length, .constant = 2 * some - more};
        return;
      }
      const double one = block(rules, pass_of(forward(1, 1)), kind).cached;
      const double a_token = block(rules, pass_of(forward(1, 2)), kind).cached - one;
      growth_[kind.number()] = {.a_token = a_token, .constant = one - a_token};
    });
  }

  constexpr bytes weights(std::int64_t stage) const { return bytes::from_value(passed(stage).weights); }

  /// Bytes of the cache that one sequence of `context` tokens takes on a device of a stage.
  constexpr bytes kv_cache_of_sequence(std::int64_t context, std::int64_t stage) const {
    const stage_layers range = layers(stage);
    const std::int64_t group = setup_.layout == kv_layout::unified_pages ? smallest_group(range) : 0;
    double held = 0;
    model_.stack.for_each_kind([&](block_kind kind) {
      std::int64_t count = model_.stack.count_of(kind, range.first, range.last);
      if (count == 0) return;
      const detail::cache_growth& growth = growth_[kind.number()];
      held += static_cast<double>(count) * growth.constant;
      if (group > 0) count = (count + group - 1) / group * group;
      held += static_cast<double>(count) * growth.a_token * room(kind, context);
    });
    return bytes::from_value(held);
  }

  /// Activations of one pass of `chunk` prompt tokens, and the logits of the sequences that sample.
  constexpr memory_account passing(std::int64_t concurrency, std::int64_t stage) const {
    memory_account account = stage_of(passed(stage), concurrency, stage);
    account[memory_line::weights] = {};
    return account;
  }

  constexpr memory_account stage(std::int64_t concurrency, std::int64_t context, std::int64_t stage) const {
    memory_account account = stage_of(passed(stage), concurrency, stage);
    account[memory_line::kv_cache] =
        bytes::from_value(static_cast<double>(concurrency) * kv_cache_of_sequence(context, stage).value());
    account[memory_line::reserve] = setup_.reserve;
    return account;
  }

  /// The fullest stage with `concurrency` sequences of `context` tokens.
  constexpr memory_account worst(std::int64_t concurrency, std::int64_t context) const {
    detail::refuse(load_verdict(concurrency, context));
    memory_account found = stage(concurrency, context, 0);
    for (std::int64_t s = 1; s < setup_.pipeline; ++s)
      if (const memory_account other = stage(concurrency, context, s); other.total() > found.total()) found = other;
    return found;
  }

  /// The most sequences of `context` tokens that fit at once; 0 where not one does.
  constexpr std::int64_t largest_concurrency(bytes available, std::int64_t context) const {
    return largest_that([&](std::int64_t n) { return worst(n, context).total() <= available; });
  }

  /// Tokens of cache that fit beside passes of so many sequences, in sequences of `context` tokens each; 0 where
  /// nothing fits, `unlimited` where nothing grows.
  constexpr std::int64_t cache_tokens(bytes available, std::int64_t sequences, std::int64_t context) const {
    detail::refuse(load_verdict(sequences, context));
    double fewest = static_cast<double>(unlimited);
    for (std::int64_t s = 0; s < setup_.pipeline; ++s) {
      const double left = (available - passing(sequences, s).total() - weights(s) - setup_.reserve).value();
      if (left <= 0) return 0;
      const double one = kv_cache_of_sequence(context, s).value();
      const double held = one > 0 ? left / one * static_cast<double>(context) : fewest;
      if (held < fewest) fewest = held;
    }
    return fewest < static_cast<double>(unlimited) ? static_cast<std::int64_t>(fewest) : unlimited;
  }

  /// The longest context that `concurrency` sequences can have: 0 where not even one token fits, `unlimited` where
  /// nothing grows with it.
  constexpr std::int64_t largest_context(bytes available, std::int64_t concurrency) const {
    return largest_that([&](std::int64_t n) { return worst(concurrency, n).total() <= available; });
  }
 private:
  constexpr work pass_of(work asked) const {
    if (setup_.source_length > 0) asked.source_length = setup_.source_length;
    asked.images = 1;  // whoever sends images sends them one by one
    return model_.with_source(asked);
  }
  constexpr work chunk_pass() const { return pass_of(prefill(1, static_cast<double>(setup_.chunk))); }

  constexpr detail::service_bytes block(const detail::service_rules& rules, const work& pass, block_kind kind) const {
    detail::service_fold fold{.rules = rules};
    model_.record_block(fold, pass, kind);
    return fold.sum;
  }
  /// The rows of a stage in one pass.
  constexpr detail::service_bytes passed(std::int64_t stage) const {
    const detail::service_rules rules(setup_);
    const work pass = chunk_pass();
    detail::service_fold fold{.rules = rules};
    if (stage == 0) model_.record_below(fold, pass);  // an encoder and a tower run there
    const stage_layers range = layers(stage);
    model_.stack.for_each_kind([&](block_kind kind) {
      if (const std::int64_t count = model_.stack.count_of(kind, range.first, range.last); count > 0)
        fold.sum.add(blocks_[kind.number()], count);
    });
    // Of what stands above, logits are counted by the sequences that sample.
    const double widest = fold.sum.widest;
    if (stage == setup_.pipeline - 1) model_.record_above(fold, pass, setup_.pipeline > 1);
    fold.sum.widest = widest;
    return fold.sum;
  }
  constexpr memory_account stage_of(const detail::service_bytes& held, std::int64_t concurrency,
                                    std::int64_t stage) const {
    memory_account account;
    const double residual = static_cast<double>(setup_.chunk) * static_cast<double>(model_.stack.hidden) *
                            setup_.formats.precision.activations.bytes_per_element();
    account[memory_line::weights] = bytes::from_value(held.weights);
    account[memory_line::activations] = bytes::from_value(held.widest + residual);
    if (stage == setup_.pipeline - 1)  // sampling reads FP32
      account[memory_line::logits] =
          bytes::from_value(4.0 * static_cast<double>(concurrency) * static_cast<double>(model_.head.outputs));
    return account;
  }
  constexpr stage_layers layers(std::int64_t stage) const {
    const std::int64_t all = model_.stack.layers, each = (all + setup_.pipeline - 1) / setup_.pipeline;
    const std::int64_t first = stage * each < all ? stage * each : all;
    return {first, first + each < all ? first + each : all};
  }
  constexpr std::int64_t smallest_group(stage_layers range) const {
    std::int64_t smallest = 0;
    model_.stack.for_each_kind([&](block_kind kind) {
      const std::int64_t count = model_.stack.count_of(kind, range.first, range.last);
      if (count > 0 && (smallest == 0 || count < smallest)) smallest = count;
    });
    return smallest;
  }
  constexpr std::int64_t pages_for(std::int64_t n) const {
    return n / setup_.block + (n % setup_.block > 0 ? 1 : 0);  // n + block may be more than an integer counts
  }
  /// Tokens that a layer of this kind has room for.
  constexpr double room(block_kind kind, std::int64_t context) const {
    const std::int64_t window = kind.windowed && forgets(model_.stack.span) ? model_.stack.window : 0;
    const bool bites = window > 0 && window < context;
    const auto tokens_held = static_cast<double>(bites ? window : context), whole = static_cast<double>(context);
    switch (setup_.layout) {
      case kv_layout::contiguous:
        return whole;
      case kv_layout::ring:
        return tokens_held;
      case kv_layout::paged:
      case kv_layout::unified_pages: {
        // A window that does not start at a block's edge reaches into one block more.
        const std::int64_t all = pages_for(context), some = bites ? pages_for(window - 1) + 1 : all;
        return static_cast<double>(setup_.block) * static_cast<double>(some < all ? some : all);
      }
    }
    return whole;
  }
  const Model& model_;
  serving_setup setup_;
  detail::service_bytes blocks_[block_kind::count]{};
  detail::cache_growth growth_[block_kind::count]{};
};

}  // namespace flopledger
