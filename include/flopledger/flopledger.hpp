// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// What most builds assert with, at a quarter more than its Boost.Units headers cost a compiler
/// (benchmarks/compile_time.sh). Each header can be included alone, and what fewer builds need is not here:
///
/// - hardware/amd.hpp, google.hpp, intel.hpp, … : devices of other makers; hardware/catalogue.hpp: look-up by name
/// - models/zoo.hpp: the other families of models; models/catalogue.hpp: look-up by name
/// - models/hugging_face.hpp: the reader of config.json, which a header made by `flopledger_add_model` includes itself
/// - models/config_error.hpp: the reader's messages
/// - time/: roofline, step and serving times; parallel/: groups, collectives, transfers; utilisation.hpp
/// - memory/explain.hpp; evidence/: statistics, diagnosis; counting/: other tools' rules; profile/; text/

#include <flopledger/element_bytes.hpp>
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
#include <flopledger/memory/account.hpp>
#include <flopledger/memory/capacity.hpp>
#include <flopledger/memory/kv_cache.hpp>
#include <flopledger/memory/serving.hpp>
#include <flopledger/memory/training.hpp>
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
#include <flopledger/parallel/plan.hpp>
#include <flopledger/precision.hpp>
#include <flopledger/time/traffic.hpp>
#include <flopledger/units.hpp>
#include <flopledger/work.hpp>
