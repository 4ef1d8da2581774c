// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The options of a training job, for whoever reads one.

#include "option_table.hpp"

namespace program {

void add_training_options(option_table& options, training_request& asked);

}  // namespace program
