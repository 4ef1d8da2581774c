// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/memory/kv_cache.hpp>
#include <flopledger/models/zoo/others.hpp>

#include "known_models.hpp"
#include "quantities.hpp"
#include "random_shapes.hpp"

namespace fl = flopledger;

TEST_CASE("a cache holds what was read and no more than a window") {
  test::random_shapes random{6};
  for (int i = 0; i < 200; ++i) {
    const fl::block_shape shape = random.decoder();
    const auto batch = static_cast<double>(random.between(1, 4)), context = static_cast<double>(random.between(1, 40));
    std::int64_t tokens_kept = 0;  // layer by layer
    for (std::int64_t layer = 0; layer < shape.layers; ++layer) {
      const auto total = static_cast<std::int64_t>(context) + 1;
      tokens_kept += shape.windowed.contains(layer) && shape.window < total ? shape.window : total;
    }
    INFO("draw " << i);
    CHECK(fl::kv_cache_bytes(known_models::decoder(shape), fl::decode_step(batch, context), fl::int8::format).value() ==
          batch * static_cast<double>(tokens_kept * 2 * shape.kv_heads * shape.head_dim));
  }
}

TEST_CASE("a state keeps its own format, whatever the cache has") {
  // Falcon-Mamba-7B: 64 layers, 8192 wide, 16 of state and 4 of convolution, 16 bits each (vllm-project/vllm #55196).
  fl::recipe precision = fl::recipes::bf16::value;
  precision.kv_cache = fl::fp8_e4m3::format;
  const auto cached = [&] {
    return fl::kv_cache_bytes(fl::models::falcon_mamba_7b::config, fl::forward(1, 16), precision.kv_cache,
                              precision.state())
        .value();
  };
  CHECK(cached() == 20'971'520);
  precision.recurrent_state = fl::fp32::format;
  CHECK(cached() == 2 * 20'971'520);
}
