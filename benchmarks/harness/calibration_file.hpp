// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The calibration file (docs/harness.md): what --sweep measured of a device, and what the time model takes in place of
/// its constants. The file owns the numbers; `flopledger::calibration` looks at them.

#include <flopledger/time/calibration.hpp>

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "backend.hpp"

namespace harness {

using json = nlohmann::ordered_json;

inline constexpr std::string_view calibration_schema = "flopledger.calibration";
inline constexpr int calibration_version = 1;

struct calibration_data {
  struct peak {
    number_kind format = number_kind::custom;
    rated rate;
  };
  struct products {
    number_kind format = number_kind::custom;
    bool batch_runs_apart = false;
    std::vector<double> m{}, n{}, k{};  ///< ascending
    std::vector<double> rates{};        ///< FLOP/s at [m][n][k]
  };
  struct attention {
    number_kind format = number_kind::custom;
    bool causal = false;
    std::vector<double> head_dims{}, lengths{};
    std::vector<double> forward{}, backward{};  ///< FLOP/s at [head_dim][length]
  };

  std::string backend, device, mode, statistic;
  facts provenance{};
  std::vector<peak> peaks{};
  double bandwidth = 0;  ///< byte/s
  double launch = 0;     ///< seconds
  std::vector<products> product_curves{};
  std::vector<attention> attention_curves{};
  std::vector<double> stream_sizes{}, stream_rates{};  ///< bytes, byte/s
};

json to_json(const calibration_data& data);
/// Throws `flopledger::bad_calibration`, which names the file and the field, for another schema or version, an unknown
/// or missing field, and numbers that make no curve.
calibration_data calibration_of(const json& document, const std::string& file);
calibration_data read_calibration(const std::string& path);

/// A calibration as the library takes it. Stays where it is, for the curves look into it.
class calibration_view {
 public:
  explicit calibration_view(calibration_data data);
  calibration_view(const calibration_view&) = delete;
  calibration_view& operator=(const calibration_view&) = delete;
  const flopledger::calibration& values() const { return values_; }
  const calibration_data& data() const { return data_; }
 private:
  calibration_data data_;
  std::vector<flopledger::format_peak> peaks_;
  std::vector<flopledger::product_curve> products_;
  std::vector<flopledger::attention_curve> attention_;
  flopledger::calibration values_;
};

/// "fp32", and back; `std::invalid_argument` for what is no format of a product here.
number_kind format_of(std::string_view name);

}  // namespace harness
