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
    const auto in = static_cast<std::int64_t>(r.shape.k), out = static_cast<std::int64_t>(r.shape.n);
    // The adapter reads what the projection reads, and adds to what it writes.
    tensor read;
    r.operands.for_each([&](const operand& o) {
      if (o.what == role::activation && has(o.how, use::read)) read = o.of;
    });
    const tensor narrow{.made_by = {.where = {r.where.in, position::custom}, .kind = operation::projection}};
    take_adapter(linear{.in = in, .out = rank}.as_row(r.shape.m, "adapter.down", read, narrow), r, times);
    take_adapter(linear{.in = rank, .out = out}.as_row(r.shape.m, "adapter.up", narrow, narrow), r, times);
  }
 private:
  constexpr void take_adapter(row&& adapter, const row& beside, std::int64_t times) {
    adapter.part = beside.part;
    adapter.block = beside.block;
    inner.take(adapter, times);
  }
};
template <books Sink>
with_adapters(Sink&, std::int64_t) -> with_adapters<Sink>;

/// Hands a sink what `record` records: with adapters of a rank, or as it stands where the rank is 0.
template <class Sink, class Record>
constexpr void record_adapted(Sink& sink, std::int64_t rank, Record&& record) {
  if (rank > 0) {
    with_adapters adapted{sink, rank};
    record(adapted);
  } else {
    record(sink);
  }
}

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
