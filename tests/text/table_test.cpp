// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/text/table.hpp>

#include "catch.hpp"

using flopledger::report::align;
using flopledger::report::table;

TEST_CASE("columns align, and no line ends with blanks") {
  table lines({{"name", align::left}, {"m×n", align::right}, {"note", align::left}});
  lines.add({"query", "4096×4096", ""});
  lines.add({"a longer name", "1×1", "last"});
  CHECK(lines.text(2) ==
        "  name                 m×n  note\n"
        "  query          4096×4096\n"
        "  a longer name        1×1  last\n");
}

TEST_CASE("a table without titles has no line for them, and missing cells are empty") {
  table lines({{"", align::left}, {"", align::right}});
  lines.add({"alone"});
  CHECK(lines.text() == "alone\n");
  CHECK(table({{"", align::left}}).text().empty());
}
