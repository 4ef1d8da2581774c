// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/hardware/catalogue.hpp>
#include <flopledger/text/number.hpp>

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "job_run.hpp"
#include "largest_batch.hpp"
#include "report.hpp"
#include "request.hpp"
#include "subject.hpp"

namespace harness {
namespace {

using namespace flopledger;
using program::usage_error;

const recipe& precision_of(const request& asked) {
  return asked.precision != nullptr ? *asked.precision : recipes::fp32::value;
}

std::vector<number_kind> formats_of(const recipe& precision) {
  std::vector<number_kind> formats{product_format(precision)};
  if (plain_format(precision) != formats[0]) formats.push_back(plain_format(precision));
  return formats;
}

const program::subject& subject_of(const request& asked) {
  if (asked.model.empty()) throw usage_error("--model: which model?");
  return program::find_subject(asked.model);
}

double sequence_of(const request& asked, const program::subject& model) {
  if (asked.sequence) return static_cast<double>(*asked.sequence);
  const auto context = static_cast<double>(model.config().context);
  return context > 0 ? std::min(1024.0, context) : 1024.0;
}

yardsticks yardsticks_of(const request& asked, backend& on, const recipe& precision) {
  yardsticks against{.peaks = {}, .bandwidth = {}, .prediction = {}};
  for (const number_kind format : formats_of(precision)) {
    if (!on.supports(product_shape{.format = format}))
      throw unavailable(fmt::format("{} multiplies no {}", on.device(), flopledger::name_of(format)));
    std::optional<rated> peak = on.peak(format);
    if (asked.peak) peak = rated{*asked.peak, "--peak", {}};
    if (!peak)
      throw usage_error(fmt::format("the peak of {} on {} is not known: give it by --peak", flopledger::name_of(format),
                                    on.device()));
    against.peaks.push_back({format, std::move(*peak)});
  }
  if (std::optional<rated> bandwidth = on.bandwidth()) against.bandwidth = std::move(*bandwidth);
  if (against.bandwidth.value <= 0) throw usage_error("the memory's bandwidth is not known");
  return against;
}

/// The machine of the floors: the yardsticks, reached in full.
machine floor_of(const yardsticks& against, const recipe& precision) {
  machine floor;
  floor.peak = flop_rate::from_value(against.peak_of(product_format(precision)));
  floor.plain_peak = floor.attention_peak = flop_rate::from_value(against.peak_of(plain_format(precision)));
  floor.bandwidth = byte_rate::from_value(against.bandwidth.value);
  return floor;
}

answer run_model(const request& asked, backend& on, const sweep_progress& progress) {
  const program::subject& model = subject_of(asked);
  const recipe& precision = precision_of(asked);
  if (asked.training && precision.compute.kind == number_kind::int8)
    throw usage_error("--pass training: nobody trains in int8; --precision may be fp32, tf32, bf16, fp16 or fp8");
  yardsticks against = yardsticks_of(asked, on, precision);

  machines used{.predicting = {}, .floor = floor_of(against, precision)};
  used.predicting = used.floor;
  std::unique_ptr<calibration_view> calibrated;  // outlives the plan that it predicts
  if (!asked.calibration_file.empty()) {
    calibrated = std::make_unique<calibration_view>(read_calibration(asked.calibration_file));
    used.predicting = machine_of(calibrated->values(), precision);
    against.prediction = fmt::format("calibration {} of {}", asked.calibration_file, calibrated->data().device);
  } else if (!asked.known_device.empty()) {
    const accelerator* device = nullptr;
    try {
      device = &hardware::find(asked.known_device);
    } catch (const flopledger::error& problem) {
      throw usage_error(std::string("--device: ") + problem.what());
    }
    used.predicting = machine_of(*device, precision);
    against.prediction = fmt::format("the library's constants for {}, {}: {}", std::string_view(device->product),
                                     flopledger::name_of(used.predicting.reached.how), used.predicting.reached.source);
  }

  job what{.pass = flopledger::forward(static_cast<double>(asked.batch), sequence_of(asked, model), asked.attention),
           .precision = precision,
           .layers = asked.layers};
  what.pass.training = asked.training;
  execution_plan plan;
  try {
    plan = plan_of(model.config(), what, used);
  } catch (const std::invalid_argument& problem) {
    throw usage_error(problem.what());
  }
  const job_run done = run_job(
      on, std::move(plan), [&](number_kind format) { return against.peak_of(format); }, asked.how, asked.which,
      progress);

  std::string about = fmt::format("{}; {}, {}", program::described(model, what.pass),
                                  asked.training ? "forward and backward" : "forward", precision.name);
  if (asked.layers > 0) about += fmt::format("; {} of {} layers", asked.layers, model.config().stack.layers);
  answer made;
  made.text = fmt::format("{}: {}\n{}\n{}\n{}", model.name, program::described(model.config()), about,
                          head_text(asked, on, against), job_text(done, against));
  made.document = head_json(asked, on, "job");
  made.document["model"] = model.name;
  made.document["pass"] = {{"training", asked.training},
                           {"batch", what.pass.run.count},
                           {"sequence", what.pass.run.length},
                           {"attention", program::name_of(asked.attention)}};
  made.document["precision"] = precision.name;
  put_job(made.document, done, against);
  if (!asked.svg_file.empty()) made.svg = job_svg(on.device(), model.name + "; " + about, done, against);
  return made;
}

answer run_sweep(const request& asked, backend& on, const sweep_progress& progress) {
  const std::vector<number_kind> formats = formats_of(precision_of(asked));
  const std::optional<rated> peak = on.peak(formats[0]);
  sweep_sizes sizes = sizes_for(peak ? peak->value : 0, asked.largest_size);
  json kernels = json::array();
  sweep_progress kept = progress;
  kept.after = [&](const measurement& one) { kernels.push_back(to_json(one)); };
  answer made;
  if (asked.what == action::bandwidth) {
    sizes = {.streams = sizes.streams};
    const calibration_data data = sweep(on, {}, sizes, asked.how, asked.which, kept);
    made.text = fmt::format("{}: {}\n{}", on.name(), on.device(), calibration_text(data));
    if (const std::optional<rated> known = on.bandwidth())
      made.text +=
          fmt::format("the memory's: {} ({})\n", flopledger::report::scaled(known->value, "B/s"), known->derivation);
    made.document = head_json(asked, on, "bandwidth");
    made.document["bytes"] = data.stream_sizes;
    made.document["bytes_per_second"] = data.stream_rates;
    made.document["launch_seconds"] = data.launch;
  } else {
    const calibration_data data = sweep(on, formats, sizes, asked.how, asked.which, kept);
    made.text = fmt::format("{}: {}\n{}", on.name(), on.device(), calibration_text(data));
    made.document = head_json(asked, on, "sweep");
    made.document["calibration"] = to_json(data);
  }
  made.document["kernels"] = std::move(kernels);
  return made;
}

answer run_batches(const request& asked, backend& on, const sweep_progress& progress) {
  const program::subject& model = subject_of(asked);
  batch_question question{.model = model.config(),
                          .precision = precision_of(asked),
                          .sequence = static_cast<std::int64_t>(sequence_of(asked, model)),
                          .layers = asked.layers};
  if (asked.layers > model.config().stack.layers)
    throw usage_error(fmt::format("--layers: {} of a model that has {}", asked.layers, model.config().stack.layers));
  question.workspace = on.name() == "cuda" ? 32 * prefix::mebi : 0;  // of cuBLASLt
  const largest_batch_found found = largest_batch(on, question, [&](const batch_trial& trial) {
    if (progress.before)
      progress.before(fmt::format("batch {}: {}", trial.batch, trial.fits ? "fits" : "out of memory"));
  });
  answer made;
  made.text =
      fmt::format("{}: {}\n{}: a training step, sequence {}, {}, AdamW, no recompute, fused attention\n\n{}", on.name(),
                  on.device(), model.name, question.sequence, question.precision.name, batch_text(found));
  made.document = head_json(asked, on, "largest_batch");
  made.document["model"] = model.name;
  made.document["sequence"] = question.sequence;
  made.document["precision"] = question.precision.name;
  made.document["largest_batch"] = to_json(found);
  return made;
}

}  // namespace

answer answer_of(const request& asked, backend& on, const std::function<void(const std::string&)>& progress) {
  const sweep_progress told{.before = progress};
  switch (asked.what) {
    case action::sweep:
    case action::bandwidth:
      return run_sweep(asked, on, told);
    case action::largest_batch:
      return run_batches(asked, on, told);
    case action::job:
      break;
  }
  return run_model(asked, on, told);
}

}  // namespace harness
