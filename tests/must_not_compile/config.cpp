// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// A model made of a config.json that is wrong: the message names the problem, the line, the field and what it says.

#include <flopledger/models/config_model.hpp>

using namespace flopledger;

struct sound : config_model<sound> {
  static constexpr std::string_view json = R"({
  "model_type": "llama",
  "hidden_size": 4096,
  "num_hidden_layers": 32,
  "num_attention_heads": 32,
  "num_key_value_heads": 8,
  "intermediate_size": 14336,
  "vocab_size": 128256,
  "torch_dtype": "bfloat16"
})";
};
static_assert(config_check_of<sound>::passes);
static_assert(parameter_count<sound> == 8'030'261'248. * unit::parameter);

struct contradictory : config_model<contradictory> {
  static constexpr std::string_view json = R"({
  "model_type": "llama",
  "hidden_size": 4096,
  "num_hidden_layers": 32,
  "num_attention_heads": 33,
  "intermediate_size": 14336,
  "vocab_size": 128256
})";
};
struct missing : config_model<missing> {
  static constexpr std::string_view json = R"({"model_type": "llama", "hidden_size": 4096})";
};
struct unknown : config_model<unknown> {
  static constexpr std::string_view json = R"({"hidden_size": 4096,
"model_type": "quite_another"})";
};
struct fractional : config_model<fractional> {
  static constexpr std::string_view json = R"({"model_type": "llama",

"hidden_size": 4096.5, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 2, "vocab_size": 2})";
};
struct not_json : config_model<not_json> {
  static constexpr std::string_view json = R"({"model_type": "llama",
  "hidden_size": 4096
  "num_hidden_layers": 32})";
};

// forbid: was not declared|undeclared identifier|internal compiler error

// case: CONTRADICTORY
// expect: this config.json is no model's: problem, line and field stand in config_check
// expect: config_problem::contradictory, (flopledger::)?at_line<5>
// expect: config_field::num_attention_heads, 33>, (flopledger::)?field_value<(flopledger::)?config_field::hidden_size,
// 4096>
// max-lines: 15
#ifdef CASE_CONTRADICTORY
static_assert(config_check_of<contradictory>::passes);
#endif

// case: MISSING
// expect: config_problem::missing
// expect: config_field::num_hidden_layers
// max-lines: 15
#ifdef CASE_MISSING
static_assert(config_check_of<missing>::passes);
#endif

// case: UNKNOWN
// expect: config_problem::unknown, (flopledger::)?at_line<2>
// expect: config_field::model_type
// max-lines: 15
#ifdef CASE_UNKNOWN
static_assert(config_check_of<unknown>::passes);
#endif

// case: FRACTIONAL
// expect: config_problem::out_of_range, (flopledger::)?at_line<3>
// expect: config_field::hidden_size
// max-lines: 15
#ifdef CASE_FRACTIONAL
static_assert(config_check_of<fractional>::passes);
#endif

// case: NOT_JSON
// expect: this config.json is not JSON: problem and line stand in json_check
// expect: json::problem::unexpected_character, (flopledger::)?at_line<3>
// max-lines: 15
#ifdef CASE_NOT_JSON
static_assert(config_check_of<not_json>::passes);
#endif

// Without the assertion below the type, the model's first use is refused in the same words (and clang adds many).
// case: USED
// expect: this config.json is no model's: problem, line and field stand in the check
// expect: config_problem::contradictory, (flopledger::)?at_line<5>
// max-lines: 15
#ifdef CASE_USED
static_assert(parameter_count<contradictory> > 1. * unit::parameter);
#endif
