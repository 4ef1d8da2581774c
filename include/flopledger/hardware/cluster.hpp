// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Nodes and clusters: devices that share a scale-up domain, and how domains reach one another.

#include <flopledger/hardware/amd.hpp>
#include <flopledger/hardware/google.hpp>
#include <flopledger/hardware/intel.hpp>
#include <flopledger/hardware/links.hpp>
#include <flopledger/hardware/nvidia.hpp>

namespace flopledger {

/// Devices that share a scale-up domain, and how the domain reaches others.
struct node {
  label id{};
  const accelerator* device = nullptr;
  std::int64_t devices = 1;
  interconnect scale_up{};    ///< of one device
  interconnect scale_out{};   ///< of one device: its share of the node's network adapters
  interconnect host{};        ///< of one device
  std::int64_t adapters = 0;  ///< of the network
};

/// A node is a type with `static constexpr node value`, and with the device's type as `device`.
template <class Node>
concept node_type = accelerator_type<typename Node::device> && requires {
  requires std::same_as<std::remove_cvref_t<decltype(Node::value)>, node>;
};

/// Alike nodes, as a value.
struct cluster_value {
  flopledger::node node{};
  std::int64_t nodes = 1;
  constexpr std::int64_t devices() const { return nodes * node.devices; }
};

/// Alike nodes, as a type: `cluster<hardware::dgx_h100, 4>`.
template <class Node, std::int64_t Nodes = 1>
struct cluster {
  static_assert(node_type<Node>, "not a node: it needs a type `device` and `static constexpr flopledger::node value`");
  static_assert(Nodes > 0, "a cluster has at least one node");
  using device = typename Node::device;
  static constexpr cluster_value value{Node::value, Nodes};
  static constexpr double devices = static_cast<double>(value.devices());
};

/// Peak and bandwidth of all its devices together.
template <class Format, class Node, std::int64_t Nodes, sparsity Mode, accumulation Sums>
inline constexpr flop_rate peak_of<Format, cluster<Node, Nodes>, Mode, Sums> =
    cluster<Node, Nodes>::devices* peak_of<Format, typename Node::device, Mode, Sums>;
template <class Node, std::int64_t Nodes>
inline constexpr byte_rate memory_bandwidth<cluster<Node, Nodes>> =
    cluster<Node, Nodes>::devices* memory_bandwidth<typename Node::device>;

namespace hardware {
/// NVIDIA DGX-1 with V100: NVLink in a hybrid cube mesh, four 100 Gb/s adapters.
struct dgx1_v100 {
  using device = v100_sxm2_32gb;
  static constexpr node value{.id = "dgx1-v100",
                              .device = &device::value,
                              .devices = 8,
                              .scale_up = scale_up_of(device::value, reached::nvlink_2),
                              .scale_out = network_of(device::value, "InfiniBand EDR"),
                              .host = host_link_of(device::value, reached::pcie_4),
                              .adapters = 4};
};
/// NVIDIA DGX A100: eight 200 Gb/s adapters. HGX boards of eight have the same links inside.
struct dgx_a100 {
  using device = a100_sxm4_80gb;
  static constexpr node value{.id = "dgx-a100",
                              .device = &device::value,
                              .devices = 8,
                              .scale_up = scale_up_of(device::value, reached::nvlink_3),
                              .scale_out = network_of(device::value, "InfiniBand HDR"),
                              .host = host_link_of(device::value, reached::pcie_4),
                              .adapters = 8};
};
struct dgx_a100_40gb {
  using device = a100_sxm4_40gb;
  static constexpr node value{.id = "dgx-a100-40gb",
                              .device = &device::value,
                              .devices = 8,
                              .scale_up = scale_up_of(device::value, reached::nvlink_3),
                              .scale_out = network_of(device::value, "InfiniBand HDR"),
                              .host = host_link_of(device::value, reached::pcie_4),
                              .adapters = 8};
};
/// NVIDIA DGX H100: eight 400 Gb/s adapters.
struct dgx_h100 {
  using device = h100_sxm5_80gb;
  static constexpr node value{.id = "dgx-h100",
                              .device = &device::value,
                              .devices = 8,
                              .scale_up = scale_up_of(device::value, reached::nvlink_4, reached::nvlink_4_in_switch),
                              .scale_out = network_of(device::value, "InfiniBand NDR"),
                              .host = host_link_of(device::value, reached::pcie_5),
                              .adapters = 8};
};
struct dgx_h200 {
  using device = h200_sxm5_141gb;
  static constexpr node value{.id = "dgx-h200",
                              .device = &device::value,
                              .devices = 8,
                              .scale_up = scale_up_of(device::value, reached::nvlink_4, reached::nvlink_4_in_switch),
                              .scale_out = network_of(device::value, "InfiniBand NDR"),
                              .host = host_link_of(device::value, reached::pcie_5),
                              .adapters = 8};
};
struct dgx_b200 {
  using device = b200_sxm;
  static constexpr node value{.id = "dgx-b200",
                              .device = &device::value,
                              .devices = 8,
                              .scale_up = scale_up_of(device::value, reached::nvlink_5, reached::nvlink_5_in_switch),
                              .scale_out = network_of(device::value, "InfiniBand NDR"),
                              .host = host_link_of(device::value, reached::pcie_5),
                              .adapters = 8};
};
/// NVIDIA DGX B300: 800 Gb/s a device.
struct dgx_b300 {
  using device = b300_sxm;
  static constexpr node value{.id = "dgx-b300",
                              .device = &device::value,
                              .devices = 8,
                              .scale_up = scale_up_of(device::value, reached::nvlink_5, reached::nvlink_5_in_switch),
                              .scale_out = network_of(device::value, "InfiniBand XDR"),
                              .host = host_link_of(device::value, reached::pcie_5),
                              .adapters = 8};
};
/// NVIDIA GB200 NVL72: a rack is one NVLink domain.
struct gb200_nvl72_rack {
  using device = gb200_nvl72;
  static constexpr node value{.id = "gb200-nvl72-rack",
                              .device = &device::value,
                              .devices = 72,
                              .scale_up = scale_up_of(device::value, reached::nvlink_5, reached::nvlink_5_in_switch),
                              .scale_out = network_of(device::value, "InfiniBand NDR"),
                              .host = host_link_of(device::value),
                              .adapters = 72};
};
/// NVIDIA GB300 NVL72: 800 Gb/s a device.
struct gb300_nvl72_rack {
  using device = gb300_nvl72;
  static constexpr node value{.id = "gb300-nvl72-rack",
                              .device = &device::value,
                              .devices = 72,
                              .scale_up = scale_up_of(device::value, reached::nvlink_5, reached::nvlink_5_in_switch),
                              .scale_out = network_of(device::value, "InfiniBand XDR"),
                              .host = host_link_of(device::value),
                              .adapters = 72};
};
/// AWS P4de: four 100 Gb/s EFA adapters for eight A100.
struct p4de {
  using device = a100_sxm4_80gb;
  static constexpr node value{.id = "aws-p4de",
                              .device = &device::value,
                              .devices = 8,
                              .scale_up = scale_up_of(device::value, reached::nvlink_3),
                              .scale_out = {.name = "EFA v1",
                                            .send = 6.25e9 * unit::byte / unit::second,
                                            .receive = 6.25e9 * unit::byte / unit::second,
                                            .to_one_peer = 6.25e9 * unit::byte / unit::second,
                                            .reached = reached::efa,
                                            .latency = efa_latency},
                              .host = host_link_of(device::value, reached::pcie_4),
                              .adapters = 4};
};
/// AWS P5: 3200 Gb/s of EFA for eight H100.
struct p5 {
  using device = h100_sxm5_80gb;
  static constexpr node value{.id = "aws-p5",
                              .device = &device::value,
                              .devices = 8,
                              .scale_up = scale_up_of(device::value, reached::nvlink_4, reached::nvlink_4_in_switch),
                              .scale_out = network_of(device::value, "EFA v2", reached::efa, efa_latency),
                              .host = host_link_of(device::value, reached::pcie_5),
                              .adapters = 32};
};
/// AWS P6-B200: 3200 Gb/s of EFA v4 for eight B200.
struct p6_b200 {
  using device = b200_sxm;
  static constexpr node value{.id = "aws-p6-b200",
                              .device = &device::value,
                              .devices = 8,
                              .scale_up = scale_up_of(device::value, reached::nvlink_5, reached::nvlink_5_in_switch),
                              .scale_out = network_of(device::value, "EFA v4", reached::efa, efa_latency),
                              .host = host_link_of(device::value, reached::pcie_5),
                              .adapters = 8};
};
/// AMD Instinct MI300X platform: a full mesh of eight, one lane to each peer.
struct mi300x_platform {
  using device = mi300x;
  static constexpr node value{.id = "mi300x-platform",
                              .device = &device::value,
                              .devices = 8,
                              .scale_up = scale_up_of(device::value, reached::xgmi),
                              .scale_out = network_of(device::value, "400 Gb/s RDMA"),
                              .host = host_link_of(device::value, reached::pcie_5),
                              .adapters = 8};
};
/// Intel Gaudi 3 node: eight cards, 21 of 24 ports of each inside.
struct gaudi3_node {
  using device = gaudi3;
  static constexpr node value{.id = "gaudi3-node",
                              .device = &device::value,
                              .devices = 8,
                              .scale_up = scale_up_of(device::value, reached::rdma),
                              .scale_out = network_of(device::value, "200 GbE RDMA"),
                              .host = host_link_of(device::value, reached::pcie_5),
                              .adapters = 24};
};
/// Google TPU v5p: the torus is one domain, up to a pod.
struct tpu_v5p_pod {
  using device = tpu_v5p;
  static constexpr node value{.id = "tpu-v5p-pod",
                              .device = &device::value,
                              .devices = 8960,
                              .scale_up = scale_up_of(device::value, reached::ici),
                              .scale_out = network_of(device::value, "data-centre network", reached::tcp),
                              .adapters = 0};
};

using hgx_a100 = dgx_a100;
using hgx_h100 = dgx_h100;
using hgx_h200 = dgx_h200;
using hgx_b200 = dgx_b200;

/// Every node of this header, for a look-up by name.
inline constexpr const node* nodes[] = {
    &dgx1_v100::value,   &dgx_a100::value,         &dgx_a100_40gb::value,  &dgx_h100::value,
    &dgx_h200::value,    &dgx_b200::value,         &p4de::value,           &p5::value,
    &p6_b200::value,     &gb200_nvl72_rack::value, &dgx_b300::value,       &gb300_nvl72_rack::value,
    &gaudi3_node::value, &tpu_v5p_pod::value,      &mi300x_platform::value};

/// The node of that id, or null.
constexpr const node* find_node(std::string_view id) {
  for (const node* candidate : nodes)
    if (candidate->id == id) return candidate;
  return nullptr;
}
}  // namespace hardware

/// A node of `count` devices of a kind with the links of its data sheet, for a device that has no node here.
constexpr node node_of(const accelerator& device, std::int64_t count) {
  return {.id = device.id,
          .device = &device,
          .devices = count,
          .scale_up = scale_up_of(device),
          .scale_out = network_of(device, "network"),
          .host = host_link_of(device),
          .adapters = count};
}

}  // namespace flopledger
