// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The whole library. Each header can be included alone; docs/guide.md says what is where.

#include <flopledger/budget/kv_cache.hpp>
#include <flopledger/budget/memory_account.hpp>
#include <flopledger/budget/roofline.hpp>
#include <flopledger/budget/traffic.hpp>
#include <flopledger/budget/weights.hpp>
#include <flopledger/guard.hpp>
#include <flopledger/hardware/catalogue.hpp>
#include <flopledger/hardware/device.hpp>
#include <flopledger/layers/attention.hpp>
#include <flopledger/layers/elementwise.hpp>
#include <flopledger/layers/embedding.hpp>
#include <flopledger/layers/feed_forward.hpp>
#include <flopledger/layers/linear.hpp>
#include <flopledger/layers/state_space.hpp>
#include <flopledger/ledger.hpp>
#include <flopledger/models/block_shape.hpp>
#include <flopledger/models/hugging_face.hpp>
#include <flopledger/models/pattern.hpp>
#include <flopledger/models/quantization.hpp>
#include <flopledger/models/transformer.hpp>
#include <flopledger/precision.hpp>
#include <flopledger/units.hpp>
#include <flopledger/work.hpp>
