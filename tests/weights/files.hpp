// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Files of tests/data/weights, which write_files.py wrote, and bytes put together for files that nobody should write.

#include <flopledger/weights/tensor.hpp>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>

#include "catch.hpp"

namespace weights_test {

inline std::string path_of(const std::string& name) { return FLOPLEDGER_TEST_DATA "/weights/" + name; }

inline std::string content_of(const std::string& name) {
  std::ifstream file(path_of(name), std::ios::binary);
  REQUIRE(file);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// So many bytes, the lowest first.
inline std::string little_endian(std::uint64_t value, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += static_cast<char>(value >> (8 * i));
  return text;
}

/// What reading says: that of `read(stream, "f")`, or nothing.
template <class Read>
std::string refusal_of(const std::string& content, Read read) {
  std::istringstream stream(content);
  try {
    read(stream, "f");
  } catch (const flopledger::weights::unreadable& problem) {
    CHECK(std::string_view(problem.what()).find('\n') == std::string_view::npos);
    return problem.what();
  }
  return {};
}

inline const flopledger::weights::stored_tensor* find(const std::vector<flopledger::weights::stored_tensor>& all,
                                                      std::string_view name) {
  for (const auto& one : all)
    if (one.name == name) return &one;
  return nullptr;
}

}  // namespace weights_test
