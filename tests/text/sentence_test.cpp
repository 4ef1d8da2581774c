// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/text/sentence.hpp>

#include <cstring>
#include <limits>
#include <string>
#include <string_view>

#include "catch.hpp"

using namespace flopledger;

namespace {

std::string text_of(const sentence& said) { return {said.data(), said.size()}; }

}  // namespace

TEST_CASE("a sentence holds texts and whole numbers, in constant expressions too") {
  constexpr sentence said = [] {
    sentence made;
    made << "the job needs " << std::int64_t{152043} << " MiB";
    return made;
  }();
  CHECK(text_of(said) == "the job needs 152043 MiB");
  CHECK(std::strlen(said.c_str()) == said.size());
}

TEST_CASE("the ends of what an integer counts are in digits") {
  CHECK(text_of(sentence() << std::numeric_limits<std::int64_t>::min()) == "-9223372036854775808");
  CHECK(text_of(sentence() << std::numeric_limits<std::int64_t>::max()) == "9223372036854775807");
  CHECK(text_of(sentence() << std::int64_t{0}) == "0");
}

TEST_CASE("what exceeds its room is cut off, and it still ends") {
  const std::string_view part = "a part of forty letters that goes on   .";
  sentence long_one;
  for (int i = 0; i < 20; ++i) long_one << part;
  CHECK(long_one.size() < 20 * part.size());
  CHECK(std::strlen(long_one.c_str()) == long_one.size());
}
