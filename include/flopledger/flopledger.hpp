// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// What most builds assert with, at a quarter more than its Boost.Units headers cost a compiler
/// (benchmarks/compile_time.sh). Each header can be included alone, and what fewer builds need is not here:
///
/// - hardware/amd.hpp, google.hpp, intel.hpp, … : devices of other makers; hardware/catalogue.hpp: look-up by name
/// - models/zoo.hpp: the other families of models; models/catalogue.hpp: look-up by name
/// - models/hugging_face.hpp: the config.json reader, which the header that `flopledger_add_model` makes includes
/// itself;
///   models/config_error.hpp: its messages
/// - budget/roofline.hpp, step_time.hpp, serving_time.hpp, communication.hpp, utilisation.hpp: time
/// - planning/explain.hpp, statistics.hpp, diagnosis.hpp; counting/; report/

#include <flopledger/budget/kv_cache.hpp>
#include <flopledger/budget/memory.hpp>
#include <flopledger/budget/memory_account.hpp>
#include <flopledger/budget/serving_memory.hpp>
#include <flopledger/budget/traffic.hpp>
#include <flopledger/budget/weights.hpp>
#include <flopledger/guard.hpp>
#include <flopledger/hardware/device.hpp>
#include <flopledger/hardware/nvidia.hpp>
#include <flopledger/layers/attention.hpp>
#include <flopledger/layers/elementwise.hpp>
#include <flopledger/layers/embedding.hpp>
#include <flopledger/layers/feed_forward.hpp>
#include <flopledger/layers/linear.hpp>
#include <flopledger/layers/state_space.hpp>
#include <flopledger/ledger.hpp>
#include <flopledger/models/block_shape.hpp>
#include <flopledger/models/lora.hpp>
#include <flopledger/models/model.hpp>
#include <flopledger/models/pattern.hpp>
#include <flopledger/models/quantization.hpp>
#include <flopledger/models/transformer.hpp>
#include <flopledger/models/zoo/deepseek.hpp>
#include <flopledger/models/zoo/llama.hpp>
#include <flopledger/models/zoo/mistral.hpp>
#include <flopledger/models/zoo/qwen.hpp>
#include <flopledger/plan.hpp>
#include <flopledger/planning/capacity.hpp>
#include <flopledger/precision.hpp>
#include <flopledger/units.hpp>
#include <flopledger/work.hpp>
