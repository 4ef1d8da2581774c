// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include "device_job.hpp"

#include <flopledger/memory/kv_cache.hpp>

namespace program {

using namespace flopledger;

device_job::device_job(const subject& model, const work& pass, const report_request& asked)
    : device_(find_device(asked.device)),
      devices_(asked.devices),
      model_(model),
      kernel_(asked.kernel),
      by_checkpoint_(recipe_for_serving(model, asked.recipe, device_).by_checkpoint),
      precision_(recipe_for_serving(model, asked.recipe, device_).precision),
      peak_(dense_peak_figure(device_, precision_.compute.kind)) {
  const transformer_config& config = model.config();
  weights_ = by_checkpoint_ ? weight_bytes(config, model.description.storage) : weight_bytes(config, precision_);
  kv_cache_ = kv_cache_bytes(config, pass, precision_.kv_cache, precision_.state());
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

const figure<bytes>& device_job::memory() const { return memory_of(device_); }

machine_rates device_job::rates() const {
  return rates_of(machine_of(bounding(device_, precision_), precision_), devices_);
}

std::vector<std::string> device_job::doubtful() const {
  std::vector<std::string> keys;
  if (peak_.is_doubtful()) keys.emplace_back("peak_flop_per_second");
  if (bandwidth().is_doubtful()) keys.emplace_back("memory_bandwidth_bytes_per_second");
  if (memory().is_doubtful()) keys.emplace_back("available_bytes");
  return keys;
}

}  // namespace program
