// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// A pass of a model on devices: formats, rates, floors and memory.

#include <flopledger/hardware/device.hpp>
#include <flopledger/time/roofline.hpp>

#include <string>
#include <vector>

#include "device_choice.hpp"
#include "subject.hpp"

namespace program {

class device_job {
 public:
  device_job(const subject& model, const flopledger::work& pass, const report_request& asked);

  const flopledger::accelerator& device() const { return device_; }
  double devices() const { return devices_; }
  const flopledger::recipe& precision() const { return precision_; }
  bool by_checkpoint() const { return by_checkpoint_; }  ///< weights are as the config.json's quantization has them
  flopledger::data_formats formats() const;

  /// Of one device.
  const flopledger::figure<flopledger::flop_rate>& peak() const { return peak_; }
  const flopledger::figure<flopledger::byte_rate>& bandwidth() const { return device_.memory_bandwidth; }
  /// Which of the two are published; floors are those of what is.
  known_rates known() const { return rates_known(device_, precision_); }
  /// What tools report, or the label where nobody published that; of one device.
  const flopledger::figure<flopledger::bytes>& memory() const;
  bool memory_is_nominal() const { return !device_.usable_memory.is_known(); }

  /// Of all devices together: an even share of the work each, and nothing spent on sharing it.
  flopledger::machine_rates rates() const;
  const flopledger::roofline& floors() const { return floors_; }
  const flopledger::moved_bytes& moved() const { return moved_; }

  flopledger::bytes weights() const { return weights_; }
  flopledger::bytes kv_cache() const { return kv_cache_; }  ///< of all sequences, after the pass
  flopledger::bytes_per_token kv_cache_per_token() const { return kv_cache_per_token_; }

  /// Figures of the answer that stand on a doubtful one of the data sheet, by their keys.
  std::vector<std::string> doubtful() const;
 private:
  const flopledger::accelerator& device_;
  double devices_;
  const subject& model_;
  flopledger::attention_kernel kernel_;
  bool by_checkpoint_;
  flopledger::recipe precision_;
  flopledger::figure<flopledger::flop_rate> peak_;
  flopledger::bytes weights_{}, kv_cache_{};
  flopledger::bytes_per_token kv_cache_per_token_{};
  flopledger::roofline floors_{};
  flopledger::moved_bytes moved_{};
};

}  // namespace program
