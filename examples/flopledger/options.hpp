// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The options of each command. Each function adds its commands to the program; the one that is chosen fills `answer`.

#include <functional>
#include <string>

namespace CLI {
class App;
}

namespace program {

void add_report(CLI::App& app, std::function<std::string()>& answer);
void add_count(CLI::App& app, std::function<std::string()>& answer);
void add_lists(CLI::App& app, std::function<std::string()>& answer);

}  // namespace program
