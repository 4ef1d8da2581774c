// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// What connects devices: bandwidth by direction, what of it large messages reach, and latency.

#include <flopledger/hardware/device.hpp>

namespace flopledger {

/// What a message travels over; a library's latency of one hop depends on it.
enum class link_kind : std::uint8_t {
  scale_up,  ///< NVLink, Infinity Fabric, ICI: device to device
  pcie,      ///< through the host's bridges
  network    ///< between nodes
};

/// A link as one device sees it, all its lanes together. Each direction has its own bandwidth: vendors' headlines
/// usually add the two (`both_directions`).
struct interconnect {
  label name{};
  link_kind kind = link_kind::network;
  byte_rate send{};         ///< out of the device
  byte_rate receive{};      ///< into it
  byte_rate to_one_peer{};  ///< of `send`, what a single peer can be sent: all of it on a switch, a lane of a mesh
  double reached = 1;       ///< share of the bandwidth that large messages reach
  double both_ways = 1;     ///< share of each direction that is left while the other runs as well
  seconds latency{};        ///< of one message, beyond what the communication library's own hop takes
  double in_switch = 0;  ///< share of `send` that an all-reduce summed inside the switch reaches; 0: the switch cannot

  /// What a device keeps up in both directions at once, as a ring asks it to.
  constexpr byte_rate sustained() const { return (send < receive ? send : receive) * reached * both_ways; }
};

/// Both directions added: the figure of most headlines.
constexpr byte_rate both_directions(const interconnect& link_between) {
  return link_between.send + link_between.receive;
}

/// A link that is alike in both directions.
constexpr interconnect symmetric(label name, link_kind kind, byte_rate one_direction, double reached = 1) {
  return {.name = name,
          .kind = kind,
          .send = one_direction,
          .receive = one_direction,
          .to_one_peer = one_direction,
          .reached = reached};
}

/// Shares of a link's bandwidth that large messages reach. "Slide": NVIDIA GTC24 S62129, bus bandwidth of a large
/// all-reduce, over the one-direction bandwidth of the data sheet.
namespace reached {
inline constexpr double nvlink_2 = 122.0 / 150;  ///< slide, V100
inline constexpr double nvlink_3 = 232.0 / 300;  ///< slide, A100
inline constexpr double nvlink_4 = 370.0 / 450;  ///< slide, H100
/// As NVLink 4, which eight B200 bear out: 735 and 741 of 900 GB/s at 2 and 4 GiB (stas00/ml-engineering).
inline constexpr double nvlink_5 = nvlink_4;
inline constexpr double pcie_4 = 24.0 / 31.5;  ///< slide
inline constexpr double pcie_5 = 48.0 / 63.0;  ///< slide
inline constexpr double rdma = 48.0 / 50;      ///< slide, 400 Gb/s; 24 of 25 at 200 Gb/s
inline constexpr double tcp = 10.0 / 12.5;     ///< slide, 100 Gb/s Ethernet
inline constexpr double efa = 381.8 / 400;  ///< four nodes of eight B200 with EFA v4 at 16 GiB (stas00/ml-engineering)
inline constexpr double xgmi = 48.0 / 64;   ///< AMD, "Understanding RCCL bandwidth and xGMI performance" (2025)
inline constexpr double ici = 0.9;          ///< 45 of 50 and 90 of 100 GB/s a link (jax-ml/scaling-book)
/// An all-reduce of S bytes summed in the switch moves S either way: 480 GB/s of bus bandwidth among eight H100 (slide)
/// is 274 of 450 GB/s, 846 among eight B200 (stas00/ml-engineering, 16 GiB) 483 of 900.
inline constexpr double nvlink_4_in_switch = 480.0 / 1.75 / 450;
inline constexpr double nvlink_5_in_switch = 845.67 / 1.75 / 900;
}  // namespace reached

/// Latency that AWS's plugin declares for EFA from the P5 on and on P4d (aws/aws-ofi-nccl, platform-aws.c).
inline constexpr seconds efa_latency = 75e-6 * unit::second;

/// The links of a device's own data sheet. What is not published is absent: bandwidth 0.
constexpr interconnect scale_up_of(const accelerator& device, double share_reached = 1, double share_in_switch = 0) {
  const byte_rate all = device.scale_up_bandwidth.value_or({});
  return {.name = device.scale_up_link.value_or(""),
          .kind = link_kind::scale_up,
          .send = all,
          .receive = all,
          .to_one_peer = device.scale_up_peer_bandwidth.value_or(all),
          .reached = share_reached,
          .in_switch = share_in_switch};
}
constexpr interconnect host_link_of(const accelerator& device, double share_reached = 1) {
  return symmetric(device.host_link.value_or(""), link_kind::pcie, device.host_link_bandwidth.value_or({}),
                   share_reached);
}
/// The network's share of one device.
constexpr interconnect network_of(const accelerator& device, label name, double share_reached = reached::rdma,
                                  seconds latency = {}) {
  interconnect made = symmetric(name, link_kind::network, device.scale_out_bandwidth.value_or({}), share_reached);
  made.latency = latency;
  return made;
}

/// Time to bring weights to a device over its host link, apart from steady state: a cold start.
constexpr seconds cold_start(bytes weights, const interconnect& host) {
  return weights / (host.receive * host.reached);
}

}  // namespace flopledger
