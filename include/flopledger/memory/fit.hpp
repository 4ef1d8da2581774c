// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// What people ask first, without a plan in mind: does it fit on this device, how many at once, how long, in which
/// formats, on how few devices.

#include <flopledger/hardware/formats.hpp>
#include <flopledger/memory/remedies.hpp>

namespace flopledger {

/// What memory leaves of a service.
struct serving_fit {
  memory_account needed{};  ///< of the load that was asked for
  bool fits = false;
  std::int64_t most_sequences = 0;   ///< at once, of this context
  std::int64_t longest_context = 0;  ///< of so many sequences at once; `unlimited` where nothing grows with it
  std::int64_t fewest_devices = 0;   ///< tensor ranks on which the load fits; 0: none, up to 64
};

/// Of `concurrency` sequences of `context` tokens in `available` bytes of a device. Throws `impossible_plan` where the
/// setup cannot be.
template <class Model>
constexpr serving_fit fit_of(const Model& model, const serving_setup& setup, std::int64_t concurrency,
                             std::int64_t context, bytes available) {
  const serving_memory memory(model, setup);
  serving_fit found{.needed = memory.worst(concurrency, context)};
  found.fits = found.needed.total() <= available;
  found.most_sequences = memory.largest_concurrency(available, context);
  found.longest_context = memory.largest_context(available, concurrency);
  found.fewest_devices = fewest_tensor_devices(model, setup, available, concurrency, context);
  return found;
}

/// What memory leaves of a training job.
struct training_fit {
  memory_account needed{};  ///< of the fullest stage
  bool fits = false;
  std::int64_t largest_micro_batch = 0;
  std::int64_t longest_sequence = 0;  ///< of this micro-batch; `unlimited` where nothing grows with it
  std::int64_t fewest_devices = 0;    ///< with weights sharded over data ranks (ZeRO-3); 0: none, up to 65536
};

/// Of a job on a device with so much memory. Throws `impossible_plan` where the plan cannot be.
template <class Model>
constexpr training_fit fit_of(const Model& model, const training_setup& setup, const memory_limit& limit) {
  training_fit found{.needed = training_memory(model, setup).worst()};
  const bytes available = limit.available(setup);
  found.fits = found.needed.total() <= available;
  found.largest_micro_batch = largest_micro_batch(model, setup, available);
  found.longest_sequence = largest_sequence(model, setup, available);
  training_setup sharded = setup;
  sharded.plan.sharding = zero::weights;
  const plan& p = setup.plan;
  found.fewest_devices =
      found.fits ? p.devices()
                 : fewest_data_ranks(model, sharded, limit.available(sharded)) * p.tensor * p.pipeline * p.context;
  return found;
}

/// The formats in which engines serve a model, from wide to narrow.
inline constexpr const recipe* serving_formats[] = {&recipes::bf16::value, &recipes::w8a8_fp8::value,
                                                    &recipes::w8a16::value, &recipes::w4a16::value,
                                                    &recipes::w4a4_nvfp4::value};

/// Whether a device has what a format of `serving_formats` is for: products in 16 bits, which any device has in some
/// way, or in fewer.
template <class Device = accelerator>
constexpr bool serves_in(const Device& device, const recipe& format) {
  return format.compute.bits >= 16 || dense_peak_figure(device, format.compute.kind).is_known();
}

/// A way to train: all parameters, or adapters beside a frozen base; keeping what the backward pass needs, or not.
struct training_way {
  const recipe* formats = nullptr;
  std::int64_t adapter_rank = 0;  ///< 0: all parameters are trained
  recompute again = recompute::full;
};
/// From what takes most to what takes least: mixed precision, 16 bits throughout, LoRA and QLoRA, blocks computed
/// again. Of rank 16, which is usual; the base and what is kept for the backward pass decide, not the rank.
inline constexpr training_way training_ways[] = {{&recipes::mixed_bf16::value, 0},
                                                 {&recipes::bf16::value, 0},
                                                 {&recipes::mixed_bf16::value, 16},
                                                 {&recipes::qlora::value, 16}};

}  // namespace flopledger
