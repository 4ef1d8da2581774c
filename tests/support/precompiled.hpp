// What most tests include, read once where headers are precompiled; tests name their headers all the same.
#pragma once

#include <flopledger/flopledger.hpp>
#include <flopledger/hardware/cluster.hpp>
#include <flopledger/memory/kv_cache.hpp>
#include <flopledger/models/block_shape.hpp>
#include <flopledger/models/catalogue.hpp>
#include <flopledger/models/zoo/llama.hpp>
#include <flopledger/time/serving.hpp>
#include <flopledger/time/step.hpp>

#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include <nlohmann/json.hpp>

#include "catch.hpp"
