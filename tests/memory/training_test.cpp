// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/memory/training.hpp>
#include <flopledger/models/block_shape.hpp>

#include <string>
#include <vector>

#include "catch.hpp"
#include "random_shapes.hpp"

namespace {

using namespace flopledger;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

double parameter_total(const transformer_config& model) { return totals_of(model, forward(1, 1)).held.value(); }

using dice = test::random_shapes;

/// GPT's layer as Korthikanti et al. 2022 (section 4.1) count it: GELU, dropout, a feed-forward of 4·h.
transformer_config classic(std::int64_t layers, std::int64_t hidden, std::int64_t heads) {
  return make_decoder("classic", {.layers = layers,
                                  .hidden = hidden,
                                  .heads = heads,
                                  .intermediate = 4 * hidden,
                                  .vocabulary = 1000,
                                  .gated = false,
                                  .activation = activation_function::gelu,
                                  .norm = {.kind = norm_kind::layer, .bias = true},
                                  .rotary_fraction = 0,
                                  .dropout = true});
}

struct classic_case {
  std::int64_t hidden = 0, heads = 0, sequence = 0, batch = 0, tensor = 1;
  bool sequence_parallel = false;
  flopledger::recompute recompute = recompute::none;

  training_setup setup() const {
    training_setup made{.precision = recipes::mixed_fp16::value};
    made.plan = {.sequence = sequence,
                 .micro_batch = batch,
                 .tensor = tensor,
                 .pipeline = 2,
                 .sequence_parallel = sequence_parallel,
                 .recompute = recompute,
                 .attention = attention_kernel::explicit_matrix};
    return made;
  }
  double tokens_hidden() const { return static_cast<double>(sequence * batch * hidden); }
  double t() const { return static_cast<double>(tensor); }
  double split() const { return sequence_parallel ? t() : 1.0; }
  /// The formulas leave out the two FP32 statistics of each LayerNorm's row.
  double statistics() const { return 2 * 2 * 4 * static_cast<double>(sequence * batch) / split(); }
  double scores() const {
    return 5 * static_cast<double>(heads) * static_cast<double>(sequence) / static_cast<double>(hidden);
  }
  /// One layer of the first of two stages, one micro-batch in flight, the token numbers that the look-up keeps aside.
  double activations() const {
    const transformer_config model = classic(2, hidden, heads);
    const double kept = training_memory(model, setup()).stage(0)[memory_line::activations].value();
    return kept - 8 * static_cast<double>(sequence * batch) / split();
  }
};

classic_case random_case(dice& random) {
  classic_case c;
  c.tensor = random.power_of_two(3);
  c.heads = c.tensor * random.between(1, 16);
  c.hidden = c.heads * random.between(1, 16) * 8;
  c.sequence = c.tensor * random.between(1, 256);
  c.batch = random.between(1, 8);
  return c;
}

TEST_CASE("the classic activation formulas fall out of the rows") {
  dice random(20220510);
  for (int i = 0; i < 100; ++i) {
    classic_case c = random_case(random);
    const double whole = c.tokens_hidden();
    SECTION("shape " + std::to_string(i)) {
      const std::int64_t tensor = c.tensor;
      c.tensor = 1;
      CHECK_THAT(c.activations(), WithinRel(whole * (34 + c.scores()) + c.statistics(), 1e-12));
      c.tensor = tensor;
      CHECK_THAT(c.activations(), WithinRel(whole * (10 + 24 / c.t() + c.scores() / c.t()) + c.statistics(), 1e-12));
      c.sequence_parallel = true;
      CHECK_THAT(c.activations(), WithinRel(whole / c.t() * (34 + c.scores()) + c.statistics(), 1e-12));
      c.recompute = recompute::selective;
      CHECK_THAT(c.activations(), WithinRel(whole / c.t() * 34 + c.statistics(), 1e-12));
      c.recompute = recompute::full;
      const double alive_again = whole / c.t() * (34 + c.scores()) + c.statistics();
      CHECK_THAT(c.activations(), WithinRel(2 * whole / c.t() + alive_again, 1e-12));
      c.sequence_parallel = false;
      const double unsplit = whole * (10 + 24 / c.t() + c.scores() / c.t()) + c.statistics();
      CHECK_THAT(c.activations(), WithinRel(2 * whole + unsplit, 1e-12));
    }
  }
}

TEST_CASE("a fused kernel keeps one statistic a query in place of the scores") {
  classic_case c{.hidden = 1024, .heads = 16, .sequence = 512, .batch = 2};
  training_setup setup = c.setup();
  const transformer_config model = classic(2, c.hidden, c.heads);
  const double with_scores = training_memory(model, setup).stage(0)[memory_line::activations].value();
  setup.plan.attention = attention_kernel::fused;
  const double without = training_memory(model, setup).stage(0)[memory_line::activations].value();
  const double rows = 512 * 2 * 16;
  CHECK(with_scores - without == rows * 512 * 5 - rows * 4);
}

TEST_CASE("micro-batches in flight") {
  plan p{.gradient_accumulation = 8, .pipeline = 4};
  CHECK(in_flight(p, 0) == 4);
  CHECK(in_flight(p, 3) == 1);
  p.gradient_accumulation = 2;
  CHECK(in_flight(p, 0) == 2);
  dice random(7);
  for (int i = 0; i < 100; ++i) {
    p.pipeline = random.between(2, 32);
    p.virtual_stages = random.between(2, 8);
    p.gradient_accumulation = 4 * p.pipeline;
    const auto stages = static_cast<double>(p.pipeline), pieces = static_cast<double>(p.virtual_stages);
    CHECK_THAT(in_flight(p, 0), WithinRel(stages * (1 + (stages - 1) / (stages * pieces)), 1e-12));
  }
}

TEST_CASE("bytes a parameter, by recipe and optimizer") {
  const auto static_bytes = [](const recipe& precision, const optimizer& rule) {
    const transformer_config model = classic(2, 64, 4);
    const memory_account a =
        training_memory(model, {.precision = precision, .optimizer = rule, .plan = {.sequence = 1}}).worst();
    const double bytes_held = (a[memory_line::weights] + a[memory_line::gradients] + a[memory_line::optimizer]).value();
    return bytes_held / parameter_total(model);
  };
  recipe fp32_gradients = recipes::mixed_bf16::value;
  fp32_gradients.gradients = fp32::format;
  CHECK_THAT(static_bytes(recipes::fp32::value, optimizers::adamw), WithinRel(16, 1e-12));
  CHECK_THAT(static_bytes(recipes::mixed_bf16::value, optimizers::adamw), WithinRel(16, 1e-12));
  CHECK_THAT(static_bytes(fp32_gradients, optimizers::adamw), WithinRel(18, 1e-12));
  CHECK_THAT(static_bytes(recipes::mixed_fp16::value, optimizers::adamw), WithinRel(16, 1e-12));
  CHECK_THAT(static_bytes(recipes::bf16::value, optimizers::adamw), WithinRel(8, 1e-12));
  CHECK_THAT(static_bytes(recipes::fp16::value, optimizers::adamw), WithinRel(8, 1e-12));
  // TF32 is a way to multiply, not to store; so is FP8 over 16-bit weights.
  CHECK_THAT(static_bytes(recipes::tf32::value, optimizers::adamw), WithinRel(16, 1e-12));
  CHECK_THAT(static_bytes(recipes::fp8::value, optimizers::adamw), WithinRel(16, 1e-12));
  CHECK_THAT(static_bytes(recipes::fp32::value, optimizers::sgd), WithinRel(8, 1e-12));
  CHECK_THAT(static_bytes(recipes::fp32::value, optimizers::momentum), WithinRel(12, 1e-12));
  CHECK_THAT(static_bytes(recipes::fp32::value, optimizers::lion), WithinRel(12, 1e-12));
  CHECK_THAT(static_bytes(recipes::fp32::value, optimizers::adam_8bit), WithinRel(10 + 2 * 4.0 / 2048, 1e-12));
  CHECK(static_bytes(recipes::fp32::value, optimizers::adafactor) < 8.5);
  CHECK(static_bytes(recipes::fp32::value, optimizers::muon) < 16);
  CHECK(static_bytes(recipes::fp32::value, optimizers::muon) > 12);
}

// Random plans --------------------------------------------------------------------------------------------------------

struct random_job {
  transformer_config model;
  training_setup setup;
};

random_job draw(dice& random) {
  plan p;
  p.tensor = random.power_of_two(2);
  p.pipeline = random.power_of_two(2);
  p.data = random.power_of_two(3);
  p.context = random.power_of_two(1);
  p.sequence = 16 * random.between(1, 16);
  p.micro_batch = random.between(1, 4);
  p.gradient_accumulation = random.between(1, 8) * p.pipeline;
  p.virtual_stages = p.pipeline > 1 ? random.power_of_two(1) : 1;
  p.sharding = static_cast<zero>(random.between(0, 3));
  p.sequence_parallel = random.coin();
  p.recompute = random.coin() ? recompute::none : random.coin() ? recompute::full : recompute::alternate;
  p.attention = random.coin() ? attention_kernel::fused : attention_kernel::explicit_matrix;
  p.loss = random.coin() ? cross_entropy::fused : cross_entropy::eager;
  block_shape s;
  s.layers = p.pipeline * p.virtual_stages * random.between(1, 3);
  s.kv_heads = random.power_of_two(3);
  s.heads = s.kv_heads * 4;
  s.head_dim = 8 * random.between(1, 4);
  s.hidden = 16 * random.between(1, 32);
  s.intermediate = 16 * random.between(1, 64);
  s.vocabulary = 16 * random.between(1, 200);
  s.tied = random.coin();
  s.gated = random.coin();
  s.feed_bias = random.coin();
  if (random.coin()) {
    p.expert = random.power_of_two(2);
    p.expert_tensor = random.coin() ? 1 : p.tensor;
    while (p.data * p.context * p.tensor % (p.expert * p.expert_tensor) != 0) p.expert /= 2;
    s.experts = p.expert * random.between(1, 4);
    s.experts_per_token = random.between(1, s.experts);
    s.expert_intermediate = 16 * random.between(1, 16);
    s.sparse = layer_set::range(s.layers > 1 ? random.between(0, 1) : 0, s.layers);
  }
  training_setup setup{.precision = recipes::mixed_bf16::value, .plan = p};
  setup.precision.gradients = random.coin() ? fp32::format : bf16::format;
  return {make_decoder("random", s), setup};
}

/// What all devices together hold of a recipe's bytes, walked row by row: each rank of a stage holds its part of every
/// operand, and what is sharded is held once by each group of ranks that share shards.
struct whole_job {
  const training_setup& setup;
  double weights = 0, gradients = 0, optimizer = 0;

  void take(const row& r, std::int64_t times) {
    const plan& p = setup.plan;
    const auto ranks = static_cast<double>(p.data * p.context * p.tensor);
    for (const operand& o : r.operands) {
      if (o.what != role::weight && o.what != role::bias) continue;
      double parts = 1, shards = static_cast<double>(p.data * p.context);
      if (o.over == split::tensor) parts = static_cast<double>(o.parts > 0 && o.parts < p.tensor ? o.parts : p.tensor);
      if (o.over == split::expert) {
        parts = static_cast<double>(p.expert * p.tensor_of_experts());
        shards = ranks / parts;
      }
      const double held = static_cast<double>(times) * o.elements * ranks / parts;
      weights += held * 2 / (p.sharding >= zero::weights ? shards : 1);
      gradients += held * setup.precision.gradients.bytes_per_element() / (p.sharding >= zero::gradients ? shards : 1);
      optimizer += held * 12 / (p.sharding >= zero::optimizer ? shards : 1);
    }
  }
};

TEST_CASE("over all devices the parts are the whole") {
  dice random(1909);
  for (int i = 0; i < 300; ++i) {
    const random_job job = draw(random);
    const plan& p = job.setup.plan;
    REQUIRE(verdict(p, job.model).ok());
    whole_job whole{job.setup};
    job.model.record(whole, training_step(1, 16));
    if (p.pipeline > 1 && job.model.head.tied) {  // the last stage has a copy of the first's table
      const double table = static_cast<double>(job.model.embedding.vocabulary * job.model.embedding.width);
      whole.take({.name = "copy", .operands = {{.what = role::weight, .over = split::tensor, .elements = table}}}, 1);
    }
    const training_memory memory(job.model, job.setup);
    const auto ranks = static_cast<double>(p.data * p.context * p.tensor);
    double weights = 0, gradients = 0, states = 0;
    for (std::int64_t s = 0; s < p.pipeline; ++s) {
      const memory_account a = memory.stage(s);
      weights += ranks * a[memory_line::weights].value();
      gradients += ranks * a[memory_line::gradients].value();
      states += ranks * a[memory_line::optimizer].value();
    }
    CHECK_THAT(weights, WithinRel(whole.weights, 1e-12));
    CHECK_THAT(gradients, WithinRel(whole.gradients, 1e-12));
    CHECK_THAT(states, WithinRel(whole.optimizer, 1e-12));
  }
}

TEST_CASE("parameters do not depend on the plan") {
  dice random(54);
  for (int i = 0; i < 100; ++i) {
    random_job job = draw(random);
    plan& p = job.setup.plan;
    p.tensor = p.data = p.context = p.expert = p.expert_tensor = 1;
    const training_memory memory(job.model, job.setup);
    double held = 0;
    for (std::int64_t s = 0; s < p.pipeline; ++s) held += memory.stage(s)[memory_line::weights].value() / 2;
    if (p.pipeline > 1 && job.model.head.tied)
      held -= static_cast<double>(job.model.embedding.vocabulary * job.model.embedding.width);
    CHECK_THAT(held, WithinRel(parameter_total(job.model), 1e-12));
  }
}

bytes static_part(const memory_account& a) {
  return a[memory_line::weights] + a[memory_line::gradients] + a[memory_line::optimizer];
}

TEST_CASE("more sharding never needs more") {
  dice random(75);
  for (int i = 0; i < 300; ++i) {
    const random_job job = draw(random);
    const auto at = [&](auto change) {
      random_job other = job;
      change(other.setup.plan);
      return training_memory(other.model, other.setup).worst();
    };
    // Of one stage: which needs most may change with what is sharded.
    const auto first_with = [&](zero sharding) {
      random_job other = job;
      other.setup.plan.sharding = sharding;
      return static_part(training_memory(other.model, other.setup).stage(0));
    };
    bytes before = first_with(zero::none);
    for (const zero stage : {zero::optimizer, zero::gradients, zero::weights}) {
      const bytes now = first_with(stage);
      CHECK(now <= before);
      before = now;
    }
    // Up to ZeRO-2 nothing is gathered; ZeRO-3's gathered weights are a buffer, which more ranks do not enlarge.
    CHECK(at([](plan& p) { p.sharding = zero::optimizer; }).total() <=
          at([](plan& p) { p.sharding = zero::none; }).total());
    CHECK(at([](plan& p) { p.sharding = zero::gradients; }).total() <=
          at([](plan& p) { p.sharding = zero::optimizer; }).total());
    CHECK(at([](plan& p) { p.data *= 4; }).total() <= at([](plan& p) { p.data *= 2; }).total());
    CHECK(at([](plan& p) { p.micro_batch *= 2; }).total() >= at([](plan&) {}).total());
  }
}

TEST_CASE("ZeRO-3 needs more than ZeRO-2 where what it gathers exceeds what it shards, and there alone") {
  dice random(77);
  for (int i = 0; i < 300; ++i) {
    random_job job = draw(random);
    const auto at = [&](zero sharding) {
      job.setup.plan.sharding = sharding;
      return training_memory(job.model, job.setup).stage(0);
    };
    const memory_account two = at(zero::gradients), three = at(zero::weights);
    const bytes gathered = three[memory_line::buffers] - two[memory_line::buffers],
                saved = two[memory_line::weights] - three[memory_line::weights];
    CHECK_THAT((three.total() - two.total()).value(),
               WithinAbs((gathered - saved).value(), 1e-9 * two.total().value()));
    if (gathered <= saved) CHECK(three.total() <= two.total());
  }
  // Two units of 2 bytes and a gradient of 4 are 4 units' weights: eight blocks halved save as much.
  for (const std::int64_t ranks : {2, 3, 8}) {
    training_setup setup{.precision = recipes::mixed_bf16::value};
    setup.precision.gradients = fp32::format;
    setup.plan = {.sequence = 16, .data = ranks};
    const auto total = [&](std::int64_t layers, zero sharding) {
      setup.plan.sharding = sharding;
      const transformer_config model =
          make_decoder("deep", {.layers = layers, .hidden = 256, .heads = 4, .intermediate = 1024, .vocabulary = 64});
      return training_memory(model, setup).worst().total();
    };
    CHECK(total(8, zero::weights) <= total(8, zero::gradients));
    CHECK(total(2, zero::weights) > total(2, zero::gradients));
  }
}

TEST_CASE("an encoder's blocks are gathered one by one") {
  transformer_config model = classic(12, 64, 4);
  training_setup setup{.precision = recipes::mixed_bf16::value};
  setup.plan = {.sequence = 16, .data = 4, .sharding = zero::weights};
  const auto buffers = [&] { return training_memory(model, setup).worst()[memory_line::buffers]; };
  model.encoder = make_stack({.layers = 2, .hidden = 64, .heads = 4, .intermediate = 256, .causal = false});
  const bytes shallow = buffers();
  model.encoder.layers = 24;
  CHECK(buffers() == shallow);
}

TEST_CASE("the worst stage decides, and every line is part of the total") {
  dice random(11);
  for (int i = 0; i < 50; ++i) {
    const random_job job = draw(random);
    const training_memory memory(job.model, job.setup);
    bytes most{};
    for (std::int64_t s = 0; s < job.setup.plan.pipeline; ++s) {
      const memory_account a = memory.stage(s);
      bytes sum{};
      for (const bytes& line : a.lines) {
        CHECK(line >= bytes{});
        sum += line;
      }
      CHECK_THAT(sum.value(), WithinRel(a.total().value(), 1e-12));
      most = a.total() > most ? a.total() : most;
    }
    CHECK(memory.worst().total() == most);
  }
}

TEST_CASE("a framework's reserve is a line of its own") {
  const transformer_config model = classic(2, 64, 4);
  training_setup setup{.precision = recipes::mixed_bf16::value};
  setup.plan.sequence = 64;
  const memory_account bare = training_memory(model, setup).worst();
  CHECK(bare[memory_line::reserve] == bytes{});
  setup.framework.fragmentation = {0.05};
  setup.framework.context = {1024.0 * unit::byte};
  const memory_account reserved = training_memory(model, setup).worst();
  CHECK(reserved.allocated().value() == bare.total().value());
  CHECK_THAT(reserved[memory_line::reserve].value(), WithinRel(0.05 * bare.total().value() + 1024, 1e-12));
}

TEST_CASE("alternate recompute keeps the input, attention's output and every other product") {
  // Llama-3-8B: query and value of the first three products, gate and down of the feed-forward; torchtitan's count.
  const transformer_config model = make_decoder(
      "llama", {.layers = 2, .hidden = 4096, .heads = 32, .kv_heads = 8, .intermediate = 14336, .vocabulary = 1000});
  training_setup setup{.precision = recipes::mixed_bf16::value};
  setup.plan = {.sequence = 8, .pipeline = 2, .recompute = recompute::alternate};
  const double with = training_memory(model, setup).stage(0)[memory_line::activations].value();
  setup.plan.recompute = recompute::full;
  const double full = training_memory(model, setup).stage(0)[memory_line::activations].value();
  CHECK(with - full == 8 * (2 * (4096 + 1024 + 4096 + 14336 + 4096) + 4 * 32));
}

transformer_config mixture_model(std::int64_t per_token) {
  return make_decoder("mixture", {.layers = 2,
                                  .hidden = 64,
                                  .heads = 4,
                                  .vocabulary = 128,
                                  .experts = 8,
                                  .experts_per_token = per_token,
                                  .expert_intermediate = 32,
                                  .sparse = layer_set::range(0, 2)});
}

// What a framework does
// ------------------------------------------------------------------------------------------------

double line(const memory_account& a, memory_line which) { return a[which].value(); }

training_setup classic_setup(plan p) {
  training_setup setup{.precision = recipes::mixed_bf16::value, .plan = p};
  setup.framework.workspace = {};
  return setup;
}

TEST_CASE("one gradient of each shape of the blocks' weights stays, however many layers have it") {
  // GPT's layer has four: 3h x h, h x h, 4h x h and h x 4h.
  for (const std::int64_t layers : {2, 8}) {
    const transformer_config model = classic(layers, 64, 4);
    training_setup setup = classic_setup({.sequence = 16, .pipeline = 2});
    setup.framework.accumulates_in_place = true;
    const double none = line(training_memory(model, setup).stage(0), memory_line::workspace);
    setup.framework.keeps_weight_gradients = true;
    CHECK(line(training_memory(model, setup).stage(0), memory_line::workspace) - none == 2 * 12 * 64 * 64);
  }
  // An expert's is as large as one expert, and there is one for all of them.
  block_shape s{.layers = 2,
                .hidden = 64,
                .heads = 4,
                .vocabulary = 128,
                .experts = 8,
                .experts_per_token = 2,
                .expert_intermediate = 48,
                .sparse = layer_set::range(0, 2)};
  training_setup setup = classic_setup({.sequence = 16, .data = 4, .pipeline = 2, .expert = 4});
  setup.framework.accumulates_in_place = true;
  const transformer_config model = make_decoder("mixture", s);
  const double none = line(training_memory(model, setup).stage(0), memory_line::workspace);
  setup.framework.keeps_weight_gradients = true;
  CHECK(line(training_memory(model, setup).stage(0), memory_line::workspace) - none == 2 * (4 * 64 * 64 + 3 * 64 * 48));
}

TEST_CASE("under PyTorch's pipeline a stage's weights and gradients are whole, whatever shards them") {
  const std::int64_t h = 64, sequence = 16;
  training_setup setup = classic_setup(
      {.sequence = sequence, .gradient_accumulation = 8, .data = 4, .pipeline = 4, .sharding = zero::weights});
  setup.precision.gradients = fp32::format;
  setup.framework.torch_pipeline = true;
  const transformer_config model = classic(8, h, 4);
  const memory_account inner = training_memory(model, setup).stage(1);
  const double parameters_held = 2 * (12.0 * h * h + 4 * h);  // two blocks: matrices, and weights and biases of norms
  // Three micro-batches in flight have an output each, and each of eight a place for its gradient.
  CHECK(line(inner, memory_line::buffers) == (2 + 4) * parameters_held + (3 + 8) * 2.0 * sequence * h);
  CHECK(line(inner, memory_line::weights) == 2 * parameters_held / 4);
  CHECK(line(inner, memory_line::gradients) == 4 * parameters_held / 4);
}

TEST_CASE("inputs that tensor ranks gathered are kept whole where a framework does not gather them again") {
  const std::int64_t h = 64, sequence = 16;
  training_setup setup = classic_setup({.sequence = sequence, .tensor = 4, .pipeline = 4});
  const transformer_config model = classic(8, h, 4);
  const double again = line(training_memory(model, setup).stage(1), memory_line::activations);
  setup.framework.keeps_gathered_inputs = true;
  // Two a layer: of query, key and value, and of the feed-forward layer.
  CHECK(line(training_memory(model, setup).stage(1), memory_line::activations) - again ==
        2 * 2 * (1 - 1.0 / 4) * 2 * sequence * h);
  setup.plan.sequence_parallel = false;
  const double whole = line(training_memory(model, setup).stage(1), memory_line::activations);
  setup.framework.keeps_gathered_inputs = false;
  CHECK(line(training_memory(model, setup).stage(1), memory_line::activations) == whole);
}

TEST_CASE("the gradient of a table is alive when its stage's blocks have freed theirs") {
  const std::int64_t h = 64, sequence = 16, vocabulary = 100'000;
  const transformer_config model =
      make_decoder("tables", {.layers = 2, .hidden = h, .heads = 4, .intermediate = 256, .vocabulary = vocabulary});
  const memory_account first = training_memory(model, classic_setup({.sequence = sequence, .pipeline = 2})).stage(0);
  CHECK(line(first, memory_line::workspace) == 2.0 * h * (vocabulary + sequence));
  CHECK(line(first, memory_line::activations) == 8.0 * sequence);  // the numbers of the tokens
}

TEST_CASE("ZeRO-3 gathers what it shards and scatters gradients of what is trained") {
  const std::int64_t h = 64;
  const transformer_config model =
      make_decoder("untied", {.layers = 2, .hidden = h, .heads = 4, .intermediate = 256, .vocabulary = 128});
  training_setup setup = classic_setup({.sequence = 16, .data = 4, .sharding = zero::weights});
  const double block = 4.0 * h * h + 3 * h * 256 + 2 * h;
  CHECK(line(training_memory(model, setup).worst(), memory_line::buffers) == (2 * 2 + 2) * block);
  // Frozen weights are gathered too; the adapters alone have gradients.
  setup.plan.adapter_rank = 1;
  const double adapters = 4 * (h + h) + 3 * (h + 256);
  CHECK(line(training_memory(model, setup).worst(), memory_line::buffers) == 2 * 2 * (block + adapters) + 2 * adapters);
  // Experts that each lie on one rank are shared with nobody.
  const auto buffers = [&](std::int64_t expert) {
    training_setup sparse = classic_setup({.sequence = 16, .data = 8, .expert = expert, .sharding = zero::weights});
    return line(training_memory(mixture_model(2), sparse).worst(), memory_line::buffers);
  };
  CHECK(buffers(4) - buffers(8) == (2 * 2 + 2) * (8.0 / 4) * 3 * 64 * 32);
}

// Offload and recompute -----------------------------------------------------------------------------------------------

TEST_CASE("offloaded, a stage has the activations of two blocks, early or late") {
  const transformer_config model = classic(16, 64, 4);
  plan p{.sequence = 16, .gradient_accumulation = 8, .pipeline = 4};
  const training_memory kept(model, classic_setup(p));
  const double a_block = line(kept.stage(2), memory_line::activations) / (2 * 4);
  p.offload_activations = true;
  const training_memory offloaded(model, classic_setup(p));
  for (const std::int64_t stage : {1, 2}) CHECK(line(offloaded.stage(stage), memory_line::activations) == 2 * a_block);
  CHECK(line(offloaded.stage(3), memory_line::activations) >= 2 * a_block);
  // Of a single block in flight nothing can be spared.
  p = {.sequence = 16, .pipeline = 4, .offload_activations = true};
  const transformer_config shallow = classic(4, 64, 4);
  CHECK(line(training_memory(shallow, classic_setup(p)).stage(1), memory_line::activations) == a_block);
}

TEST_CASE("offloading never needs more") {
  dice random(8);
  for (int i = 0; i < 200; ++i) {
    random_job job = draw(random);
    const bytes before = training_memory(job.model, job.setup).worst().total();
    plan& p = job.setup.plan;
    (i % 3 == 0 ? p.offload_weights : i % 3 == 1 ? p.offload_activations : p.offload_optimizer) = true;
    const memory_account after = training_memory(job.model, job.setup).worst();
    CHECK(after.possible());
    CHECK(after.total() <= before);
  }
}

TEST_CASE("explicit scores that run again are alive again, of one block") {
  classic_case c{.hidden = 256, .heads = 8, .sequence = 512, .batch = 2};
  const transformer_config model = classic(4, c.hidden, c.heads);
  const auto workspace = [&](recompute again, operation_set kinds = {}) {
    training_setup setup = c.setup();
    setup.plan.recompute = again;
    setup.plan.recomputed_kinds = kinds;
    return line(training_memory(model, setup).stage(0), memory_line::workspace);
  };
  const double scores =
      c.tokens_hidden() * c.scores();  // 5·a·s/h of Korthikanti et al., what selective recompute saves
  CHECK(workspace(recompute::selective) - workspace(recompute::none) == scores);
  CHECK(workspace(recompute::kinds, {operation::attention_scores, operation::softmax, operation::dropout}) -
            workspace(recompute::none) >=
        scores);
}

TEST_CASE("a tower's activations count with the images that a sequence brings, and its blocks are not the plan's") {
  transformer_config model = classic(4, 64, 4);
  training_setup setup = classic_setup({.sequence = 16, .micro_batch = 2, .images = 3});
  CHECK(verdict(setup.plan, model).problem == plan_problem::images_without_tower);
  model.vision.patches = {.image_size = 32, .patch_size = 8, .hidden = 64};
  model.vision.stack = make_stack({.layers = 5,
                                   .hidden = 64,
                                   .heads = 4,
                                   .intermediate = 256,
                                   .gated = false,
                                   .activation = activation_function::gelu,
                                   .norm = {.kind = norm_kind::layer, .bias = true},
                                   .rotary_fraction = 0,
                                   .causal = false});
  REQUIRE(verdict(setup.plan, model).ok());
  const auto activations = [&](std::int64_t images) {
    setup.plan.images = images;
    return line(training_memory(model, setup).worst(), memory_line::activations);
  };
  const double none = activations(0), one = activations(1), three = activations(3);
  CHECK_THAT(three - none, WithinRel(3 * (one - none), 1e-12));
  // 2 images of 16 patches through 5 layers of 32·s·b·h bytes at the least (34 with dropout's two masks).
  CHECK(one - none > 5 * 32.0 * 2 * 16 * 64);
  setup.plan.images = -1;
  CHECK(verdict(setup.plan, model).problem == plan_problem::not_positive);

  transformer_config tower = model;
  tower.vision_only = true;
  tower.stack = {};
  const plan sees{.sequence = 16, .micro_batch = 2};
  REQUIRE(verdict(sees, tower).ok());
  const memory_account seen = training_memory(tower, classic_setup(sees)).worst();
  CHECK(seen.possible());
  CHECK(line(seen, memory_line::workspace) > 0);  // gradients of the widest operation
  for (const plan& p :
       {plan{.sequence = 16, .recompute = recompute::full}, plan{.sequence = 16, .recompute = recompute::alternate},
        plan{.sequence = 16, .offload_activations = true}})
    CHECK(verdict(p, tower).problem == plan_problem::no_blocks);
}

// What public tools got wrong ----------------------------------------------------------------------------------------

TEST_CASE("routed experts are divided by expert and expert-tensor ranks, not by tensor ranks (Megatron-LM #4050)") {
  const auto weights = [](std::int64_t expert, std::int64_t expert_tensor) {
    training_setup setup{.precision = recipes::mixed_bf16::value};
    setup.plan = {.sequence = 8, .data = 4, .tensor = 2, .expert = expert, .expert_tensor = expert_tensor};
    return training_memory(mixture_model(2), setup).worst()[memory_line::weights].value() / 2;
  };
  const double experts = 2.0 * 8 * 3 * 64 * 32;
  CHECK(weights(1, 1) - weights(8, 1) == experts * (1 - 1.0 / 8));
  CHECK(weights(1, 1) - weights(1, 2) == experts / 2);
  CHECK(weights(4, 2) == weights(8, 1));
}

TEST_CASE("experts' optimizer states are sharded over expert-data ranks (Megatron-LM #2439)") {
  const auto states = [](zero sharding, std::int64_t expert) {
    training_setup setup{.precision = recipes::mixed_bf16::value};
    setup.plan = {.sequence = 8, .data = 8, .expert = expert, .sharding = sharding};
    return training_memory(mixture_model(2), setup).worst()[memory_line::optimizer].value() / 12;
  };
  const double experts = 2.0 * 8 * 3 * 64 * 32;
  CHECK_THAT(states(zero::none, 1) - states(zero::none, 8), WithinRel(experts * 7 / 8, 1e-12));
  CHECK_THAT(states(zero::optimizer, 1), WithinRel(states(zero::optimizer, 8), 1e-12));  // an eighth either way
}

TEST_CASE("norms are whole on every tensor rank, the last one on the last stage alone (Megatron-LM PR 1345)") {
  training_setup setup{.precision = recipes::mixed_bf16::value};
  setup.plan = {.sequence = 8, .tensor = 4, .pipeline = 2};
  const transformer_config model = classic(2, 64, 4);
  const training_memory memory(model, setup);
  // Embedding and head are as large as each other; one LayerNorm is left over.
  CHECK((memory.stage(1)[memory_line::weights] - memory.stage(0)[memory_line::weights]).value() == 2 * 2 * 64);
  const double block = (12.0 * 64 * 64) / 4 + 4 * 64;
  CHECK(memory.stage(0)[memory_line::weights].value() == 2 * (block + 1000.0 * 64 / 4));
}

TEST_CASE("a mixture's activations grow with the experts that each token visits (Megatron-LM #1784)") {
  const auto activations = [](std::int64_t per_token) {
    training_setup setup{.precision = recipes::mixed_bf16::value};
    setup.plan = {.sequence = 8, .pipeline = 2};
    return training_memory(mixture_model(per_token), setup).stage(0)[memory_line::activations].value();
  };
  // A further expert a token: its input, gate and up, their product, and the output that the router weighs.
  CHECK(activations(3) - activations(2) == 8 * 2 * (64 + 2 * 32 + 32 + 64));
}

TEST_CASE("training memory is a constant expression") {
  static constexpr transformer_config model = make_decoder(
      "llama-2-70b",
      {.layers = 80, .hidden = 8192, .heads = 64, .kv_heads = 8, .intermediate = 28672, .vocabulary = 32000});
  constexpr training_setup setup{.precision = recipes::mixed_bf16::value,
                                 .plan = {.sequence = 4096,
                                          .gradient_accumulation = 64,
                                          .data = 8,
                                          .tensor = 8,
                                          .pipeline = 8,
                                          .sharding = zero::optimizer}};
  constexpr bytes needed = training_memory(model, setup).worst().total();
  STATIC_REQUIRE(in_gib(needed) > 10.0);
  STATIC_REQUIRE(in_gib(needed) < 30.0);
}

}  // namespace
