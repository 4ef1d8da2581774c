// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// What of a communication is seen beside computation.

#include <flopledger/units.hpp>

namespace flopledger {

/// What of a communication's time is left to see where a share of it runs beside computation, which must last for it: a
/// communication cannot hide behind less computation than itself.
constexpr double exposed_time(double communication, double overlapped_share, double beside) {
  const double hidden = overlapped_share * communication;
  return communication - (hidden < beside ? hidden : beside);
}
constexpr seconds exposed_time(seconds communication, double overlapped_share, seconds beside) {
  return exposed_time(communication.value(), overlapped_share, beside.value()) * unit::second;
}
/// The same where there is computation enough.
constexpr seconds exposed_time(seconds communication, double overlapped_share) {
  return (1 - overlapped_share) * communication;
}

}  // namespace flopledger
