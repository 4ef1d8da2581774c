// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// What a block keeps for its backward pass is the sum of what its rows save. The closed forms that papers give for one
// kind of block fall out of that sum; nothing in the library knows them.

#include <flopledger/models/block_shape.hpp>

#include "known_models.hpp"
#include "quantities.hpp"
#include "random_shapes.hpp"
#include "saved_bytes.hpp"

namespace fl = flopledger;
using test::saved_by_blocks;

namespace {

constexpr double gib = 1073741824.0;

// The classic block of Korthikanti et al.: GELU, dropout, feed-forward of 4·hidden, all heads alike.
constexpr fl::transformer_config classic(std::int64_t layers, std::int64_t hidden, std::int64_t heads) {
  return known_models::decoder(known_models::gpt2_shape(layers, hidden, heads, 51200, 2048));
}
// GPT of 22B, 175B, 530B and 1T parameters (table 3 of the paper).
constexpr fl::transformer_config gpt_22b = classic(48, 6144, 64), gpt_175b = classic(96, 12288, 96),
                                 gpt_530b = classic(105, 20480, 128), gpt_1t = classic(128, 25600, 160);

}  // namespace

TEST_CASE("a classic layer keeps S B h (34 + 5 a S / h) bytes") {
  constexpr double S = 2048, B = 4, h = 6144, a = 64;
  HOLDS(saved_by_blocks(gpt_22b, fl::training_step(B, S), 1) == S * B * (34 * h + 5 * a * S));
  HOLDS(saved_by_blocks(gpt_22b, fl::training_step(B, S), 1) == 34 * S * B * h + 5 * a * S * S * B);
  // Masks of dropout are a byte each: without dropout 32 and 2 are left.
  HOLDS(saved_by_blocks(gpt_22b, fl::forward(B, S), 1) == 32 * S * B * h + 2 * a * S * S * B);

  test::random_shapes random{1};
  for (int i = 0; i < 50; ++i) {
    const std::int64_t heads = random.between(1, 16), hidden = heads * random.between(1, 64);
    const auto length = static_cast<double>(random.between(1, 300)), batch = static_cast<double>(random.between(1, 8));
    const fl::transformer_config model = classic(2, hidden, heads);
    CHECK(saved_by_blocks(model, fl::training_step(batch, length), 1) ==
          34 * length * batch * static_cast<double>(hidden) + 5 * static_cast<double>(heads) * length * length * batch);
  }
}

TEST_CASE("tensor parallelism leaves ten of the thirty-four undivided") {
  constexpr double S = 2048, B = 4, h = 6144, a = 64;
  for (const double t : {1.0, 2.0, 4.0, 8.0, 16.0})
    CHECK(saved_by_blocks(gpt_22b, fl::training_step(B, S), 1, {.tensor_parallel = t}) ==
          S * B * (10 * h + 24 * h / t + 5 * a * S / t));
}

TEST_CASE("sequence parallelism divides all of it") {
  constexpr double S = 2048, B = 4, h = 6144, a = 64;
  for (const double t : {1.0, 2.0, 4.0, 8.0, 16.0})
    CHECK(saved_by_blocks(gpt_22b, fl::training_step(B, S), 1, {.tensor_parallel = t, .sequence_parallel = true}) ==
          S * B / t * (34 * h + 5 * a * S));
}

TEST_CASE("without the scores thirty-four are left") {
  constexpr double S = 2048, B = 4, h = 6144;
  HOLDS(saved_by_blocks(gpt_22b, fl::training_step(B, S), 1, {.fused = true}) == 34 * S * B * h);
  for (const double t : {2.0, 8.0})
    CHECK(saved_by_blocks(gpt_22b, fl::training_step(B, S), 1,
                          {.tensor_parallel = t, .sequence_parallel = true, .fused = true}) == 34 * S * B * h / t);
}

TEST_CASE("figure 1 of Korthikanti et al. comes out exactly") {
  // A rank's share at the first stage: L layers' worth of micro-batches are in flight there, and p - 1 over p m more
  // where stages are interleaved.
  const auto share = [](const fl::transformer_config& model, double batch, double p, double m, test::saved_bytes fold) {
    const double whole = saved_by_blocks(model, fl::training_step(batch, 2048), model.stack.layers, fold);
    return p > 1 ? whole * (p * m + p - 1) / (p * m) / gib : whole / gib;
  };
  constexpr test::saved_bytes tensor{.tensor_parallel = 8};
  constexpr test::saved_bytes selective{.tensor_parallel = 8, .sequence_parallel = true, .fused = true};
  CHECK(share(gpt_22b, 4, 1, 1, tensor) == 59.25);
  CHECK(share(gpt_22b, 4, 1, 1, selective) == 9.5625);
  CHECK(share(gpt_175b, 1, 8, 3, tensor) == 66.84375);
  CHECK(share(gpt_175b, 1, 8, 3, selective) == 12.3515625);
  CHECK(share(gpt_530b, 1, 35, 3, tensor) == 114.0234375);
  CHECK(share(gpt_530b, 1, 35, 3, selective) == 23.076171875);
  CHECK(share(gpt_1t, 1, 1, 1, tensor) == 131.25);
  CHECK(share(gpt_1t, 1, 1, 1, selective) == 26.5625);
}

TEST_CASE("one coefficient fits no two kinds of block") {
  // In elements of 16 bits a token and unit of width: k of "B S h L s k".
  constexpr auto coefficient = [](const fl::transformer_config& model, double hidden, bool fused, bool training) {
    constexpr double S = 4096;
    const fl::work asked = training ? fl::training_step(1, S) : fl::forward(1, S);
    return saved_by_blocks(model, asked, 1, {.fused = fused}) / (2 * S * hidden);
  };
  HOLDS(coefficient(gpt_22b, 6144, true, true) == 17);
  HOLDS(coefficient(known_models::llama_2_70b, 8192, true, true) == 16.75);
  // With the scores the same block keeps several times as much at this length.
  HOLDS(coefficient(gpt_22b, 6144, false, true) == 17 + 2.5 * 64 * 4096 / 6144.0);
  // "k from 2 to 10" is below every one of them.
  HOLDS(coefficient(known_models::llama_2_70b, 8192, true, true) > 10);
  HOLDS(coefficient(gpt_22b, 6144, true, true) > 10);
}

TEST_CASE("a fused kernel keeps its output and one statistic a row instead of the scores") {
  double statistics = 0, outputs = 0;
  fl::tally kept{0.0, [&](const fl::row& r) {
                   for (const fl::operand& o : r.operands) {
                     if (r.kind == fl::operation::softmax && o.what == fl::role::statistic) statistics += o.elements;
                     if (r.name == "attention.output" && fl::has(o.how, fl::use::saved_for_weights))
                       outputs += o.elements;
                   }
                   return 0.0;
                 }};
  known_models::llama_2_70b.stack.record_blocks(kept, fl::training_step(1, 4096), 0, 1);
  CHECK(statistics == 64.0 * 4096);
  CHECK(outputs == 8192.0 * 4096);
}

TEST_CASE("key/value heads shrink what keys and values keep") {
  // 8 of 64 heads: keys and values of an eighth, and more than eight ranks share them no further.
  constexpr double S = 4096, h = 8192;
  HOLDS(saved_by_blocks(known_models::llama_2_70b, fl::training_step(1, S), 1, {.fused = true}) == 2 * S * h * 16.75);
  fl::block_shape all_heads = known_models::llama_2_70b_shape;
  all_heads.kv_heads = 64;
  CHECK(saved_by_blocks(known_models::decoder(all_heads), fl::training_step(1, S), 1, {.fused = true}) ==
        2 * S * h * 18.5);
  const auto at = [](double t) {
    return saved_by_blocks(known_models::llama_2_70b, fl::training_step(1, S), 1,
                           {.tensor_parallel = t, .sequence_parallel = true, .fused = true});
  };
  CHECK(at(8) == 2 * S * h * 16.75 / 8);
  CHECK(at(16) == 2 * S * h * (16.5 / 16 + 0.25 / 8));
}

TEST_CASE("explicit FP32 scores of two sequences of 1024 tokens in twelve heads are 96 MiB") {
  constexpr auto scores = [](double length) {
    fl::tally written{0.0, [](const fl::row& r) {
                        double elements = 0;
                        for (const fl::operand& o : r.operands)
                          if (r.kind == fl::operation::attention_scores && o.what == fl::role::attention_matrix)
                            elements += o.elements;
                        return elements;
                      }};
    known_models::gpt2.stack.record_blocks(written, fl::forward(2, length), 0, 1);
    return written.total * 4;
  };
  HOLDS(scores(1024) == 96.0 * 1048576);
  HOLDS(scores(2048) == 4 * scores(1024));
}
