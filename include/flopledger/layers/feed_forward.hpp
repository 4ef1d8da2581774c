// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The feed-forward layer, and the mixture of experts.

#include <flopledger/layers/elementwise.hpp>
#include <flopledger/layers/linear.hpp>

namespace flopledger {

/// down(f(up(x))), or gated down(f(gate(x))·up(x)) (Shazeer 2020): two or three matrices of hidden × intermediate.
struct feed_forward {
  std::int64_t hidden = 0, intermediate = 0;
  bool gated = true;
  bool up_bias = false, down_bias = false;
  activation_function activation = activation_function::silu;
  bool keeps_input = true;  ///< false where another row already keeps the same tensor
  // Of its rows.
  const char* gate_name = "feed_forward.gate";
  const char* up_name = "feed_forward.up";
  const char* activation_name = "feed_forward.activation";
  const char* down_name = "feed_forward.down";

  constexpr void record(books auto& sink, double rows) const {
    linear into{
        .in = hidden, .out = intermediate, .bias = up_bias, .cut = tensor_cut::columns, .keeps_input = keeps_input};
    if (gated) {
      into.record(sink, rows, gate_name);
      into.keeps_input = false;
    }
    into.record(sink, rows, up_name);
    record_activation(sink, activation, gated, rows * static_cast<double>(intermediate), split::tensor,
                      activation_name);
    linear{.in = intermediate, .out = hidden, .bias = down_bias, .cut = tensor_cut::rows}.record(sink, rows, down_name);
  }
  constexpr void record(books auto& sink, const work& asked) const { record(sink, asked.token_count()); }
};

/// Experts that a batch is expected to touch when each of `token_count` draws `per_token` of `experts` evenly and on
/// its own: E·(1 − (1 − k/E)^T). An even draw is the most that routing can spread; real routing touches fewer.
constexpr double expected_distinct_experts(double experts, double per_token, double token_count) {
  if (experts <= 0 || token_count <= 0) return 0;
  double missed = 1.0, factor = 1.0 - per_token / experts;
  for (auto n = static_cast<std::int64_t>(token_count); n > 0; n /= 2) {
    if (factor < 1e-150) return experts;  // no draw is missed, and nvcc takes no constant that underflows
    if (n % 2 != 0) missed *= factor;
    factor *= factor;
  }
  return experts * (1.0 - missed);
}

/// A router that sends each token to `experts_per_token` of `experts` feed-forward layers (Shazeer et al. 2017), beside
/// shared ones that see every token (DeepSeekMoE).
struct mixture_of_experts {
  std::int64_t hidden = 0;
  std::int64_t experts = 0, experts_per_token = 0;
  std::int64_t intermediate = 0;  ///< of one expert
  bool gated = true;
  bool up_bias = false, down_bias = false;
  bool router_bias = false;
  bool correction_bias = false;  ///< one more number an expert, which only the choice sees (DeepSeek-V3, section 2.1.2)
  std::int64_t shared_intermediate = 0;  ///< of all shared experts together; 0: none
  bool shared_gate = false;              ///< a learned scalar gate on the shared expert (Qwen2-MoE)
  activation_function activation = activation_function::silu;

  /// The weights of all experts are held; those of `experts_per_token` are active.
  constexpr void record(books auto& sink, double rows) const {
    const auto count = static_cast<double>(experts), chosen = static_cast<double>(experts_per_token);
    record_router(sink, rows, count);
    record_product(sink, rows, hidden, intermediate, up_bias, true, gated ? "experts.gate" : "experts.up");
    if (gated) record_product(sink, rows, hidden, intermediate, up_bias, false, "experts.up");
    record_activation(sink, activation, gated, rows * chosen * static_cast<double>(intermediate), split::expert,
                      "experts.activation");
    record_product(sink, rows, intermediate, hidden, down_bias, true, "experts.down");
    record_combination(sink, rows * static_cast<double>(hidden), chosen);
    if (shared_intermediate > 0) {
      feed_forward{.hidden = hidden,
                   .intermediate = shared_intermediate,
                   .gated = gated,
                   .up_bias = up_bias,
                   .down_bias = down_bias,
                   .activation = activation,
                   .keeps_input = false,
                   .gate_name = "shared_expert.gate",
                   .up_name = "shared_expert.up",
                   .activation_name = "shared_expert.activation",
                   .down_name = "shared_expert.down"}
          .record(sink, rows);
      if (shared_gate) linear{.in = hidden, .out = 1, .keeps_input = false}.record(sink, rows, "shared_expert.scale");
      record_addition(sink, rows * static_cast<double>(hidden), "shared_expert.sum");
    }
  }
  constexpr void record(books auto& sink, const work& asked) const { record(sink, asked.token_count()); }
 private:
  // Softmax or sigmoid over the experts and the choice of the best: 5 operations a score.
  constexpr void record_router(books auto& sink, double rows, double count) const {
    const double weights = static_cast<double>(hidden) * count;
    const double biases = (router_bias ? count : 0.0) + (correction_bias ? count : 0.0);
    sink.take(
        {.name = text_of("router"),
         .kind = operation::router,
         .shape = {.batch = 1, .m = rows, .n = count, .k = static_cast<double>(hidden)},
         .held = parameters::from_value(weights + biases),
         .active = parameters::from_value(weights + biases),
         .multiplied = macs::from_value(rows * weights),
         .elementwise = flops::from_value(rows * (5 * count + biases)),
         .backward = {.input_products = 1, .weight_products = 1, .elementwise = flops::from_value(4 * rows * count)},
         .operands = {{.what = role::weight, .how = use::read, .elements = weights},
                      {.what = role::activation,
                       .how = use::read | use::saved_for_weights,
                       .over = split::sequence,
                       .elements = rows * static_cast<double>(hidden)},
                      {.what = role::activation,
                       .how = use::written | use::saved,
                       .over = split::sequence,
                       .elements = rows * count},
                      {.what = biases > 0 ? role::bias : role::none, .how = use::read, .elements = biases}}},
        1);
  }
  constexpr void record_product(books auto& sink, double rows, std::int64_t in, std::int64_t out, bool bias,
                                bool keeps_input, const char* name) const {
    const auto count = static_cast<double>(experts), chosen = static_cast<double>(experts_per_token);
    const auto inputs = static_cast<double>(in), outputs = static_cast<double>(out);
    const double weights = inputs * outputs, biases = bias ? outputs : 0.0, routed = rows * chosen;
    const double distinct = expected_distinct_experts(count, chosen, rows);
    sink.take(
        {.name = text_of(name),
         .kind = operation::expert_projection,
         .shape = {.batch = count, .m = routed / count, .n = outputs, .k = inputs},
         .held = parameters::from_value(count * (weights + biases)),
         .active = parameters::from_value(chosen * (weights + biases)),
         .multiplied = macs::from_value(routed * weights),
         .elementwise = flops::from_value(routed * biases),
         .backward = {.input_products = 1,
                      .weight_products = 1,
                      .weight_elementwise = flops::from_value(routed * biases)},
         .operands =
             {{.what = role::weight,
               .how = use::read,
               .over = split::expert,
               .elements = count * weights,
               .touched = distinct * weights},
              {.what = role::activation,
               .how = keeps_input ? use::read | use::saved_for_weights : use::read,
               .over = split::expert,
               .elements = routed * inputs},
              {.what = role::activation, .how = use::written, .over = split::expert, .elements = routed * outputs},
              {.what = bias ? role::bias : role::none,
               .how = use::read,
               .over = split::expert,
               .elements = count * biases,
               .touched = distinct * biases}}},
        1);
  }
  // Each token's outputs, weighted by the router and summed.
  constexpr void record_combination(books auto& sink, double elements, double chosen) const {
    sink.take(
        {.name = text_of("experts.combine"),
         .kind = operation::addition,
         .elementwise = flops::from_value(2 * chosen * elements),
         .backward = {.elementwise = flops::from_value(2 * chosen * elements)},
         .operands = {{.what = role::activation,
                       .how = use::read | use::saved,
                       .over = split::expert,
                       .elements = chosen * elements},
                      {.what = role::activation, .how = use::written, .over = split::sequence, .elements = elements}}},
        1);
  }
};

}  // namespace flopledger
