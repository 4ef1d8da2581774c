// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/counting/implementation.hpp>
#include <flopledger/engines.hpp>
#include <flopledger/frameworks.hpp>

#include "catch.hpp"

namespace {

using namespace flopledger;

/// True where each entry is found by its own name: no two of a list share one.
template <class Entries, class Find>
bool each_is_found(const Entries& all, const Find& find) {
  for (const auto* entry : all)
    if (find(entry->name) != entry) return false;
  return find(std::string_view("no such name")) == nullptr && find(std::string_view{}) == nullptr;
}

}  // namespace

TEST_CASE("a catalogue finds each of its entries by name, and nothing by another") {
  CHECK(each_is_found(recipes::all, [](auto name) { return recipes::find(name); }));
  CHECK(each_is_found(optimizers::all, [](auto name) { return optimizers::find(name); }));
  CHECK(each_is_found(frameworks::all, [](auto name) { return frameworks::find(name); }));
  CHECK(each_is_found(engines::all, [](auto name) { return engines::find(name); }));
  CHECK(each_is_found(written_in::all, [](auto name) { return written_in::find(name); }));
}
