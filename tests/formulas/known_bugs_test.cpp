// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// Mistakes that public tools made in counting parameters, operations and caches, as their issue threads tell; one test
// a mistake, named after what it guards. The numbers are the threads' own, right and wrong.

#include <flopledger/memory/kv_cache.hpp>
#include <flopledger/precision.hpp>

#include <vector>

#include "brute_force.hpp"
#include "known_models.hpp"
#include "quantities.hpp"

namespace fl = flopledger;
namespace unit = flopledger::unit;
using namespace flopledger::literals;
using fl::attention_counting;
using fl::operation;

namespace {

constexpr bool in_core(const fl::row& r) {
  return r.kind == operation::attention_scores || r.kind == operation::attention_context;
}
/// FLOPs of matrix products, forward, and backward too where a training step is asked.
constexpr double products(const auto& model, const fl::work& asked, bool core, bool rest) {
  fl::tally sum{0.0, [=](const fl::row& r) {
                  if (!(in_core(r) ? core : rest)) return 0.0;
                  return 2 * (r.multiplied + (asked.training ? fl::backward_macs(r) : fl::macs{})).value();
                }};
  model.record(sum, asked);
  return sum.total;
}
constexpr double all_products(const auto& model, const fl::work& asked) { return products(model, asked, true, true); }
constexpr double core_products(const auto& model, const fl::work& asked) { return products(model, asked, true, false); }
constexpr double other_products(const auto& model, const fl::work& asked) {
  return products(model, asked, false, true);
}
constexpr double held(const auto& model) { return fl::total<&fl::row::held>(model, fl::forward(1, 1)).value(); }
constexpr double active(const auto& model) { return fl::total<&fl::row::active>(model, fl::forward(1, 1)).value(); }

constexpr bool close(double a, double b, double absolute) { return a - b <= absolute && b - a <= absolute; }

constexpr fl::transformer_config with_kv_heads(fl::block_shape shape, std::int64_t kv_heads) {
  shape.kv_heads = kv_heads;
  return known_models::decoder(shape);
}

// One layer used three times: stored by its first use.
struct thrice {
  constexpr void record(fl::books auto& sink, const fl::work& asked) const {
    fl::linear shared{.in = 100, .out = 100};
    shared.record(sink, asked, "first");
    shared.tied = true;
    fl::repeated again{sink, 2};
    shared.record(again, asked, "again");
  }
};

}  // namespace

// Operations ----------------------------------------------------------------------------------------------------------

TEST_CASE("causal attention over packed sequences is half of the sum of squares") {
  // NVIDIA/Megatron-LM issue 831: a square of 16k that no kernel computes made an MFU of 121 %.
  const std::vector<fl::sequences> runs{{.length = 4096}, {.count = 2, .length = 2048}, {.length = 8192}};
  const double squares = 4096.0 * 4096 + 2 * 2048.0 * 2048 + 8192.0 * 8192;
  CHECK(core_products(known_models::llama_3_8b, fl::packed(runs, attention_counting::causal_half)) ==
        32 * 2 * squares * 32 * 128);
  CHECK(core_products(known_models::llama_3_8b, fl::packed(runs)) == 32 * 4 * squares * 32 * 128);
  CHECK(core_products(known_models::llama_3_8b, fl::packed(runs)) <
        core_products(known_models::llama_3_8b, fl::forward(1, 16384)));  // never across sequences
}

TEST_CASE("halving for causality touches the attention core alone") {
  // AI-Hypercomputer/maxtext issue 1972 and pull request 1988, in TFLOP a step of one device.
  constexpr double tera = 1e12;
  constexpr auto step = [](double length, double batch, attention_counting counting) {
    return fl::training_step(batch, length, counting);
  };
  HOLDS(
      close(other_products(known_models::llama_2_7b, step(8192, 4, attention_counting::full)) / tera, 1299.00, 0.005));
  HOLDS(close(core_products(known_models::llama_2_7b, step(8192, 4, attention_counting::full)) / tera, 422.21, 0.005));
  HOLDS(close(core_products(known_models::llama_2_7b, step(8192, 4, attention_counting::causal_half)) / tera, 211.11,
              0.005));
  HOLDS(close(all_products(known_models::llama_2_7b, step(8192, 4, attention_counting::causal_half)) / tera, 1510.11,
              0.005));
  HOLDS(other_products(known_models::llama_2_7b, step(256, 4, attention_counting::full)) == 40'593'883'398'144.0);
  HOLDS(core_products(known_models::llama_2_7b, step(256, 4, attention_counting::full)) == 412'316'860'416.0);
  HOLDS(close(other_products(known_models::llama_2_7b, step(129'024, 4, attention_counting::causal_half)) / tera,
              20'459.32, 0.005));
  HOLDS(close(core_products(known_models::llama_2_7b, step(129'024, 4, attention_counting::causal_half)) / tera,
              52'367.54, 0.005));
}

TEST_CASE("query heads count, not key/value heads") {
  // facebookresearch/xformers pull request 1404: eight query heads over two of keys came out four times too low.
  constexpr fl::attention_core core{.heads = 8, .kv_heads = 2, .key_dim = 64, .value_dim = 64};
  constexpr auto counted = [](const fl::attention_core& layer) {
    return 2 * fl::total<&fl::row::multiplied>(layer, fl::forward(1, 256)).value();
  };
  HOLDS(counted(core) == 134'217'728);
  HOLDS(counted(core) != 134'217'728.0 / 4);
}

TEST_CASE("key/value heads save projections, never scores") {
  // allenai/OLMo-core pull request 478, and InferenceX-app pull request 849: 32768 a layer and context token.
  constexpr fl::transformer_config many = with_kv_heads(known_models::llama_2_70b_shape, 64),
                                   few = with_kv_heads(known_models::llama_2_70b_shape, 8),
                                   one = with_kv_heads(known_models::llama_2_70b_shape, 1);
  HOLDS(core_products(many, fl::forward(1, 4096)) == core_products(few, fl::forward(1, 4096)));
  HOLDS(core_products(many, fl::forward(1, 4096)) == core_products(one, fl::forward(1, 4096)));
  HOLDS(other_products(many, fl::forward(1, 1)) - other_products(few, fl::forward(1, 1)) ==
        80 * 2.0 * 2 * 8192 * (64 - 8) * 128);
  HOLDS((core_products(few, fl::decode_step(1, 1001)) - core_products(few, fl::decode_step(1, 1000))) / 80 == 32'768);
  HOLDS((core_products(few, fl::decode_step(1, 1001)) - core_products(few, fl::decode_step(1, 1000))) / 80 != 65'536);
}

TEST_CASE("a window limits what attention multiplies") {
  // allenai/OLMo-core issue 475: the window was ignored.
  fl::block_shape shape = known_models::llama_2_70b_shape;
  shape.window = 1024;
  shape.windowed = fl::layer_set::range(0, 80);
  const double walked = static_cast<double>(brute_force::pairs(4096, 0, {}, fl::attention_span::sliding, 1024));
  CHECK(core_products(known_models::decoder(shape), fl::forward(1, 4096)) == 80 * 4 * walked * 64 * 128);
  CHECK(core_products(known_models::decoder(shape), fl::forward(1, 4096)) <
        core_products(known_models::llama_2_70b, fl::forward(1, 4096, attention_counting::causal)));
}

TEST_CASE("a head is as wide as its configuration says, not as hidden over heads") {
  // pytorch/torchtitan issue 1920: Qwen3-4B has 32 heads of 128 in a width of 2560, not of 80.
  constexpr double S = 4096;
  HOLDS(core_products(known_models::qwen3_4b, fl::training_step(1, S)) / S == 7'247'757'312.0);  // 12·L·H·Q·T a token
  HOLDS(core_products(known_models::qwen3_4b, fl::training_step(1, S)) / S != 4'529'848'320.0);
  fl::block_shape narrow = known_models::qwen3_4b_shape;
  narrow.head_dim = 0;
  CHECK(core_products(known_models::decoder(narrow), fl::training_step(1, S)) / S == 4'529'848'320.0);
}

TEST_CASE("long sequences of Qwen3-235B-A22B take 204 PFLOP, not 111") {
  // NVIDIA-NeMo/RL pull request 2736: the width of the model instead of that of all heads, 1.84 times too low.
  constexpr double S = 196'608, peta = 1e15;
  constexpr fl::work step = fl::training_step(1, S, attention_counting::causal_half);
  HOLDS(close(all_products(known_models::qwen3_235b, step) / peta, 204.0, 0.05));
  fl::block_shape narrow = known_models::qwen3_235b_shape;
  narrow.head_dim = 0;  // 64 heads of 64
  const double wrong = all_products(known_models::decoder(narrow), step);
  CHECK(close(wrong / peta, 110.8, 0.05));
  CHECK(close(all_products(known_models::qwen3_235b, step) / wrong, 1.84, 0.005));
}

TEST_CASE("tied and untied heads multiply alike, and a look-up multiplies nothing") {
  // huggingface/trl issue 6708; VeOmni issue 703, verl pull request 4173, tt-metal pull request 50114.
  fl::block_shape shape = known_models::llama_3_8b_shape;
  shape.tied = true;
  CHECK(all_products(known_models::decoder(shape), fl::training_step(1, 512)) ==
        all_products(known_models::llama_3_8b, fl::training_step(1, 512)));
  fl::tally gathers{0.0, [](const fl::row& r) {
                      return r.kind == operation::gather ? (r.multiplied + fl::backward_macs(r)).value() : 0.0;
                    }};
  known_models::llama_3_8b.record(gathers, fl::training_step(1, 512));
  CHECK(gathers.total == 0);
  // Without any table at all the count is the same.
  fl::transformer_config without = known_models::llama_3_8b;
  without.embedding = {};
  CHECK(all_products(without, fl::training_step(1, 512)) ==
        all_products(known_models::llama_3_8b, fl::training_step(1, 512)));
}

TEST_CASE("tied weights are counted once, and their head keeps its operations") {
  // pytorch/torchtitan pull request 3225: subtracted twice.
  fl::block_shape shape = known_models::qwen3_4b_shape;
  const double tied = held(known_models::decoder(shape)), head = 2.0 * 2560 * 151'936;
  const double operations = other_products(known_models::decoder(shape), fl::forward(1, 1));
  shape.tied = false;
  CHECK(tied == 4'022'468'096.0);
  CHECK(held(known_models::decoder(shape)) - tied == 2560.0 * 151'936);
  shape.vocabulary = 0;
  CHECK(operations - other_products(known_models::decoder(shape), fl::forward(1, 1)) == head);
}

TEST_CASE("embeddings are told apart from other parameters") {
  // pytorch/torchtitan issues 452, 280 and 274: with or without them must be said, so it must be known.
  constexpr auto tables = [] {
    fl::tally sum{0.0, [](const fl::row& r) { return r.kind == operation::gather ? r.held.value() : 0.0; }};
    known_models::llama_3_8b.record(sum, fl::forward(1, 1));
    return sum.total;
  }();
  HOLDS(tables == 4096.0 * 128'256);
  HOLDS(held(known_models::llama_3_8b) - tables == 8'030'261'248.0 - 4096.0 * 128'256);
}

TEST_CASE("attention takes 12 L H Q T a token in training, half of it causally") {
  // karpathy/nanoGPT issue 456: 6 or 12. Issue 322: 6 N holds every weight of a product, the head's too.
  constexpr double T = 1024, a_token = 12.0 * 12 * 12 * 64 * T;
  HOLDS(core_products(known_models::gpt2, fl::training_step(1, T)) / T == a_token);
  HOLDS(core_products(known_models::gpt2, fl::training_step(1, T, attention_counting::causal_half)) / T == a_token / 2);
  HOLDS(core_products(known_models::gpt2, fl::forward(1, T)) / T == a_token / 3);
  HOLDS(other_products(known_models::gpt2, fl::training_step(1, T)) / T == 6.0 * (12 * 12 * 768 * 768 + 768 * 50'257));
}

TEST_CASE("a prompt needs the logits of its last token alone") {
  // vllm-project/vllm pull request 33045.
  constexpr auto head = [](const fl::work& asked) {
    fl::tally sum{0.0, [](const fl::row& r) { return r.kind == operation::head ? fl::product_flops(r).value() : 0.0; }};
    known_models::llama_3_8b.record(sum, asked);
    return sum.total;
  };
  HOLDS(head(fl::prefill(1, 2048)) == 2.0 * 4096 * 128'256);
  HOLDS(close(head(fl::prefill(1, 2048)) / 1e9, 1.05, 0.005));
  HOLDS(close(head(fl::forward(1, 2048)) / 1e12, 2.15, 0.005));
  HOLDS(head(fl::prefill(7, 2048)) == 7 * head(fl::prefill(1, 2048)));
}

TEST_CASE("a gated feed-forward of four times the width makes 24 into 32") {
  // bigcode-project/Megatron-LM pull request 33, in B S L h².
  fl::block_shape shape = known_models::gpt2_shape(2, 256, 4, 0, 0);
  constexpr double unit_of = 3.0 * 64 * 2 * 256 * 256;
  CHECK(other_products(known_models::decoder(shape), fl::forward(3, 64)) == 24 * unit_of);
  shape.gated = true;
  CHECK(other_products(known_models::decoder(shape), fl::forward(3, 64)) == 32 * unit_of);
}

TEST_CASE("experts are not left out, and only those chosen multiply") {
  // deepspeedai/Megatron-DeepSpeed issue 398; DeepSpeed issue 3619 multiplied them by the degree of parallelism.
  constexpr auto experts = [](double tokens_asked) {
    fl::tally sum{0.0, [](const fl::row& r) {
                    return r.kind == operation::expert_projection ? fl::product_flops(r).value() : 0.0;
                  }};
    known_models::mixtral_8x7b.record(sum, fl::forward(1, tokens_asked));
    return sum.total;
  };
  HOLDS(experts(1) == 32 * 2 * 2.0 * 3 * 4096 * 14'336);
  HOLDS(experts(100) == 100 * experts(1));
}

TEST_CASE("a layer used three times is stored once and multiplied three times") {
  // deepspeedai/DeepSpeed issue 7256: 180 kFLOP for 60.
  HOLDS(all_products(thrice{}, fl::forward(1, 1)) == 60'000);
  HOLDS(held(thrice{}) == 10'000);
}

TEST_CASE("a multiply-add is two operations, whichever way one reads it") {
  // DeepSpeed issue 3816 and pull request 5584, calculate-flops issue 24: MACs shown as FLOPs, or halved.
  HOLDS(fl::flops_per_mac * 1_MAC == 2_FLOP);
  HOLDS(1_FLOP / fl::flops_per_mac == 0.5_MAC);
  HOLDS(!std::convertible_to<fl::macs, fl::flops>);
}

TEST_CASE("asking again does not add to what was counted") {
  // DeepSpeed issues 2292 and 7413: a count that grew with each step.
  const double once = all_products(known_models::gpt2, fl::training_step(1, 128));
  CHECK(all_products(known_models::gpt2, fl::training_step(1, 128)) == once);
  CHECK(all_products(known_models::gpt2, fl::training_step(1, 128)) == once);
}

TEST_CASE("products without a module are seen") {
  // DeepSpeed issue 4723, calculate-flops issue 26, pytorch issue 195460: attention as a function counted nothing.
  constexpr fl::attention_core core{.heads = 12, .kv_heads = 12, .key_dim = 64, .value_dim = 64};
  HOLDS(core_products(core, fl::forward(1, 64)) == 12'582'912);
  HOLDS(core_products(known_models::gpt2, fl::forward(1, 64)) == 12 * 12'582'912.0);
}

TEST_CASE("a width is counted as it is, not as a kernel pads it") {
  // pytorch issue 134804: heads of 4 counted as 8.
  constexpr auto counted = [](double width) {
    return core_products(fl::attention_core{.heads = 2, .kv_heads = 2, .key_dim = width, .value_dim = width},
                         fl::forward(1, 16));
  };
  HOLDS(counted(4) == 4.0 * 2 * 16 * 16 * 4);
  HOLDS(counted(8) == 2 * counted(4));
}

TEST_CASE("what a model computes does not change with how it lies over devices") {
  // allenai/OLMo-core pull request 680: a pipeline of two saw about half. bionemo-recipes pull request 1548:
  // accumulation left out.
  const fl::work step = fl::training_step(1, 512);
  double stages = 0, whole = 0;
  for (std::int64_t first = 0; first < 32; first += 8) {
    fl::totals stage;
    known_models::llama_3_8b.stack.record_blocks(stage, step, first, first + 8);
    stages += (stage.multiplied + stage.multiplied_backward).value();
  }
  fl::totals blocks;
  known_models::llama_3_8b.stack.record_blocks(blocks, step, 0, 32);
  whole = (blocks.multiplied + blocks.multiplied_backward).value();
  CHECK(stages == whole);
  CHECK(8 * all_products(known_models::llama_3_8b, step) ==
        all_products(known_models::llama_3_8b, fl::training_step(8, 512)));
}

// Parameters ----------------------------------------------------------------------------------------------------------

TEST_CASE("a gated feed-forward has three matrices, of any width") {
  // EleutherAI/cookbook issue 36: Qwen1.5-72B printed as 56.19 billion, with two matrices.
  HOLDS(held(known_models::qwen1_5_72b) == 72'287'920'128.0);
  fl::block_shape shape = known_models::qwen1_5_72b_shape;
  shape.gated = false;
  CHECK(close(held(known_models::decoder(shape)) / 1e9, 56.19, 0.01));
  // And a width that is no multiple of the model's: 11008 of 4096.
  HOLDS(held(known_models::llama_2_7b) == 6'738'415'616.0);
}

TEST_CASE("a mixture holds all of its experts, and an untied head counts") {
  // jranaraki/vllm-fit issues 8, 20 and 27: two matrices, all heads alike, times 1.5; Mixtral taken for 13 billion.
  HOLDS(held(known_models::mixtral_8x7b) == 46'702'792'704.0);
  HOLDS(active(known_models::mixtral_8x7b) == 12'879'925'248.0);
  HOLDS(held(known_models::mixtral_8x7b) > 3.6 * active(known_models::mixtral_8x7b));
  fl::block_shape tied = known_models::mixtral_8x7b_shape;
  tied.tied = true;
  CHECK(held(known_models::mixtral_8x7b) - held(known_models::decoder(tied)) == 4096.0 * 32'000);
}

TEST_CASE("active parameters compute, all parameters reside") {
  // AlexsJones/llmfit issue 230: 6 GB for a model of 125.1 billion parameters of which 10 are active.
  constexpr auto q4_k_m = 0.58 * (unit::byte / unit::parameter);
  HOLDS(125.1_Gparameters * q4_k_m > 70_GB);
  HOLDS(125.1_Gparameters * q4_k_m < 75_GB);
  HOLDS(10_Gparameters * q4_k_m < 6_GB);  // what it would be if only the active ones resided
  constexpr fl::totals sum = fl::totals_of(known_models::mixtral_8x7b, fl::forward(1, 1));
  HOLDS(sum.held * fl::storage<fl::bf16> == 93'405'585'408.0 * unit::byte);
  // The products of one token follow the active weights: all of them but the norms and the table.
  HOLDS(other_products(known_models::mixtral_8x7b, fl::forward(1, 1)) ==
        2 * (sum.active.value() - 65 * 4096 - 4096.0 * 32'000));
}

// Caches --------------------------------------------------------------------------------------------------------------

TEST_CASE("caches hold key/value heads, not query heads") {
  // hahnyuan/LLM-Viewer issue 12; vllm pull request 29736: 80 GiB for 10.
  HOLDS(fl::kv_cache_bytes(known_models::llama_3_8b, fl::prefill(1, 2048), fl::bf16::format) == 268'435'456_B);
  HOLDS(fl::kv_cache_bytes(known_models::llama_3_8b, fl::prefill(1, 2048), fl::bf16::format) != 1'073'741'824_B);
  HOLDS(fl::kv_cache_bytes(known_models::llama_3_1_70b, fl::prefill(1, 32'768), fl::bf16::format) == 10_GiB);
  HOLDS(fl::kv_cache_bytes(known_models::llama_3_1_70b, fl::prefill(1, 32'768), fl::bf16::format) != 80_GiB);
}

TEST_CASE("a decoding step reads as much cache as there is, once") {
  // The same issue of LLM-Viewer: a fused kernel was said to read keys and values once for every query head.
  constexpr auto read = [](double context) {
    fl::tally sum{0.0, [](const fl::row& r) {
                    double elements = 0;
                    for (const fl::operand& o : r.operands)
                      if (o.what == fl::role::cache && fl::has(o.how, fl::use::read)) elements += o.read_elements();
                    return elements;
                  }};
    known_models::llama_3_8b.record(sum, fl::decode_step(1, context));
    return sum.total * fl::bf16::format.bytes_per_element();
  };
  HOLDS(read(2048) == 268'435'456);
}

TEST_CASE("a token leaves 2 L a_kv d elements, and no head factor more") {
  // jranaraki/vllm-fit issues 2 and 14: an extra factor of heads, four bytes over eight.
  HOLDS(fl::kv_cache_bytes_per_token(known_models::llama_2_7b, fl::fp16::format) == 524'288_B / (1_tokens));
}

TEST_CASE("kv_heads is a number of heads, not the size of a group") {
  // rasbt/LLMs-from-scratch issue 922: the argument has a name that cannot be read otherwise.
  constexpr fl::attention four_of_sixteen{.hidden = 64, .heads = 16, .kv_heads = 4, .head_dim = 4};
  HOLDS(fl::kv_cache_bytes(four_of_sixteen, fl::forward(1, 1), fl::int8::format) == 2.0 * 4 * 4 * unit::byte);
}

TEST_CASE("a latent cache holds one latent and one rotary key a token, and no factor of two") {
  // LMCache pull request 694: 2 · 61 · 512 · 2 bytes for DeepSeek-V3.
  HOLDS(fl::kv_cache_bytes_per_token(known_models::deepseek_v3, fl::bf16::format) == 70'272_B / (1_tokens));
  HOLDS(fl::kv_cache_bytes_per_token(known_models::deepseek_v3, fl::bf16::format) != 124'928_B / (1_tokens));
  // ik_llama.cpp pull request 259 prints 1166.62 MiB for 32768 tokens of Q8_0, 34 bytes for 32 elements.
  constexpr fl::number_format q8_0{.name = "q8_0", .bits = 8, .group_size = 32, .scale_bits = 16};
  HOLDS(close(fl::in_mib(fl::kv_cache_bytes(known_models::deepseek_v3, fl::prefill(1, 32'768), q8_0)), 1166.62, 0.01));
}

TEST_CASE("a cache is as wide as its heads say, not as hidden over heads") {
  // LMCache issue 688: Qwen3-4B keeps 8 heads of 128.
  HOLDS(fl::kv_cache_bytes_per_token(known_models::qwen3_4b, fl::bf16::format) ==
        2.0 * 36 * 8 * 128 * 2 * unit::byte / (1_tokens));
}

TEST_CASE("a window bounds the cache of its layers alone") {
  HOLDS(fl::kv_cache_bytes_per_token(known_models::gpt_oss_120b, fl::bf16::format) == 73'728_B / (1_tokens));
  HOLDS(fl::kv_cache_bytes(known_models::gpt_oss_120b, fl::prefill(1, 100'000), fl::bf16::format) ==
        73'728.0 / 2 * (100'000 + 128) * unit::byte);
}

// Units ---------------------------------------------------------------------------------------------------------------

TEST_CASE("a GiB is not a GB") {
  // alvarobartt/hf-mem issue 33, unsloth pull requests 6895 and 9570, dstack issue 1439.
  HOLDS(close(fl::in_gib(183'359_MiB), 179.1, 0.05));
  HOLDS(close(fl::in_gb(183'359_MiB), 192.3, 0.05));
  HOLDS(81'920_MiB == 80_GiB);
  HOLDS(close(fl::in_gb(81'920_MiB), 85.9, 0.05));
  HOLDS(81'920_MiB != 80_GB);
}

TEST_CASE("bandwidth is counted in powers of ten") {
  // meta-pytorch/torchcomms pull requests 140 and 141: 1024³ for a GB; mlcommons/storage issue 109: 102 for 1024.
  HOLDS(1_GB / (1_s) == 1e9 * (unit::byte / unit::second));
  HOLDS(1_GB / (1_s) != 1_GiB / (1_s));
  HOLDS(1_GiB == 1024.0 * 1_MiB);
}

TEST_CASE("a thousand lies between neighbouring prefixes") {
  // llm-checker pull request 134: 256 MB read as 256 GB; kekzl/imp issue 1668: a time a thousand times off.
  HOLDS(1000.0 * 256_MB == 256_GB);
  HOLDS(256_MB != 256_GB);
  HOLDS(1000.0 * 1_ms == 1_s);
  HOLDS(14_GB / (2_TB / (1_s)) == 7_ms);
}
