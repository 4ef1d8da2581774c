// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// Any bytes as a profile of any format: read or refused with the file's name, and what was read joins to a ledger with
// nothing lost.
#include <flopledger/profile/read.hpp>
#include <flopledger/profile/reconcile.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace profile = flopledger::profile;

void require(bool condition) {
  if (!condition) std::abort();
}

void read(const std::string& text, profile::format how) {
  std::istringstream stream(text);
  try {
    const profile::recording seen = profile::read(stream, "f", how);
    const std::vector<flopledger::entry> ledger{{.what = {.name = "up",
                                                          .kind = flopledger::operation::projection,
                                                          .shape = {.batch = 1, .m = 4, .n = 8, .k = 2},
                                                          .multiplied = 64.0 * flopledger::unit::mac,
                                                          .backward = {.input_products = 1, .weight_products = 1}}}};
    const auto all = profile::reconcile(seen, ledger, {.backward = true, .formats = {}, .on = {}});
    const double parts = (all.explained + all.known + all.mismatched + all.unnamed).value(), whole = all.total.value();
    require(!(std::abs(parts - whole) > 1e-9 * (1 + std::abs(whole)) && std::isfinite(whole) && std::abs(whole) < 1e6));
  } catch (const profile::unreadable& problem) {
    require(std::string_view(problem.what()).starts_with("f: "));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto how = static_cast<profile::format>(data[0] % 7);
  read(std::string(reinterpret_cast<const char*>(data) + 1, size - 1), how);
  return 0;
}
