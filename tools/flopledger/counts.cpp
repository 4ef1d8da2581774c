// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include "counts.hpp"

namespace program {

using namespace flopledger;

counts counts_of(const subject& model, const work_request& asked) {
  const transformer_config& config = model.config();
  counts found{.pass = pass_over(model, asked), .counting = asked.products, .operations = {}};
  const totals forward_pass = totals_of(config, found.pass);
  found.held = forward_pass.held;
  found.active = forward_pass.active;
  found.multiplied = forward_pass.multiplied;
  found.elementwise = forward_pass.elementwise;

  tally tables{parameters{}, [](const row& r) { return r.kind == operation::gather ? r.held : parameters{}; }};
  config.record(tables, found.pass);
  found.tables = tables.total;

  tally products{flops{}, [&](const row& r) { return product_flops(r, asked.products); }};
  config.record(products, found.pass);
  found.products = products.total;

  if (!found.pass.decoding() && asked.products == product_counting::conventional) {
    work training = found.pass;
    training.training = true;
    const totals step = totals_of(config, training);
    found.training = flops_per_mac * (step.multiplied + step.multiplied_backward);
  }

  for (const entry& e : operations_of(config, found.pass)) found.operations.push_back({e, window_of(config, e.what)});
  return found;
}

}  // namespace program
