// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// What a build asserts with: everything that is known at compile time. Each header can be included alone.
///
/// What programs need at run time stands beside it, for it costs a compiler more: models/catalogue.hpp and
/// hardware/catalogue.hpp (look-up by name), models/config_error.hpp (messages about a config.json),
/// planning/explain.hpp, counting/, report/.

#include <flopledger/budget/kv_cache.hpp>
#include <flopledger/budget/memory.hpp>
#include <flopledger/budget/memory_account.hpp>
#include <flopledger/budget/roofline.hpp>
#include <flopledger/budget/serving_memory.hpp>
#include <flopledger/budget/traffic.hpp>
#include <flopledger/budget/weights.hpp>
#include <flopledger/guard.hpp>
#include <flopledger/hardware/amd.hpp>
#include <flopledger/hardware/apple.hpp>
#include <flopledger/hardware/aws.hpp>
#include <flopledger/hardware/device.hpp>
#include <flopledger/hardware/google.hpp>
#include <flopledger/hardware/huawei.hpp>
#include <flopledger/hardware/intel.hpp>
#include <flopledger/hardware/nvidia.hpp>
#include <flopledger/hardware/others.hpp>
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
#include <flopledger/models/zoo.hpp>
#include <flopledger/plan.hpp>
#include <flopledger/planning/capacity.hpp>
#include <flopledger/precision.hpp>
#include <flopledger/units.hpp>
#include <flopledger/work.hpp>
