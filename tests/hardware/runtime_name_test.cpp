// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/hardware/runtime_name.hpp>

#include <set>
#include <string>

#include "catch.hpp"

using namespace flopledger;

namespace {
std::string_view id_of(std::string_view name, int multiprocessors = 0) {
  const accelerator* found = hardware::named_by_runtime(name, multiprocessors);
  return found == nullptr ? std::string_view("none") : std::string_view(found->id);
}
}  // namespace

// As CUDA and ROCm print them in public logs and in other tools' tables of peaks.
TEST_CASE("every name that a runtime is known to report is its own device", "[hardware]") {
  const struct {
    const char* name;
    const char* id;
  } known[] = {{"Tesla P100-SXM2-16GB", "p100-sxm2"},
               {"Tesla P100-PCIE-16GB", "p100-pcie-16gb"},
               {"Tesla V100-SXM2-16GB", "v100-sxm2-16gb"},
               {"Tesla V100-SXM2-32GB", "v100-sxm2-32gb"},
               {"Tesla V100-PCIE-16GB", "v100-pcie"},
               {"Tesla V100-PCIE-32GB", "v100-pcie"},
               {"Tesla T4", "t4"},
               {"NVIDIA A10", "a10"},
               {"NVIDIA A10G", "a10g"},
               {"NVIDIA A30", "a30"},
               {"NVIDIA A40", "a40"},
               {"NVIDIA RTX A6000", "rtx-a6000"},
               {"A100-SXM4-40GB", "a100-sxm4-40gb"},
               {"NVIDIA A100-SXM4-40GB", "a100-sxm4-40gb"},
               {"NVIDIA A100-SXM4-80GB", "a100-sxm4-80gb"},
               {"NVIDIA A100-PCIE-40GB", "a100-pcie-40gb"},
               {"NVIDIA A100 80GB PCIe", "a100-pcie-80gb"},
               {"NVIDIA A800-SXM4-80GB", "a800-sxm4-80gb"},
               {"NVIDIA A800 40GB Active", "a800-40gb-active"},
               {"NVIDIA H100 80GB HBM3", "h100-sxm5-80gb"},
               {"NVIDIA H100 PCIe", "h100-pcie-80gb"},
               {"NVIDIA H100 NVL", "h100-nvl-94gb"},
               {"NVIDIA H800", "h800-sxm5-80gb"},
               {"NVIDIA H20", "h20-sxm5-96gb"},
               {"NVIDIA H200", "h200-sxm5-141gb"},
               {"NVIDIA GH200 120GB", "gh200-96gb"},
               {"NVIDIA GH200 480GB", "gh200-96gb"},
               {"NVIDIA GH200 144G HBM3e", "gh200-144gb"},
               {"NVIDIA B200", "b200-sxm"},
               {"NVIDIA B300 SXM6 AC", "b300-sxm"},
               {"NVIDIA GB200", "gb200-nvl72"},
               {"NVIDIA GB300", "gb300-nvl72"},
               {"GeForce RTX 3090", "rtx-3090"},
               {"NVIDIA GeForce RTX 3090", "rtx-3090"},
               {"NVIDIA GeForce RTX 4090", "rtx-4090"},
               {"NVIDIA GeForce RTX 5090", "rtx-5090"},
               {"NVIDIA RTX 6000 Ada Generation", "rtx-6000-ada"},
               {"NVIDIA RTX PRO 6000 Blackwell Workstation Edition", "rtx-pro-6000-blackwell"},
               {"NVIDIA RTX PRO 6000 Blackwell Server Edition", "rtx-pro-6000-blackwell"},
               {"NVIDIA L4", "l4"},
               {"NVIDIA L40", "l40"},
               {"NVIDIA L40S", "l40s"},
               {"NVIDIA H20-3e", "h20-3e-141gb"},
               {"NVIDIA L20", "l20"},
               {"NVIDIA GB10", "gb10"},
               {"NVIDIA GeForce RTX 4060", "rtx-4060"},
               {"NVIDIA GeForce RTX 4070", "rtx-4070"},
               {"NVIDIA GeForce RTX 4070 SUPER", "rtx-4070-super"},
               {"NVIDIA GeForce RTX 4070 Ti", "rtx-4070-ti"},
               {"NVIDIA GeForce RTX 4070 Ti SUPER", "rtx-4070-ti-super"},
               {"NVIDIA GeForce RTX 4080", "rtx-4080"},
               {"NVIDIA GeForce RTX 4080 SUPER", "rtx-4080-super"},
               {"NVIDIA GeForce RTX 5060", "rtx-5060"},
               {"NVIDIA GeForce RTX 5070", "rtx-5070"},
               {"NVIDIA GeForce RTX 5070 Ti", "rtx-5070-ti"},
               {"NVIDIA GeForce RTX 5080", "rtx-5080"},
               {"AMD Instinct MI100", "mi100"},
               {"AMD Instinct MI210", "mi210"},
               {"AMD Instinct MI300A", "mi300a"},
               {"AMD Instinct MI300X", "mi300x"},
               {"AMD Instinct MI300X OAM", "mi300x"},
               {"AMD Instinct MI325X", "mi325x"},
               {"AMD Instinct MI350X", "mi350x"},
               {"AMD Instinct MI355X", "mi355x"},
               {"AMD Radeon RX 7900 XTX", "rx-7900-xtx"},
               {"Radeon RX 7900 XTX", "rx-7900-xtx"}};
  std::set<std::string> reached;
  for (const auto& one : known) {
    CHECK(id_of(one.name) == one.id);
    reached.insert(one.id);
  }
  // None that the catalogue knows by its runtime's name is left out of the list above.
  for (const accelerator* device : hardware::all)
    if (!device->runtime_names.empty()) CHECK(reached.contains(std::string(std::string_view(device->id))));
}

TEST_CASE("a name that is not known in full is no device", "[hardware]") {
  for (const char* name : {"", "NVIDIA", "NVIDIA H100", "NVIDIA B300", "NVIDIA H200 NVL", "H100", "nvidia h200",
                           "NVIDIA A100-SXM4-80GB MIG 3g.40gb", "NVIDIA L40G", "NVIDIA L400", "AMD Instinct MI250X",
                           "NVIDIA GH200 120GB; NVIDIA GH200 480GB", "NVIDIA GeForce RTX 4090 Laptop GPU",
                           "NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition", "NVIDIA A100-SXM-64GB"})
    CHECK(id_of(name) == "none");
}

TEST_CASE("a part of a device that bears the name of the whole is no device", "[hardware]") {
  CHECK(id_of("NVIDIA H100 80GB HBM3", 132) == "h100-sxm5-80gb");
  CHECK(id_of("NVIDIA H100 80GB HBM3", 60) == "none");
  CHECK(id_of("AMD Instinct MI300X", 38) == "none");  // one of the eight dies that the CPX mode shows
  CHECK(id_of("NVIDIA B300 SXM6 AC", 148) == "b300-sxm");
}
