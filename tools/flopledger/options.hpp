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

struct training_request;
struct serving_request;

void add_report(CLI::App& app, std::function<std::string()>& answer);
void add_count(CLI::App& app, std::function<std::string()>& answer);
void add_mfu(CLI::App& app, std::function<std::string()>& answer);
void add_explain(CLI::App& app, std::function<std::string()>& answer);
void add_lists(CLI::App& app, std::function<std::string()>& answer);

/// Options of a job on devices that several commands share.
void add_training_options(CLI::App& command, training_request& asked);
void add_serving_options(CLI::App& command, serving_request& asked);

}  // namespace program
