// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Google TPUs, by chip (two TensorCores a chip in v2 to v4, v5p and v7).

#include <flopledger/hardware/device.hpp>

namespace flopledger::hardware {
#define FLOPLEDGER_DEVICE FLOPLEDGER_DEVICE_TYPE
#include <flopledger/hardware/devices/google.inc>
#undef FLOPLEDGER_DEVICE
}  // namespace flopledger::hardware
