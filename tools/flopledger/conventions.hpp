// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Conventions and implementations by the names that the command line gives them.

#include <flopledger/counting/catalogue.hpp>
#include <flopledger/models/transformer.hpp>

#include <string>
#include <string_view>

namespace program {

/// By its name or its letter; an error that starts with the option where there is none.
const flopledger::counting::listed_convention& find_convention(const std::string& name, std::string_view option);

/// "Hugging Face GPT-2" is "hugging-face-gpt-2".
std::string option_name(std::string_view implementation);

/// By its name; as Hugging Face writes the architecture where none is given.
const flopledger::counting::implementation& find_implementation(const std::string& name,
                                                                const flopledger::transformer_config& model);

}  // namespace program
