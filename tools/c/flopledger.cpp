// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// The C interface: nothing but a way from C to the requests and the meter.

#include "flopledger.h"

#include <flopledger/hardware/runtime_name.hpp>
#include <flopledger/meter_writers.hpp>
#include <flopledger/version.hpp>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <string_view>

#include "requests.hpp"

using namespace flopledger;

struct flopledger_meter {
  training_meter meter;
};

namespace {

/// A copy that C can hold, or null.
char* copied(std::string_view text) {
  auto* const copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy == nullptr) return nullptr;
  std::memcpy(copy, text.data(), text.size());
  copy[text.size()] = '\0';
  return copy;
}

number_kind kind_named(std::string_view format) {
  for (int kind = 0; kind < static_cast<int>(number_kind::custom); ++kind)
    if (name_of(static_cast<number_kind>(kind)) == format) return static_cast<number_kind>(kind);
  return number_kind::custom;
}

flopledger_rates rates_of(const metered_rates& rates) {
  return {.step_seconds = rates.step.value(),
          .tokens_per_second = rates.throughput.value(),
          .mfu = rates.mfu.value_or(0),
          .hfu = rates.hfu.value_or(0)};
}

flopledger_reading reading_of(const training_meter& meter, const meter_reading& now) {
  return {.step = now.number,
          .warm_up = now.warm_up ? 1 : 0,
          .flag = static_cast<flopledger_flag>(now.flag),
          .has_peak = meter.run().peak.is_known() ? 1 : 0,
          .last = rates_of(now.rates),
          .window = rates_of(meter.window()),
          .run = rates_of(meter.whole_run())};
}
static_assert(static_cast<int>(step_flag::no_time) == FLOPLEDGER_NO_TIME &&
              static_cast<int>(step_flag::above_peak) == FLOPLEDGER_ABOVE_PEAK);

}  // namespace

const char* flopledger_version() {
#define FLOPLEDGER_DIGITS(NUMBER) #NUMBER
#define FLOPLEDGER_DOTTED(MAJOR, MINOR, PATCH) \
  FLOPLEDGER_DIGITS(MAJOR) "." FLOPLEDGER_DIGITS(MINOR) "." FLOPLEDGER_DIGITS(PATCH)
  return FLOPLEDGER_DOTTED(FLOPLEDGER_VERSION_MAJOR, FLOPLEDGER_VERSION_MINOR, FLOPLEDGER_VERSION_PATCH);
}

flopledger_status flopledger_ask(const char* request, std::size_t size, char** answer) {
  *answer = nullptr;
  try {
    bool refused = false;
    std::string line = program::answer_line({request, size}, refused);
    if (!line.empty() && line.back() == '\n') line.pop_back();
    *answer = copied(line);
    if (*answer == nullptr) return FLOPLEDGER_FAILED;
    return refused ? FLOPLEDGER_REFUSED : FLOPLEDGER_ANSWERED;
  } catch (...) {
    return FLOPLEDGER_FAILED;
  }
}

void flopledger_release(char* answer) { std::free(answer); }

double flopledger_peak(const char* runtime_name, int multiprocessors, const char* format) {
  const accelerator* device = hardware::named_by_runtime(runtime_name, multiprocessors);
  return device == nullptr ? 0 : dense_peak_figure(*device, kind_named(format)).value_or({}).value();
}

flopledger_meter* flopledger_meter_create(const flopledger_run* run) {
  try {
    metered_run known{.of_a_step = {.model_flops = run->model_flops_per_step * unit::flop,
                                    .recomputed_flops = run->recomputed_flops_per_step * unit::flop,
                                    .read = run->tokens_per_step * unit::token},
                      .devices = run->devices};
    if (run->peak_flop_per_second > 0) known.peak = {run->peak_flop_per_second, publication::published};
    return new flopledger_meter{training_meter(known, {.warm_up = run->warm_up_steps, .window = run->window_steps})};
  } catch (...) {
    return nullptr;
  }
}

void flopledger_meter_destroy(flopledger_meter* meter) { delete meter; }

flopledger_reading flopledger_meter_step(flopledger_meter* meter, double seconds) {
  return reading_of(meter->meter, meter->meter.step(seconds * unit::second));
}

flopledger_reading flopledger_meter_step_of(flopledger_meter* meter, double seconds, double model_flops,
                                            double recomputed_flops, double tokens) {
  const step_work done{.model_flops = model_flops * unit::flop,
                       .recomputed_flops = recomputed_flops * unit::flop,
                       .read = tokens * unit::token};
  return reading_of(meter->meter, meter->meter.step(seconds * unit::second, done));
}

void flopledger_meter_memory(flopledger_meter* meter, double bytes) { meter->meter.memory(bytes * unit::byte); }

char* flopledger_meter_text(const flopledger_meter* meter, flopledger_writer as) {
  try {
    const meter_report now = meter->meter.report();
    return copied(as == FLOPLEDGER_JSON          ? as_json(now)
                  : as == FLOPLEDGER_OPENMETRICS ? as_openmetrics(now)
                                                 : as_line(now));
  } catch (...) {
    return nullptr;
  }
}
