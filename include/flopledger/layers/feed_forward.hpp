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
  bool shared = false;  ///< it is the expert of a mixture that sees every token

  /// x and what it returns: [rows, hidden].
  constexpr tensor record(recording auto& into, const tensor& x, double rows) const {
    const sublayer in = shared ? sublayer::shared_expert : sublayer::feed_forward;
    const auto named = [&](const char* own, const char* of_shared) { return shared ? of_shared : own; };
    const double elements = rows * static_cast<double>(intermediate);
    const linear widen{.in = hidden, .out = intermediate, .bias = up_bias, .cut = tensor_cut::columns};
    tensor gate;
    if (gated)
      gate = widen.record(into, x, rows, {in, position::gate}, named("feed_forward.gate", "shared_expert.gate"));
    const tensor up = widen.record(into, x, rows, {in, position::up}, named("feed_forward.up", "shared_expert.up"));
    const place acting{in, position::activation};
    const char* const acting_name = named("feed_forward.activation", "shared_expert.activation");
    const tensor inner =
        gated ? record_gated_activation(into, activation, gate, up, elements, split::tensor, acting, acting_name)
              : record_activation(into, activation, up, elements, split::tensor, acting, acting_name);
    return linear{.in = intermediate, .out = hidden, .bias = down_bias, .cut = tensor_cut::rows}.record(
        into, inner, rows, {in, position::down}, named("feed_forward.down", "shared_expert.down"));
  }
  /// The layer by itself.
  constexpr void record(books auto& sink, double rows) const {
    recorder alone{sink};
    record(alone, alone.enters(), rows);
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
  std::int64_t image_intermediate = 0;   ///< of as many experts again, which see the tokens of images alone and have a
                                         ///< router of their own (ERNIE-4.5-VL); 0: there are none
  bool router_scales = false;      ///< a norm before the router, and a learned scale of each input and of each expert
                                   ///< (Gemma-4)
  std::int64_t hashed_tokens = 0;  ///< entries of a table that names each token's experts in place of a choice
                                   ///< (DeepSeek-V4, section 2.1); 0: there is none
  activation_function activation = activation_function::silu;
  std::int64_t latent = 0;   ///< width that routed experts work on, between two products; 0: the hidden width
  bool latent_norm = false;  ///< an RMSNorm of what they put out, before it is widened (Kimi-K3)

  /// The weights of all experts are held; those of `experts_per_token` are active. x and what it returns:
  /// [rows, hidden].
  constexpr tensor record(recording auto& into, const tensor& x, double rows) const { return record(into, x, x, rows); }
  /// Routed by another tensor than the one that the experts read.
  constexpr tensor record(recording auto& into, const tensor& x, const tensor& routed_by, double rows) const {
    const std::int64_t width = latent > 0 ? latent : hidden;
    const double chosen = static_cast<double>(experts_per_token), elements = rows * static_cast<double>(hidden);
    const double routed_elements = rows * static_cast<double>(width);
    const double inner_elements = rows * chosen * static_cast<double>(intermediate);
    record_router(into, routed_by, rows);
    tensor entering = x;
    if (latent > 0)
      entering =
          linear{.in = hidden, .out = latent}.record(into, x, rows, at(position::latent_down), "experts.latent_down");
    if (image_intermediate > 0) record_image_experts(into, x);
    const tensor sent = into.made(at(position::dispatch), operation::dispatch);
    into.take(dispatch_row(chosen * routed_elements, entering, sent));
    tensor gate;
    if (gated) gate = record_product(into, sent, rows, width, intermediate, up_bias, position::gate, "experts.gate");
    const tensor up = record_product(into, sent, rows, width, intermediate, up_bias, position::up, "experts.up");
    const place acting = at(position::activation);
    const tensor inner =
        gated ? record_gated_activation(into, activation, gate, up, inner_elements, split::expert, acting,
                                        "experts.activation")
              : record_activation(into, activation, up, inner_elements, split::expert, acting, "experts.activation");
    const tensor down =
        record_product(into, inner, rows, intermediate, width, down_bias, position::down, "experts.down");
    tensor combined = into.made(at(position::combine), operation::addition);
    into.take(combination_row(routed_elements, chosen, down, combined));
    if (latent_norm)
      combined =
          normalization{.width = latent}.record(into, combined, rows, at(position::latent_norm), "experts.latent_norm");
    if (latent > 0)
      combined = linear{.in = latent, .out = hidden}.record(into, combined, rows, at(position::latent_up),
                                                            "experts.latent_up");
    if (shared_intermediate == 0) return combined;
    tensor shared = feed_forward{.hidden = hidden,
                                 .intermediate = shared_intermediate,
                                 .gated = gated,
                                 .up_bias = up_bias,
                                 .down_bias = down_bias,
                                 .activation = activation,
                                 .shared = true}
                        .record(into, x, rows);
    if (shared_gate)
      linear{.in = hidden, .out = 1}.record(into, x, rows, {sublayer::shared_expert, position::scale},
                                            "shared_expert.scale");
    return record_addition(into, combined, shared, elements, {sublayer::shared_expert, position::residual},
                           "shared_expert.sum");
  }
  /// The layer by itself.
  constexpr void record(books auto& sink, double rows) const {
    recorder alone{sink};
    record(alone, alone.enters(), rows);
  }
  constexpr void record(books auto& sink, const work& asked) const { record(sink, asked.token_count()); }
 private:
  static constexpr place at(position where) { return {sublayer::experts, where}; }

  // Text does not run through them: they are held, and nothing else.
  constexpr void record_image_experts(recording auto& into, const tensor& x) const {
    const auto hold = [&](row&& idle) {
      idle.active = {};
      into.take(static_cast<row&&>(idle));
    };
    const double weights = static_cast<double>(hidden * experts);
    const double biases = correction_bias ? static_cast<double>(experts) : 0.0;
    hold({.name = text_of("image_experts.router"),
          .where = at(position::router),
          .kind = operation::router,
          .held = parameters::from_value(weights + biases),
          .operands = {{.what = role::weight, .elements = weights, .touched = 0},
                       {.what = biases > 0 ? role::bias : role::none, .elements = biases, .touched = 0}}});
    const auto idle_product = [&](std::int64_t in, std::int64_t out, position where, const char* name) {
      const tensor y = into.made(at(where), operation::expert_projection);
      hold(product_row(0, in, out, false, name, x, y));
    };
    if (gated) idle_product(hidden, image_intermediate, position::gate, "image_experts.gate");
    idle_product(hidden, image_intermediate, position::up, "image_experts.up");
    idle_product(image_intermediate, hidden, position::down, "image_experts.down");
  }

  // Softmax or sigmoid over the experts and the choice of the best: 5 operations a score.
  constexpr void record_router(recording auto& into, const tensor& input, double rows) const {
    const tensor x = router_scales ? normalization{.width = hidden, .weight = false}.record(
                                         into, input, rows, at(position::norm), "router.norm")
                                   : input;
    const auto count = static_cast<double>(experts), width = static_cast<double>(hidden);
    const double weights = width * count;
    const bool hashed = hashed_tokens > 0;
    const double biases = (router_bias ? count : 0.0) + (correction_bias && !hashed ? count : 0.0) +
                          (router_scales ? width + count : 0.0);
    const double chosen = static_cast<double>(experts_per_token);
    const tensor scores = into.made(at(position::router), operation::router);
    into.take(
        {.name = text_of("router"),
         .where = at(position::router),
         .kind = operation::router,
         .shape = {.batch = 1, .m = rows, .n = count, .k = width},
         .held = parameters::from_value(weights + biases),
         .active = parameters::from_value(weights + biases),
         .multiplied = macs::from_value(rows * weights),
         .elementwise = flops::from_value(rows * (5 * count + biases)),
         .backward = {.input_products = 1, .weight_products = 1, .elementwise = flops::from_value(4 * rows * count)},
         .operands = {{.what = role::weight, .how = use::read, .elements = weights},
                      {.what = role::activation,
                       .how = use::read | use::saved_for_weights,
                       .over = split::sequence,
                       .elements = rows * width,
                       .of = x},
                      {.what = role::activation,
                       .how = use::written | use::saved,
                       .over = split::sequence,
                       .elements = rows * count,
                       .of = scores},
                      {.what = biases > 0 ? role::bias
                               : hashed   ? role::index
                                          : role::none,
                       .how = use::read,
                       .elements = hashed ? chosen * static_cast<double>(hashed_tokens) : biases,
                       .touched = hashed ? chosen * rows : biases}}});
  }
  // Each token, once for each of its experts. A kernel may gather as it reads, so that at the least nothing moves here;
  // what a framework moves is its own affair.
  static constexpr row dispatch_row(double elements, const tensor& x, const tensor& sent) {
    return {.name = text_of("experts.dispatch"),
            .where = at(position::dispatch),
            .kind = operation::dispatch,
            .operands = {{.what = role::activation, .over = split::sequence, .of = x},
                         {.what = role::activation, .over = split::expert, .elements = elements, .of = sent}}};
  }
  constexpr tensor record_product(recording auto& into, const tensor& x, double rows, std::int64_t in, std::int64_t out,
                                  bool bias, position where, const char* name) const {
    const tensor y = into.product_of(x, at(where), operation::expert_projection);
    into.take(product_row(rows, in, out, bias, name, x, y));
    return y;
  }
  constexpr row product_row(double rows, std::int64_t in, std::int64_t out, bool bias, const char* name,
                            const tensor& x, const tensor& y) const {
    const auto count = static_cast<double>(experts), chosen = static_cast<double>(experts_per_token);
    const auto inputs = static_cast<double>(in), outputs = static_cast<double>(out);
    const double weights = inputs * outputs, biases = bias ? outputs : 0.0, routed = rows * chosen;
    const double distinct = expected_distinct_experts(count, chosen, rows);
    return {.name = text_of(name),
            .where = y.made_by.where,
            .kind = operation::expert_projection,
            .nth_product = y.made_by.nth_product,
            .nth_joined = y.made_by.nth_joined,
            .shape = {.batch = count, .m = routed / count, .n = outputs, .k = inputs},
            .held = parameters::from_value(count * (weights + biases)),
            .active = parameters::from_value(chosen * (weights + biases)),
            .multiplied = macs::from_value(routed * weights),
            .elementwise = flops::from_value(routed * biases),
            .backward = {.input_products = 1,
                         .weight_products = 1,
                         .weight_elementwise = flops::from_value(routed * biases)},
            .operands = {{.what = role::weight,
                          .how = use::read,
                          .over = split::expert,
                          .elements = count * weights,
                          .touched = distinct * weights},
                         {.what = role::activation,
                          .how = use::read | use::saved_for_weights,
                          .over = split::expert,
                          .elements = routed * inputs,
                          .of = x},
                         {.what = role::activation,
                          .how = use::written,
                          .over = split::expert,
                          .elements = routed * outputs,
                          .of = y},
                         {.what = bias ? role::bias : role::none,
                          .how = use::read,
                          .over = split::expert,
                          .elements = count * biases,
                          .touched = distinct * biases}}};
  }
  // Each token's outputs, weighted by the router and summed.
  static constexpr row combination_row(double elements, double chosen, const tensor& x, const tensor& y) {
    return {
        .name = text_of("experts.combine"),
        .where = at(position::combine),
        .kind = operation::addition,
        .elementwise = flops::from_value(2 * chosen * elements),
        .backward = {.elementwise = flops::from_value(2 * chosen * elements)},
        .operands = {
            {.what = role::activation,
             .how = use::read | use::saved,
             .over = split::expert,
             .elements = chosen * elements,
             .of = x},
            {.what = role::activation, .how = use::written, .over = split::sequence, .elements = elements, .of = y}}};
  }
};

}  // namespace flopledger
