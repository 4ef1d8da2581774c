// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// A job as C++ that a build asserts.

#include "training_job.hpp"

namespace program {

/// The guard on the job's memory, a translation unit; null where no guard says the same: where an option changes the
/// device's memory, the framework or the formats so that the job holds other bytes than by their names.
json guard_of(const training_job& job);

}  // namespace program
