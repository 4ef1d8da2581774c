// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// With --expt-relaxed-constexpr device code calls the library's constexpr functions.

#include <flopledger/flopledger.hpp>

using namespace flopledger;

__global__ void counted(double* out, std::int64_t tokens) {
  out[0] = total<&row::multiplied>(feed_forward{.hidden = 4096, .intermediate = 14336}, forward(1, tokens)).value();
  out[1] = recipes::qlora::value.frozen().bytes_per_element();
  constexpr double bytes = bf16::format.bytes_per_element();
  out[2] = bytes;
}

void launch(double* out, std::int64_t tokens) { counted<<<1, 1>>>(out, tokens); }
