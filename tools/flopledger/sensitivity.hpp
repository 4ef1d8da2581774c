// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// `flopledger sensitivity`: what more of each rate would give a training step.

#include "document.hpp"
#include "program.hpp"

namespace program {

struct sensitivity_request : training_request {
  double more = 10;  ///< per cent
};

reply sensitivity(const sensitivity_request& asked, output how);
document document_of_sensitivity(const json& answer);

}  // namespace program
