// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The profiles of tests/data/profiles and the models that they were taken of.

#include <flopledger/models/config_error.hpp>
#include <flopledger/models/hugging_face.hpp>
#include <flopledger/profile/read.hpp>
#include <flopledger/profile/reconcile.hpp>

#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "catch.hpp"

namespace test {

inline std::string path_of(const std::string& name) { return FLOPLEDGER_TEST_DATA "/profiles/" + name; }

inline std::string content_of(const std::string& name) {
  std::ifstream file(path_of(name), std::ios::binary);
  if (!file) throw std::runtime_error(path_of(name) + ": cannot be opened");
  return {std::istreambuf_iterator<char>(file), {}};
}

inline flopledger::profile::recording recording_of(const std::string& name) {
  std::ifstream file(path_of(name), std::ios::binary);
  return flopledger::profile::read(file, name);
}

inline flopledger::profile::recording read_text(const std::string& text, flopledger::profile::format what = {},
                                                const flopledger::profile::rules& names = {}) {
  std::istringstream stream(text);
  return flopledger::profile::read(stream, "given", what, names);
}

/// What is wrong with a text; empty where nothing is.
inline std::string complaint_about(const std::string& text, flopledger::profile::format what = {}) {
  try {
    read_text(text, what);
  } catch (const flopledger::profile::unreadable& problem) {
    return problem.what();
  }
  return "";
}

inline std::vector<flopledger::entry> ledger_of(const std::string& config, const flopledger::work& asked) {
  const std::string text = content_of(config);
  std::vector<flopledger::entry> rows;
  flopledger::stored_in sink{rows};
  flopledger::require_config(text, config).config.record(sink, asked);
  return rows;
}

inline double flops_counted(const std::string& name) {
  return nlohmann::json::parse(content_of(name)).at("products").get<double>();
}

/// Equal but for rounding.
inline auto near(double value) { return Catch::Matchers::WithinRel(value, 1e-9); }

/// Whether a text has every one of the parts.
template <class... Parts>
bool says(const std::string& text, Parts... parts) {
  return ((text.find(parts) != std::string::npos) && ...);
}

inline const flopledger::profile::row_finding& row_of(const flopledger::profile::reconciliation& all,
                                                      std::string_view name) {
  for (const flopledger::profile::row_finding& one : all.rows)
    if (one.what.what.name == name) return one;
  throw std::runtime_error("no row " + std::string(name));
}

inline flopledger::profile::activity_time time_of(const flopledger::profile::reconciliation& all,
                                                  flopledger::profile::activity what) {
  for (const flopledger::profile::activity_time& one : all.activities)
    if (one.what == what) return one;
  return {};
}

}  // namespace test
