// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// AMD GPUs, and EPYC.

#include <flopledger/hardware/device.hpp>

namespace flopledger::hardware {
#define FLOPLEDGER_DEVICE FLOPLEDGER_DEVICE_TYPE
#include <flopledger/hardware/devices/amd.inc>
#undef FLOPLEDGER_DEVICE
}  // namespace flopledger::hardware
