// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// `flopledger reconcile`: a profile beside the ledger of the model that it was taken of.

#include <functional>
#include <string>

namespace CLI {
class App;
}

namespace program {

void add_reconcile(CLI::App& app, std::function<std::string()>& answer);

}  // namespace program
