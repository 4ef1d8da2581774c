// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Low-rank adapters beside frozen weights (Hu et al. 2022): W·x + B·(A·x), of which A and B alone are trained.

#include <flopledger/layers/linear.hpp>

namespace flopledger {

/// Rows recorded through it are frozen, and each projection of the kinds named gets two small trainable ones beside it.
/// Experts' projections are left alone: they would need an adapter an expert.
template <books Sink>
struct with_adapters {
  Sink& inner;
  std::int64_t rank = 8;
  operation_set kinds{operation::projection};

  constexpr void take(const row& r, std::int64_t times) {
    frozen base{inner};
    base.take(r, times);
    if (!kinds.contains(r.kind) || r.shape.k <= 0 || r.kind == operation::expert_projection) return;
    repeated adapters{inner, times};
    const auto in = static_cast<std::int64_t>(r.shape.k), out = static_cast<std::int64_t>(r.shape.n);
    // Adapters keep the input that the projection kept; where another row kept it for both, one adapter is enough to.
    bool keeps_input = false;
    for (const operand& o : r.operands) keeps_input = keeps_input || has(o.how, use::saved_for_weights);
    linear{.in = in, .out = rank, .keeps_input = keeps_input}.record(adapters, r.shape.m, "adapter.down");
    linear{.in = rank, .out = out}.record(adapters, r.shape.m, "adapter.up");
  }
};
template <books Sink>
with_adapters(Sink&, std::int64_t) -> with_adapters<Sink>;

/// A model with adapters of a rank on its projections, frozen otherwise.
template <class Model>
struct lora {
  Model base{};
  std::int64_t rank = 8;
  operation_set kinds{operation::projection};

  constexpr void record(books auto& sink, const work& asked) const {
    with_adapters<std::remove_reference_t<decltype(sink)>> adapted{sink, rank, kinds};
    base.record(adapted, asked);
  }
};
template <class Model>
lora(Model, std::int64_t) -> lora<Model>;

}  // namespace flopledger
