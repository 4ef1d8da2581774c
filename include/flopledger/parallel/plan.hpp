// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// How a training job lies over its devices: degrees, sharding, schedule, recompute, offload, optimizer.

#include <flopledger/compiler.hpp>
#include <flopledger/errors.hpp>
#include <flopledger/models/problem.hpp>
#include <flopledger/models/transformer.hpp>
#include <flopledger/precision.hpp>
#include <flopledger/text/lookup.hpp>
#include <flopledger/text/sentence.hpp>

namespace flopledger {

/// What is sharded over the data-parallel group (Rajbhandari et al. 2020, section 5): each stage shards what the one
/// before it shards, and one thing more.
enum class zero : std::uint8_t { none, optimizer, gradients, weights };

enum class pipeline_schedule : std::uint8_t {
  one_forward_one_backward,  ///< Narayanan et al. 2021, section 2.2; interleaved where `virtual_stages` > 1
  zero_bubble                ///< ZB-H1 of Qi et al. 2024: the same peak memory as one_forward_one_backward
};

/// Which operations run again in the backward pass instead of keeping what they need.
enum class recompute : std::uint8_t {
  none,
  selective,  ///< the attention core alone (Korthikanti et al. 2022, section 5)
  full,       ///< whole blocks: each keeps its input
  alternate,  ///< blocks but for the outputs of attention and of every other product (torchtitan's selective "op")
  kinds       ///< those of `plan::recomputed_kinds`
};

/// How context-parallel ranks see one another's keys and values.
enum class context_exchange : std::uint8_t {
  ring,       ///< each block of keys and values travels round (Liu et al. 2023)
  all_to_all  ///< sequence split for head split, before and behind the attention core (DeepSpeed Ulysses, 2023)
};

enum class cross_entropy : std::uint8_t {
  explicit_softmax,  ///< logits in 16 bits, their softmax in FP32, and a gradient in 16 bits
  fused,             ///< softmax and gradient in turn overwrite one FP32 copy of the logits (Megatron-LM's fusion)
  eager,             ///< 16-bit logits, and in FP32 their copy, its log-softmax and a gradient (PyTorch's own function)
  chunked            ///< the head and the loss run over parts of the tokens: no logits of all tokens exist
};

/// States that an optimizer keeps of a parameter, in elements of the recipe's moment format but where it says
/// otherwise.
struct optimizer {
  std::string_view name{};
  double moments = 2;                ///< of every parameter
  double moment_bytes = 0;           ///< of one, where the optimizer fixes it; 0: the recipe's
  double block_bytes = 0;            ///< of a quantised moment's scale, a parameter
  bool factored = false;             ///< second moment of a matrix as one row and one column (Adafactor)
  bool matrices_one_moment = false;  ///< matrices keep one moment, the rest two (Muon beside AdamW)
  bool divides_by_root = false;      ///< of the second moment, for which some code makes a tensor (`optimizer_update`)
};

namespace optimizers {
inline constexpr optimizer adamw{.name = "adamw", .divides_by_root = true};
/// Dettmers et al. 2022: 8-bit moments, one FP32 scale a block of 2048.
inline constexpr optimizer adam_8bit{.name = "adam-8bit", .moment_bytes = 1, .block_bytes = 4.0 / 2048};
inline constexpr optimizer sgd{.name = "sgd", .moments = 0};
inline constexpr optimizer momentum{.name = "momentum", .moments = 1};
inline constexpr optimizer lion{.name = "lion", .moments = 1};
/// Shazeer and Stern 2018, without a first moment.
inline constexpr optimizer adafactor{.name = "adafactor", .moments = 0, .factored = true};
/// Jordan et al. 2024: momentum for the matrices inside the blocks, AdamW for the rest.
inline constexpr optimizer muon{.name = "muon", .matrices_one_moment = true};
inline constexpr const optimizer* all[] = {&adamw, &adam_8bit, &sgd, &momentum, &lion, &adafactor, &muon};

template <class Text>
constexpr const optimizer* find(const Text& name) {
  return text::find_named(all, name);
}
}  // namespace optimizers

/// A training job but for its model and its recipe. Degrees multiply to the device count; experts lie over the ranks of
/// the data, context and tensor groups (Megatron-LM's expert-model and expert-tensor parallelism).
struct plan {
  std::int64_t sequence = 0;  ///< tokens; there is no default, and a plan without it is refused
  std::int64_t micro_batch = 1;
  std::int64_t gradient_accumulation = 1;  ///< micro-batches a step, on each data-parallel rank
  std::int64_t images = 0;                 ///< that each sequence brings to a vision tower

  std::int64_t data = 1, tensor = 1, pipeline = 1, context = 1;
  std::int64_t expert = 1;         ///< ranks that share a layer's experts
  std::int64_t expert_tensor = 0;  ///< ranks that share one expert; 0: as `tensor`
  std::int64_t virtual_stages = 1;
  bool sequence_parallel = true;  ///< activations between the tensor-parallel regions are split too
  std::int64_t first_stage_layers = 0, last_stage_layers = 0;  ///< 0: as many as the others

  zero sharding = zero::none;
  std::int64_t shard_group = 0;  ///< ranks that shards lie over (hybrid sharding); 0: data × context
  pipeline_schedule schedule = pipeline_schedule::one_forward_one_backward;

  // Whole blocks are recomputed, and activations offloaded, in the model's main stack alone: an encoder and a vision
  // tower, which lie on the first stage, keep all that theirs need.
  flopledger::recompute recompute = recompute::none;
  operation_set recomputed_kinds{};
  std::int64_t recompute_every = 1;  ///< full recompute of each k-th block alone
  std::int64_t adapter_rank = 0;  ///< LoRA on every projection of the blocks, all else frozen; 0: everything is trained
  bool offload_optimizer = false, offload_weights = false, offload_activations = false;

  attention_kernel attention = attention_kernel::fused;
  cross_entropy loss = cross_entropy::fused;
  std::int64_t loss_chunks = 8;  ///< of a chunked loss

  constexpr std::int64_t devices() const { return data * tensor * pipeline * context; }
  constexpr std::int64_t global_batch() const { return data * micro_batch * gradient_accumulation; }
  constexpr std::int64_t shards() const { return shard_group > 0 ? shard_group : data * context; }
  constexpr std::int64_t tensor_of_experts() const { return expert_tensor > 0 ? expert_tensor : tensor; }
  /// Ranks of one pipeline stage that hold the same experts.
  constexpr std::int64_t expert_data() const { return data * context * tensor / (expert * tensor_of_experts()); }
};

/// Why a plan cannot be.
enum class plan_problem : std::uint8_t {
  none,
  model,                ///< the model is impossible whatever the plan: `plan_verdict::of_model` says why
  no_sequence,          ///< the plan names no sequence length
  not_positive,         ///< a degree below one, or a count that is negative
  heads_by_tensor,      ///< heads / tensor has a remainder
  kv_heads_by_tensor,   ///< neither divides the other
  layers_by_stages,     ///< layers / (pipeline × virtual stages) has a remainder, or stages without layers
  experts_by_expert,    ///< experts / expert has a remainder
  expert_ranks,         ///< expert × expert_tensor does not divide data × context × tensor
  sequence_by_context,  ///< sequence / context has a remainder
  sequence_by_tensor,   ///< with sequence parallelism, sequence / (context × tensor) has a remainder
  virtual_without_pipeline,
  micro_batches_by_stages,  ///< interleaving needs micro-batches in multiples of the stages
  shard_group_by_ranks,     ///< shard_group does not divide data × context
  width_by_tensor,          ///< a state-space layer's width / tensor has a remainder
  feed_forward_by_tensor,   ///< a feed-forward layer's inner width / tensor has a remainder, or an expert's
  images_without_tower,     ///< images for a model that has no vision tower
  no_blocks,                ///< whole blocks recomputed or offloaded, and all the model's stand in its tower
  service_without_sequences,
  service_without_context,
  too_many_devices  ///< more than this library counts
};

/// The first thing that makes a plan impossible, with the two numbers that do not go together.
struct plan_verdict {
  plan_problem problem = plan_problem::none;
  std::int64_t value = 0, divisor = 0;
  model_verdict of_model{};
  constexpr bool ok() const { return problem == plan_problem::none; }
};

/// What makes a model impossible, as a verdict on its plans.
template <class Model>
constexpr plan_verdict model_problem_of(const Model& model) {
  if (const model_verdict found = problem_of(model); !found.ok())
    return {plan_problem::model, found.value, found.other_value, found};
  return {};
}

constexpr std::string_view describe(plan_problem problem) {
  switch (problem) {
    case plan_problem::none:
      return "no problem";
    case plan_problem::model:
      return "the model is impossible";
    case plan_problem::no_sequence:
      return "the plan has no sequence length, or one below 1";
    case plan_problem::not_positive:
      return "a degree must be at least 1, and no count below 0";
    case plan_problem::heads_by_tensor:
      return "attention heads do not divide by the tensor-parallel degree";
    case plan_problem::kv_heads_by_tensor:
      return "key/value heads neither divide by nor into the tensor-parallel degree";
    case plan_problem::layers_by_stages:
      return "layers do not divide by the pipeline stages";
    case plan_problem::experts_by_expert:
      return "experts do not divide by the expert-parallel degree";
    case plan_problem::expert_ranks:
      return "the ranks of a stage do not divide by expert × expert-tensor degree";
    case plan_problem::sequence_by_context:
      return "the sequence does not divide by the context-parallel degree";
    case plan_problem::sequence_by_tensor:
      return "the sequence does not divide by context × tensor degree";
    case plan_problem::virtual_without_pipeline:
      return "interleaving needs more than one pipeline stage";
    case plan_problem::micro_batches_by_stages:
      return "interleaving needs micro-batches in multiples of the stages";
    case plan_problem::shard_group_by_ranks:
      return "the shard group does not divide data × context ranks";
    case plan_problem::width_by_tensor:
      return "the width of a state-space layer does not divide by the tensor-parallel degree";
    case plan_problem::feed_forward_by_tensor:
      return "the inner width of a feed-forward layer does not divide by the ranks that share it";
    case plan_problem::images_without_tower:
      return "images for a model without a vision tower";
    case plan_problem::no_blocks:
      return "whole blocks are recomputed or offloaded in the main stack alone, and it has no layers";
    case plan_problem::service_without_sequences:
      return "a service holds at least one sequence";
    case plan_problem::service_without_context:
      return "a service's context is at least one token";
    case plan_problem::too_many_devices:
      return "more devices than can be counted";
  }
  return "unknown problem";
}

/// "impossible plan: attention heads do not divide by the tensor-parallel degree: 64 by 3".
template <std::same_as<plan_verdict> Verdict>
constexpr sentence sentence_of(const Verdict& judged) {
  if (judged.problem == plan_problem::model) return sentence_of(judged.of_model);
  sentence said;
  said << "impossible plan: " << describe(judged.problem) << ": " << judged.value << " by " << judged.divisor;
  return said;
}

/// A plan, a service or a model that cannot be was to be answered about. A template where it need not be one, so that a
/// build that refuses nothing learns no words.
struct impossible_plan : error {
  template <std::same_as<plan_verdict> Verdict>
  explicit impossible_plan(const Verdict& why) : error(sentence_of(why).c_str()), judged(why) {}
  plan_verdict judged;
};

namespace detail {
/// Arguments are what a compiler shows where the expression is constant.
template <class Verdict>
constexpr void refuse_plan(plan_problem problem, [[maybe_unused]] std::int64_t value,
                           [[maybe_unused]] std::int64_t divisor, const Verdict& judged) {
  if (problem != plan_problem::none) raise<impossible_plan>(judged);
}
template <class Verdict>
constexpr void refuse_model(model_problem problem, [[maybe_unused]] model_field of, [[maybe_unused]] std::int64_t value,
                            const Verdict& judged) {
  if (problem != model_problem::none) raise<impossible_plan>(judged);
}
template <std::same_as<plan_verdict> Verdict>
constexpr void refuse(const Verdict& judged) {
  if (judged.problem == plan_problem::model)
    refuse_model(judged.of_model.problem, judged.of_model.field, judged.value, judged);
  else
    refuse_plan(judged.problem, judged.value, judged.divisor, judged);
}
/// What constructors of jobs begin with. A setup whose owner was refused before says so: `Model::is_judged`.
template <class Setup, class Model>
constexpr const Setup& must_be_possible(const Setup& setup, const Model& model) {
  if constexpr (!requires { Model::is_judged; }) {
    if (const plan_verdict found = verdict(setup, model); !found.ok()) refuse(found);
  }
  return setup;
}
}  // namespace detail

/// Layers of one pipeline stage: [first, last) of the stack. Virtual stages hold several such pieces; their sum counts.
struct stage_layers {
  std::int64_t first = 0, last = 0;
};

namespace detail {
constexpr bool divides(std::int64_t n, std::int64_t d) { return n % d == 0; }
}  // namespace detail

/// What a stack cannot be divided by: a problem that plans of training and of serving share.
constexpr plan_verdict tensor_verdict(const stack& blocks, std::int64_t tensor) {
  const std::int64_t heads = blocks.compressed.heads > 0 ? blocks.compressed.heads
                             : blocks.latent.heads > 0   ? blocks.latent.heads
                                                         : blocks.attention.heads;
  if (!detail::divides(heads, tensor)) return {plan_problem::heads_by_tensor, heads, tensor};
  const std::int64_t kv = blocks.latent.heads > 0 ? heads : blocks.attention.kv_heads;
  if (kv > 0 && !detail::divides(kv, tensor) && !detail::divides(tensor, kv))
    return {plan_problem::kv_heads_by_tensor, kv, tensor};
  if (const attention& other = blocks.windowed_attention; other.heads > 0) {
    if (!detail::divides(other.heads, tensor)) return {plan_problem::heads_by_tensor, other.heads, tensor};
    if (!detail::divides(other.kv_heads, tensor) && !detail::divides(tensor, other.kv_heads))
      return {plan_problem::kv_heads_by_tensor, other.kv_heads, tensor};
  }
  if (const std::int64_t parts = blocks.recurrent_parts(); !detail::divides(parts, tensor))
    return {plan_problem::width_by_tensor, parts, tensor};
  if (blocks.has_feed_forward && tensor > 1) {
    const std::int64_t dense = blocks.sparse.size() < blocks.layers ? blocks.feed.intermediate : 0;
    const std::int64_t inner = detail::divides(dense, tensor) ? blocks.mixture.shared_intermediate : dense;
    if (!detail::divides(inner, tensor)) return {plan_problem::feed_forward_by_tensor, inner, tensor};
  }
  return {};
}

template <class Model>
constexpr plan_verdict tensor_verdict_of(const Model& model, std::int64_t tensor) {
  if (const plan_verdict found = tensor_verdict(model.stack, tensor); !found.ok()) return found;
  // An encoder is divided as its decoder is, and a tower that is the whole model too; one beside a text model is small.
  if constexpr (requires { model.encoder.layers; })
    if (const plan_verdict found = tensor_verdict(model.encoder, tensor); !found.ok()) return found;
  if constexpr (requires { model.vision_only; })
    if (model.vision_only)
      if (const plan_verdict found = tensor_verdict(model.vision.stack, tensor); !found.ok()) return found;
  return {};
}

/// What no model allows.
constexpr plan_verdict degrees_verdict(const plan& p) {
  if (p.sequence < 1) return {plan_problem::no_sequence, p.sequence, 1};
  const std::int64_t at_least_one[] = {
      p.micro_batch,    p.gradient_accumulation, p.data,       p.tensor, p.pipeline, p.context, p.expert,
      p.virtual_stages, p.recompute_every,       p.loss_chunks};
  for (const std::int64_t degree : at_least_one)
    if (degree < 1) return {plan_problem::not_positive, degree, 1};
  const std::int64_t not_negative[] = {p.images,       p.expert_tensor,      p.shard_group,
                                       p.adapter_rank, p.first_stage_layers, p.last_stage_layers};
  for (const std::int64_t count : not_negative)
    if (count < 0) return {plan_problem::not_positive, count, 0};
  constexpr double most = 1e15;  // of devices, and of what their products make
  double devices = 1;
  const std::int64_t factors[] = {
      p.data, p.tensor, p.pipeline, p.context, p.virtual_stages, p.expert, p.expert_tensor > 0 ? p.expert_tensor : 1};
  for (const std::int64_t degree : factors) {
    devices *= static_cast<double>(degree);
    if (devices > most) return {plan_problem::too_many_devices, degree, static_cast<std::int64_t>(most)};
  }
  return {};
}

template <class Model>
constexpr plan_verdict verdict(const plan& p, const Model& model) {
  if (const plan_verdict found = model_problem_of(model); !found.ok()) return found;
  if (const plan_verdict found = degrees_verdict(p); !found.ok()) return found;
  const auto& blocks = model.stack;
  if (const plan_verdict found = tensor_verdict_of(model, p.tensor); !found.ok()) return found;
  const std::int64_t pieces = p.pipeline * p.virtual_stages;
  if (p.first_stage_layers == 0 && p.last_stage_layers == 0) {
    if (!detail::divides(blocks.layers, pieces) || (pieces > 1 && blocks.layers == 0))
      return {plan_problem::layers_by_stages, blocks.layers, pieces};
  } else {
    const std::int64_t ends = (p.first_stage_layers > 0 ? 1 : 0) + (p.last_stage_layers > 0 ? 1 : 0);
    const std::int64_t inner = blocks.layers - p.first_stage_layers - p.last_stage_layers, stages = p.pipeline - ends;
    if (inner < 0 || stages < 0 || (stages == 0 ? inner != 0 : inner == 0 || !detail::divides(inner, stages)))
      return {plan_problem::layers_by_stages, inner, stages};
    // Interleaved, each stage's layers are cut into as many pieces.
    const std::int64_t of_stages[] = {p.first_stage_layers, p.last_stage_layers, stages > 0 ? inner / stages : 0};
    for (const std::int64_t own : of_stages)
      if (!detail::divides(own, p.virtual_stages)) return {plan_problem::layers_by_stages, own, p.virtual_stages};
  }
  if (p.virtual_stages > 1) {
    if (p.pipeline == 1) return {plan_problem::virtual_without_pipeline, p.virtual_stages, p.pipeline};
    if (!detail::divides(p.gradient_accumulation, p.pipeline))
      return {plan_problem::micro_batches_by_stages, p.gradient_accumulation, p.pipeline};
  }
  const std::int64_t experts = blocks.mixture.experts;
  if (experts > 0 ? !detail::divides(experts, p.expert) : p.expert > 1)
    return {plan_problem::experts_by_expert, experts, p.expert};
  const std::int64_t ranks = p.data * p.context * p.tensor, group = p.expert * p.tensor_of_experts();
  if (!detail::divides(ranks, group)) return {plan_problem::expert_ranks, ranks, group};
  if (experts > 0 && !detail::divides(blocks.mixture.intermediate, p.tensor_of_experts()))
    return {plan_problem::feed_forward_by_tensor, blocks.mixture.intermediate, p.tensor_of_experts()};
  const bool whole_blocks =
      p.recompute == recompute::full || p.recompute == recompute::alternate || p.offload_activations;
  if (whole_blocks && blocks.layers == 0) return {plan_problem::no_blocks, blocks.layers, 1};
  if (p.images > 0) {
    bool has_tower = false;
    if constexpr (requires { model.vision.stack.layers; }) has_tower = model.vision.stack.layers > 0;
    if (!has_tower) return {plan_problem::images_without_tower, p.images, 0};
  }
  if (!detail::divides(p.sequence, p.context)) return {plan_problem::sequence_by_context, p.sequence, p.context};
  if (p.sequence_parallel && p.tensor > 1 && !detail::divides(p.sequence, p.context * p.tensor))
    return {plan_problem::sequence_by_tensor, p.sequence, p.context * p.tensor};
  if (p.shard_group > 0 && !detail::divides(p.data * p.context, p.shard_group))
    return {plan_problem::shard_group_by_ranks, p.data * p.context, p.shard_group};
  return {};
}

/// The layers of a stage. With interleaving they are `virtual_stages` pieces apart; a uniform stack does not care
/// which, and for others the pieces are asked for one by one.
template <class Stack>
constexpr stage_layers layers_of(const plan& p, const Stack& blocks, std::int64_t stage, std::int64_t piece = 0) {
  if (p.first_stage_layers == 0 && p.last_stage_layers == 0) {
    const std::int64_t each = blocks.layers / (p.pipeline * p.virtual_stages);
    const std::int64_t first = (piece * p.pipeline + stage) * each;
    return {first, first + each};
  }
  const std::int64_t ends = (p.first_stage_layers > 0 ? 1 : 0) + (p.last_stage_layers > 0 ? 1 : 0);
  const std::int64_t inner = blocks.layers - p.first_stage_layers - p.last_stage_layers;
  const std::int64_t each = p.pipeline > ends ? inner / (p.pipeline - ends) : 0;
  const auto size = [&](std::int64_t s) {
    if (s == 0 && p.first_stage_layers > 0) return p.first_stage_layers;
    if (s == p.pipeline - 1 && p.last_stage_layers > 0) return p.last_stage_layers;
    return each;
  };
  std::int64_t first = blocks.layers / p.virtual_stages * piece;
  for (std::int64_t s = 0; s < stage; ++s) first += size(s) / p.virtual_stages;
  return {first, first + size(stage) / p.virtual_stages};
}

/// Micro-batches whose activations a stage holds at its fullest, in whole forward passes of that stage.
///
/// One-forward-one-backward: min(p − stage, m) (Narayanan et al. 2021, section 2.2). Interleaved: the first stage holds
/// p·(1 + (p−1)/(p·v)) passes (Korthikanti et al. 2022, section 4.2.3); warm-up on stage r is (v−1)·p + 2(p−r−1) pieces
/// of 1/v each, and one more runs.
constexpr double in_flight(const plan& p, std::int64_t stage) {
  const auto stages = static_cast<double>(p.pipeline), micro_batches = static_cast<double>(p.gradient_accumulation);
  const auto pieces = static_cast<double>(p.virtual_stages), rank = static_cast<double>(stage);
  if (p.virtual_stages == 1) return stages - rank < micro_batches ? stages - rank : micro_batches;
  const double warm_up = (pieces - 1) * stages + 2 * (stages - rank - 1) + 1;
  const double all = micro_batches * pieces;
  return (warm_up < all ? warm_up : all) / pieces;
}

}  // namespace flopledger
