// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Models as types, and what constant expressions most often ask of them.

#include <flopledger/models/transformer.hpp>

#include <type_traits>

namespace flopledger {

/// A model is a type with a `static constexpr` member `config` that records itself: a `transformer_config`, or anything
/// of a user's own with `record(sink, work)`.
template <class Model>
concept model = requires {
  requires recordable<std::remove_cvref_t<decltype(Model::config)>, work>;
};

namespace detail {
/// What stands in for a type that is no model, so that its one message is the last.
struct no_model {
  constexpr void record(books auto&, const work&) const {}
};
inline constexpr no_model no_config{};

/// The model's configuration. Where the type is no model, one sentence says so and nothing follows it.
template <class Model>
constexpr const auto& config_of() {
  constexpr bool is_model = model<Model>;
  static_assert(is_model,
                "not a model: it needs `static constexpr flopledger::transformer_config config`, or a config of one's "
                "own with `record(sink, work)`");
  if constexpr (is_model) {
    return Model::config;
  } else {
    return no_config;
  }
}
}  // namespace detail

/// Everything that one forward pass sums to, evaluated once for a model and a piece of work however many assertions
/// read it.
template <class Model, std::int64_t Batch = 1, std::int64_t Sequence = 1,
          attention_counting Counting = attention_counting::full>
inline constexpr totals forward_totals =
    totals_of(detail::config_of<Model>(), forward(static_cast<double>(Batch), static_cast<double>(Sequence), Counting));

/// Weights that the model holds, tied ones once.
template <class Model>
inline constexpr parameters parameter_count = forward_totals<Model>.held;

/// Weights that one token passes through: a mixture's routed experts only as many as are chosen.
template <class Model>
inline constexpr parameters active_parameter_count = forward_totals<Model>.active;

/// Multiply-adds of a forward pass over `Batch` sequences of `Sequence` tokens.
template <class Model, std::int64_t Batch, std::int64_t Sequence,
          attention_counting Counting = attention_counting::full>
inline constexpr macs forward_macs = forward_totals<Model, Batch, Sequence, Counting>.multiplied;

/// FLOPs of its matrix products, two a multiply-add.
template <class Model, std::int64_t Batch, std::int64_t Sequence,
          attention_counting Counting = attention_counting::full>
inline constexpr flops forward_matmul_flops = flops_per_mac* forward_macs<Model, Batch, Sequence, Counting>;

/// FLOPs of the matrix products of a forward and a backward pass: the model FLOPs of a training step, whatever is
/// computed a second time left out.
template <class Model, std::int64_t Batch, std::int64_t Sequence,
          attention_counting Counting = attention_counting::full>
inline constexpr flops training_step_matmul_flops =
    flops_per_mac*(forward_totals<Model, Batch, Sequence, Counting>.multiplied +
                   forward_totals<Model, Batch, Sequence, Counting>.multiplied_backward);

// What a wrong count prints.
template <std::int64_t Parameters>
struct counted_parameters;
template <std::int64_t Parameters>
struct expected_parameters;
template <class Counted, class Expected>
struct parameter_comparison;
template <std::int64_t Counted, std::int64_t Expected>
struct parameter_comparison<counted_parameters<Counted>, expected_parameters<Expected>> {
  static constexpr bool equal = Counted == Expected;
};
template <class Comparison>
concept as_expected = Comparison::equal;

namespace detail {
template <class Model, std::int64_t Expected>
using compared_parameters =
    parameter_comparison<counted_parameters<static_cast<std::int64_t>(parameter_count<Model>.value())>,
                         expected_parameters<Expected>>;
}  // namespace detail

/// True where a model has so many parameters; where not, the message has both numbers:
/// `static_assert(has_parameters<models::llama3_1_8b, 8'030'261'248>)`.
template <class Model, std::int64_t Expected>
concept has_parameters = as_expected<detail::compared_parameters<Model, Expected>>;

}  // namespace flopledger
