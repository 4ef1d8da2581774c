// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// What a run left behind, read: warm-up taken off, samples summed up, what the evidence points to, and whether the run
// is slower than the one on record.

#include <flopledger/evidence/baseline.hpp>
#include <flopledger/evidence/diagnosis.hpp>

#include <vector>

#include <fmt/core.h>

using namespace flopledger;
using namespace flopledger::literals;

namespace {
// Steps in seconds: three of compilation and caches, then every eighth waits for a checkpoint.
std::vector<double> step_times() {
  std::vector<double> times{9.5, 2.0, 1.4};
  for (int i = 0; i < 48; ++i) times.push_back(i % 8 == 7 ? 1.5 : 1.0);
  return times;
}

constexpr const char* on_record = R"({
  "hardware": "8 x H100 SXM, one node", "software": "revision a", "model": "Llama-3.1-8B", "shapes": "8 x 8192, BF16",
  "metrics": [{"name": "step_seconds", "value": 0.98, "better": "lower"},
              {"name": "peak_reserved_bytes", "value": 70e9, "better": "lower"}]
})";
}  // namespace

int main() {
  const std::vector<double> all = step_times();
  const auto steady = trimmed(all, warm_up_length(all));
  const sample_summary summary = summary_of(steady);
  fmt::print("{} steps, {} of them warm-up: P50 {:.2f} s, P99 {:.2f} s\n\n", all.size(), all.size() - steady.size(),
             summary.p50, summary.p99);

  const std::vector<double> reserved{60e9, 60.03e9, 60.06e9, 60.09e9, 60.12e9};  // one sample a step
  const std::vector<double> ranks{1.00, 1.01, 1.00, 1.12};
  const run_evidence seen{.compute_utilisation = 0.38,
                          .bandwidth_utilisation = 0.30,
                          .step = 1_s,
                          .communication = 250_ms,
                          .bytes_by_step = reserved,
                          .step_times = steady,
                          .time_by_rank = ranks};
  for (const finding& one : diagnose(seen)) fmt::print("{}: {}\n  try: {}\n", one.name(), one.evidence, one.to_try());
  if (const auto steps = steps_until_full(bytes::from_value(reserved.back()), 80_GB, memory_trend(reserved)))
    fmt::print("  memory is full in {:.0f} steps\n", *steps);

  // Four devices did 4 x 0.85 of what one does: strong scaling, and the same in throughput.
  fmt::print("\nscaling over 4 devices: {:.3f} by time, {:.3f} by throughput\n",
             strong_scaling_efficiency(3.4_s, 1_s, 4),
             scaling_efficiency(1000.0 * unit::token / (1_s), 3400.0 * unit::token / (1_s), 4));

  const read_baseline_result before = read_baseline(on_record);
  if (!before.value) {
    fmt::print("the baseline cannot be read: {}\n", before.problem);
    return 1;
  }
  baseline now = *before.value;
  now.software = "revision b";
  now.metrics = {{"step_seconds", summary.p50}, {"peak_reserved_bytes", reserved.back()}};
  const comparison_with_baseline against = compare(*before.value, now);
  fmt::print("\nagainst the baseline{}\n", against.like_for_like() ? "" : ", which differs in its software");
  for (const metric_change& change : against.changes)
    fmt::print("  {:<20} {:+.1f} %{}\n", change.name, 100 * change.relative,
               change.judged == verdict_on_change::within_tolerance ? ", within tolerance" : "");
}
