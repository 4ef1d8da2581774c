// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// What the program is asked, and what it answers.

#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "calibration_file.hpp"
#include "measurement.hpp"
#include "sweep.hpp"

namespace harness {

enum class action : std::uint8_t { job, sweep, bandwidth, largest_batch };

struct request {
  action what = action::job;
  std::vector<std::string> command;  ///< as it was typed, for the record

  std::string backend_name = "cpu";
  backend_options device_options{};

  std::string model;
  bool training = false;
  const flopledger::recipe* precision = nullptr;  ///< null: fp32
  std::int64_t batch = 1, layers = 0;
  std::optional<std::int64_t> sequence{};
  flopledger::attention_counting attention = flopledger::attention_counting::full;

  measuring how{};
  statistic which = statistic::median;

  std::string sweep_file, calibration_file, json_file, svg_file;
  double largest_size = 0;       ///< of a sweep; 0: as the device's peak suggests
  std::string known_device;      ///< of the library's catalogue, whose constants predict
  std::optional<double> peak{};  ///< FLOP/s, where the back end does not know it
  bool quiet = false;
};

struct answer {
  std::string text;
  json document;
  std::string svg;  ///< of a job
};

/// Options of the program into a request, whose texts --help prints.
void add_options(CLI::App& app, request& asked);

/// Does what was asked on a device; `progress` takes a line before each measurement.
answer answer_of(const request& asked, backend& on, const std::function<void(const std::string&)>& progress = {});

}  // namespace harness
