// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// How a checkpoint stores its weights: dtype, and quantization_config.

#include <flopledger/models/hugging_face/config_fields.hpp>
#include <flopledger/models/quantization.hpp>

namespace flopledger::hugging_face {

constexpr number_format read_dtype(const config_fields& in) {
  const config_fields text = in.in(config_scope::text);
  const field named = in.which(field::torch_dtype, field::dtype);
  for (const config_fields& scope : {in, text})
    if (const json::slice one = scope.text(field::torch_dtype), other = scope.text(field::dtype);
        !one.raw.empty() && !other.raw.empty() && one.raw != other.raw)
      scope.contradict(field::torch_dtype, 0, field::dtype, 0);
  const json::slice name = in.has(named) ? in.text(named) : text.text(text.which(field::torch_dtype, field::dtype));
  if (name == "bfloat16") return bf16::format;
  if (name == "float16" || name == "half") return fp16::format;
  // The reference implementation loads what says nothing as float32.
  if (name.raw.empty() || name == "float32" || name == "float") return fp32::format;
  if (name == "float64") return fp64::format;
  if (name == "float8_e4m3fn") return fp8_e4m3::format;
  in.fail(config_problem::unknown, named);
  return fp32::format;
}

constexpr bool mentions(std::string_view text, auto... parts) {
  return ((text.find(parts) != std::string_view::npos) || ...);
}

/// Modules that a method leaves alone. Norms, tables, routers and heads it leaves anyway, and towers as a whole; a
/// matrix of a block that is left alone would need an account of its own, so it is refused.
constexpr void read_unconverted(const config_fields& in, field f, weight_storage& storage) {
  in.each(f, [&](const json::value& v, std::int64_t) {
    const std::string_view name = v.text.raw, last = name.substr(name.rfind('.') + 1);
    if (mentions(name, "vision", "visual", "multi_modal_projector", "mm_projector"))
      storage.towers = false;
    else if (storage.method == quantization_method::mxfp4 && !mentions(name, "experts"))
      return;
    else if (!mentions(last, "norm", "embed", "lm_head", "router", "correction_bias", "shared_expert_gate") &&
             !mentions(name, "eh_proj", "shared_head", "mtp") && last != "gate" && last != "wte" && last != "score")
      in.fail(config_problem::unknown, f, v.text);
  });
}

/// What GPTQ's tools can say beside the defaults: other modules than all of a block, other bits for some, the head too.
constexpr void check_gptq_exceptions(const config_fields& in) {
  if (in.flag_or(field::lm_head, false)) in.fail(config_problem::unknown, field::lm_head);
  if (const json::value* chosen = in.find(field::modules_in_block_to_quantize); chosen != nullptr) {
    const std::string_view names = chosen->text.raw;
    if (!mentions(names, "q_proj", "qkv", "query_key_value", "W_pack", "c_attn") ||
        !mentions(names, "down_proj", "4h_to_h", "fc2", "w2", "c_proj"))
      in.fail(config_problem::unknown, field::modules_in_block_to_quantize);
  }
  const json::value* rules = in.find(field::dynamic);
  if (rules == nullptr) return;
  if (rules->type != json::kind::object) return in.fail(config_problem::wrong_type, field::dynamic);
  json::for_each_member(*rules, [&](json::slice rule, const json::value&) {
    const std::string_view text = rule.raw;
    const bool leaves_out =
        text.starts_with("-:") && mentions(text, "gate", "norm", "lm_head") && !mentions(text, "gate_proj", "gate_up");
    if (!leaves_out) in.fail(config_problem::unknown, field::dynamic, rule);
  });
}

constexpr weight_storage read_storage(const config_fields& top) {
  weight_storage storage{.dtype = read_dtype(top)};
  const config_fields in = top.in(config_scope::quantization);
  if (top.has(field::compression_config)) top.fail(config_problem::unknown, field::compression_config);
  if (!in.present()) return storage;
  // What a method leaves alone is 16 bits wide, whatever the dtype says of the rest.
  if (storage.dtype.kind == number_kind::fp8_e4m3 || storage.dtype.kind == number_kind::fp32)
    storage.dtype = bf16::format;
  const json::slice method = in.text(field::quant_method);
  if (method.raw.empty()) in.fail(config_problem::missing, field::quant_method);
  if (method == "fp8") {
    storage.method = quantization_method::fp8;
    storage.bits = 8;
    std::int64_t sides[2]{};
    const std::int64_t given = in.each(field::weight_block_size, [&](const json::value& v, std::int64_t i) {
      const json::exact_integer side = json::as_integer(v);
      if (!side.ok || side.value < 1) in.fail(config_problem::out_of_range, field::weight_block_size, v.text);
      if (i < 2) sides[i] = side.value;
    });
    if (in.has(field::weight_block_size) && (given != 2 || sides[0] <= 0 || sides[1] <= 0))
      in.fail(config_problem::out_of_range, field::weight_block_size);
    storage.block_rows = sides[0];
    storage.block_columns = sides[1];
  } else if (method == "gptq" || method == "awq") {
    storage.method = method == "gptq" ? quantization_method::gptq : quantization_method::awq;
    storage.towers = method == "awq";  // GPTQ goes through the decoder's blocks
    check_gptq_exceptions(in);
    storage.bits = in.count_or(field::bits_, 4);
    if (storage.bits != 2 && storage.bits != 3 && storage.bits != 4 && storage.bits != 8)
      in.fail(config_problem::out_of_range, field::bits_);
    const json::value* group = in.find(field::group_size);
    storage.group_size = group != nullptr && group->integer == -1 ? 0 : in.count_or(field::group_size, 128);
    if (storage.dtype.kind == number_kind::bf16 && !top.has(field::torch_dtype) && !top.has(field::dtype))
      storage.dtype = fp16::format;
  } else if (method == "mxfp4") {
    storage.method = quantization_method::mxfp4;
    storage.bits = 4;
    storage.group_size = 32;
  } else {
    in.fail(config_problem::unknown, field::quant_method);
  }
  read_unconverted(in, field::modules_to_not_convert, storage);
  read_unconverted(in, field::ignored_layers, storage);
  return storage;
}

}  // namespace flopledger::hugging_face
