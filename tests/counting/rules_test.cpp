// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// The rules beyond the records: closed formulas on models drawn at random, decoding, mixtures, latent attention, the
// difference of two conventions, a utilisation restated, rules of one's own, and the look-up by name.

#include <flopledger/counting/catalogue.hpp>
#include <flopledger/models/multi_token_prediction.hpp>

#include <cmath>
#include <set>
#include <string>
#include <utility>

#include "catch.hpp"
#include "known_models.hpp"
#include "models.hpp"
#include "random_shapes.hpp"

using namespace flopledger;
using counted_models::any_model;

namespace {

template <class Rule>
double counted_by(const any_model& model, const work& asked, const Rule& rule) {
  return counting::count(model, asked, rule).value();
}

/// Dimensions and the terms that formulas of tools are made of, in multiply-adds and elements.
struct drawn {
  double batch, tokens_of_each, hidden, heads, layers, vocabulary, width;
  double n() const { return batch * tokens_of_each; }
  double attention() const { return 2 * batch * tokens_of_each * tokens_of_each * hidden * layers; }
  double softmax() const { return batch * heads * tokens_of_each * tokens_of_each * layers; }
  double norms(double how_many) const { return n() * hidden * how_many; }
  double activations() const { return n() * width * layers; }
  double blocks() const { return n() * layers * (4 * hidden * hidden + 2 * hidden * width); }
  double head() const { return n() * hidden * vocabulary; }
  double bias_vectors() const { return layers * (5 * hidden + width); }
};

drawn draw(test::random_shapes& random) {
  const auto heads = random.between(1, 5), per_head = random.between(1, 9);
  const auto hidden = heads * per_head;
  return {.batch = static_cast<double>(random.between(1, 7)),
          .tokens_of_each = static_cast<double>(random.between(2, 30)),
          .hidden = static_cast<double>(hidden),
          .heads = static_cast<double>(heads),
          .layers = static_cast<double>(random.between(1, 6)),
          .vocabulary = static_cast<double>(random.between(1, 99)),
          .width = static_cast<double>(4 * hidden)};
}

std::int64_t whole(double value) { return static_cast<std::int64_t>(value); }

}  // namespace

TEST_CASE("closed formulas of nanoGPT and Hugging Face GPT-2 hold for models drawn at random") {
  test::random_shapes random(51);
  for (int i = 0; i < 40; ++i) {
    const drawn d = draw(random);
    const bool biases = random.coin();
    const any_model model = counted_models::decoder(
        counted_models::gpt(whole(d.layers), whole(d.hidden), whole(d.heads), whole(d.vocabulary), 32, biases));
    const work asked = forward(d.batch, d.tokens_of_each);
    const double lin = d.blocks() + d.batch * d.hidden * d.vocabulary;
    const double bias = biases ? d.n() * d.bias_vectors() : 0.0, norms = d.norms(2 * d.layers + 1);
    const auto& nano = written_in::nano_gpt;
    CHECK(counted_by(model, asked, conventions::thop{nano}) == lin);
    CHECK(counted_by(model, asked, conventions::ptflops{nano}) ==
          counting::truncated((lin + bias + d.activations()) / d.batch + d.activations() + d.softmax()));
    CHECK(counted_by(model, asked, conventions::ptflops_aten{nano}) == lin + d.attention() + bias);
    CHECK(counted_by(model, asked, conventions::fvcore{nano}) == lin + d.attention() + 5 * norms);
    CHECK(counted_by(model, asked, conventions::calflops{nano}) == 2 * lin + 5 * norms + d.activations() + d.softmax());
    CHECK(counted_by(model, asked, conventions::deepspeed{nano}) ==
          2 * (lin + d.attention()) + 5 * norms + d.activations() + d.softmax());
    CHECK(counted_by(model, asked, conventions::torch_profiler{nano}) ==
          2 * (lin + d.attention()) + norms + d.softmax());
    CHECK(counted_by(model, asked, conventions::flop_counter_mode_training{nano}) == 6 * (lin + d.attention()));
    // On the fused path the scores are recomputed in the backward pass: five products for two.
    const auto& flash = written_in::nano_gpt_flash;
    CHECK(counted_by(model, asked, conventions::flop_counter_mode_backward{flash}) == 4 * lin + 5 * d.attention());
    CHECK(counted_by(model, asked, conventions::fvcore{flash}) == lin + 5 * norms);
    CHECK(counted_by(model, asked, conventions::flop_counter_mode{flash, false}) == 2 * lin);

    if (!biases) continue;
    const auto& face = written_in::hugging_face_gpt2;
    const double all = d.blocks() + d.head() + d.attention();
    CHECK(counted_by(model, asked, conventions::thop{face}) == d.head() + 4 * norms);
    CHECK(counted_by(model, asked, conventions::ptflops{face}) ==
          counting::truncated((d.head() + norms) / d.batch + d.blocks() + d.bias_vectors() + d.attention() +
                              d.softmax()));
    CHECK(counted_by(model, asked, conventions::ptflops_aten{face}) == all + d.n() * d.bias_vectors());
    CHECK(counted_by(model, asked, conventions::calflops{face}) ==
          2 * all + d.bias_vectors() + 5 * norms + d.softmax());
    CHECK(counted_by(model, asked, conventions::torch_profiler{face}) == 2 * all + norms + 6 * d.activations());
  }
}

TEST_CASE("closed formulas of BERT's two heads hold for models drawn at random") {
  test::random_shapes random(52);
  for (int i = 0; i < 40; ++i) {
    const drawn d = draw(random);
    const bool masked = random.coin();
    const any_model model = counted_models::bert(whole(d.layers), whole(d.hidden), whole(d.heads), whole(d.width),
                                                 whole(d.vocabulary), 32, masked);
    const work asked = forward(d.batch, d.tokens_of_each);
    const double top = masked ? d.n() * (d.hidden * d.hidden + d.hidden * d.vocabulary) : d.batch * d.hidden * d.hidden;
    const double lin = d.blocks() + top;
    const double bias = d.n() * d.bias_vectors() + (masked ? d.n() * (d.hidden + d.vocabulary) : d.batch * d.hidden);
    const double norms = d.norms(2 * d.layers + (masked ? 2 : 1));
    const auto& face = written_in::hugging_face_bert;
    CHECK(counted_by(model, asked, conventions::thop{face}) == lin + 4 * norms);
    CHECK(counted_by(model, asked, conventions::ptflops{face}) ==
          counting::truncated((lin + bias + norms) / d.batch + d.attention() + d.softmax()));
    CHECK(counted_by(model, asked, conventions::ptflops_aten{face}) == lin + d.attention() + bias);
    CHECK(counted_by(model, asked, conventions::fvcore{face}) == lin + d.attention() + 5 * norms);
    CHECK(counted_by(model, asked, conventions::deepspeed{face}) ==
          2 * (lin + d.attention()) + 5 * norms + d.softmax());
    if (!masked)
      CHECK(counted_by(model, asked, conventions::torch_profiler{face}) ==
            2 * (lin + d.attention()) + d.norms(2 * d.layers + 1) + d.softmax() + d.n());
  }
}

TEST_CASE("the published counts of Llama and BERT by calflops, and thop's of Llama") {
  const work prompt = forward(1, 128);
  const auto& llama = written_in::hugging_face_llama;
  CHECK(counted_by(known_models::llama_2_7b, prompt, conventions::calflops{llama}) == 1700063608832);
  CHECK(counted_by(known_models::llama_2_7b, prompt, conventions::thop{llama}) == 845705904128);
  CHECK(counted_by(known_models::llama_3_8b, prompt, conventions::calflops{llama}) == 1929857990656);
  CHECK(counted_by(known_models::llama_3_8b, prompt, conventions::flop_counter_mode{llama}) == 1929782493184);
  const any_model bert = counted_models::bert(12, 768, 12, 3072, 21128, 512, false);
  CHECK(counted_by(bert, prompt, conventions::calflops{written_in::hugging_face_bert}) == 22363078656);
}

TEST_CASE("one decoded token attends to all that is cached and to itself") {
  const auto model = counted_models::decoder(counted_models::llama(3, 24, 6, 2, 40, 50));
  const double batch = 2, cached = 11, width = 24;
  const double attention = 2 * batch * (cached + 1) * width * 3;
  const double lin = batch * (3 * (2 * 24 * 24 + 2 * 24 * 8 + 3 * 24 * 40) + 24 * 50);
  const work step = decode_step(batch, cached);
  const auto& llama = written_in::hugging_face_llama;
  CHECK(counted_by(model, step, conventions::flop_counter_mode{llama}) == 2 * (lin + attention));
  CHECK(counted_by(model, step, conventions::calflops{llama}) ==
        2 * (lin + attention) + batch * 6 * (cached + 1) * 3 + batch * 40 * 3);
  CHECK(counted_by(model, step, conventions::thop{llama}) == lin);
}

TEST_CASE("no tool halves a causal mask or knows a window") {
  auto windowed = known_models::llama_3_8b;
  windowed.stack.windowed = layer_set::range(0, 32);
  windowed.stack.window = 128;
  const auto& llama = written_in::hugging_face_llama;
  const double whole_square = counted_by(known_models::llama_3_8b, forward(1, 1024), conventions::fvcore{llama});
  CHECK(counted_by(windowed, forward(1, 1024), conventions::fvcore{llama}) == whole_square);
  for (const auto counting : {attention_counting::causal, attention_counting::causal_half})
    CHECK(counted_by(windowed, forward(1, 1024, counting), conventions::fvcore{llama}) == whole_square);
}

TEST_CASE("a profile repeated in one process inflates, and keyword arguments take ptflops' divisor away") {
  const any_model model = counted_models::decoder(counted_models::rasbt_gpt(2, 16, 4, 16, 16, false));
  const work asked = forward(2, 6);
  for (const double k : {1.0, 2.0, 5.0})
    CHECK(counted_by(model, asked, conventions::deepspeed{written_in::rasbt_gpt, k}) == 153600 + k * 9216);
  counting::implementation by_keyword = written_in::rasbt_gpt;
  by_keyword.inputs_by_keyword = true;
  CHECK(counted_by(model, asked, conventions::ptflops{by_keyword}) ==
        2 * counted_by(model, asked, conventions::ptflops{written_in::rasbt_gpt}));
  CHECK(counted_by(model, asked, conventions::ptflops{written_in::rasbt_gpt, 6}) == 39552 / 3.0);
}

TEST_CASE("of an einsum fvcore reads NumPy's printed estimate: four significant digits, ties to even") {
  // The estimate is of operations, two a multiply-add; what fvcore makes of it are multiply-adds.
  const auto counted = [](double operations) {
    const counted_models::core_alone scores{1, operations / 2, true};
    return 2 * counted_by(scores, forward(1, 1), conventions::fvcore{{.scores = counting::call::einsum}});
  };
  CHECK(counted(180708) == 180700);
  CHECK(counted(180750) == 180800);
  CHECK(counted(180650) == 180600);
  CHECK(counted(180652) == 180700);
  CHECK(counted(99996) == 100000);
  CHECK(counted(9998) == 9998);
  CHECK(counted(12) == 12);
}

TEST_CASE("Megatron-LM: latent attention, shared experts, layers of two kinds, further tokens predicted") {
  block_shape s{.layers = 12, .hidden = 768, .heads = 12, .intermediate = 2048, .vocabulary = 50304};
  const work step = training_step(2, 1024);
  {
    block_shape latent = s;
    latent.query_rank = 256;
    latent.latent_rank = 128;
    latent.nope_dim = 64;
    latent.rope_dim = 32;
    latent.value_dim = 64;
    CHECK(counted_by(counted_models::decoder(latent), step, conventions::megatron_lm_0_12{}) == 1522085658624);
    // Without a rank of its own a query is one product, and its norm is gone.
    latent.query_rank = 0;
    const double by_rank = 256.0 * (768 + 12 * 96 + 1), straight = 768.0 * 12 * 96;
    CHECK(counted_by(counted_models::decoder(latent), step, conventions::megatron_lm_0_12{}) ==
          1522085658624 + 6.0 * 2 * 1024 * 12 * (straight - by_rank));
  }
  s.experts = 8;
  s.experts_per_token = 2;
  s.expert_intermediate = 1024;
  s.shared_intermediate = 512;
  s.sparse = layer_set::range(3, 12);
  const double n = 2 * 1024, h = 768;
  const double attention = 12 * (4 * h * h + 1024 * h), head = h * 50304;
  const any_model mixed = counted_models::decoder(s);
  CHECK(counted_by(mixed, step, conventions::megatron_lm_0_12{}) ==
        6 * n * (attention + 3 * h * (2048 * 3 + (1024 * 2 + 512) * 9.0) + head));
  // Before, every layer was a mixture of experts as wide as the dense layers.
  const double whole_core = 12 * (4 * h * h + 2 * 1024 * h);
  CHECK(counted_by(mixed, step, conventions::megatron_lm_0_8{}) == 6 * n * (whole_core + 3 * h * 2048 * 2 * 12 + head));
  CHECK(counted_by(mixed, step, conventions::megatron_lm_0_10{}) ==
        6 * n * (whole_core + 3 * h * 2048 * 2 * 12 + 3 * h * 512 * 9 + head));
  // A module for one more token: three norms, a matrix of 2h × h, a block like the last, and the head once more.
  const multi_token_prediction deeper{counted_models::decoder(s), 2};
  const double block = 4 * h * h + 1024 * h + 3 * h * (1024 * 2 + 512);
  CHECK(counted_by(deeper, step, conventions::megatron_lm_0_12{}) ==
        counted_by(mixed, step, conventions::megatron_lm_0_12{}) + 6 * n * 2 * (3 * h + 2 * h * h + block + head));
  // It is not in MaxText's count beyond its block and head, nor are norms anybody else's product.
  CHECK(total<&row::held>(deeper, step).value() ==
        total<&row::held>(counted_models::decoder(s), step).value() +
            2 * (2 * h * h + 3 * h + 4 * h * h + 2 * h + 8 * h + 8 * 3 * h * 1024 + 3 * h * 512));
}

TEST_CASE("packed sequences attend within themselves, so Megatron-LM's core takes the sum of squared lengths") {
  const any_model model = counted_models::decoder(counted_models::llama(4, 64, 8, 2, 96, 128));
  const sequences runs[] = {{.count = 2, .length = 10}, {.count = 1, .length = 44}};
  const double apart = counted_by(model, training_step(2, 10), conventions::megatron_lm_0_12{}) +
                       counted_by(model, training_step(1, 44), conventions::megatron_lm_0_12{});
  CHECK(counted_by(model, packed(runs), conventions::megatron_lm_0_12{}) == apart);
}

TEST_CASE("a norm on a projection's heads is no inner norm of latent attention") {
  block_shape s = counted_models::llama(4, 64, 8, 2, 96, 128);
  const double without = counted_by(counted_models::decoder(s), training_step(1, 64), conventions::megatron_lm_0_12{});
  for (const qk_norm norm : {qk_norm::per_head, qk_norm::per_projection, qk_norm::every_head}) {
    s.query_key_norm = norm;
    CHECK(counted_by(counted_models::decoder(s), training_step(1, 64), conventions::megatron_lm_0_12{}) == without);
  }
}

TEST_CASE("papers' closed forms are sums over rows") {
  test::random_shapes random(53);
  for (int i = 0; i < 20; ++i) {
    const drawn d = draw(random);
    const any_model model = counted_models::decoder(
        counted_models::gpt(whole(d.layers), whole(d.hidden), whole(d.heads), whole(d.vocabulary), 0, false));
    const work step = training_step(d.batch, d.tokens_of_each);
    const double n = d.n(), s = d.tokens_of_each, h = d.hidden, l = d.layers, v = d.vocabulary;
    const double layers = 12 * l * h * h, core = 2 * l * h * s;  // multiply-adds a token
    CHECK(counted_by(model, step, conventions::narayanan{}) == n * (8 * (layers + core) + 6 * v * h));
    CHECK(counted_by(model, step, conventions::korthikanti{}) == n * 6 * (layers + core + v * h));
    CHECK(counted_by(model, step, conventions::korthikanti_hfu{}) == n * 6 * (layers + 2 * core + v * h));
    CHECK(counted_by(model, step, conventions::korthikanti_hfu_physical{}) == n * (6 * (layers + v * h) + 8 * core));
    CHECK(counted_by(model, step, conventions::kaplan{}) == n * 6 * layers);
    CHECK(counted_by(model, step, conventions::kaplan{.with_context = true}) == n * (6 * layers + 6 * l * s * h));
    CHECK(counted_by(model, step, conventions::kaplan_forward{}) == n * (2 * layers + 2 * l * s * h));
    CHECK(counted_by(model, step, conventions::chinchilla{}) ==
          3 * (2 * (2 * n * v * h) + n * 2 * (layers + core) + 3 * n * s * d.heads * l));
    const double norms = (2 * l + 1) * h, weights = layers + norms + v * h;
    CHECK(counted_by(model, step, conventions::palm{}) == n * 6 * (weights + core));
    CHECK(counted_by(model, step, conventions::llm_foundry{}) == n * 6 * (weights + core));
    CHECK(counted_by(model, step, conventions::torchtitan{}) == n * 6 * (weights + core));
    CHECK(counted_by(model, step, conventions::llm_c{}) == n * (6 * weights + 3 * core));
    CHECK(counted_by(model, step, conventions::six_nd{}) == n * 6 * weights);
    CHECK(counted_by(model, step, conventions::two_nd{}) == n * 2 * weights);
    CHECK(counted_by(model, step, conventions::eight_nd{}) == n * 8 * weights);
    CHECK(counted_by(model, step, conventions::model_flops{}) == n * 6 * (layers + core + v * h));
  }
}

TEST_CASE("an untied table is in PaLM's N and in nobody's who counts what is computed with") {
  block_shape s = counted_models::llama(4, 64, 8, 2, 96, 128);
  const work step = training_step(1, 64);
  const auto both = [&](const auto& rule) {
    s.tied = true;
    const double tied = counted_by(counted_models::decoder(s), step, rule);
    s.tied = false;
    return counted_by(counted_models::decoder(s), step, rule) - tied;
  };
  CHECK(both(conventions::palm{}) == 64 * 6 * 64 * 128.0);
  CHECK(both(conventions::six_nd{}) == 64 * 6 * 64 * 128.0);
  CHECK(both(conventions::llm_foundry{}) == 0);
  CHECK(both(conventions::torchtitan{}) == 0);
  CHECK(both(conventions::megatron_lm_0_12{}) == 0);
}

TEST_CASE("rules by parameters take what a token uses of a mixture") {
  const double n = 64, held = total<&row::held>(known_models::mixtral_8x7b, forward(1, 1)).value();
  const double active = total<&row::active>(known_models::mixtral_8x7b, forward(1, 1)).value();
  REQUIRE(active < held);
  CHECK(counted_by(known_models::mixtral_8x7b, training_step(1, n), conventions::six_nd{}) == 6 * n * active);
}

// Two conventions
// ------------------------------------------------------------------------------------------------------

TEST_CASE("the difference of two conventions is the sum of the rows that explain it") {
  const work asked = forward(2, 6);
  const auto model = counted_models::decoder(counted_models::rasbt_gpt(2, 16, 4, 16, 16, false));
  const auto found = counting::difference(model, asked, conventions::thop{written_in::rasbt_gpt}, conventions::full{});
  REQUIRE(found.size == 2);  // both products of the attention core, which `@` hides from thop
  CHECK(found.rows[0].name == "attention.scores");
  CHECK(found.rows[1].name == "attention.context");
  for (const counting::differing_row& r : found) {
    CHECK(r.times == 2);
    CHECK(r.first.value() == 0);
    CHECK(r.second.value() == 4608);
  }
  CHECK(found.first.value() == 153600);
  CHECK(found.second.value() == 162816);
}

TEST_CASE("differences of any two conventions add up, and a convention differs from itself in nothing") {
  const work asked = training_step(2, 64);
  for (const transformer_config& model :
       {known_models::gpt2, known_models::mixtral_8x7b, known_models::gpt_oss_120b, known_models::deepseek_v3}) {
    for (const counting::listed_convention& first : counting::all) {
      const auto& written = written_in::hugging_face_llama;
      CAPTURE(first.name);
      CHECK(counting::difference(model, asked, first, first, written).size == 0);
      const auto found = counting::difference(model, asked, first, counting::all[0], written);
      double sum = 0;
      for (const counting::differing_row& r : found) sum += (r.second - r.first).value();
      const double whole_difference = (found.second - found.first).value();
      CHECK(std::abs(sum - whole_difference) <= 1e-9 * std::abs(found.second.value()));
      const double ours = counting::count(model, asked, first, written).operations().value();
      CHECK(std::abs(found.first.value() - ours) <= 1e-9 * ours + 2);  // ptflops truncates
    }
  }
}

TEST_CASE("an MFU is restated under another convention, and flagged above one") {
  const work step = training_step(1, 8192);
  const auto restated = counting::restate(0.41, conventions::torchtitan{}, conventions::megatron_bridge{},
                                          known_models::llama_3_8b, step);
  CHECK(std::abs(restated.share / 0.41 - 51.47 / 57.91) < 1e-3);
  CHECK_FALSE(restated.above_one);
  CHECK(counting::restate(0.8, conventions::korthikanti{}, conventions::narayanan{}, known_models::gpt3,
                          training_step(1, 2048))
            .above_one);
  const auto back =
      counting::restate(restated.share, *counting::find("C"), *counting::find("A'"), known_models::llama_3_8b, step);
  CHECK(std::abs(back.share - 0.41) < 1e-12);
  const auto senseless =
      counting::restate(0.41, *counting::find("A"), *counting::find("full"), known_models::llama_3_8b, step);
  CHECK(senseless.share != senseless.share);
}

// Custom rows, rules of one's own, names
// -------------------------------------------------------------------------------------

namespace {
struct with_custom_row {
  constexpr void record(books auto& sink, const work& asked) const {
    linear{.in = 4, .out = 8}.record(sink, asked, "attention.query");
    sink.take({.name = "mine",
               .shape = {.batch = 1, .m = asked.token_count(), .n = 8, .k = 8},
               .held = 64.0 * unit::parameter,
               .active = 64.0 * unit::parameter,
               .multiplied = 64 * asked.token_count() * unit::mac},
              1);
  }
};

struct everything_twice {
  static constexpr std::string_view name = "everything twice";
  static constexpr auto covers = counting::passes::forward;
  static constexpr auto custom = counting::custom_rows::charged;
  constexpr macs charge(const row& r, const work&) const { return 2.0 * r.multiplied; }
};
struct nothing_custom : everything_twice {
  static constexpr auto custom = counting::custom_rows::not_seen;
};
struct says_nothing_of_custom {
  static constexpr std::string_view name = "incomplete";
  static constexpr auto covers = counting::passes::forward;
  constexpr macs charge(const row& r, const work&) const { return r.multiplied; }
};
static_assert(counting::convention<everything_twice>);
static_assert(!counting::convention<says_nothing_of_custom>);
static_assert(!counting::convention<int>);

// Conventions are constant expressions.
static_assert(counting::count(known_models::gpt2, forward(1, 1024), conventions::thop{written_in::hugging_face_gpt2}) ==
              39602356224.0 * unit::mac);
static_assert(counting::count(known_models::gpt2, forward(1, 1024), *counting::find("fvcore"),
                              written_in::hugging_face_gpt2)
                  .value == 145922457600.0);
}  // namespace

TEST_CASE("a rule says what it does with rows of kind custom") {
  const with_custom_row model;
  const work asked = forward(1, 10);
  CHECK(counting::count(model, asked, everything_twice{}) == 2.0 * (320 + 640) * unit::mac);
  CHECK(counting::count(model, asked, nothing_custom{}) == 2.0 * 320 * unit::mac);
  // A tool sees a custom row only where the implementation says by which call it runs.
  CHECK(counted_by(model, asked, conventions::fvcore{}) == 320);
  counting::implementation mine;
  mine.custom = counting::call::matmul_function;
  CHECK(counted_by(model, asked, conventions::fvcore{mine}) == 960);
  CHECK(counted_by(model, asked, conventions::thop{mine}) == 320);
  CHECK(counted_by(model, asked, conventions::palm{}) == 6 * 10 * (32 + 64));
  CHECK(counted_by(model, asked, conventions::megatron_lm_0_12{}) == 6 * 10 * 32);
}

TEST_CASE("conventions and implementations are found by name, and by the letters of published tables") {
  std::set<std::string_view> names;
  for (const counting::listed_convention& listed : counting::all) {
    CHECK(names.insert(listed.name).second);
    CHECK(counting::find(listed.name) == &listed);
    CHECK_FALSE(listed.counts.empty());
    CHECK_FALSE(listed.source.empty());
  }
  CHECK(counting::find("no such convention") == nullptr);
  CHECK(counting::find("") == nullptr);
  const std::pair<std::string_view, std::string_view> letters[] = {{"A", "palm"},
                                                                   {"A'", "torchtitan"},
                                                                   {"C", "megatron-bridge"},
                                                                   {"C'", "llm.c"},
                                                                   {"K", "korthikanti-2022"},
                                                                   {"K_h", "korthikanti-2022-hfu"},
                                                                   {"M", "narayanan-2021"},
                                                                   {"E", "8nd"},
                                                                   {"S", "6nd"},
                                                                   {"F", "flash-attention"}};
  for (const auto& [letter, name] : letters) CHECK(counting::find(letter)->name == name);
  CHECK(counting::find("fvcore")->reports == counting::reported_unit::macs_called_flops);
  CHECK(counting::find("thop")->reports == counting::reported_unit::macs);
  CHECK(counting::find("calflops")->needs_implementation);
  CHECK_FALSE(counting::find("palm")->needs_implementation);
  CHECK(written_in::find("nanoGPT") == &written_in::nano_gpt);
  CHECK(written_in::find("") == nullptr);
  CHECK(&written_in::reference("GPT2LMHeadModel") == &written_in::hugging_face_gpt2);
  CHECK(&written_in::reference("BertForMaskedLM") == &written_in::hugging_face_bert);
  CHECK(&written_in::reference("MixtralForCausalLM") == &written_in::hugging_face_llama);
}

TEST_CASE("a listed convention counts as its type does") {
  const work asked = forward(2, 32);
  const auto& written = written_in::hugging_face_gpt2;
  CHECK(counting::count(known_models::gpt2, asked, *counting::find("ptflops"), written).value ==
        counted_by(known_models::gpt2, asked, conventions::ptflops{written}));
  CHECK(counting::count(known_models::deepseek_v3, asked, *counting::find("megatron-lm-0.8")).value ==
        counted_by(known_models::deepseek_v3, asked, conventions::megatron_lm_0_8{}));
  CHECK(counting::count_parameters(known_models::gpt2, asked, *counting::find("thop"), written) ==
        counting::count_parameters(known_models::gpt2, asked, conventions::thop{written}));
  CHECK(counting::count_parameters(known_models::gpt2, asked, *counting::find("calflops"), written).value() ==
        124439808);
}
