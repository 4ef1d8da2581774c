// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/memory/kv_cache.hpp>
#include <flopledger/models/block_shape.hpp>

#include <span>
#include <vector>

#include "brute_force.hpp"
#include "known_models.hpp"
#include "quantities.hpp"
#include "random_shapes.hpp"

namespace fl = flopledger;
namespace unit = flopledger::unit;
using fl::attention_counting;

namespace {

double core_macs(const auto& model, const fl::work& asked) {
  fl::tally core{0.0, [](const fl::row& r) {
                   return r.kind == fl::operation::attention_scores || r.kind == fl::operation::attention_context
                              ? r.multiplied.value()
                              : 0.0;
                 }};
  model.record(core, asked);
  return core.total;
}

}  // namespace

TEST_CASE("a token decoded after C others attends to C + 1") {
  test::random_shapes random{2};
  for (int i = 0; i < 200; ++i) {
    fl::block_shape shape = random.any_decoder();
    const fl::transformer_config model = known_models::decoder(shape);
    const auto batch = static_cast<double>(random.between(1, 5)), context = static_cast<double>(random.between(1, 40));
    INFO("draw " << i);
    CHECK(core_macs(model, fl::decode_step(batch, context)) ==
          core_macs(model, fl::prefill(batch, context + 1, attention_counting::causal)) -
              core_macs(model, fl::prefill(batch, context, attention_counting::causal)));
    if (shape.latent_rank == 0 && shape.windowed.empty())
      CHECK(core_macs(model, fl::decode_step(batch, context)) ==
            2 * batch * static_cast<double>(shape.layers * shape.heads * shape.head_dim) * (context + 1));
  }
}

TEST_CASE("a prompt read in two pieces costs what it costs in one") {
  test::random_shapes random{3};
  for (int i = 0; i < 200; ++i) {
    const fl::transformer_config model = known_models::decoder(random.any_decoder());
    const auto first = static_cast<double>(random.between(1, 20)), second = static_cast<double>(random.between(1, 20));
    fl::work rest = fl::forward(1, second, attention_counting::causal);
    rest.run.cached = first;
    INFO("draw " << i << ", " << first << " and " << second);
    const fl::totals whole = fl::totals_of(model, fl::forward(1, first + second, attention_counting::causal));
    const fl::totals a = fl::totals_of(model, fl::forward(1, first, attention_counting::causal));
    const fl::totals b = fl::totals_of(model, rest);
    CHECK(a.multiplied + b.multiplied == whole.multiplied);
    CHECK(a.elementwise + b.elementwise == whole.elementwise);
  }
}

TEST_CASE("packed sequences cost what they cost apart, and never look across") {
  test::random_shapes random{4};
  for (int i = 0; i < 200; ++i) {
    const fl::block_shape shape = random.any_decoder();
    const fl::transformer_config model = known_models::decoder(shape);
    const attention_counting counting = random.counting();
    std::vector<fl::sequences> runs(static_cast<std::size_t>(random.between(2, 6)));
    fl::totals apart;
    double length = 0;
    for (fl::sequences& run : runs) {
      run = {.count = static_cast<double>(random.between(1, 3)), .length = static_cast<double>(random.between(2, 12))};
      fl::totals one = fl::totals_of(model, fl::forward(run.count, run.length, counting));
      apart.multiplied += one.multiplied;
      apart.multiplied_backward += one.multiplied_backward;
      apart.elementwise += one.elementwise;
      length += run.count * run.length;
    }
    INFO("draw " << i);
    const fl::work together = fl::packed(runs, counting);
    const fl::totals packed = fl::totals_of(model, together);
    CHECK(packed.multiplied == apart.multiplied);
    CHECK(packed.multiplied_backward == apart.multiplied_backward);
    CHECK(packed.elementwise == apart.elementwise);
    CHECK(together.token_count() == length);
    if (shape.windowed.empty()) CHECK(core_macs(model, together) < core_macs(model, fl::forward(1, length, counting)));
    // One run more beside the first is packing too.
    fl::work beside = fl::forward(runs[0].count, runs[0].length, counting);
    beside.packed = std::span{runs}.subspan(1);
    CHECK(fl::totals_of(model, beside).multiplied == packed.multiplied);
  }
}

TEST_CASE("key/value heads save projections and cache, never scores") {
  test::random_shapes random{5};
  for (int i = 0; i < 200; ++i) {
    fl::block_shape shape = random.decoder();
    shape.kv_heads = 1;
    shape.query_key_norm = fl::qk_norm::none;
    fl::block_shape wide = shape;
    wide.kv_heads = shape.heads;
    const fl::transformer_config one = known_models::decoder(shape), all = known_models::decoder(wide);
    const fl::work asked = random.pass();
    INFO("draw " << i);
    CHECK(core_macs(one, asked) == core_macs(all, asked));
    const auto saved = static_cast<double>(shape.layers * shape.hidden * 2 * (shape.heads - 1) * shape.head_dim);
    CHECK(fl::total<&fl::row::multiplied>(all, asked).value() - fl::total<&fl::row::multiplied>(one, asked).value() ==
          saved * asked.token_count());
    CHECK(fl::kv_cache_bytes(all, asked, fl::bf16::format) ==
          static_cast<double>(shape.heads) * fl::kv_cache_bytes(one, asked, fl::bf16::format));
  }
}

TEST_CASE("a decoding step reads the cache and leaves one token more") {
  const fl::attention layer{.hidden = 12, .heads = 6, .kv_heads = 2, .head_dim = 4};
  for (const double context : {1.0, 7.0, 100.0}) {
    double read = 0, held = 0;
    fl::tally touched{0.0, [&](const fl::row& r) {
                        for (const fl::operand& o : r.operands)
                          if (o.what == fl::role::cache) {
                            read += o.read_elements();
                            held += o.elements;
                          }
                        return 0.0;
                      }};
    layer.record(touched, fl::decode_step(3, context));
    CHECK(read == 3 * context * 2 * 2 * 4);
    CHECK(held == 3 * (context + 1) * 2 * 2 * 4);
  }
}

TEST_CASE("a decode over cached latents computes in their width, whatever is counted") {
  // DeepSeek-V3, 128 sequences of 8192 tokens: 128 heads of 576 + 512, 292 GFLOP a layer (deepseek-ai/FlashMLA).
  const fl::latent_attention layer{.hidden = 7168,
                                   .heads = 128,
                                   .query_rank = 1536,
                                   .latent_rank = 512,
                                   .nope_dim = 128,
                                   .rope_dim = 64,
                                   .value_dim = 128};
  const auto of_core = [&](const fl::work& asked, auto what) {
    fl::tally core{0.0, [&](const fl::row& r) { return fl::is_attention_product(r.kind) ? what(r) : 0.0; }};
    layer.record(core, asked);
    return core.total;
  };
  const auto computed = [](const fl::row& r) { return fl::computed_flops(r).value(); };
  const auto counted = [](const fl::row& r) { return 2 * r.multiplied.value(); };
  const double decoded = of_core(fl::decode_step(128, 8191), computed);
  CHECK(decoded > 292.0e9);
  CHECK(decoded < 292.1e9);
  CHECK(of_core(fl::decode_step(128, 8191), counted) == 2.0 * 128 * 128 * 8192 * 320);
  // A prompt makes heads of its latents, once.
  const fl::work prompt = fl::prefill(1, 4096, attention_counting::causal);
  CHECK(of_core(prompt, computed) == of_core(prompt, counted));
}
