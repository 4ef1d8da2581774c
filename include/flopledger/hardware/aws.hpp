// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// AWS Trainium and Inferentia, by chip.

#include <flopledger/hardware/device.hpp>

namespace flopledger::hardware {
#define FLOPLEDGER_DEVICE FLOPLEDGER_DEVICE_TYPE
#include <flopledger/hardware/devices/aws.inc>
#undef FLOPLEDGER_DEVICE
}  // namespace flopledger::hardware
