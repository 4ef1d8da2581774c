// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// Published tables by the convention that each used: what they print follows from their own step times. Tolerances are
// the rounding of what is printed. What does not follow is asserted not to, and listed in docs/conventions.md.

#include <flopledger/counting/catalogue.hpp>

#include <cmath>
#include <string>

#include "catch.hpp"
#include "csv.hpp"
#include "known_models.hpp"
#include "models.hpp"

using namespace flopledger;
using published::table;
using published::table_row;

namespace {

/// FLOPs a token of a convention, at a sequence length.
template <class Rule>
double a_token(const transformer_config& model, double length, const Rule& rule) {
  return counting::count(model, training_step(1, length), rule).value() / length;
}

/// How far a printed number is from ours, by rows of a table that are compared.
struct agreement {
  int rows = 0;
  double of(double ours, double printed) {
    ++rows;
    return std::abs(ours / printed - 1);
  }
};

/// A model of which a table gives the parameters, not the matrices: they are a custom row, and the attention core is
/// the layers'.
struct labelled {
  double count = 0, layers = 0, heads = 0, head_dim = 0;
  constexpr void record(books auto& sink, const work& asked) const {
    sink.take({.name = "all weights", .held = count * unit::parameter, .active = count * unit::parameter}, 1);
    repeated each{sink, static_cast<std::int64_t>(layers)};
    attention_core{.heads = heads, .kv_heads = heads, .key_dim = head_dim, .value_dim = head_dim}.record(each, asked);
  }
};

/// A GPT as Megatron's papers mean it: f = 4h, learned positions, biases, tied head.
transformer_config gpt_of(const table_row& r) {
  return counted_models::decoder(counted_models::gpt(r.integer("n_layers"), r.integer("d_model"), r.integer("n_heads"),
                                                     r.integer("vocab"), r.integer("seq_len"), true));
}

transformer_config llama_of(const table_row& r) {
  block_shape s = counted_models::llama(r.integer("n_layers"), r.integer("d_model"), r.integer("n_heads"),
                                        r.integer("n_kv_heads"), r.integer("d_ff"), r.integer("vocab"));
  s.head_dim = r.integer("head_dim");
  return counted_models::decoder(s);
}

transformer_config mixture_of(const table_row& r, std::int64_t experts, std::int64_t chosen) {
  block_shape s = counted_models::llama(r.integer("n_layers"), r.integer("d_model"), r.integer("n_heads"),
                                        r.integer("n_kv_heads"), r.integer("d_ff"), r.integer("vocab"));
  s.head_dim = r.integer("head_dim");
  s.experts = experts;
  s.experts_per_token = chosen;
  s.expert_intermediate = s.intermediate;
  s.sparse = layer_set::range(0, s.layers);
  return counted_models::decoder(s);
}

constexpr double tera = prefix::tera;

}  // namespace

TEST_CASE("llm-foundry: parameters, MFU and HFU of every row of its benchmark") {
  int rows = 0;
  for (const table_row& r : table("llm_foundry_mpt")) {
    const transformer_config model = gpt_of(r);
    const double length = r.number("seq_len");
    CAPTURE(r.text("model"), r.text("gpu"), length, r.text("n_gpu"));
    CHECK(total<&row::held>(model, forward(1, 1)).value() == r.number("n_params"));
    const double mfu = 100 * r.number("tokens_per_s") * a_token(model, length, conventions::llm_foundry{}) /
                       (r.number("n_gpu") * r.number("peak_tflops_used") * tera);
    const double hfu = r.text("act_ckpt_full") == "True" ? mfu * 4 / 3 : mfu;
    CHECK(std::abs(mfu - r.number("mfu_pct")) < 0.05);
    CHECK(std::abs(hfu - r.number("hfu_pct")) < 0.05);
    ++rows;
  }
  CHECK(rows == 126);
}

TEST_CASE("PaLM, table 3: MFU by 6N + 12LHQT, with and without attention") {
  agreement with, without;
  for (const table_row& r : table("palm_table3_mfu")) {
    const labelled model{r.number("n_params"), r.number("n_layers"), r.number("n_heads"), r.number("head_dim")};
    const double length = r.number("seq_len");
    const double share = 100 * r.number("tokens_per_s") / (r.number("n_chips") * r.number("peak_tflops") * tera);
    const double mfu = share * counting::count(model, training_step(1, length), conventions::palm{}).value() / length;
    CAPTURE(r.text("model"), mfu);
    if (r.text("model") == "GPT-3-175B") {  // its 21.3 % needs a peak of 118.7 TFLOP/s, not the V100's 125
      CHECK(std::abs(mfu - r.number("mfu_pub")) > 1);
      continue;
    }
    CHECK(with.of(mfu, r.number("mfu_pub")) < 0.003);
    if (r.has("mfu_no_attn_pub")) {
      const double bare =
          share * counting::count(model, training_step(1, length), conventions::six_nd{}).value() / length;
      CHECK(without.of(bare, r.number("mfu_no_attn_pub")) < 0.003);
    }
  }
  CHECK(with.rows == 3);
}

TEST_CASE("Korthikanti 2022, table 5: MFU by the 72 form and HFU with the core doubled, from the iteration time") {
  agreement model_share, hardware_share;
  for (const table_row& r : table("korthikanti2022_table5")) {
    if (!r.has("mfu_pub")) continue;
    const work step = training_step(r.number("global_batch_seq"), r.number("seq_len"));
    const double at_peak = r.number("iter_s_pub") * r.number("n_gpu") * 312 * tera / 100;
    const transformer_config model = gpt_of(r);
    const double mfu = counting::count(model, step, conventions::korthikanti{}).value() / at_peak;
    const double hfu = counting::count(model, step, conventions::korthikanti_hfu{}).value() / at_peak;
    const double physical = counting::count(model, step, conventions::korthikanti_hfu_physical{}).value() / at_peak;
    CAPTURE(r.text("model"), mfu, hfu, physical);
    CHECK(model_share.of(mfu, r.number("mfu_pub")) < 0.004);
    CHECK(hardware_share.of(hfu, r.number("hfu_pub")) < 0.004);
    CHECK(physical < hfu);  // one more forward pass of the core is less than the paper counts for it
  }
  CHECK(model_share.rows == 4);
}

TEST_CASE("Narayanan 2021: the 96 form, by table 2's days and table 1's labels") {
  agreement days, sizes;
  for (const table_row& r : table("megatron2021_table2")) {
    const double length = r.number("seq_len");
    block_shape s = counted_models::gpt(r.integer("n_layers"), r.integer("d_model"), r.integer("n_heads"),
                                        r.integer("vocab"), r.integer("seq_len"), true);
    const double seconds_taken = 300e9 * a_token(make_decoder("test", s), length, conventions::narayanan{}) /
                                 (r.number("n_gpu") * r.number("tflops_gpu_pub") * tera);
    CHECK(days.of(seconds_taken / 86400, r.number("days_300b_pub")) < 0.013);
  }
  CHECK(days.rows == 12);
  for (const table_row& r : table("megatron2021_table1")) {
    const double count = total<&row::held>(gpt_of(r), forward(1, 1)).value() / 1e9;
    CAPTURE(count, r.text("params_b_pub"));
    // The labels of the three small models are off by more than their last digit.
    const double label = r.number("params_b_pub");
    if (label > 10)
      CHECK(sizes.of(count, label) < 0.003);
    else
      CHECK(std::abs(count / label - 1) < 0.03);
    CHECK(std::abs(r.number("tflops_gpu_pub") * r.number("n_gpu") / 1000 - r.number("agg_pflops_pub")) <
          0.01 * r.number("agg_pflops_pub"));
  }
}

TEST_CASE("MT-NLG: TFLOP/s of a device by the 96 form from the iteration time") {
  agreement rate;
  for (const table_row& r : table("mtnlg")) {
    const work step = training_step(r.number("global_batch_seq"), r.number("seq_len"));
    const double ours = counting::count(gpt_of(r), step, conventions::narayanan{}).value() /
                        (r.number("iter_s_pub") * r.number("n_gpu") * tera);
    CHECK(rate.of(ours, r.number("tflops_gpu_pub")) < 0.005);
  }
  CHECK(rate.rows == 3);
}

TEST_CASE("NeMo 24.07 and Megatron-Bridge: TFLOP/s of a device from tokens a second") {
  agreement nemo, bridge, coarse;
  for (const table_row& r : table("nvidia_nemo_bridge_training")) {
    if (r.text("phase") != "pretrain") continue;  // fine-tuning packs short sequences: almost no attention
    const std::string release = r.text("release"), key = r.text("model_key");
    const double length = r.number("seq_len"), rate = r.number("tokens_per_s_gpu") / tera;
    const double printed = r.number("model_tflops_gpu");
    CAPTURE(release, key, r.text("tokens_per_s_gpu"));
    if (release == "24.07" || release == "Megatron-LM README") {
      const transformer_config model = key.starts_with("GPT3") ? gpt_of(r) : llama_of(r);
      CHECK(nemo.of(rate * a_token(model, length, conventions::nemo{}), printed) < 0.00065);
      continue;
    }
    transformer_config model =
        r.has("n_experts") ? mixture_of(r, r.integer("n_experts"), r.integer("top_k")) : llama_of(r);
    if (key == "GPT-OSS-120B") {
      // Until 26.04.01 it counted a model with two matrices an expert and no window; then the model as it is.
      const bool as_it_is = release.starts_with("26.06") || release.starts_with("26.08");
      model.stack.mixture.gated = as_it_is;
      if (as_it_is) {
        model.stack.windowed = layer_set::every(2, 0, model.stack.layers);
        model.stack.window = 128;
      }
    }
    const double ours = rate * a_token(model, length, conventions::megatron_bridge{});
    if (release == "26.04.01")
      CHECK(coarse.of(ours, printed) < 0.023);  // tokens a second rounded to a coarse step
    else
      CHECK(bridge.of(ours, printed) < 0.0095);
  }
  CHECK(nemo.rows == 11);
  CHECK(bridge.rows + coarse.rows == 113);
}

TEST_CASE("MaxText: TFLOP/s of a chip in its step logs") {
  agreement logs;
  for (const table_row& r : table("maxtext_tpu")) {
    const std::string key = r.text("model");
    if (!r.has("tokens_per_s_chip_pub")) continue;
    const double length = r.number("seq_len"), rate = r.number("tokens_per_s_chip_pub");
    CAPTURE(key);
    if (r.has("tflops_chip_pub")) {
      const double printed = r.number("tflops_chip_pub");
      if (key == "DeepSeekV3")
        CHECK(logs.of(rate * a_token(known_models::deepseek_v3, length, conventions::maxtext_before_mid_2025{}) / tera,
                      printed) < 0.0001);
      else if (key == "GPT3-175B")
        CHECK(logs.of(rate * a_token(gpt_of(r), length, conventions::maxtext_before_mid_2025{}) / tera, printed) <
              0.0001);
      else
        CHECK(logs.of(rate * a_token(llama_of(r), length, conventions::maxtext{}) / tera, printed) < 0.0001);
    } else if (key == "Mixtral 8X7B") {
      const double mfu = 100 * rate * a_token(mixture_of(r, 8, 2), length, conventions::maxtext_before_mid_2025{}) /
                         (r.number("peak_tflops") * tera);
      CHECK(std::abs(mfu / r.number("mfu_pub") - 1) < 0.0002);
    } else {  // Llama 2 70B lies between the two: its rates and its MFU are not of one run
      const double scale = 100 * rate / (r.number("peak_tflops") * tera);
      CHECK(scale * a_token(llama_of(r), length, conventions::maxtext{}) < r.number("mfu_pub") - 0.5);
      CHECK(scale * a_token(llama_of(r), length, conventions::maxtext_before_mid_2025{}) > r.number("mfu_pub") + 0.5);
    }
  }
  CHECK(logs.rows == 3);
}

TEST_CASE("torchtitan: the 33 % and 39 % of its text") {
  const auto rows = table("torchtitan");
  const auto mfu = [&](std::size_t i) {
    return 100 * rows[i].number("tokens_per_s_gpu_pub") *
           a_token(llama_of(rows[i]), rows[i].number("seq_len"), conventions::torchtitan{}) / (989 * tera);
  };
  CHECK(std::abs(mfu(0) - 33) < 0.75);
  CHECK(std::abs(mfu(1) - 39) < 0.1);
}

TEST_CASE("InternLM: gated products without recompute, the 96 form of an ungated model with it") {
  agreement plain, recomputed;
  int inconsistent = 0;
  for (const table_row& r : table("internlm_7b")) {
    if (!r.has("tflops_gpu_pub")) continue;
    const double length = r.number("seq_len"), rate = r.number("tokens_per_s_gpu_pub") / tera;
    const double printed = r.number("tflops_gpu_pub");
    CAPTURE(r.text("n_gpu"), r.text("micro_batch"), r.text("act_ckpt"));
    if (r.text("act_ckpt") == "none") {
      CHECK(plain.of(rate * a_token(llama_of(r), length, conventions::nemo{}), printed) < 0.015);
      continue;
    }
    const double ours = rate * a_token(gpt_of(r), length, conventions::narayanan{});
    if (std::abs(ours / printed - 1) > 0.0055) {  // three rows whose own two columns disagree by 2 to 3 %
      ++inconsistent;
      CHECK(std::abs(ours / printed - 1) < 0.033);
      continue;
    }
    recomputed.of(ours, printed);
  }
  CHECK(inconsistent == 3);
  CHECK(recomputed.rows + inconsistent + plain.rows == 22);
}

TEST_CASE("BLOOM's topologies: 8N of the label first, the 96 form later") {
  agreement early, late;
  for (const table_row& r : table("bigscience_bloom_topology")) {
    if (!r.has("sec_per_iter_pub") || r.text("sec_per_iter_pub") == "x") continue;
    const work step = training_step(r.number("global_batch_seq"), r.number("seq_len"));
    const double at_one = r.number("sec_per_iter_pub") * r.number("n_gpu") * tera;
    CAPTURE(r.text("line"));
    if (r.integer("line") < 590)
      CHECK(early.of(
                counting::count(labelled{r.number("params_b") * 1e9}, step, conventions::eight_nd{}).value() / at_one,
                r.number("tflops_gpu_pub")) < 0.021);
    else
      CHECK(late.of(counting::count(gpt_of(r), step, conventions::narayanan{}).value() / at_one,
                    r.number("tflops_gpu_pub")) < 0.001);
  }
  CHECK(early.rows > 20);
  CHECK(late.rows > 40);
}

TEST_CASE("BigScience on V100: 8N of the label") {
  agreement runs;
  int over = 0;
  for (const table_row& r : table("bigscience_v100_gpt2")) {
    if (!r.has("sec_per_iter") || !r.has("tflops_gpu_pub") || r.number("global_batch_seq") == 0) continue;
    const work step = training_step(r.number("global_batch_seq"), r.number("seq_len"));
    const double ours = counting::count(labelled{r.number("params_b") * 1e9}, step, conventions::eight_nd{}).value() /
                        (r.number("sec_per_iter") * r.number("n_gpu") * tera);
    CAPTURE(r.text("section"), r.text("params_b"), r.text("sec_per_iter"));
    const double off = runs.of(ours, r.number("tflops_gpu_pub"));
    CHECK(off < 0.035);
    if (off > 0.0065) ++over;
  }
  CHECK(over <= 1);  // printed with two digits
}

TEST_CASE("llm.c: MFU of its logs by 6N + 6LCT, and by the whole core before June 2024") {
  agreement now, before;
  for (const table_row& r : table("nanogpt_llmc")) {
    if (!r.has("mfu_pub")) continue;
    const bool old = r.text("source").find("481") != std::string::npos;
    const auto model = counted_models::decoder(
        counted_models::gpt(r.integer("n_layers"), r.integer("d_model"), 12, 50304, r.integer("seq_len"), true));
    CHECK(total<&row::held>(model, forward(1, 1)).value() == r.number("n_params"));
    const double length = r.number("seq_len");
    const double per_token = old ? a_token(model, length, conventions::llm_c_before_2024_06{})
                                 : a_token(model, length, conventions::llm_c{});
    // Tokens a second are a running mean; the time of the step is not.
    const double mfu = 100 * r.number("tokens_per_step") / (r.number("step_ms") / 1000) * per_token /
                       (r.number("n_gpu") * r.number("peak_tflops") * tera);
    CAPTURE(r.text("source"), mfu, r.text("mfu_pub"));
    CHECK((old ? before : now).of(mfu, r.number("mfu_pub")) < 0.003);
  }
  CHECK(now.rows == 8);
  CHECK(before.rows == 1);
}

TEST_CASE("GPT-3, table D.1: 6NT, and 3NT where half of the parameters see a token") {
  agreement totals_of_training;
  for (const table_row& r : table("gpt3_tableD1")) {
    const labelled model{r.number("params_m") * 1e6 * r.number("frac_active")};
    const double ours =
        counting::count(model, training_step(1, 1), conventions::six_nd{}).value() * r.number("tokens_b") * 1e9;
    CAPTURE(r.text("model"));
    CHECK(totals_of_training.of(ours, r.number("total_flops_pub")) < 0.0035);
    CHECK(std::abs(ours / 8.64e19 / r.number("pf_days_pub") - 1) < 0.0035);
  }
  CHECK(totals_of_training.rows == 17);
  // The 13B model's printed width of 5140 gives 12 936 million parameters; 5120 gives the printed 12 850.
  const auto sized = [](std::int64_t width) {
    return std::round(
        total<&row::held>(counted_models::decoder(counted_models::gpt(40, width, 40, 50257, 2048, true)), forward(1, 1))
            .value() /
        1e6);
  };
  CHECK(std::abs(sized(5120) - 12850) < 5);
  CHECK(std::abs(sized(5140) - 12850) > 80);
}

TEST_CASE("Megatron Core on H100: the labels are sizes with untied tables") {
  for (const table_row& r : table("megatron_core_h100_weak")) {
    block_shape s = counted_models::gpt(r.integer("n_layers"), r.integer("d_model"), r.integer("n_heads"),
                                        r.integer("vocab"), 0, false);
    s.tied = false;
    const double size = total<&row::held>(counted_models::decoder(s), forward(1, 1)).value() / 1e9;
    const double label = r.number_or("model", 0);
    CAPTURE(r.text("model"), size);
    CHECK(std::abs(size / label - 1) < 0.027);  // 1.74 is printed as 1.7
    CHECK(std::abs(r.number("tflops_gpu_pub") / r.number("peak_tflops") * 100 - r.number("mfu_pub")) < 0.6);
  }
}
