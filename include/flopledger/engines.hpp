// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// What serving engines do: how prompts are packed into passes, where the cache lies, by which kernels an engine
/// computes, what its host adds. One value an engine and release; one's own is a copy with a member changed:
///
///     constexpr flopledger::engine ours = [] {
///       flopledger::engine mine = flopledger::engines::vllm;
///       mine.a_pass = {0.8e-3 * flopledger::unit::second, flopledger::standing::measured, "our profile"};
///       return mine;
///     }();

#include <flopledger/memory/serving.hpp>
#include <flopledger/precision.hpp>
#include <flopledger/standing.hpp>
#include <flopledger/text/lookup.hpp>

namespace flopledger {

/// Shares of a device's rates that an engine's own kernels reach.
struct kernel_rates {
  known<double> products{};  ///< of the peak; 0: the device's usual kernels, and of what follows `launch` alone is read
  known<double> quantised{};  ///< the same where weights have fewer than 16 bits
  known<double> unpacking{};  ///< the same where such weights meet a single token
  known<double> bandwidth{};
  known<seconds> launch{};  ///< between dependent kernels; 0 beside usual kernels: as usual
};

/// What an engine does. The defaults are an engine that adds nothing to the device's usual kernels.
struct engine {
  std::string_view name{}, release{};
  std::string_view family{};  ///< that it shares kernels and habits with

  // Prompts, cache and memory.
  known<std::int64_t> chunk{2048, standing::assumed, "a usual limit of tokens a pass"};  ///< prompt tokens of one pass
  kv_layout layout = kv_layout::paged;
  known<std::int64_t> block{16, standing::assumed, "vLLM's default"};  ///< tokens of a page
  known<bytes> reserve{};                                              ///< context, graphs, buffers of communication

  // The host.
  known<seconds> a_token{};    ///< for each sequence of a pass: sampling, text of the new token
  known<seconds> a_pass{};     ///< scheduling, the copy of the new tokens
  known<seconds> a_request{};  ///< tokenizer, queue, transport

  // Kernels.
  attention_kernel attention = attention_kernel::fused;
  bool computes_masked = false;   ///< a fused kernel does the scores that a causal mask covers, too
  bool wide_activations = false;  ///< FP32 between kernels, whatever the recipe says
  kernel_rates rates{};
  /// Passes over what norms, activation functions and rotary embeddings move. 1: fused kernels or a compiler.
  known<double> eager_passes{1};
  /// Bytes an element of casting a product's operands to 8 bits or fewer: a maximum for one scale, read, written in
  /// both layouts.
  known<double> casts{6, standing::assumed, "tensor-wise FP8 as in training on Hopper"};
  /// Experts' tokens: written in the experts' order and read again, twice where they also travel.
  known<double> expert_passes{6, standing::assumed, "Megatron-LM, token_dispatcher.py"};
  bool grouped_experts = true;   ///< one kernel for all experts of a product
  known<seconds> expert_wait{};  ///< for the host, in each pass over a layer of experts

  // Messages.
  known<seconds> all_reduce{};    ///< that a short all-reduce takes; 0: as the node's links say
  bool reduces_in_switch = true;  ///< where the node's switches can; else an all-reduce is a ring
};

/// Hands each member that a copy may change to `visit(name, member, most)`; a number lies between 0 and `most`.
template <maybe_const<engine> Engine, class Visit>
constexpr void for_each_member(Engine& of, Visit visit) {
  constexpr double share = 1, any = members::no_bound;
  visit("chunk", of.chunk, any);
  visit("layout", of.layout, any);
  visit("block", of.block, any);
  visit("reserve", of.reserve, any);
  visit("a_token", of.a_token, any);
  visit("a_pass", of.a_pass, any);
  visit("a_request", of.a_request, any);
  visit("attention", of.attention, any);
  visit("computes_masked", of.computes_masked, any);
  visit("wide_activations", of.wide_activations, any);
  visit("rates.products", of.rates.products, share);
  visit("rates.quantised", of.rates.quantised, share);
  visit("rates.unpacking", of.rates.unpacking, share);
  visit("rates.bandwidth", of.rates.bandwidth, share);
  visit("rates.launch", of.rates.launch, any);
  visit("eager_passes", of.eager_passes, any);
  visit("casts", of.casts, any);
  visit("expert_passes", of.expert_passes, any);
  visit("grouped_experts", of.grouped_experts, any);
  visit("expert_wait", of.expert_wait, any);
  visit("all_reduce", of.all_reduce, any);
  visit("reduces_in_switch", of.reduces_in_switch, any);
}

/// The formats that a recipe has under an engine.
constexpr recipe formats_under(const engine& of, const recipe& asked) {
  recipe made = asked;
  if (of.wide_activations) made.activations = fp32::format;
  return made;
}

/// A service of so many ranks as an engine runs it; `formats.precision` is the recipe asked for.
constexpr serving_setup setup_under(const engine& of, const data_formats& formats, std::int64_t tensor = 1,
                                    std::int64_t expert = 1) {
  return {.formats = {.precision = formats_under(of, formats.precision),
                      .checkpoint = formats.checkpoint,
                      .kernel = of.attention},
          .tensor = tensor,
          .expert = expert,
          .layout = of.layout,
          .block = of.block,
          .chunk = of.chunk,
          .reserve = of.reserve};
}

/// Each with the errors that docs/accuracy_time.md lists.
namespace engines {

namespace source {
inline constexpr std::string_view short_messages = "short NCCL messages on eight A100, Vidur's profiles";
inline constexpr std::string_view one_3090 = "one RTX 3090's rows of published/llamacpp_llama3_gpus.csv";
inline constexpr std::string_view m1_max = "the M1 Max's rows of published/llamacpp_llama3_gpus.csv";
inline constexpr std::string_view trtllm_8b = "Llama-3.1-8B on H200, published/trtllm_v1_0_throughput.csv";
inline constexpr std::string_view trtllm_70b =
    "Llama-3.1-70B on H200 under TensorRT-LLM, published/serving_engines.csv";
inline constexpr std::string_view vllm_70b = "Llama-3.1-70B on H200 under vLLM, published/serving_engines.csv";
inline constexpr std::string_view vllm_gpt_oss = "gpt-oss-120b on H100 under vLLM 0.18, published/serving_engines.csv";
inline constexpr std::string_view sglang_r1 = "DeepSeek-R1 on H200 under SGLang 0.5.9, published/serving_engines.csv";
inline constexpr std::string_view fused_casts = "fused into the kernel before the product";
}  // namespace source

/// TensorRT-LLM as NVIDIA's tables of release 0.9 and before ran it. How many tokens a pass may hold is set when an
/// engine is built.
inline constexpr engine tensorrt_llm_0_9{
    .name = "tensorrt_llm_0_9",
    .release = "TensorRT-LLM 0.5 to 0.9",
    .family = "tensorrt_llm",
    .a_request = {2.5e-3 * unit::second, standing::measured, "GPT-J's rows of 128 tokens in published/ttft_batch1.csv"},
    .all_reduce = {20e-6 * unit::second, standing::assumed, source::short_messages},
    .reduces_in_switch = false};

/// Engines under load (published/serving_engines.csv): launches, messages and host of each were fitted on one model and
/// device of it, time per token first and then the request; everything else of that table tests them. A quantised
/// product's operands are cast in the kernel before. A request passes a server's front end.
///
/// TensorRT-LLM from release 1.0 on, whose short messages take kernels of its own.
inline constexpr engine tensorrt_llm_1_0{
    .name = "tensorrt_llm_1_0",
    .release = "TensorRT-LLM 1.0 and later",
    .family = "tensorrt_llm",
    .chunk = {8192, standing::from_code, "TensorRT-LLM, llmapi/llm_args.py, `max_num_tokens`"},
    .block = {32, standing::from_code, "TensorRT-LLM, llmapi/llm_args.py, `tokens_per_block`"},
    .a_token = {5e-6 * unit::second, standing::measured, source::trtllm_8b},
    .a_pass = {0.2e-3 * unit::second, standing::measured, source::trtllm_70b},
    .a_request = {40e-3 * unit::second, standing::measured, source::trtllm_70b},
    .rates = {.launch = {3e-6 * unit::second, standing::measured, source::trtllm_70b}},
    .casts = {0, standing::assumed, source::fused_casts},
    .all_reduce = {8e-6 * unit::second, standing::measured, source::trtllm_70b}};

/// vLLM, whose host prepares a step while the devices wait.
inline constexpr engine vllm{
    .name = "vllm",
    .release = "vLLM 0.8 to 0.14",
    .family = "vllm",
    .chunk = {8192, standing::from_code, "vLLM, engine/arg_utils.py, its server on H100 and later"},
    .block = {16, standing::from_code, "vLLM, its default on CUDA"},
    .a_token = {70e-6 * unit::second, standing::measured, source::vllm_70b},
    .a_pass = {0.4e-3 * unit::second, standing::measured, source::vllm_70b},
    .a_request = {35e-3 * unit::second, standing::measured, source::vllm_70b},
    .rates = {.launch = {4.5e-6 * unit::second, standing::measured, source::vllm_70b}},
    .casts = {0, standing::assumed, source::fused_casts},
    .all_reduce = {6e-6 * unit::second, standing::measured, source::vllm_70b}};
/// vLLM that schedules a step while the one before runs.
inline constexpr engine vllm_0_15 = [] {
  engine e = vllm;
  e.name = "vllm_0_15";
  e.release = "vLLM 0.15 and later";
  e.a_token = {10e-6 * unit::second, standing::measured, source::vllm_gpt_oss};
  e.a_pass = {};
  e.a_request = {30e-3 * unit::second, standing::measured, source::vllm_gpt_oss};
  e.rates.launch = {5e-6 * unit::second, standing::measured, source::vllm_gpt_oss};
  e.all_reduce = {8e-6 * unit::second, standing::measured, source::vllm_gpt_oss};
  return e;
}();

/// SGLang. Its request includes the launches of a prompt's pass, which no graph holds.
inline constexpr engine sglang{.name = "sglang",
                               .release = "SGLang 0.5",
                               .family = "sglang",
                               .chunk = {8192, standing::from_code, "SGLang, server_args.py, `chunked_prefill_size`"},
                               .block = {1, standing::from_code, "SGLang, server_args.py, `page_size`"},
                               .a_token = {30e-6 * unit::second, standing::measured, source::sglang_r1},
                               .a_request = {0.2 * unit::second, standing::measured, source::sglang_r1},
                               .rates = {.launch = {5e-6 * unit::second, standing::measured, source::sglang_r1}},
                               .casts = {0, standing::assumed, source::fused_casts},
                               .all_reduce = {2e-6 * unit::second, standing::measured, source::sglang_r1}};

/// gpt-fast: one sequence at a time, compiled, a cache of fixed length.
inline constexpr engine gpt_fast{.name = "gpt_fast",
                                 .release = "gpt-fast, December 2023",
                                 .family = "gpt_fast",
                                 .layout = kv_layout::contiguous,
                                 .all_reduce = {20e-6 * unit::second, standing::assumed, source::short_messages},
                                 .reduces_in_switch = false};

/// llama.cpp on CUDA without its fused attention: FP32 between kernels, prompts in pieces of 512 (`n_ubatch`). F16
/// products are cuBLAS with FP16 sums, quantised ones its own on INT8.
inline constexpr engine llama_cpp{.name = "llama_cpp",
                                  .release = "llama.cpp, May 2024, CUDA",
                                  .family = "llama_cpp",
                                  .chunk = {512, standing::from_code, "llama.cpp, `n_ubatch`"},
                                  .layout = kv_layout::contiguous,
                                  .attention = attention_kernel::explicit_matrix,
                                  .wide_activations = true,
                                  .rates = {.products = {0.48, standing::measured, source::one_3090},
                                            .quantised = {0.20, standing::measured, source::one_3090},
                                            .unpacking = {1.0, standing::assumed, "hidden behind the weights' bytes"},
                                            .bandwidth = {0.92, standing::measured, source::one_3090},
                                            .launch = {8e-6 * unit::second, standing::measured, source::one_3090}}};
/// On Apple's GPUs, where unpacking quantised weights bounds a single token.
inline constexpr engine llama_cpp_metal = [] {
  engine e = llama_cpp;
  e.name = "llama_cpp_metal";
  e.release = "llama.cpp, May 2024, Metal";
  e.rates = {.products = {0.62, standing::measured, source::m1_max},
             .quantised = {0.46, standing::measured, source::m1_max},
             .unpacking = {0.060, standing::measured, source::m1_max},
             .bandwidth = {0.80, standing::measured, source::m1_max},
             .launch = {8e-6 * unit::second, standing::assumed, source::one_3090}};
  return e;
}();

/// No cause of loss at all: the floor.
inline constexpr engine ideal{.name = "ideal", .casts = {0}, .expert_passes = {0}};

/// Every engine of this header but the floor, for a look-up by name.
inline constexpr const engine* all[] = {&tensorrt_llm_0_9, &tensorrt_llm_1_0, &vllm,      &vllm_0_15,
                                        &sglang,           &gpt_fast,         &llama_cpp, &llama_cpp_metal};

/// The engine of that name, or null.
template <class Text>
constexpr const engine* find(const Text& name) {
  return text::find_named(all, name);
}
}  // namespace engines

}  // namespace flopledger
