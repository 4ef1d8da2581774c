// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// What a device does not publish, and what is no device: the message names the figure and the device.

#include <flopledger/hardware/nvidia.hpp>

using namespace flopledger;

struct own_device {
  static constexpr accelerator value{.id = "own", .bf16 = teraflops(100), .tdp = 300_W};
};
static_assert(peak_of<bf16, own_device> == 100_TFLOP / unit::second);
static_assert(usable_memory<hardware::v100_pcie> == 32_GiB);

// forbid: was not declared|undeclared identifier|internal compiler error

// case: PEAK_NOT_PUBLISHED
// expect: this peak of this device is not published
// expect: peak_of<flopledger::bf16, flopledger::hardware::v100_pcie
// forbid: boost::units
// max-lines: 9
#ifdef CASE_PEAK_NOT_PUBLISHED
constexpr auto peak = peak_of<bf16, hardware::v100_pcie>;
#endif

// case: SPARSE_PEAK_NOT_PUBLISHED
// expect: this peak of this device is not published
// expect: flopledger::hardware::v100_pcie, flopledger::sparsity::two_of_four
// forbid: boost::units
// max-lines: 9
#ifdef CASE_SPARSE_PEAK_NOT_PUBLISHED
constexpr auto peak = peak_of<fp16, hardware::v100_pcie, sparsity::two_of_four>;
#endif

// case: OWN_DEVICE_LACKS_A_FIGURE
// expect: this figure of this device is not published
// expect: usable_memory<own_device>
// forbid: boost::units
// max-lines: 12
#ifdef CASE_OWN_DEVICE_LACKS_A_FIGURE
constexpr auto memory = usable_memory<own_device>;
#endif

// case: NOT_A_DEVICE
// expect: not an accelerator: it needs `static constexpr flopledger::accelerator value`
// expect: described<misspelt>
// forbid: boost::units
// max-lines: 12
#ifdef CASE_NOT_A_DEVICE
struct misspelt {
  static constexpr accelerator valeu{.id = "own"};
};
constexpr auto peak = peak_of<bf16, misspelt>;
#endif

// case: ASKED_WHETHER_NO_DEVICE_PUBLISHES
// expect: not an accelerator: it needs `static constexpr flopledger::accelerator value`
// max-lines: 26
#ifdef CASE_ASKED_WHETHER_NO_DEVICE_PUBLISHES
static_assert(!publishes<own_device*, &accelerator::tdp>);
#endif

// case: NOT_A_FORMAT
// expect: not a number format: it needs `static constexpr flopledger::number_format format`
// forbid: boost::units
// max-lines: 12
#ifdef CASE_NOT_A_FORMAT
constexpr auto peak = peak_of<double, own_device>;
#endif

// case: BANDWIDTH_FOR_A_PEAK
// expect: gigabytes_per_second|figure
// max-lines-gcc: 12
// max-lines-clang: 32
#ifdef CASE_BANDWIDTH_FOR_A_PEAK
constexpr accelerator wrong{.id = "own", .bf16 = gigabytes_per_second(100)};
#endif

// case: ABSENT_FIGURE_READ
// expect: figure_not_published
// max-lines: 24
#ifdef CASE_ABSENT_FIGURE_READ
constexpr auto memory = published(hardware::h100_sxm5_80gb::value, &accelerator::fp4);
#endif
