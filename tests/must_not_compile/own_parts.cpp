// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// Parts of a user's own, each with the one member left out that the library asks for: the message names it.

#include <flopledger/guard.hpp>
#include <flopledger/hardware/device.hpp>
#include <flopledger/models/model.hpp>

using namespace flopledger;

struct layer_without_record {
  std::int64_t width = 3;
};
struct precision_without_format {};
struct precision_without_bits {
  static constexpr number_format format{.name = "int6", .group_size = 64, .scale_bits = 16};
};
struct recipe_without_bits {
  static constexpr recipe value{.name = "int6", .weights = precision_without_bits::format};
};
struct device_without_value {};
struct model_without_config {};
struct model_whose_config_records_nothing {
  static constexpr layer_without_record config{};
};

struct layer {
  std::int64_t width = 3;
  constexpr void record(books auto& sink, const work&) const {
    const parameters stored = static_cast<double>(width) * unit::parameter;
    sink.take({.name = "own", .held = stored, .active = stored}, 1);
  }
};
struct own_model {
  static constexpr layer config{};
};
static_assert(recordable<layer, work> && !recordable<layer_without_record, work>);
static_assert(model<own_model> && !model<model_without_config> && !model<model_whose_config_records_nothing>);
static_assert(parameter_count<own_model> == 3. * unit::parameter);

// forbid: was not declared|undeclared identifier|internal compiler error

// case: LAYER_WITHOUT_RECORD
// expect: no member named .record. ?(in 'layer_without_record')?
// expect: layer_without_record
// max-lines: 16
#ifdef CASE_LAYER_WITHOUT_RECORD
constexpr totals all = totals_of(layer_without_record{}, forward(1, 1));
#endif

// case: PRECISION_WITHOUT_FORMAT
// expect: not a number format: it needs `static constexpr flopledger::number_format format`
// expect: precision_without_format
#ifdef CASE_PRECISION_WITHOUT_FORMAT
constexpr bytes_per_parameter each = storage<precision_without_format>;
#endif

// case: PRECISION_WITHOUT_BITS
// expect: it needs `static constexpr flopledger::number_format format` of more than 0 bits
// expect: precision_without_bits
#ifdef CASE_PRECISION_WITHOUT_BITS
constexpr bytes_per_parameter each = storage<precision_without_bits>;
#endif

// case: RECIPE_WITHOUT_BITS
// expect: not a recipe: it needs `static constexpr flopledger::recipe value` with formats of more than 0 bits each
#ifdef CASE_RECIPE_WITHOUT_BITS
constexpr memory_account weightless = weights_and_cache<own_model, recipe_without_bits, load{}>::memory();
#endif

// case: PARAMETERS_WITHOUT_OPERANDS
// expect: a row of this model holds other parameters than its weight operands
#ifdef CASE_PARAMETERS_WITHOUT_OPERANDS
constexpr memory_account weightless = weights_and_cache<own_model, recipes::bf16, load{}>::memory();
#endif

// case: WRONG_COUNT
// expect: counted_parameters<3>
// expect: expected_parameters<4>
// max-lines: 15
#ifdef CASE_WRONG_COUNT
static_assert(has_parameters<own_model, 4>);
#endif

// case: DEVICE_WITHOUT_VALUE
// expect: not an accelerator: it needs `static constexpr flopledger::accelerator value`
// expect: device_without_value
// max-lines: 15
#ifdef CASE_DEVICE_WITHOUT_VALUE
constexpr bytes memory = usable_memory<device_without_value>;
#endif

// case: MODEL_WITHOUT_CONFIG
// expect: not a model: it needs `static constexpr flopledger::transformer_config config`
// expect: model_without_config
// max-lines: 15
#ifdef CASE_MODEL_WITHOUT_CONFIG
constexpr parameters count = parameter_count<model_without_config>;
#endif

// case: CONFIG_WITHOUT_RECORD
// expect: or a config of one's own with `record[(]sink, work[)]`
// expect: model_whose_config_records_nothing
// max-lines: 15
#ifdef CASE_CONFIG_WITHOUT_RECORD
constexpr parameters count = parameter_count<model_whose_config_records_nothing>;
#endif
