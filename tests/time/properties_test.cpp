// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// What must hold of every time, whatever the model, the plan and the device.

#include <flopledger/hardware/catalogue.hpp>
#include <flopledger/models/block_shape.hpp>
#include <flopledger/time/serving.hpp>
#include <flopledger/time/step.hpp>
#include <flopledger/utilisation.hpp>

#include <cmath>
#include <random>
#include <vector>

#include "catch.hpp"

namespace {

using namespace flopledger;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

std::vector<transformer_config> models() {
  block_shape dense{
      .layers = 24, .hidden = 2048, .heads = 32, .kv_heads = 8, .intermediate = 5632, .vocabulary = 32000};
  block_shape windowed = dense;
  windowed.window = 512;
  windowed.windowed = layer_set::every(2, 0, 24);
  block_shape mixture = dense;
  mixture.experts = 16;
  mixture.experts_per_token = 2;
  mixture.expert_intermediate = 1024;
  mixture.sparse = layer_set::range(2, 24);
  transformer_config translating = make_decoder("translating", dense);
  translating.encoder = translating.stack;
  translating.encoder_embedding.width = 2048;
  translating.stack.cross_attention = true;
  translating.stack.cross = translating.stack.attention;
  translating.stack.cross.source_hidden = 2048;
  return {make_decoder("dense", dense), make_decoder("windowed", windowed), make_decoder("mixture", mixture),
          translating};
}

std::vector<const accelerator*> devices() {
  std::vector<const accelerator*> made;
  for (const accelerator* device : hardware::all)
    if (device->bf16.is_known() && device->memory_bandwidth.is_known()) made.push_back(device);
  return made;
}

class dice {
 public:
  std::int64_t power(int most) { return std::int64_t{1} << std::uniform_int_distribution<int>(0, most)(random_); }
  std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_); }
  bool coin() { return below(2) == 1; }
 private:
  std::mt19937 random_{2024};
};

plan random_plan(dice& roll, const transformer_config& model) {
  for (;;) {
    plan p{.sequence = 128 * roll.power(5),
           .micro_batch = roll.power(2),
           .gradient_accumulation = roll.power(5),
           .data = roll.power(4),
           .tensor = roll.power(3),
           .pipeline = roll.power(3),
           .context = roll.power(2),
           .virtual_stages = roll.power(1),
           .sequence_parallel = roll.coin(),
           .sharding = static_cast<zero>(roll.below(4)),
           .schedule = static_cast<pipeline_schedule>(roll.below(2)),
           .recompute = static_cast<recompute>(roll.below(5)),
           .recomputed_kinds = {operation::normalization, operation::activation},
           .adapter_rank = roll.below(4) == 0 ? 16 : 0,
           .attention = static_cast<attention_kernel>(roll.below(2))};
    if (model.stack.mixture.experts > 0) {
      p.expert = roll.power(3);
      p.expert_tensor = roll.coin() ? 1 : 0;
    }
    if (verdict(p, model).ok()) return p;
  }
}

step_network random_network(dice& roll) {
  const auto link = [&] {
    return group_link{byte_rate::from_value(1e9 * static_cast<double>(roll.power(9))),
                      seconds::from_value(1e-6 * static_cast<double>(roll.power(6)))};
  };
  return {.tensor = link(), .context = link(), .expert = link(), .data = link(), .pipeline = link()};
}

training_setup setup_of(const plan& p, const recipe& precision = recipes::mixed_bf16::value) {
  training_setup setup{.precision = precision};
  setup.plan = p;
  return setup;
}

/// Every part a number, and none below zero.
bool sound(const step_time& step) {
  for (const seconds& part : {step.forward, step.backward, step.recompute, step.bubble, step.tensor_communication,
                              step.context_communication, step.expert_communication, step.pipeline_communication,
                              step.data_communication, step.optimizer, step.data_loading})
    if (!std::isfinite(part.value()) || part.value() < 0) return false;
  return step.total().value() > 0;
}

TEST_CASE("no training step is negative, endless, or faster than its floor and its FLOPs") {
  dice roll;
  const std::vector<transformer_config> all_models = models();
  const std::vector<const accelerator*> all_devices = devices();
  REQUIRE(all_devices.size() > 20);
  for (int n = 0; n < 3000; ++n) {
    const transformer_config& model = all_models[roll.below(all_models.size())];
    const accelerator& device = *all_devices[roll.below(all_devices.size())];
    const plan p = random_plan(roll, model);
    const step_network links = random_network(roll);
    CAPTURE(n, model.architecture, std::string_view(device.id), p.sequence, p.micro_batch, p.gradient_accumulation,
            p.data, p.tensor, p.pipeline, p.context, p.expert, p.virtual_stages, static_cast<int>(p.sharding),
            static_cast<int>(p.recompute), static_cast<int>(p.attention));
    const bool narrow = device.fp8.is_known() && roll.coin();
    training_setup setup = setup_of(p, narrow ? recipes::fp8::value : recipes::mixed_bf16::value);
    setup.framework = *frameworks::all[roll.below(std::size(frameworks::all))];
    const machine on = machine_of(device, setup.precision, setup.framework);
    const step_time step = training_time(model, setup, on, links).step();
    REQUIRE(sound(step));
    const step_time floor = training_time(model, without_losses(setup), on.floor(), {}).step();
    REQUIRE(sound(floor));
    REQUIRE(floor.total() <= step.total());
    if (p.adapter_rank > 0) continue;  // frozen weights have no gradients
    // The products of all devices at the peak. Causal pairs: what a fused kernel leaves out is no work.
    const work asked = training_step(static_cast<double>(p.global_batch()), static_cast<double>(p.sequence),
                                     attention_counting::causal);
    const auto done = model_work_of<pass::training_step, bf16>(model, asked);
    const double peak_of_all = on.peak.value() * static_cast<double>(p.devices());
    REQUIRE(step.total().value() >= done.amount.value() / peak_of_all);
  }
}

TEST_CASE("recompute never shortens a step, nor do slower links or less overlap") {
  dice roll;
  const std::vector<transformer_config> all_models = models();
  for (int n = 0; n < 1000; ++n) {
    const transformer_config& model = all_models[roll.below(all_models.size())];
    plan p = random_plan(roll, model);
    const step_network links = random_network(roll);
    CAPTURE(n, model.architecture, p.sequence, p.micro_batch, p.gradient_accumulation, p.data, p.tensor, p.pipeline,
            p.context, p.expert, p.virtual_stages, static_cast<int>(p.sharding), static_cast<int>(p.recompute));
    const machine on = machine_of(hardware::h100_sxm5_80gb::value, recipes::mixed_bf16::value);
    framework under;
    if (roll.coin()) under.overlap.tensor = {0.5};
    if (roll.coin()) under.overlap.data = {0.9};
    const auto total = [&](const plan& asked, const step_network& network) {
      training_setup setup = setup_of(asked);
      setup.framework = under;
      return training_time(model, setup, on, network).step().total().value();
    };
    const double now = total(p, links);
    step_network slower = links;
    for (group_link* link : {&slower.tensor, &slower.context, &slower.expert, &slower.data, &slower.pipeline})
      link->bandwidth = link->bandwidth * 0.5;
    REQUIRE(total(p, slower) >= now);
    under.overlap = {};
    REQUIRE(total(p, links) >= now);
    // Without overlap, for what runs again can hide messages.
    const double seen = total(p, links);
    p.recompute = recompute::none;
    REQUIRE(total(p, links) <= seen);
  }
}

TEST_CASE("serving: finite times, chunks no faster than whole prompts, TPOT by its definition") {
  dice roll;
  const std::vector<transformer_config> all_models = models();
  const std::vector<const accelerator*> all_devices = devices();
  for (int n = 0; n < 400; ++n) {
    const transformer_config& model = all_models[roll.below(all_models.size())];
    const accelerator& device = *all_devices[roll.below(all_devices.size())];
    const machine on = machine_of(device, recipes::bf16::value);
    const data_formats formats{.precision = recipes::bf16::value};
    const serving_group group{.tensor = roll.power(2), .latency = seconds::from_value(10e-6)};
    const serving_time serving(model, formats, on, group), floor(model, formats, on.floor(), {.tensor = group.tensor});
    const auto batch = static_cast<double>(roll.power(6)), prompt = static_cast<double>(64 * roll.power(6)),
               output = static_cast<double>(1 + roll.below(500));
    CAPTURE(n, model.architecture, std::string_view(device.id), batch, prompt, output, group.tensor);
    const double whole = serving.prefill(batch, prompt).value(), step = serving.decode_step(batch, prompt).value();
    REQUIRE((std::isfinite(whole) && std::isfinite(step) && whole > 0 && step > 0));
    REQUIRE(floor.prefill(batch, prompt).value() <= whole);
    REQUIRE(floor.decode_step(batch, prompt).value() <= step);
    REQUIRE(serving.decode_step(batch, 2 * prompt).value() >= step);
    REQUIRE(serving.prefill_in_chunks(batch, prompt, 64).value() >= whole * (1 - 1e-9));
    const auto token = serving.output_token(prompt, output, batch);
    REQUIRE(token.has_value() == (output > 1));
    if (token) {
      const double rest =
          (serving.end_to_end(prompt, output, batch) - serving.time_to_first_token(prompt, batch)).value();
      CHECK_THAT(token->value() * (output - 1), WithinRel(rest, 1e-9));
      REQUIRE(token->value() >= step * (1 - 1e-9));
    }
  }
}

TEST_CASE("speculative decoding between nothing accepted and everything") {
  CHECK(expected_accepted(0, 5) == 1);
  CHECK(expected_accepted(1, 5) == 6);
  CHECK(expected_accepted(0.7, 0) == 1);
  CHECK_THAT(expected_accepted(0.8, 4), WithinRel((1 - std::pow(0.8, 5)) / 0.2, 1e-12));
  const std::vector<transformer_config> all_models = models();
  const machine on = machine_of(hardware::h100_sxm5_80gb::value, recipes::bf16::value);
  const serving_time large(all_models[0], {.precision = recipes::bf16::value}, on);
  const double plain = 1 / large.decode_step(1, 1000).value();
  // Nothing drafted is plain decoding; nothing accepted is slower; nothing gains more than γ + 1.
  CHECK_THAT(large.speculative(large, 0.9, 0, 1000).value(), WithinRel(plain, 0.02));
  CHECK(large.speculative(large, 0, 4, 1000).value() < plain);
  CHECK(large.speculative(large, 1, 4, 1000).value() < 5 * plain);
}

/// Products and elementwise operations, in one fold.
struct counted {
  double macs = 0, flops = 0;
  constexpr void take(const row& r, std::int64_t times) {
    macs += static_cast<double>(times) * r.multiplied.value();
    flops += static_cast<double>(times) * r.elementwise.value();
  }
};

TEST_CASE("sequences that share a pass compute what they compute apart, an encoder's included") {
  for (const transformer_config& model : models())
    for (const double source : {0.0, 300.0}) {
      const auto count = [&](work asked) {
        asked.source_length = source;
        counted sum;
        model.record(sum, asked);
        return sum;
      };
      const sequences runs[] = {{.count = 3, .length = 1, .cached = 500}, {.count = 2, .length = 200}};
      work together = packed(runs, attention_counting::causal);
      together.head = head_positions::last_token;
      work decoded = decode_step(3, 500);
      decoded.attention = attention_counting::causal;
      const counted mixed = count(together), decoding = count(decoded),
                    reading = count(prefill(2, 200, attention_counting::causal));
      CHECK(mixed.macs == decoding.macs + reading.macs);
      CHECK(mixed.flops == decoding.flops + reading.flops);
    }
}

}  // namespace
