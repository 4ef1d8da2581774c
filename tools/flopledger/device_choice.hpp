// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The device that a command is about, the formats it computes in, and the links around it.

#include <flopledger/hardware/device.hpp>
#include <flopledger/hardware/efficiency.hpp>
#include <flopledger/parallel/groups.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "json.hpp"
#include "subject.hpp"

namespace program {

/// A device of the catalogue, or a board of one's own, which stays where it is while a command answers.
const flopledger::accelerator& find_device(const device_request& asked);
/// Where a peak of such products stands: what `dense_peak_figure` reads.
flopledger::figure<flopledger::flop_rate> flopledger::accelerator::*peak_member(flopledger::number_kind kind);

/// A recipe, or how a checkpoint is stored where the user named none.
struct chosen_recipe {
  flopledger::recipe precision{};
  bool by_checkpoint = false;  ///< weights are as the config.json's quantization has them
};
chosen_recipe recipe_for_serving(const subject& model, const flopledger::recipe* asked,
                                 const flopledger::accelerator& device);

/// The same with the format of the cache, where the user named one; refuses a model that does not generate tokens.
chosen_recipe formats_to_serve(const subject& model, const flopledger::recipe* asked,
                               const flopledger::number_format* kv_cache, const flopledger::accelerator& device);

/// The dense peak of what the recipe computes in, for what cannot do without it and the memory's bandwidth: an error
/// where either is not published.
flopledger::figure<flopledger::flop_rate> peak_for(const flopledger::accelerator& device,
                                                   const flopledger::recipe& precision);
void require_bandwidth(const flopledger::accelerator& device);

/// Which rates of a recipe are published. Times are predicted from both; a floor is known by either.
struct known_rates {
  bool peak = false, bandwidth = false;
  bool both() const { return peak && bandwidth; }
  bool any() const { return peak || bandwidth; }
};
known_rates rates_known(const flopledger::accelerator& device, const flopledger::recipe& precision);
/// The device with no bound where nobody published one, so that floors are those of what is known.
flopledger::accelerator bounding(flopledger::accelerator device, const flopledger::recipe& precision);
/// Why no times are predicted, and which options would say what is missing.
std::string without_times(const flopledger::accelerator& device, const flopledger::recipe& precision);

/// What tools report of the device's memory, or the label where nobody published that.
const flopledger::figure<flopledger::bytes>& memory_of(const flopledger::accelerator& device);
inline bool memory_is_nominal(const flopledger::accelerator& device) { return !device.usable_memory.is_known(); }

/// "NVIDIA H100 SXM5 80GB (h100-sxm5-80gb)", several of them where there are.
std::string described(const flopledger::accelerator& device, double devices);

/// Thousandths of a device's memory that the guard lets a job fill, where its framework leaves as much.
inline constexpr std::int64_t guarded_per_mille = 950;

/// The share of a device's memory that a job may fill: the guard's margin (docs/accuracy.md), in whole MiB as there.
struct budget {
  std::optional<flopledger::bytes> device{};     ///< what the device has; none where it is not published
  std::optional<flopledger::bytes> available{};  ///< what is left of it
  std::int64_t usable_per_mille = guarded_per_mille;
  bool fits(double needed) const { return available && needed <= available->value(); }
};
budget budget_of(const flopledger::accelerator& device, std::int64_t usable_per_mille);

/// The node that `devices` of a kind usually stand in: one of the library's, or its data sheet's links, eight to a
/// node. A bridge joins two boards; more of them meet on the host's bus.
flopledger::node node_for(const flopledger::accelerator& device, const link_request& asked, std::int64_t devices);
/// Refuses a job over links that nobody published.
void require_links(const flopledger::node& in, std::int64_t devices);
/// "dgx-h100: 8 devices, NVLink 4 450 GB/s, InfiniBand NDR 50 GB/s one way".
std::string described(const flopledger::node& in);

/// How the constants of a prediction are known, and on whose measurements they rest: a line and an object.
std::string described(const flopledger::efficiency& reached);
json as_json(const flopledger::efficiency& reached);

/// "?" behind a doubtful figure.
constexpr const char* doubt(bool is_doubtful) { return is_doubtful ? "?" : ""; }

}  // namespace program
