// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include "largest_batch.hpp"

#include <flopledger/memory/capacity.hpp>
#include <flopledger/time/traffic.hpp>

#include <algorithm>
#include <cmath>
#include <memory>

#include "operands.hpp"

namespace harness {
namespace {

using namespace flopledger;

training_setup setup_of(const batch_question& asked, std::int64_t batch) {
  training_setup setup{.precision = asked.precision};
  setup.plan.sequence = asked.sequence;
  setup.plan.micro_batch = batch;
  setup.plan.loss = cross_entropy::fused;  // what is run holds one copy of the logits and a gradient in its turn
  setup.framework.workspace = {asked.workspace * unit::byte, standing::measured, "the allocator's own count"};
  return setup;
}

transformer_config counted(const batch_question& asked) {
  transformer_config config = asked.model;
  if (asked.layers > 0) config.stack.layers = std::min(asked.layers, config.stack.layers);
  return config;
}

/// Memory that one instance of an operation holds all through the step.
class resident {
 public:
  explicit resident(std::vector<double> sizes) : sizes_(std::move(sizes)) {}
  void take(backend& on) {
    for (const double size : sizes_)
      if (size > 0) held_.push_back(on.allocate(size));
  }
  void give() { held_.clear(); }
 private:
  std::vector<double> sizes_;
  std::vector<std::unique_ptr<buffer>> held_;
};

/// Bytes of an operation's weights with all that is held for them, and of each operand that it keeps.
std::vector<double> sizes_of(std::span<const row> rows, const data_formats& formats, double a_parameter) {
  std::vector<double> sizes;
  for (const row& r : rows) {
    sizes.push_back(a_parameter * r.held.value());
    const use kept = r.trainable ? use::saved | use::saved_for_weights : use::saved;
    for (const operand& o : r.operands)
      if (o.what != role::none && has(o.how, kept)) sizes.push_back(formats.bytes_of(r, o, o.elements));
  }
  return sizes;
}

/// Code that goes over its operands several times holds them once, in the backward pass with their gradients.
kernel_shape held_once(const line& of, const kernel_shape& shape, const data_formats& formats) {
  const auto* stream = std::get_if<stream_shape>(&shape);
  if (stream == nullptr) return shape;
  double most = 0;
  for (const row& r : of.rows)
    for (const operand& o : r.operands)
      if (o.what != role::none) most += (of.backward ? 2 : 1) * formats.bytes_of(r, o, o.elements);
  const double bytes_moved =
      static_cast<double>(stream->read + stream->written) * static_cast<double>(size_of(stream->format));
  if (bytes_moved <= most) return shape;
  stream_shape once = *stream;
  for (std::int64_t* elements : {&once.read, &once.written})
    *elements = std::max<std::int64_t>(1, std::llround(static_cast<double>(*elements) * most / bytes_moved));
  return once;
}

}  // namespace

void run_step(backend& on, const batch_question& asked, std::int64_t batch) {
  const transformer_config config = counted(asked);
  const memory_account account = training_memory(config, setup_of(asked, batch)).worst();
  const totals all = totals_of(config, flopledger::training_step(1, 1));
  const double static_bytes =
      (account[memory_line::weights] + account[memory_line::gradients] + account[memory_line::optimizer]).value();
  const double a_parameter = static_bytes / all.held.value();
  const data_formats formats{.precision = asked.precision};

  // Times do not matter here, so neither does the machine that they would be predicted for.
  machine any;
  any.peak = any.attention_peak = flop_rate::from_value(1);
  any.bandwidth = byte_rate::from_value(1);
  const execution_plan plan =
      plan_of(config,
              {.pass = flopledger::training_step(static_cast<double>(batch), static_cast<double>(asked.sequence)),
               .precision = asked.precision},
              {any, any});

  // What an operation holds belongs to its forward line, the first instance of which is the one that runs.
  std::vector<resident> held;
  std::vector<std::size_t> first_of(plan.lines.size());
  double parameters_of_lines = 0;
  for (std::size_t i = 0; i < plan.lines.size(); ++i) {
    const line& one = plan.lines[i];
    if (one.backward) {
      const auto forward = std::find_if(plan.lines.begin(), plan.lines.end(),
                                        [&](const line& other) { return !other.backward && other.name == one.name; });
      first_of[i] = first_of[static_cast<std::size_t>(forward - plan.lines.begin())];
      continue;
    }
    first_of[i] = held.size();
    for (int n = 0; n < static_cast<int>(one.times); ++n) held.emplace_back(sizes_of(one.rows, formats, a_parameter));
    for (const row& r : one.rows) parameters_of_lines += one.times * r.held.value();
  }
  held.emplace_back(std::vector<double>{a_parameter * (all.held.value() - parameters_of_lines)});  // of no operation
  for (resident& one : held) one.take(on);

  // An operation's kernel brings its operands: those that are held anyhow make room for them.
  for (std::size_t i = 0; i < plan.lines.size(); ++i)
    for (const part& p : plan.lines[i].parts) {
      resident& own = held[first_of[i]];
      own.give();
      {
        const std::unique_ptr<kernel> ready = on.prepare(held_once(plan.lines[i], p.shape, formats), 1, 0);
        kernel* const sequence[] = {ready.get()};
        on.time(sequence, 1, timing_mode::steady);
      }
      own.take(on);
    }
}

largest_batch_found largest_batch(backend& on, const batch_question& asked,
                                  const std::function<void(const batch_trial&)>& after) {
  const transformer_config config = counted(asked);
  largest_batch_found found{.available = on.memory_bytes(), .trials = {}};
  found.predicted = largest_micro_batch(config, setup_of(asked, 1), found.available * unit::byte);
  found.measured = largest_that([&](std::int64_t batch) {
    batch_trial trial{.batch = batch};
    trial.predicted = training_memory(config, setup_of(asked, batch)).worst().total().value();
    on.reset_memory_peaks();
    try {
      run_step(on, asked, batch);
      trial.fits = true;
    } catch (const out_of_memory&) {
      trial.fits = false;
    }
    trial.peaks = on.memory();
    found.trials.push_back(trial);
    if (after) after(trial);
    return trial.fits;
  });
  return found;
}

}  // namespace harness
