// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// What training frameworks do: what each keeps in memory and when, by which kernels it computes, what it hides behind
/// computation, where it waits. One value a framework and release; one's own is a copy with a member changed:
///
///     constexpr flopledger::framework ours = [] {
///       flopledger::framework mine = flopledger::frameworks::megatron_core;
///       mine.overlap.tensor = {0.5, flopledger::standing::measured, "our profile"};
///       return mine;
///     }();

#include <flopledger/parallel/plan.hpp>
#include <flopledger/precision.hpp>
#include <flopledger/standing.hpp>
#include <flopledger/text/lookup.hpp>

namespace flopledger {

/// How far predictions were off in published runs, in per cent of what was measured: both ends 0 where there is no such
/// run.
struct error_band {
  double lowest = 0, highest = 0;
};

/// The fused kernel of attention, by the library that ships it.
enum class attention_library : std::uint8_t {
  usual,   ///< what Transformer Engine picks: the fastest of the device's vendor
  flash_2  ///< FlashAttention-2 on Ampere and Hopper, elsewhere as `usual`
};

/// How tokens reach their experts.
enum class expert_dispatch : std::uint8_t {
  all_to_all,  ///< once for each expert that a token chose
  hybrid  ///< once for each rank, and across nodes once for each node, that holds such an expert (DeepEP, HybridEP)
};

/// How the update of all parameters runs.
enum class optimizer_update : std::uint8_t {
  fused,    ///< one kernel for all of it, which keeps what it works out on the chip
  foreach,  ///< a kernel for each operation, over all parameters: the root of the second moment is a tensor of its size
  loop      ///< parameter after parameter: tensors of one of them
};

/// Shares of each group's traffic that run beside computation, where there is computation to hide them.
struct overlaps {
  known<double> tensor{}, context{}, expert{}, pipeline{}, data{};
  known<double> interleaved{};  ///< in place of `pipeline` where stages interleave
};

/// What a framework does. The defaults are a framework that adds nothing: kernels without fusion of their own, and
/// messages that wait.
struct framework {
  std::string_view name{}, release{};
  std::string_view family{};  ///< that it shares kernels and habits with

  // In memory, beside the model's tensors.
  known<bytes> workspace{bytes::from_value(64 * prefix::mebi), standing::assumed,
                         "two cuBLAS workspaces of 32 MiB, the size NVIDIA advises on Hopper"};
  known<bytes> context{};             ///< CUDA context, NCCL's buffers: outside the allocator, seen by nvidia-smi
  known<double> fragmentation{};      ///< reserved by the allocator above what was allocated, a share of it
  bool accumulates_in_place = false;  ///< weight gradients go straight into the accumulator (Megatron-LM's fusion)
  known<bytes> buckets{};             ///< gradients on their way to be reduced
  known<double> optimizer_copies{};   ///< bytes a parameter that the optimizer holds unsharded
  known<double> step_bytes{};         ///< that the step copies gradients into, a parameter, sharded as its states are
  optimizer_update update = optimizer_update::fused;
  bool fresh_gradients = false;       ///< each step's first backward pass makes them anew: none exist before
  bool whole_master_weights = false;  ///< ZeRO does not shard the optimizer's own copy of the weights
  bool ends_stay_gathered = false;    ///< sharded embedding, last norm and head are whole all through a step
  bool torch_pipeline = false;  ///< under a pipeline, sharded weights stay whole, gradients are summed whole, and each
                                ///< micro-batch has its stage's output and a place for the gradient of it
  bool keeps_gathered_inputs = false;   ///< what tensor ranks gather for a product is kept, and not gathered once more
  bool keeps_weight_gradients = false;  ///< one 16-bit gradient for each shape of a block's weights stays allocated
  bool weighs_inside_experts = false;   ///< by the router's scores, so that what experts put out is not kept
  bool joins_products = false;  ///< query, key and value are one matrix, and so are gate and up: `recompute::alternate`
                                ///< counts each of these as one product

  // Formats, where a recipe with master weights leaves them to the framework (`formats_under`).
  bool fp32_gradients = false;  ///< gradients are summed and reduced in FP32
  bool fp32_shards = false;     ///< ZeRO-3 shards the master weights alone, and gathers them in the activations' format

  // Kernels.
  attention_library attention = attention_library::usual;
  bool computes_masked = false;               ///< a fused kernel does the scores that a causal mask covers, too
  cross_entropy loss = cross_entropy::fused;  ///< unless the plan says otherwise
  /// Bytes an element that a fused loss moves over the logits, forward and backward together. Megatron-LM's own: cast
  /// 2 + 4, maximum 4, exponential 8, gradient 8, cast 4 + 2. A compiled one reads twice and writes once in 16 bits.
  known<double> fused_loss{32, standing::from_code, "Megatron-LM, core/tensor_parallel/cross_entropy.py"};
  /// Passes that code without a fusing compiler takes over what norms, activation functions and rotary embeddings move
  /// (PyTorch's eager mode: each of their steps is a kernel, some through FP32). 1: fused kernels or a compiler.
  known<double> eager_passes{1};
  /// Of what a cast of a product's operands to 8 bits or fewer moves (`cast_bytes`). 0: inside the kernel before.
  known<double> casts{1};
  bool grouped_experts = true;  ///< one kernel for all experts of a product; else one each, with its own last wave
  /// Experts' tokens, forward: written in the experts' order and read again, twice where they also travel.
  known<double> expert_passes{6, standing::from_code, "Megatron-LM, token_dispatcher.py"};
  /// Bytes an element of adding the biases of experts' outputs, where it is no part of the product.
  known<double> expert_bias_forward{}, expert_bias_backward{};

  // Messages and waiting.
  expert_dispatch dispatch = expert_dispatch::all_to_all;
  context_exchange exchange = context_exchange::ring;
  overlaps overlap{};
  /// That a device waits in each pass over a layer of experts: the host has to read how many tokens each expert got
  /// before it can launch what follows.
  known<seconds> expert_wait{};
  known<seconds> data_loading{};  ///< exposed, a step
  /// That the host takes to start an operation, in each pass. 0: it is always ahead of the device.
  known<seconds> host_launch{};
  /// That each shard of the updated weights takes, where its rank sends it by itself. 0: they are gathered at once.
  known<seconds> shard_message{};

  error_band band{};        ///< of `memory_account::total()`
  error_band split_band{};  ///< of runs over tensor or pipeline ranks, where those were off otherwise

  constexpr const error_band& band_of(const plan& p) const {
    const bool own = split_band.lowest != 0 || split_band.highest != 0;
    return own && (p.tensor > 1 || p.pipeline > 1) ? split_band : band;
  }
};

/// Hands each member that a copy may change to `visit(name, member, most)`; a number lies between 0 and `most`.
template <maybe_const<framework> Framework, class Visit>
constexpr void for_each_member(Framework& of, Visit visit) {
  constexpr double share = 1, any = members::no_bound;
  visit("workspace", of.workspace, any);
  visit("context", of.context, any);
  visit("fragmentation", of.fragmentation, share);
  visit("accumulates_in_place", of.accumulates_in_place, any);
  visit("buckets", of.buckets, any);
  visit("optimizer_copies", of.optimizer_copies, any);
  visit("step_bytes", of.step_bytes, any);
  visit("update", of.update, any);
  visit("fresh_gradients", of.fresh_gradients, any);
  visit("whole_master_weights", of.whole_master_weights, any);
  visit("ends_stay_gathered", of.ends_stay_gathered, any);
  visit("torch_pipeline", of.torch_pipeline, any);
  visit("keeps_gathered_inputs", of.keeps_gathered_inputs, any);
  visit("keeps_weight_gradients", of.keeps_weight_gradients, any);
  visit("weighs_inside_experts", of.weighs_inside_experts, any);
  visit("joins_products", of.joins_products, any);
  visit("fp32_gradients", of.fp32_gradients, any);
  visit("fp32_shards", of.fp32_shards, any);
  visit("attention", of.attention, any);
  visit("computes_masked", of.computes_masked, any);
  visit("loss", of.loss, any);
  visit("fused_loss", of.fused_loss, any);
  visit("eager_passes", of.eager_passes, any);
  visit("casts", of.casts, any);
  visit("grouped_experts", of.grouped_experts, any);
  visit("expert_passes", of.expert_passes, any);
  visit("expert_bias_forward", of.expert_bias_forward, any);
  visit("expert_bias_backward", of.expert_bias_backward, any);
  visit("dispatch", of.dispatch, any);
  visit("exchange", of.exchange, any);
  visit("overlap.tensor", of.overlap.tensor, share);
  visit("overlap.context", of.overlap.context, share);
  visit("overlap.expert", of.overlap.expert, share);
  visit("overlap.pipeline", of.overlap.pipeline, share);
  visit("overlap.interleaved", of.overlap.interleaved, share);
  visit("overlap.data", of.overlap.data, share);
  visit("expert_wait", of.expert_wait, any);
  visit("data_loading", of.data_loading, any);
  visit("host_launch", of.host_launch, any);
  visit("shard_message", of.shard_message, any);
}

/// Thousandths of a device's memory that a prediction may fill and be believed: 950, less where published runs of the
/// framework took more than that leaves room for.
constexpr int usable_per_mille(const framework& of, const plan& lies = {}) {
  const int by_band = static_cast<int>(1000.5 + 10 * of.band_of(lies).lowest);
  return by_band < 950 ? by_band : 950;
}

/// The formats that a recipe with master weights has under a framework.
constexpr recipe formats_under(const framework& of, const recipe& asked, const plan& lies) {
  recipe made = asked;
  if (!asked.has_master_weights) return made;
  if (of.fp32_gradients) made.gradients = fp32::format;
  if (of.fp32_shards && lies.sharding == zero::weights) {
    made.weights = made.other_weights = made.gradients = asked.master_weights;
    made.has_master_weights = false;
  }
  return made;
}

/// Each with the errors that docs/accuracy.md lists. Constants of time that were chosen on a table's rows name it:
/// those rows are no test of them.
namespace frameworks {

namespace source {
inline constexpr std::string_view allocator =
    "PyTorch's caching allocator in the middle of the published runs (0.03 to 0.08)";
inline constexpr std::string_view bridge = "chosen on published/nvidia_nemo_bridge_training.csv";
inline constexpr std::string_view vtrain = "its 180 plans of 24 layers in published/vtrain_single_node.csv";
inline constexpr std::string_view internlm = "chosen on published/internlm_7b.csv";
inline constexpr std::string_view titan = "chosen on published/torchtitan.csv";
inline constexpr std::string_view bias = "Megatron-LM, core/transformer/moe/experts.py, `_apply_bias`";
}  // namespace source

/// Megatron-LM before FlashAttention, as Korthikanti et al. ran it: nothing is hidden.
inline constexpr framework megatron_2022{
    .name = "megatron_2022",
    .release = "Megatron-LM of May 2022",
    .family = "megatron",
    .fragmentation = {0.05, standing::assumed, source::allocator},
    .fp32_gradients = true,
};

/// Megatron-Core with the flags of its example scripts: overlapped messages, the fused loss.
///
/// A product's weight gradient has a 16-bit tensor of its own even where its kernel sums into the FP32 accumulator: the
/// head a new one (core/tensor_parallel/layers.py, after `grad_added_to_main_grad`), the blocks' products one for each
/// shape that is never freed (Transformer Engine, pytorch/module/base.py, `get_dummy_wgrad`). Since Core 0.12 the
/// activation inside an expert takes the router's weight (core/fusions/fused_bias_swiglu.py,
/// `weighted_bias_swiglu_impl`), and the sum of experts' outputs has nothing to keep. Gradients are FP32 under --bf16
/// (training/arguments.py).
///
/// Experts' biases: t + b·p expert by expert, joined and cast, p in FP32. Forward: the product b·p written (4), read
/// and added (2 + 4 + 4), joined (4 + 4), cast (4 + 2). Backward: cast (2 + 4), the gradient of t (4 + 2), those of p
/// and of b each multiplied (4 + 4) and summed (4).
inline constexpr framework megatron_core{
    .name = "megatron_core",
    .release = "Megatron-Core 0.12 and later",
    .family = "megatron",
    .fragmentation = {0.05, standing::assumed, source::allocator},
    .keeps_weight_gradients = true,
    .weighs_inside_experts = true,
    .joins_products = true,
    .fp32_gradients = true,
    .fused_loss = {12, standing::from_code, "Megatron-LM, --cross-entropy-loss-fusion"},
    .grouped_experts = false,
    .expert_bias_forward = {28, standing::from_code, source::bias},
    .expert_bias_backward = {36, standing::from_code, source::bias},
    .overlap = {.tensor = {0.7, standing::assumed, source::bridge},
                .data = {0.9, standing::assumed, source::bridge},
                .interleaved = {0.5, standing::assumed, source::bridge}},
    .expert_wait = {1850e-6 * unit::second, standing::measured,
                    "mean excess of Qwen3-30B's steps on GB200, published/nvidia_nemo_bridge_training.csv"},
    .band = {-2.1, 2.8}};

namespace detail {
constexpr framework changed(framework copy, std::string_view name, std::string_view release, auto change) {
  copy.name = name;
  copy.release = release;
  change(copy);
  return copy;
}
}  // namespace detail

/// The same without any flag of overlap or of a fused loss.
inline constexpr framework megatron_core_plain =
    detail::changed(megatron_core, "megatron_core_plain", "Megatron-Core 0.12 and later", [](framework& f) {
      f.fused_loss = framework{}.fused_loss;
      f.overlap = {};
    });

/// NeMo 24.07 on Megatron-Core, whose recipes reduce gradients in FP32. That it ran FlashAttention-2 is assumed: chosen
/// on its rows of published/nvidia_nemo_bridge_training.csv, and the long sequences of nvidia_long_sequence_2.csv
/// agree.
inline constexpr framework nemo_24 = detail::changed(megatron_core, "nemo_24", "NeMo 24.07",
                                                     [](framework& f) { f.attention = attention_library::flash_2; });
/// Megatron-Bridge: gradients of 16 bits (scripts/performance/configs, `grad_reduce_in_fp32 = False`).
inline constexpr framework nemo_bridge = detail::changed(megatron_core, "nemo_bridge", "Megatron-Bridge 25.09 to 26.04",
                                                         [](framework& f) { f.fp32_gradients = false; });
/// Its recipes that name HybridEP (configs/qwen and configs/gpt_oss, `moe_flex_dispatcher_backend`), which takes one
/// permutation each way where the all-to-all takes two (Megatron-LM, token_dispatcher.py: `permute`,
/// `sort_chunks_by_idxs`).
inline constexpr framework nemo_bridge_hybrid_ep =
    detail::changed(nemo_bridge, "nemo_bridge_hybrid_ep", "Megatron-Bridge 26.02 to 26.04", [](framework& f) {
      f.dispatch = expert_dispatch::hybrid;
      f.expert_passes = {4, standing::from_code, "Megatron-LM, token_dispatcher.py"};
    });
/// From 26.06 on the device's work is captured in a graph, and one kernel does all experts with their biases
/// (`cutedsl_fused_grouped_mlp`).
inline constexpr framework nemo_bridge_26_06 =
    detail::changed(nemo_bridge_hybrid_ep, "nemo_bridge_26_06", "Megatron-Bridge 26.06 and later", [](framework& f) {
      f.grouped_experts = true;
      f.expert_wait = {};
      f.expert_bias_forward = f.expert_bias_backward = {};
    });

/// FSDP2 of PyTorch without a compiler.
///
/// The outermost unit, which holds what no block does, stays gathered after its forward pass, for its backward pass
/// comes next (`fully_shard` overrides `reshard_after_forward` for the root). Under a pipeline nothing is sharded again
/// between micro-batches, and gradients are reduced after the last one (torchtitan's `reshard_after_forward = not
/// pp_enabled`; torch/distributed/pipelining/stage.py: `backward_maybe_with_nosync`, `fwd_cache`, `grad_recv_info`). A
/// DTensor that was redistributed is what a product saves. FP32 weights, gradients and moments are sharded, and 16 bits
/// gathered and computed with (`MixedPrecisionPolicy`). Scaled dot-product attention is FlashAttention-2 on Hopper
/// (torchtitan's models/attention.py asks for cuDNN on Blackwell alone). `zero_grad` drops gradients (set_to_none), and
/// an optimizer that is told nothing updates with foreach (torch/optim/adam.py, `_default_to_fused_or_foreach`).
inline constexpr framework pytorch_fsdp{
    .name = "pytorch_fsdp",
    .release = "PyTorch 2.6, FSDP2, eager",
    .family = "pytorch",
    .fragmentation = {0.05, standing::assumed, source::allocator},
    .update = optimizer_update::foreach,
    .fresh_gradients = true,
    .ends_stay_gathered = true,
    .torch_pipeline = true,
    .keeps_gathered_inputs = true,
    .fp32_gradients = true,
    .fp32_shards = true,
    .attention = attention_library::flash_2,
    .loss = cross_entropy::eager,
    .fused_loss = {12, standing::from_code, "torch.compile of cross_entropy: read twice, written once in 16 bits"},
    .eager_passes = {2.5, standing::assumed, source::titan},
    .overlap = {.data = {0.9, standing::assumed, source::titan}},
    .band = {-4.9, 9.1},
    .split_band = {-13.9, -2.8}};
/// torchtitan of December 2024 with its blocks compiled, and the loss not yet ("compiling loss function causes CUDA
/// errors", train.py).
inline constexpr framework torchtitan_2024 =
    detail::changed(pytorch_fsdp, "torchtitan_2024", "torchtitan, December 2024, compiled", [](framework& f) {
      f.eager_passes = {1, standing::from_code, "torch.compile"};
    });
/// torchtitan with blocks and loss compiled.
inline constexpr framework torchtitan =
    detail::changed(torchtitan_2024, "torchtitan", "torchtitan, June 2025, compiled", [](framework& f) {
      f.loss = cross_entropy::fused;
      f.update = optimizer_update::fused;  // config_manager.py, `optimizer.implementation`
    });
/// The same with asynchronous tensor parallelism.
inline constexpr framework torchtitan_async_tp =
    detail::changed(torchtitan, "torchtitan_async_tp", "torchtitan, June 2025, compiled, async TP", [](framework& f) {
      f.overlap.tensor = {0.4, standing::measured, "its BF16 row in published/torchtitan.csv"};
    });
/// LLM Foundry on the first FSDP in eager PyTorch: none of its messages is hidden, its norms are fused, and ALiBi's
/// bias makes FlashAttention-2 compute the masked half. Its AdamW goes from parameter to parameter (Composer,
/// optim/decoupled_weight_decay.py).
inline constexpr framework llm_foundry =
    detail::changed(pytorch_fsdp, "llm_foundry", "LLM Foundry 0.4, Composer's FSDP", [](framework& f) {
      constexpr std::string_view mpt_7b = "chosen on MPT-7B's rows of published/llm_foundry_mpt.csv";
      f.context = {1573.0 * prefix::mebi * unit::byte, standing::assumed,
                   "an A100's, as the BLOOM chronicle measured it"};
      f.update = optimizer_update::loop;
      f.computes_masked = true;
      f.loss = cross_entropy::fused;
      f.fused_loss = {40, standing::assumed, mpt_7b};
      f.eager_passes = {1, standing::assumed, mpt_7b};
      f.overlap.data = {0, standing::assumed, mpt_7b};
    });

/// ZeRO 1 and 2 (runtime/zero/stage_1_and_2.py): a bucket of 5·10⁸ 16-bit gradients (`reduce_bucket_size`), and in the
/// step the reduced gradients, their flat copy and its FP32 copy (2 + 2 + 4 bytes) together. Nothing is hidden before
/// stage 3 by default.
inline constexpr framework deepspeed{
    .name = "deepspeed",
    .release = "DeepSpeed, ZeRO 1 and 2",
    .family = "deepspeed",
    .fragmentation = {0.05, standing::assumed, source::allocator},
    .buckets = {bytes::from_value(2 * 5e8), standing::from_code, "DeepSpeed, `reduce_bucket_size`"},
    .step_bytes = {2 + 2 + 4, standing::from_code, "DeepSpeed, runtime/zero/stage_1_and_2.py"},
    .band = {-11.3, 11.5}};
/// BF16_Optimizer (runtime/bf16_optimizer.py): the 16-bit gradients of one micro-batch stay beside the FP32 ones that
/// they are added to, and the step copies nothing.
inline constexpr framework deepspeed_bf16{
    .name = "deepspeed_bf16",
    .release = "DeepSpeed, BF16_Optimizer",
    .family = "deepspeed",
    .fragmentation = {0.05, standing::assumed, source::allocator},
    .optimizer_copies = {2, standing::from_code, "DeepSpeed, runtime/bf16_optimizer.py"},
    .fp32_gradients = true,
    .band = {-11.3, 11.5}};
/// As BigScience ran it before BLOOM, with the CUDA context that its chronicle measured with nvidia-smi after one
/// tensor was made.
inline constexpr framework megatron_deepspeed =
    detail::changed(deepspeed, "megatron_deepspeed", "Megatron-DeepSpeed, January 2022, FP16", [](framework& f) {
      f.context = {1573.0 * prefix::mebi * unit::byte, standing::measured, "the BLOOM chronicle, on an A100"};
      f.loss = cross_entropy::explicit_softmax;
    });
/// The first version of BF16_Optimizer, "just written" on 28 February 2022: all of the FP32 weights stay on every rank,
/// not the rank's shard alone (`fp32_groups_flat`).
inline constexpr framework megatron_deepspeed_bf16 = detail::changed(
    deepspeed_bf16, "megatron_deepspeed_bf16", "Megatron-DeepSpeed, 28 February 2022, BF16", [](framework& f) {
      f.context = megatron_deepspeed.context;
      f.loss = cross_entropy::explicit_softmax;
      f.whole_master_weights = true;
    });

/// As the authors of vTrain ran GPT on A100: scores through memory, no overlap, one ledger's operation after the other
/// started by an eager framework that also checkpoints.
inline constexpr framework megatron_deepspeed_2023 =
    detail::changed(deepspeed, "megatron_deepspeed_2023", "Megatron-DeepSpeed, 2023, FP16", [](framework& f) {
      f.loss = cross_entropy::explicit_softmax;
      f.host_launch = {82e-6 * unit::second, standing::measured, source::vtrain};
    });

/// InternEvo on PyTorch, ZeRO-1: its optimizer broadcasts each rank's weights in turn, so that what a step waits for
/// grows with the ranks of a shard group (solver/optimizer/hybrid_zero_optim.py).
inline constexpr framework internevo{.name = "internevo",
                                     .release = "InternLM, July 2023",
                                     .family = "internevo",
                                     .fragmentation = {0.05, standing::assumed, source::allocator},
                                     .attention = attention_library::flash_2,
                                     .fused_loss = {12, standing::assumed, source::internlm},
                                     .eager_passes = {7, standing::assumed, source::internlm},
                                     .overlap = {.data = {0.9, standing::assumed, source::internlm}},
                                     .shard_message = {2.8e-3 * unit::second, standing::measured, source::internlm}};

/// No cause of loss at all: the floor.
inline constexpr framework ideal{.name = "ideal", .fused_loss = {2}, .casts = {0}, .expert_passes = {0}};

/// Every framework of this header but the floor, for a look-up by name.
inline constexpr const framework* all[] = {&megatron_2022,
                                           &megatron_core,
                                           &megatron_core_plain,
                                           &nemo_24,
                                           &nemo_bridge,
                                           &nemo_bridge_hybrid_ep,
                                           &nemo_bridge_26_06,
                                           &pytorch_fsdp,
                                           &torchtitan_2024,
                                           &torchtitan,
                                           &torchtitan_async_tp,
                                           &llm_foundry,
                                           &deepspeed,
                                           &deepspeed_bf16,
                                           &megatron_deepspeed,
                                           &megatron_deepspeed_bf16,
                                           &megatron_deepspeed_2023,
                                           &internevo};

/// The framework of that name, or null.
template <class Text>
constexpr const framework* find(const Text& name) {
  return text::find_named(all, name);
}
}  // namespace frameworks

}  // namespace flopledger
