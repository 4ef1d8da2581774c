// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// What the commands are asked, and what they answer. A command returns all that it prints, so that nothing is on
/// standard output when it fails on the way.

#include <flopledger/budget/traffic.hpp>
#include <flopledger/work.hpp>

#include <optional>
#include <stdexcept>
#include <string>

namespace program {

/// What the user gave cannot be answered: exit status 2.
struct usage_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What the user gave is right, and the machine failed: exit status 1.
struct failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

enum class output { people, json };

/// A model and a pass over it. What is left out takes the default that --help names.
struct work_request {
  std::string model;
  double batch = 1;
  std::optional<double> sequence{};  ///< new tokens a sequence
  std::optional<double> context{};   ///< tokens already cached
  std::optional<double> source{};    ///< encoder tokens a sequence
  double images = 0;                 ///< a sequence
  flopledger::attention_counting attention = flopledger::attention_counting::full;
  std::optional<flopledger::head_positions> head{};
  flopledger::product_counting products = flopledger::product_counting::conventional;
};

/// The same on a device.
struct report_request : work_request {
  std::string device;
  double devices = 1;
  const flopledger::recipe* recipe = nullptr;  ///< null: the checkpoint's quantization, or bf16
  flopledger::attention_kernel kernel = flopledger::attention_kernel::fused;
};

std::string count(const work_request& asked, output how);
std::string report(const report_request& asked, output how);
std::string list_models(output how);
std::string list_devices(output how);

}  // namespace program
