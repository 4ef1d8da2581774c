// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include "device_job.hpp"

#include <flopledger/budget/kv_cache.hpp>
#include <flopledger/hardware/catalogue.hpp>

namespace program {
namespace {

using namespace flopledger;

const accelerator& find_device(const std::string& name) {
  try {
    return hardware::find(name);
  } catch (const std::invalid_argument& problem) {
    throw usage_error(std::string("--device: ") + problem.what());
  }
}

/// What a checkpoint's own storage is computed with: FP8 weights are fed to the matrix unit as they are, narrower ones
/// are widened first.
recipe recipe_of(const weight_storage& storage) {
  return {.name = name_of(storage.method),
          .weights = storage.dtype,
          .other_weights = storage.dtype,
          .activations = storage.dtype,
          .compute = storage.method == quantization_method::fp8 ? fp8_e4m3::format : storage.dtype,
          .kv_cache = storage.dtype};
}

std::string without_peak(const accelerator& device, const recipe& asked) {
  std::string possible;
  for (const recipe* known : recipes::all)
    if (dense_peak_figure(device, known->compute.kind).is_known())
      (possible += possible.empty() ? "" : ", ") += known->name;
  std::string text{std::string_view(device.id)};
  text.append(": no dense ").append(flopledger::name_of(asked.compute.kind));
  text.append(" peak is published, and recipe ").append(asked.name).append(" computes in it; ");
  return possible.empty() ? text + "nor one for any other recipe" : text + "--recipe may be " + possible;
}

}  // namespace

device_job::device_job(const subject& model, const work& pass, const report_request& asked)
    : device_(find_device(asked.device)),
      devices_(asked.devices),
      model_(model),
      kernel_(asked.kernel),
      by_checkpoint_(asked.recipe == nullptr && model.description.storage.method != quantization_method::none),
      precision_(by_checkpoint_            ? recipe_of(model.description.storage)
                 : asked.recipe != nullptr ? *asked.recipe
                                           : recipes::bf16::value),
      peak_(dense_peak_figure(device_, precision_.compute.kind)) {
  if (!peak_.is_known()) throw usage_error(without_peak(device_, precision_));
  if (!device_.memory_bandwidth.is_known())
    throw usage_error(std::string(std::string_view(device_.id)) + ": its memory bandwidth is not published");

  const transformer_config& config = model.config();
  weights_ = by_checkpoint_ ? weight_bytes(config, model.description.storage) : weight_bytes(config, precision_);
  kv_cache_ = kv_cache_bytes(config, pass, precision_.kv_cache);
  kv_cache_per_token_ = kv_cache_bytes_per_token(config, precision_.kv_cache);
  floors_ = {.formats = formats(), .rates = rates()};
  config.record(floors_, pass);
  traffic bytes_moved{.formats = formats()};
  config.record(bytes_moved, pass);
  moved_ = bytes_moved.moved;
}

data_formats device_job::formats() const {
  return {
      .precision = precision_, .checkpoint = by_checkpoint_ ? &model_.description.storage : nullptr, .kernel = kernel_};
}

const figure<bytes>& device_job::memory() const {
  return memory_is_nominal() ? device_.nominal_memory : device_.usable_memory;
}

machine_rates device_job::rates() const {
  return {.peak = devices_ * peak_.value(), .bandwidth = devices_ * device_.memory_bandwidth.value()};
}

std::vector<std::string> device_job::doubtful() const {
  std::vector<std::string> keys;
  if (peak_.is_doubtful()) keys.emplace_back("peak_flop_per_second");
  if (bandwidth().is_doubtful()) keys.emplace_back("memory_bandwidth_bytes_per_second");
  if (memory().is_doubtful()) keys.emplace_back("available_bytes");
  return keys;
}

}  // namespace program
