// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include "device_choice.hpp"

#include <flopledger/hardware/efficiency.hpp>
#include <flopledger/hardware/formats.hpp>
#include <flopledger/memory/kv_cache.hpp>
#include <flopledger/memory/remedies.hpp>
#include <flopledger/text/number.hpp>

#include <limits>

#include <fmt/format.h>

namespace program {
namespace {

using namespace flopledger;

/// What a checkpoint's own storage is computed with: weights whose activations are narrowed too are fed to the matrix
/// unit as they are, others are widened first.
recipe recipe_of(const weight_storage& storage) {
  return {.name = name_of(storage.method),
          .weights = storage.dtype,
          .other_weights = storage.dtype,
          .activations = storage.dtype,
          .compute = storage.inputs.bits > 0 ? storage.inputs : storage.dtype,
          .kv_cache = storage.kv_cache.bits > 0 ? storage.kv_cache : storage.dtype};
}

std::string without_peak(const accelerator& device, const recipe& asked) {
  std::string possible;
  for (const recipe* known : recipes::all)
    if (dense_peak_figure(device, known->compute.kind).is_known())
      (possible += possible.empty() ? "" : ", ") += known->name;
  std::string text{std::string_view(device.id)};
  text.append(": no dense ").append(flopledger::name_of(asked.compute.kind));
  text.append(" peak is published, and recipe ").append(asked.name).append(" computes in it; ");
  text += possible.empty() ? "nor one for any other recipe" : "--recipe may be " + possible;
  return text.append("; --peak ").append(flopledger::name_of(asked.compute.kind)).append("=TFLOP/s says it");
}

}  // namespace

chosen_recipe recipe_for_serving(const subject& model, const recipe* asked, const accelerator& device) {
  if (asked != nullptr) return {run_on(device, *asked), false};
  if (model.description.storage.method != quantization_method::none)
    return {run_widened_on(device, recipe_of(model.description.storage)), true};
  // What 16 bits nobody said: FP16 where there is no BF16, as engines take it there.
  const bool half = !device.bf16.is_known() && device.fp16.is_known();
  return {run_on(device, half ? recipes::fp16::value : recipes::bf16::value), false};
}

chosen_recipe formats_to_serve(const subject& model, const recipe* asked, const number_format* kv_cache,
                               const accelerator& device) {
  refuse_what_does_not_serve(model);
  chosen_recipe chosen = recipe_for_serving(model, asked, device);
  if (kv_cache != nullptr) chosen.precision.kv_cache = *kv_cache;
  return chosen;
}

figure<flop_rate> peak_for(const accelerator& device, const recipe& precision) {
  const figure<flop_rate> peak = dense_peak_figure(device, precision.compute.kind);
  if (!peak.is_known()) throw usage_error(without_peak(device, precision));
  require_bandwidth(device);
  return peak;
}

void require_bandwidth(const accelerator& device) {
  if (device.memory_bandwidth.is_known()) return;
  throw usage_error(std::string(std::string_view(device.id)) +
                    ": its memory bandwidth is not published; --bandwidth says it in GB/s");
}

known_rates rates_known(const accelerator& device, const recipe& precision) {
  return {dense_peak_figure(device, precision.compute.kind).is_known(), device.memory_bandwidth.is_known()};
}

accelerator bounding(accelerator device, const recipe& precision) {
  const known_rates known = rates_known(device, precision);
  constexpr double unlimited_rate = std::numeric_limits<double>::infinity();
  if (!known.peak) device.*peak_member(precision.compute.kind) = {unlimited_rate, publication::doubtful};
  if (!known.bandwidth) device.memory_bandwidth = {unlimited_rate, publication::doubtful};
  return device;
}

std::string without_times(const accelerator& device, const recipe& precision) {
  const known_rates known = rates_known(device, precision);
  std::string lacking;
  if (!known.peak) {
    const std::string_view format = flopledger::name_of(precision.compute.kind);
    lacking = fmt::format("the dense {} peak (--peak {}=TFLOP/s says it)", format, format);
  }
  if (!known.bandwidth)
    lacking.append(lacking.empty() ? "" : " and ").append("the memory's bandwidth (--bandwidth says it in GB/s)");
  return fmt::format("of {} nobody published {}", std::string_view(device.id), lacking);
}

const figure<bytes>& memory_of(const accelerator& device) {
  return memory_is_nominal(device) ? device.nominal_memory : device.usable_memory;
}

std::string described(const accelerator& device, double devices) {
  return fmt::format("{}{}{}{} ({})", devices > 1 ? report::in_full(devices) + " × " : "",
                     std::string_view(device.vendor), device.vendor.empty() ? "" : " ",
                     std::string_view(device.product), std::string_view(device.id));
}

budget budget_of(const accelerator& device, std::int64_t usable_per_mille) {
  budget found{.usable_per_mille = usable_per_mille};
  const figure<bytes>& memory = memory_of(device);
  if (!memory.is_known()) return found;
  found.device = memory.value();
  found.available = memory_limit{memory.value()}.usable(usable_per_mille);
  return found;
}

node node_for(const accelerator& device, const link_request& asked, std::int64_t devices) {
  node found = node_of(device, 8);
  if (asked.in != nullptr) {
    if (asked.in->device->id != std::string_view(device.id))
      throw usage_error(fmt::format("--node: {} holds {}, not {}", std::string_view(asked.in->id),
                                    std::string_view(asked.in->device->id), std::string_view(device.id)));
    found = *asked.in;
  } else {
    for (const node* known : hardware::nodes) {
      if (known->device->id != std::string_view(device.id)) continue;
      found = *known;
      break;
    }
  }
  // Boards without a link of their own reach one another through the host's bridges.
  const bool pairs = std::string_view(found.scale_up.name).find("(pair)") != std::string_view::npos;
  if ((found.scale_up.send.value() <= 0 || (pairs && devices > 2)) && found.host.send.value() > 0) {
    const bool fifth = found.host.send.value() > 40e9;
    found.scale_up = host_link_of(device, fifth ? reached::pcie_5 : reached::pcie_4);
  }
  if (asked.devices_a_node) found.devices = *asked.devices_a_node;
  const auto set = [](interconnect& link, double rate) {
    link.send = link.receive = link.to_one_peer = rate * (unit::byte / unit::second);
  };
  if (asked.scale_up) set(found.scale_up, *asked.scale_up * 1e9);
  if (asked.network) set(found.scale_out, *asked.network * 1e9 / 8);
  return found;
}

void require_links(const node& in, std::int64_t devices) {
  if (devices > 1 && in.devices > 1 && in.scale_up.send.value() <= 0)
    throw usage_error(fmt::format("{}: the link between its devices is not published; --scale-up says it in GB/s",
                                  std::string_view(in.id)));
  if (devices > in.devices && in.scale_out.send.value() <= 0)
    throw usage_error(fmt::format(
        "{}: {} devices are more than the {} of a node, and its network is not published; --network says it in Gb/s",
        std::string_view(in.id), devices, in.devices));
}

std::string described(const node& in) {
  const auto link = [](const interconnect& one) {
    return one.send.value() <= 0 ? std::string("none published")
                                 : fmt::format("{} {}", std::string_view(one.name), report::scaled(one.send));
  };
  return fmt::format("{}: {}; inside {}, network {}, one way a device", std::string_view(in.id),
                     counted(in.devices, "device"), link(in.scale_up), link(in.scale_out));
}

std::string described(const efficiency& reached) {
  return fmt::format("constants {}: {}", flopledger::name_of(reached.how), reached.source);
}

json as_json(const efficiency& reached) {
  json constants;
  constants["standing"] = flopledger::name_of(reached.how);
  constants["source"] = reached.source;
  return constants;
}

}  // namespace program
