// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// NVIDIA GeForce boards below the two that nvidia.hpp has.

#include <flopledger/hardware/device.hpp>

namespace flopledger::hardware {
#define FLOPLEDGER_DEVICE FLOPLEDGER_DEVICE_TYPE
#include <flopledger/hardware/devices/geforce.inc>
#undef FLOPLEDGER_DEVICE
}  // namespace flopledger::hardware
