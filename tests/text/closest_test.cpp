// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/text/closest.hpp>

#include <string>

#include "catch.hpp"

using flopledger::text::edits;
using flopledger::text::nearest;

namespace {
nearest<std::string_view> nearest_to(std::string_view asked, std::initializer_list<std::string_view> names) {
  nearest<std::string_view> found{asked};
  for (const std::string_view name : names) found.offer(name, edits(asked, name));
  return found;
}
}  // namespace

TEST_CASE("edits are letters changed, added or dropped") {
  CHECK(edits("kitten", "sitting") == 3);
  CHECK(edits("sitting", "kitten") == 3);
  CHECK(edits("", "abc") == 3);
  CHECK(edits("abc", "") == 3);
  CHECK(edits("abc", "abc") == 0);
  static_assert(edits("flaw", "lawn") == 2);
}

TEST_CASE("what is too long to be compared is far away") {
  const std::string endless(100'000, 'a');
  CHECK(edits(endless, "a") == 99'999);
  CHECK(edits("a", endless) == 99'999);
  CHECK(nearest_to(endless, {"a", "b"}).size == 0);
}

TEST_CASE("the three nearest stand best first, and the first of those alike before the next") {
  const auto found = nearest_to("abcdef", {"abcdxx", "abcdex", "abcdeg", "abcdef", "xxxdef"});
  REQUIRE(found.size == 3);
  CHECK(found.entries[0] == "abcdef");
  CHECK(found.entries[1] == "abcdex");
  CHECK(found.entries[2] == "abcdeg");
}

TEST_CASE("a third of the letters may be wrong, and of one or two letters one") {
  CHECK(nearest_to("abcdef", {"abcdxx"}).size == 1);
  CHECK(nearest_to("abcdef", {"abcxxx"}).size == 0);
  CHECK(nearest_to("a", {"b"}).size == 1);
  CHECK(nearest_to("", {"b"}).size == 0);
}
