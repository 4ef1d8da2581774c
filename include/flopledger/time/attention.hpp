// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The time of a fused attention kernel.

#include <flopledger/time/machine.hpp>

namespace flopledger {

/// Seconds of attention forward and backward.
struct attention_times {
  double forward = 0, backward = 0;
};

/// Times fused kernels on one machine: what is the same for all of them is worked out once. The machine must outlive
/// it.
class attention_timer {
 public:
  constexpr explicit attention_timer(const machine& on)
      : rates_(on.reached.attention),
        measured_(on.measured),
        a_flop_(1 / on.attention_peak.value()),
        half_launch_(on.reached.launch.value() / 2) {}

  /// One of the two products of a kernel: `amount` FLOPs of pairs that it computes, `moving` seconds for its bytes,
  /// `length` queries a sequence; `diagonal`: of the pairs, those of these queries with their own keys, whose blocks
  /// the ramp is of (not those with keys of earlier passes). Backward takes five products for these two (Dao 2023,
  /// section 3.1.2).
  constexpr attention_times product(double amount, double moving, double head_dim, double length, bool causal,
                                    double diagonal) const {
    double forward = 0, backward = 0;
    if (const attention_curve* curve = measured_.attention_of(causal); curve != nullptr) {
      forward = amount * curve->forward_flop(head_dim, length);
      backward = 2 * amount * curve->backward_flop(head_dim, length);
    } else {
      forward = amount * a_flop_ * (1 + diagonal * rates_.ramp / length) / rates_.of(head_dim);
      backward = 2.5 * forward / rates_.backward;
    }
    return {(forward > moving ? forward : moving) + half_launch_, backward + half_launch_};
  }
 private:
  const attention_rates& rates_;
  const measured_rates& measured_;
  double a_flop_, half_launch_;
};

/// Seconds of a fused kernel, both its products, whose forward pass does `forward` FLOPs and moves `moved` bytes.
constexpr attention_times attention_time(flops forward, bytes moved, double head_dim, double length, bool causal,
                                         const machine& on) {
  const double moving = moved.value() / (on.bandwidth.value() * on.reached.bandwidth);
  const attention_times half =
      attention_timer(on).product(forward.value() / 2, moving / 2, head_dim, length, causal, causal ? 1.0 : 0.0);
  return {2 * half.forward, 2 * half.backward};
}

}  // namespace flopledger
