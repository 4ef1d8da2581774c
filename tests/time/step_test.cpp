// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/hardware/nvidia.hpp>
#include <flopledger/models/block_shape.hpp>
#include <flopledger/time/step.hpp>

#include <random>

#include "catch.hpp"

namespace {

using namespace flopledger;
using namespace flopledger::literals;
using Catch::Matchers::WithinRel;

constexpr transformer_config llama(std::int64_t depth = 16) {
  return make_decoder(
      "test",
      {.layers = depth, .hidden = 4096, .heads = 32, .kv_heads = 8, .intermediate = 14336, .vocabulary = 32000});
}

constexpr training_setup setup_of(const plan& p) {
  training_setup setup{.precision = recipes::mixed_bf16::value};
  setup.plan = p;
  return setup;
}

constexpr machine h100(bool ideal = false) {
  const machine on = machine_of(hardware::h100_sxm5_80gb::value, recipes::mixed_bf16::value);
  return ideal ? on.floor() : on;
}

constexpr step_network network{.tensor = {byte_rate::from_value(370e9), seconds::from_value(60e-6)},
                               .context = {byte_rate::from_value(370e9), seconds::from_value(60e-6)},
                               .data = {byte_rate::from_value(48e9), seconds::from_value(60e-6)},
                               .pipeline = {byte_rate::from_value(48e9), seconds::from_value(20e-6)}};

double total_of(const plan& p, bool ideal = false) {
  const transformer_config model = llama();
  return training_time(model, setup_of(p), h100(ideal), ideal ? step_network{} : network).step().total().value();
}

TEST_CASE("a step's time can be a constant, and waiting for data adds to it") {
  constexpr transformer_config model = llama(4);
  constexpr training_setup setup = setup_of({.sequence = 4096, .gradient_accumulation = 4, .tensor = 2, .pipeline = 2});
  constexpr step_time step = training_time(model, setup, h100(), network).step();
  static_assert(step.total().value() > 0);
  training_setup with_loading = setup;
  with_loading.framework.data_loading = {20_ms};
  const step_time waiting = training_time(model, with_loading, h100(), network).step();
  CHECK_THAT((waiting.total() - step.total()).value(), WithinRel(0.02, 1e-9));
}

TEST_CASE("a device waits where its host launches more slowly than it computes") {
  const transformer_config model = llama(4);
  const auto step_by = [&](seconds launch, std::int64_t micro_batch) {
    training_setup setup = setup_of({.sequence = 1024, .micro_batch = micro_batch, .recompute = recompute::full});
    setup.framework.host_launch = {launch};
    return training_time(model, setup, h100(), network).step();
  };
  CHECK(step_by(1_ns, 1).host == 0_s);
  const auto busy = [](const step_time& step) { return (step.compute() + step.recompute + step.host).value(); };
  const double slow = busy(step_by(10_ms, 1));
  CHECK_THAT(busy(step_by(20_ms, 1)), WithinRel(2 * slow, 1e-9));
  CHECK_THAT(busy(step_by(10_ms, 4)), WithinRel(slow, 0.01));
}

TEST_CASE("weights that each rank sends by itself take a message for each shard") {
  const transformer_config model = llama(4);
  const auto waiting = [&](plan p, seconds message) {
    p.sequence = 1024;
    training_setup setup = setup_of(p);
    setup.framework.shard_message = {message};
    return training_time(model, setup, h100(), network).step().data_communication.value();
  };
  const auto added = [&](const plan& p) { return waiting(p, 3_ms) - waiting(p, 0_s); };
  CHECK_THAT(added({.data = 16, .sharding = zero::optimizer}), WithinRel(0.048, 1e-9));
  CHECK_THAT(added({.data = 16, .sharding = zero::optimizer, .shard_group = 8}), WithinRel(0.024, 1e-9));
  CHECK(added({.data = 16}) == 0);
}

TEST_CASE("equal stages idle (p - 1)/m of the ideal, interleaved (p - 1)/(m v), zero-bubble a third") {
  // Without table and head all stages are alike.
  transformer_config blocks = llama(32);
  blocks.embedding = {};
  blocks.head = {};
  blocks.stack.final_norm = false;
  for (const std::int64_t stages : {2, 4, 8})
    for (const std::int64_t pieces : {1, 2, 4})
      for (const std::int64_t micro_batches : {8, 16, 64}) {
        plan p{.sequence = 2048, .gradient_accumulation = micro_batches, .pipeline = stages, .virtual_stages = pieces};
        const step_time step = training_time(blocks, setup_of(p), h100(true), {}).step();
        const double ideal = step.compute().value();
        const double expected = static_cast<double>(stages - 1) / static_cast<double>(micro_batches * pieces);
        CHECK_THAT(step.bubble.value() / ideal, WithinRel(expected, 1e-9));
        p.schedule = pipeline_schedule::zero_bubble;
        const step_time zero_bubble = training_time(blocks, setup_of(p), h100(true), {}).step();
        CHECK_THAT(zero_bubble.bubble.value(), WithinRel(step.bubble.value() / 3, 1e-9));
      }
}

TEST_CASE("uneven stages wait for the slowest") {
  const transformer_config model = llama(16);
  plan even{.sequence = 2048, .gradient_accumulation = 32, .pipeline = 4};
  plan uneven = even;
  uneven.last_stage_layers = 1;  // and five in each of the others
  const step_time one = training_time(model, setup_of(even), h100(), {}).step();
  const step_time other = training_time(model, setup_of(uneven), h100(), {}).step();
  CHECK(other.compute() > one.compute());
}

TEST_CASE("recompute adds its own time and leaves forward and backward as they were") {
  const transformer_config model = llama();
  plan p{.sequence = 4096, .micro_batch = 2};
  const step_time none = training_time(model, setup_of(p), h100(), {}).step();
  CHECK(none.recompute.value() == 0);
  double before = 0;
  for (const recompute kind : {recompute::selective, recompute::alternate, recompute::full}) {
    p.recompute = kind;
    const step_time step = training_time(model, setup_of(p), h100(), {}).step();
    CHECK(step.forward == none.forward);
    CHECK(step.backward == none.backward);
    CHECK(step.recompute.value() > before);
    CHECK(step.recompute <= step.forward);
    before = step.recompute.value();
  }
  p.recompute_every = 2;
  const step_time half = training_time(model, setup_of(p), h100(), {}).step();
  CHECK_THAT(half.recompute.value(), WithinRel(before / 2, 1e-9));
}

TEST_CASE("at the floor, more devices are never slower") {
  std::mt19937 random(3);
  const auto draw = [&](int low, int high) {
    return std::int64_t{1} << std::uniform_int_distribution<int>(low, high)(random);
  };
  for (int i = 0; i < 200; ++i) {
    plan p{.sequence = 4096,
           .micro_batch = draw(0, 2),
           .gradient_accumulation = draw(3, 6),
           .data = draw(0, 3),
           .tensor = draw(0, 2),
           .pipeline = draw(0, 2),
           .context = draw(0, 1)};
    const double now = total_of(p, true);
    plan more = p;
    more.tensor *= 2;
    CHECK(total_of(more, true) <= now * (1 + 1e-9));
    more = p;
    more.context *= 2;
    CHECK(total_of(more, true) <= now * (1 + 1e-9));
    more = p;
    more.data *= 2;
    more.gradient_accumulation /= 2;
    CHECK(total_of(more, true) <= now * (1 + 1e-9));
    CHECK(total_of(p) >= now);
  }
}

TEST_CASE("what may run beside computation is hidden as far as there is computation") {
  const transformer_config model = llama();
  const plan p{.sequence = 2048, .context = 2};
  const auto seen = [&](double gigabytes_a_second, double overlap) {
    const step_network links{.context = {gigabytes_a_second * 1e9 * (unit::byte / unit::second), {}}};
    training_setup setup = setup_of(p);
    setup.framework.overlap.context = {overlap};
    return training_time(model, setup, h100(), links).step();
  };
  const auto waited = [&](double rate, double overlap) { return seen(rate, overlap).context_communication.value(); };
  const double computing = seen(1, 0).compute().value();
  REQUIRE(waited(1000, 0) < computing);
  CHECK_THAT(waited(1000, 0.5), WithinRel(waited(1000, 0) / 2, 1e-9));
  CHECK(waited(1000, 1) < 1e-12);
  REQUIRE(waited(0.1, 0) > 2 * computing);
  CHECK_THAT(waited(0.1, 1), WithinRel(waited(0.1, 0) - computing, 1e-9));
  // Half of it may hide, and that is more than there is computation.
  CHECK_THAT(waited(0.1, 0.5), WithinRel(waited(0.1, 0) - computing, 1e-9));
}

TEST_CASE("ring collectives send (g - 1)/g of the array, short ones by the quick protocol") {
  // The quick protocol starts in a third of the time and moves half as much a second.
  const step_network links{.tensor = {byte_rate::from_value(100e9), 60_us, 20_us}};
  const transformer_config model = llama();
  const auto waited = [&](std::int64_t sequence) {
    const plan p{.sequence = sequence, .tensor = 8, .sequence_parallel = false};
    return training_time(model, setup_of(p), h100(), links).step().tensor_communication.value();
  };
  // Four all-reduces of two bytes a token and unit of width in each of 16 layers, one more of the table's rows and one
  // of the head's gradient; the loss sums three FP32 numbers a token.
  const auto each = [](double bytes_reduced) {
    const double sent = 2 * 7.0 / 8 * bytes_reduced;
    return std::min(sent / 100e9 + 60e-6, 2 * sent / 100e9 + 20e-6);
  };
  for (const double tokens : {16.0, 65536.0})
    CHECK_THAT(waited(static_cast<std::int64_t>(tokens)),
               WithinRel(66 * each(2 * 4096 * tokens) + 3 * each(4 * tokens), 1e-9));
}

TEST_CASE("a plan's links follow the collectives of its nodes") {
  const plan p{.sequence = 4096, .data = 4, .tensor = 8, .pipeline = 4, .sharding = zero::optimizer};
  const node& in = hardware::dgx_h100::value;
  const step_network links = network_of(p, in);
  for (const double size : {64.0, 256.0, 1024.0}) {
    const bytes full = size * prefix::mebi * unit::byte;
    const double exact = collective_time(collective::all_gather, full, span_of(group::tensor, p, 8), in).value();
    const seconds sending = sent_bytes(collective::all_gather, 8, full) / links.tensor.bandwidth;
    CHECK_THAT((links.tensor.latency + sending).value(), WithinRel(exact, 0.05));
  }
  CHECK(links.context.bandwidth.value() == 0);                           // one rank: no link
  CHECK(links.data.bandwidth.value() < links.tensor.bandwidth.value());  // across nodes, one device of each
  CHECK(links.pipeline.bandwidth.value() > 0);
}

TEST_CASE("a link without a published bandwidth is refused, not free") {
  const plan p{.sequence = 1024, .data = 4, .tensor = 2};
  node in = hardware::dgx_h100::value;
  in.devices = 2;
  CHECK(network_of(p, in).data.bandwidth.value() > 0);
  in.scale_out = {};
  CHECK_THROWS_AS(network_of(p, in), figure_not_published);
  in.devices = 8;  // no group leaves the node
  CHECK(network_of(p, in).data.bandwidth.value() > 0);
  in.scale_up = {};
  CHECK_THROWS_AS(network_of(p, in), figure_not_published);
  CHECK(network_of({.sequence = 1024}, in).data.bandwidth.value() == 0);  // one device
}

TEST_CASE("one recording for memory and time gives what two give") {
  transformer_config mixture = make_decoder("mixture", {.layers = 24,
                                                        .hidden = 2048,
                                                        .heads = 16,
                                                        .kv_heads = 16,
                                                        .intermediate = 8192,
                                                        .vocabulary = 32000,
                                                        .experts = 32,
                                                        .experts_per_token = 4,
                                                        .expert_intermediate = 1024,
                                                        .sparse = layer_set::range(1, 24)});
  for (const transformer_config& model : {llama(), mixture})
    for (const recompute again : {recompute::none, recompute::selective, recompute::full, recompute::alternate})
      for (const std::int64_t adapters : {0, 16}) {
        const plan p{.sequence = 4096,
                     .gradient_accumulation = 8,
                     .data = 2,
                     .tensor = 2,
                     .pipeline = 4,
                     .sharding = zero::optimizer,
                     .recompute = again,
                     .adapter_rank = adapters};
        const training_setup setup = setup_of(p);
        const machine on = h100();
        const training_account job(model, setup, on, network);
        CHECK(job.step().total() == training_time(model, setup, on, network).step().total());
        CHECK(job.worst().total() == training_memory(model, setup).worst().total());
      }
}

TEST_CASE("a step waits for the transfers that communication.hpp lists") {
  const transformer_config model = llama();
  for (const bool sequence_parallel : {false, true})
    for (const recompute again : {recompute::none, recompute::full}) {
      plan p{.sequence = 4096,
             .gradient_accumulation = 8,
             .data = 4,
             .tensor = 4,
             .context = 2,
             .sequence_parallel = sequence_parallel,
             .sharding = zero::optimizer,
             .recompute = again};
      const training_setup setup = setup_of(p);
      // Nothing but bytes: what is sent over what a link carries.
      step_network links;
      links.tensor.bandwidth = links.context.bandwidth = links.data.bandwidth = 1_GB / unit::second;
      const step_time step = training_time(model, setup, h100(), links).step();
      const step_transfers sent = transfers_of(model, p, setup.precision);
      const auto seconds_of = [&](const transfers& one) { return one.sent(p).value() / 1e9; };
      CHECK_THAT(step.tensor_communication.value(),
                 WithinRel(seconds_of(sent.tensor) + seconds_of(sent.vocabulary), 1e-9));
      CHECK_THAT(step.context_communication.value(), WithinRel(seconds_of(sent.context), 1e-9));
      CHECK_THAT(step.data_communication.value(), WithinRel(seconds_of(sent.data), 1e-9));
      // And what memory holds is what communication sends: one rule of sharding.
      const stage_weights held = weights_of(model, p, setup.precision);
      CHECK_THAT(training_memory(model, setup).stage(0)[memory_line::weights].value(),
                 WithinRel((held.weights + held.expert_weights).value(), 1e-12));
    }
}

TEST_CASE("gradients hide behind the last micro-batch alone, gathered weights behind the first") {
  const plan p{.sequence = 1024, .gradient_accumulation = 64, .data = 8, .sharding = zero::optimizer};
  const transformer_config model = llama();
  training_setup setup = setup_of(p);
  // A link so slow that a reduction takes longer than a micro-batch, and shorter than the step.
  step_network slow{.data = {byte_rate::from_value(10e9), {}}};
  const step_time seen = training_time(model, setup, h100(), slow).step();
  setup.framework.overlap.data = {1};
  const step_time hidden = training_time(model, setup, h100(), slow).step();
  const double micro_batch = (hidden.forward + hidden.backward).value() / 64;
  REQUIRE(seen.data_communication.value() > 2 * micro_batch);
  REQUIRE(seen.data_communication.value() < 64 * micro_batch);
  CHECK_THAT(hidden.data_communication.value(), WithinRel(seen.data_communication.value() - micro_batch, 1e-9));
  // Fast enough, it hides whole.
  slow.data.bandwidth = byte_rate::from_value(1e13);
  CHECK(training_time(model, setup, h100(), slow).step().data_communication.value() < 1e-9);
}

TEST_CASE("experts' tokens are permuted before any cast, and biases added apart cost their passes") {
  block_shape shape{.layers = 4,
                    .hidden = 2048,
                    .heads = 16,
                    .kv_heads = 16,
                    .vocabulary = 32000,
                    .experts = 32,
                    .experts_per_token = 4,
                    .expert_intermediate = 1024,
                    .expert_bias = true,
                    .sparse = layer_set::range(0, 4)};
  const transformer_config model = make_decoder("mixture", shape);
  const auto forward_of = [&](number_format compute, const framework& under) {
    training_setup setup = setup_of({.sequence = 4096});
    setup.precision.compute = compute;
    setup.framework = under;
    return training_time(model, setup, h100(), {}).step().forward.value();
  };
  const double routed = 4 * 4096.0 * 4 * 2048;  // elements that reach experts, in all layers
  const double a_byte = 1 / (h100().bandwidth.value() * h100().reached.bandwidth);
  for (const number_format compute : {bf16::format, fp8_e4m3::format}) {
    framework more;
    more.expert_passes = {more.expert_passes + 2};
    CHECK_THAT(forward_of(compute, more) - forward_of(compute, {}), WithinRel(2 * routed * 2 * a_byte, 1e-6));
  }
  framework apart;
  apart.expert_bias_forward = {28};
  const double launches = 4 * h100().reached.launch.value();
  CHECK_THAT(forward_of(bf16::format, apart) - forward_of(bf16::format, {}),
             WithinRel(28 * routed * a_byte + launches, 1e-6));
}

TEST_CASE("frozen weights have no gradients to reduce and no states to update") {
  plan p{.sequence = 2048, .data = 8, .sharding = zero::optimizer};
  const transformer_config model = llama();
  const step_time all = training_time(model, setup_of(p), h100(), network).step();
  p.adapter_rank = 8;
  const step_time adapters = training_time(model, setup_of(p), h100(), network).step();
  CHECK(adapters.optimizer.value() < 0.01 * all.optimizer.value());
  CHECK(adapters.data_communication < all.data_communication);
}

TEST_CASE("an encoder and a tower of images run below the blocks, and are not left out") {
  // The encoder alone: as many source tokens as target ones.
  transformer_config both = llama(8);
  both.encoder = llama(8).stack;
  both.encoder.attention.bidirectional = true;
  const plan p{.sequence = 2048};
  const double without = training_time(llama(8), setup_of(p), h100(true), {}).step().compute().value();
  const double with = training_time(both, setup_of(p), h100(true), {}).step().compute().value();
  CHECK(with > 1.6 * without);
  CHECK(training_memory(both, setup_of(p)).stage(0)[memory_line::activations].value() >
        1.6 * training_memory(llama(8), setup_of(p)).stage(0)[memory_line::activations].value());
}

TEST_CASE("what a prediction does not explain of a gap is the remainder") {
  const transformer_config model = llama();
  const plan p{.sequence = 4096, .gradient_accumulation = 8, .tensor = 2, .pipeline = 2, .recompute = recompute::full};
  const step_time predicted = training_time(model, setup_of(p), h100(), network).step();
  const step_time ideal = training_time(model, setup_of(p), h100(true), {}).step();
  const step_gap parts = attribute(1.1 * predicted.total(), ideal.compute(), predicted);
  CHECK_THAT(parts.remainder.value(), WithinRel(0.1 * predicted.total().value(), 1e-9));
  CHECK(parts.kernels.value() > 0);
  // Full recompute is a third of forward and backward, and less of a step that also waits.
  CHECK(parts.share(parts.recompute) > 0.1);
  CHECK(parts.share(parts.recompute) < 0.25);
}

TEST_CASE("throughput and days") {
  const plan p{.sequence = 4096, .micro_batch = 2, .gradient_accumulation = 4, .data = 8};
  CHECK_THAT(tokens_a_second(p, 2_s).value(), WithinRel(32.0 * 4096, 1e-12));
  CHECK_THAT(in_days(time_to_train(1e12 * unit::token, p, 2_s)), WithinRel(1e12 / (32 * 4096) / 86400, 1e-12));
}

}  // namespace
