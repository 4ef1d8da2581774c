// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Well-known models as types. Nothing of a model is evaluated before it is used, so including all of them is cheap.
/// `models/catalogue.hpp` finds them by name at run time.

#include <flopledger/models/zoo/classic.hpp>
#include <flopledger/models/zoo/cohere.hpp>
#include <flopledger/models/zoo/deepseek.hpp>
#include <flopledger/models/zoo/encoders.hpp>
#include <flopledger/models/zoo/gemma.hpp>
#include <flopledger/models/zoo/glm.hpp>
#include <flopledger/models/zoo/gpt.hpp>
#include <flopledger/models/zoo/llama.hpp>
#include <flopledger/models/zoo/mistral.hpp>
#include <flopledger/models/zoo/olmo.hpp>
#include <flopledger/models/zoo/others.hpp>
#include <flopledger/models/zoo/phi.hpp>
#include <flopledger/models/zoo/qwen.hpp>
