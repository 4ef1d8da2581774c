// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// What tools and training codes said of models (tests/data/conventions.json), every verified record to the last digit.

#include <flopledger/counting/catalogue.hpp>

#include <fstream>
#include <map>
#include <set>
#include <string>

#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "models.hpp"

using namespace flopledger;
using counted_models::any_model;
using nlohmann::json;

namespace {

using values = std::map<std::string, double>;

std::int64_t dim(const json& dims, const char* key, std::int64_t otherwise = 0) {
  return dims.contains(key) ? dims[key].get<std::int64_t>() : otherwise;
}

/// All that a tool prints of a model: FLOPs or MACs under the name that it gives them, and parameters.
template <class Rule>
values printed(const any_model& model, const work& asked, const Rule& rule) {
  values all{{"params", counting::count_parameters(model, asked, rule).value()}};
  all["flops"] = counting::count(model, asked, rule).value();
  if constexpr (requires { rule.multiplied(row{}, asked); })
    all["macs"] = counting::count_macs(model, asked, rule).value();
  else if (counting::reports_macs<Rule> && !std::same_as<Rule, conventions::fvcore>) {
    all["macs"] = all["flops"];
    all.erase("flops");
  }
  return all;
}

values by_tool(const json& record, const any_model& model, const work& asked, const counting::implementation& written) {
  const std::string tool = record["tool"], source = record["source"];
  if (tool == "thop.profile") return printed(model, asked, conventions::thop{written});
  if (tool == "thop.profile_origin") return printed(model, asked, conventions::thop_origin{written});
  if (tool == "ptflops(pytorch)") return printed(model, asked, conventions::ptflops{written});
  if (tool == "ptflops(aten)") return printed(model, asked, conventions::ptflops_aten{written});
  if (tool == "fvcore.FlopCountAnalysis") return printed(model, asked, conventions::fvcore{written});
  if (tool == "calflops.calculate_flops") {
    if (source.find("include_backPropagation") != std::string::npos)
      return printed(model, asked, conventions::calflops_training{written});
    return printed(model, asked, conventions::calflops{written});
  }
  if (tool == "deepspeed.get_model_profile") {
    if (source.find("before") == 0) return printed(model, asked, conventions::deepspeed_before_0_13_3{written});
    const double number = static_cast<double>(dim(record["dims"], "profile_number_in_process", 1));
    return printed(model, asked, conventions::deepspeed{written, number});
  }
  if (tool == "torch.profiler(with_flops)") return printed(model, asked, conventions::torch_profiler{written});
  if (tool == "torch.utils.flop_counter.FlopCounterMode") {
    if (record["model"].get<std::string>().find("backward") != std::string::npos)
      return printed(model, asked, conventions::flop_counter_mode_backward{written});
    return printed(model, asked, conventions::flop_counter_mode{written});
  }
  if (tool == "torch.utils.flop_counter.FlopCounterMode(fwd+bwd)")
    return printed(model, asked, conventions::flop_counter_mode_training{written});
  return {};
}

values megatron(const json& record) {
  const json& d = record["dims"];
  const std::string source = record["source"];
  const std::int64_t layers = dim(d, "num_layers"), heads = dim(d, "num_attention_heads");
  const std::int64_t experts = dim(d, "num_experts"), width = dim(d, "ffn_hidden_size");
  const auto config = counted_models::decoder(
      {.layers = layers,
       .hidden = dim(d, "hidden_size"),
       .heads = heads,
       .kv_heads = d.value("group_query_attention", false) ? dim(d, "num_query_groups") : heads,
       .head_dim = dim(d, "kv_channels"),
       .intermediate = width,
       .vocabulary = dim(d, "padded_vocab_size"),
       .gated = d.value("swiglu", false),
       .experts = experts,
       .experts_per_token = dim(d, "moe_router_topk"),
       .expert_intermediate = dim(d, "moe_ffn_hidden_size", width),
       .shared_intermediate = dim(d, "moe_shared_expert_intermediate_size"),
       .sparse = experts > 0 ? layer_set::every(dim(d, "moe_layer_freq", 1), 0, layers) : layer_set{}});
  const work asked = training_step(static_cast<double>(dim(d, "B")), static_cast<double>(dim(d, "seq_length")));
  if (source == "core_r0.8.0" || source == "core_r0.9.0") return printed(config, asked, conventions::megatron_lm_0_8{});
  if (source == "core_v0.10.0" || source == "core_v0.11.0")
    return printed(config, asked, conventions::megatron_lm_0_10{});
  return printed(config, asked, conventions::megatron_lm_0_12{});
}

values flash_attention(const json& record) {
  const json& d = record["dims"];
  const std::string model = record["model"];
  const double batch = static_cast<double>(dim(d, "B"));
  const counted_models::core_alone core{static_cast<double>(dim(d, "H")), static_cast<double>(dim(d, "dh"))};
  if (d.contains("Tq")) {
    const double queries = static_cast<double>(dim(d, "Tq")), keys = static_cast<double>(dim(d, "Tk"));
    const work asked{.run = {.count = batch, .length = queries, .cached = keys - queries}};
    return printed(core, asked, conventions::flash_attention_causal{});
  }
  const work asked = forward(batch, static_cast<double>(dim(d, "T")));
  const bool causal = model.find("causal=True") != std::string::npos;
  if (model.find("fwd_bwd") == 0)
    return causal ? printed(core, asked, conventions::flash_attention_causal_training{})
                  : printed(core, asked, conventions::flash_attention_training{});
  if (model.find("bwd") == 0)
    return causal ? printed(core, asked, conventions::flash_attention_causal_backward{})
                  : printed(core, asked, conventions::flash_attention_backward{});
  return causal ? printed(core, asked, conventions::flash_attention_causal{})
                : printed(core, asked, conventions::flash_attention{});
}

/// What the library says of a record; empty where it says nothing.
values reproduced(const json& record) {
  const json& d = record["dims"];
  const std::string model = record["model"], tool = record["tool"];
  const auto starts = [&](std::string_view with) { return model.starts_with(with); };
  const auto holds = [&](std::string_view part) { return model.find(part) != std::string::npos; };
  const std::int64_t hidden = dim(d, "D"), heads = dim(d, "H"), layers = dim(d, "L"), vocabulary = dim(d, "V");
  const std::int64_t width = dim(d, "F", 4 * hidden), positions = dim(d, "ctx", 16);
  const double batch = static_cast<double>(dim(d, "B", 1)), length = static_cast<double>(dim(d, "T"));
  const work asked = forward(batch, length);

  if (tool.starts_with("Megatron-LM")) return megatron(record);
  if (tool.starts_with("flash-attention")) return flash_attention(record);
  if (tool.starts_with("nanoGPT estimate_mfu") || tool.starts_with("nanoGPT transformer_sizing")) {
    // T is always the block size.
    const auto config = counted_models::decoder(
        counted_models::gpt(layers, hidden, heads, vocabulary, dim(d, "T"), !holds("bias=False")));
    if (tool.starts_with("nanoGPT transformer_sizing")) return printed(config, asked, conventions::full{});
    return printed(config, asked, conventions::nano_gpt{});
  }
  if (tool.starts_with("nanoGPT scaling_laws")) {
    const counted_models::chinchilla blocks{
        counted_models::decoder(counted_models::gpt(layers, hidden, heads, vocabulary, 0, true))};
    return printed(blocks, asked, conventions::chinchilla_without_vocabulary{});
  }
  if (tool.starts_with("llm.c")) {
    values all = printed(counted_models::decoder(counted_models::gpt(layers, hidden, heads, vocabulary, 1024, true)),
                         asked, conventions::llm_c{});
    all["flops"] /= length;
    return all;
  }
  if (tool.starts_with("torchtitan")) {
    values all =
        printed(counted_models::decoder(counted_models::llama(layers, hidden, heads, dim(d, "Hkv"), width, vocabulary)),
                asked, conventions::torchtitan{});
    all["flops"] /= length;
    return all;
  }
  if (starts("rasbt"))
    return by_tool(record,
                   counted_models::decoder(
                       counted_models::rasbt_gpt(layers, hidden, heads, vocabulary, positions, dim(d, "q") == 1)),
                   asked, written_in::rasbt_gpt);
  if (starts("karpathy/nanoGPT")) {
    const auto& written = holds("flash")          ? written_in::nano_gpt_flash
                          : holds("with targets") ? written_in::nano_gpt_with_targets
                                                  : written_in::nano_gpt;
    return by_tool(
        record,
        counted_models::decoder(counted_models::gpt(layers, hidden, heads, vocabulary, positions, dim(d, "b") == 1)),
        asked, written);
  }
  if (holds("GPT2LMHeadModel")) {
    counting::implementation written = written_in::hugging_face_gpt2;
    written.inputs_by_keyword = holds("keyword");
    return by_tool(record,
                   counted_models::decoder(counted_models::gpt(layers, hidden, heads, vocabulary, positions, true)),
                   asked, written);
  }
  if (holds("LlamaForCausalLM"))
    return by_tool(
        record, counted_models::decoder(counted_models::llama(layers, hidden, heads, dim(d, "Hkv"), width, vocabulary)),
        asked, written_in::hugging_face_llama);
  if (holds("BertModel") || holds("BertForMaskedLM"))
    return by_tool(record, counted_models::bert(layers, hidden, heads, width, vocabulary, positions, holds("MaskedLM")),
                   asked, written_in::hugging_face_bert);
  if (starts("nn.MultiheadAttention"))
    return by_tool(
        record, counted_models::self_attention(hidden, heads, heads, hidden / heads, true), asked,
        holds("fast path") ? written_in::torch_multihead_attention_fast : written_in::torch_multihead_attention);
  if (starts("nn.TransformerEncoderLayer")) {
    // thop turns gradients off itself, and so always meets the fast path.
    const bool fast = holds("fast path") || (tool.starts_with("thop") && holds("batch_first, eval"));
    return by_tool(record, counted_models::encoder_layer(hidden, heads, width), asked,
                   fast ? written_in::torch_encoder_layer_fast : written_in::torch_encoder_layer);
  }
  if (starts("own GQA block"))
    return by_tool(record, counted_models::self_attention(hidden, heads, dim(d, "Hkv"), dim(d, "dh"), false), asked,
                   holds("@ operator") ? written_in::own_block_with_operator : written_in::own_block_with_matmul);
  if (starts("own MoE block"))
    return by_tool(
        record,
        mixture_of_experts{
            .hidden = hidden, .experts = dim(d, "E"), .experts_per_token = dim(d, "k"), .intermediate = width},
        asked, holds("all experts") ? written_in::all_experts : written_in::routed_experts);
  if (starts("aten SDPA"))
    return by_tool(
        record, counted_models::core_alone{static_cast<double>(heads), static_cast<double>(dim(d, "dh"))}, asked,
        {.scores = counting::call::sdpa, .context = counting::call::sdpa, .softmax = counting::call::unseen});
  if (starts("single torch.einsum"))
    return by_tool(record,
                   counted_models::core_alone{static_cast<double>(heads), static_cast<double>(dim(d, "dh")), true},
                   asked, {.scores = counting::call::einsum});
  return {};
}

json records() {
  std::ifstream file(FLOPLEDGER_TEST_DATA "/conventions.json");
  REQUIRE(file);
  return json::parse(file);
}

}  // namespace

TEST_CASE("every verified record of other people's counts comes out exactly") {
  int verified = 0, exact = 0;
  for (const json& record : records()) {
    if (!record["verified"].get<bool>()) continue;
    ++verified;
    const values ours = reproduced(record);
    bool same = !record["values"].empty();
    for (const auto& [what, value] : record["values"].items()) {
      CAPTURE(record["tool"].get<std::string>(), record["model"].get<std::string>(), record["dims"].dump(), what);
      CHECK(ours.contains(what));
      if (!ours.contains(what)) continue;
      CHECK(ours.at(what) == value.get<double>());
      same = same && ours.at(what) == value.get<double>();
    }
    if (same) ++exact;
  }
  CHECK(verified == 297);
  CHECK(exact == verified);
}

TEST_CASE("records that nobody verified agree too where they hold a number") {
  int numbers = 0;
  for (const json& record : records()) {
    if (record["verified"].get<bool>()) continue;
    const values ours = record["values"].empty() ? values{} : reproduced(record);
    for (const auto& [what, value] : record["values"].items()) {
      CAPTURE(record["tool"].get<std::string>(), what);
      CHECK(ours.at(what) == value.get<double>());
      ++numbers;
    }
  }
  CHECK(numbers == 2);  // llm.c, which was read and not run
}
