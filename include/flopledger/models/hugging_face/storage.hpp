// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// How a checkpoint stores its weights: dtype, and what the file says of quantisation.
///
/// Layouts by the tools that write them: DeepSeek-V3's README_WEIGHTS, AutoGPTQ and AutoAWQ, OCP Microscaling 1.0,
/// compressed-tensors (compressors/), TensorRT Model Optimizer (export/), bitsandbytes (functional.py,
/// QuantState.as_dict), transformers (integrations/fbgemm_fp8.py), mlx (nn/layers/quantized.py), hqq, AQLM, torchao. A
/// key that says something of quantisation and is not understood here is an error.

#include <flopledger/models/hugging_face/config_fields.hpp>
#include <flopledger/models/hugging_face/module_names.hpp>
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

/// What GPTQ's tools can say beside the defaults: other modules than all of a block, other bits for some, the head too.
constexpr void check_gptq_exceptions(const config_fields& in) {
  using detail::mentions;
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

/// Keys that change nothing of what is stored: how it was made, how it runs, and what other keys say already.
constexpr bool says_nothing_of_storage(json::slice key) {
  // clang-format off
  return detail::is_one_of(key.raw,
      "_load_in_4bit", "_load_in_8bit", "activation_scale_ub", "autoround_version", "backend", "batch_size",
      "block_name_to_quantize", "bnb_4bit_compute_dtype", "bnb_4bit_quant_storage", "bnb_4bit_quant_type",
      "cache_block_outputs", "checkpoint_format", "damp_auto_increment", "damp_percent", "data_type", "dataset",
      "desc_act", "disable_exllama", "do_fuse", "enable_minmax_tuning", "enable_quanted_input", "exllama_config", "fmt",
      "fuse_max_seq_len", "global_compression_ratio", "gradient_accumulate_steps", "include_input_output_embeddings", "is_marlin_format", "iters",
      "linear_class", "llm_int8_enable_fp32_cpu_offload", "llm_int8_has_fp16_weight", "llm_int8_threshold",
      "low_gpu_mem_usage", "lr", "max_input_length", "meta", "minmax_lr", "model_file_base_name", "model_name_or_path",
      "model_seqlen", "module_name_preceding_first_block", "modules_to_fuse", "nsamples", "packing_format",
      "pad_token_id", "producer", "provider", "q_group_size", "quantization_status", "quantizer", "scale_dtype",
      "scale_fmt", "seqlen", "static_groups", "sym", "tokenizer", "train_bs", "true_sequential", "untie_embedding_weights", "use_cuda_fp16",
      "use_exllama", "version", "w_bit", "zero_point");
  // clang-format on
}

/// Reads one file. The formats that it names are numbered; the layers that store a matrix in each are gathered by the
/// names of modules, and become counts by kind of block.
class storage_reader {
 public:
  constexpr storage_reader(const config_fields& top, const stack& blocks)
      : top_(top), in_(top.in(config_scope::quantization)), blocks_(blocks) {
    storage_.dtype = read_dtype(top);
  }

  constexpr weight_storage read() {
    if (top_.has(field::compression_config)) top_.fail(config_problem::unknown, field::compression_config);
    if (!in_.present() && !top_.has(field::quantization)) return storage_;
    // What a method leaves alone is 16 bits wide, whatever the dtype says of the rest.
    if (storage_.dtype.kind == number_kind::fp8_e4m3 || storage_.dtype.kind == number_kind::fp32)
      storage_.dtype = bf16::format;
    if (!in_.present()) {
      read_mlx();
      return storage_;
    }
    const json::slice method = in_.text(field::quant_method);
    storage_.quantised = {operation::projection, operation::expert_projection};
    if (top_.has(field::quantization) && method.raw.empty()) {  // MLX writes the same under both names
      read_mlx();
    } else if (method == "modelopt" || (method.raw.empty() && in_.has(field::quant_algo))) {
      read_modelopt();
    } else if (method == "compressed-tensors") {
      read_compressed_tensors();
    } else if (method == "fp8") {
      read_fp8();
    } else if (method == "fbgemm_fp8") {
      use(quantization_method::fbgemm_fp8, stored::fbgemm_fp8);
      storage_.inputs = fp8_e4m3::format;
    } else if (method == "gptq" || method == "awq") {
      read_packed(method == "gptq" ? quantization_method::gptq : quantization_method::awq);
    } else if (method == "mxfp4") {
      use(quantization_method::mxfp4, stored::mxfp4);
      storage_.quantised = {operation::expert_projection};
    } else if (method == "hqq") {
      read_hqq();
    } else if (method == "aqlm") {
      read_aqlm();
    } else if (method == "torchao") {
      read_torchao();
    } else if (method == "bitsandbytes" || in_.flag_or(field::load_in_4bit, false) ||
               in_.flag_or(field::load_in_8bit, false)) {
      read_bitsandbytes();
    } else if (method.raw.empty()) {
      in_.fail(config_problem::missing, field::quant_method);
    } else {
      in_.fail(config_problem::unknown, field::quant_method);
    }
    refuse_unknown_keys();
    for (const field left : {field::modules_to_not_convert, field::ignored_layers, field::llm_int8_skip_modules})
      leave(left);
    count_exceptions();
    return storage_;
  }
 private:
  constexpr void refuse_unknown_keys() const {
    in_.for_each_other_quantization_key([&](json::slice key) {
      if (!says_nothing_of_storage(key)) top_.fail(config_problem::unknown, field::quantization_config, key);
    });
  }

  constexpr void use(quantization_method method, const matrix_format& format, int number = 1) {
    storage_.method = method;
    storage_.formats[number] = format;
  }

  constexpr void read_fp8() {
    std::int64_t sides[2]{};
    const std::int64_t given = in_.each(field::weight_block_size, [&](const json::value& v, std::int64_t i) {
      const json::exact_integer side = json::as_integer(v);
      if (!side.ok || side.value < 1) in_.fail(config_problem::out_of_range, field::weight_block_size, v.text);
      if (i < 2) sides[i] = side.value;
    });
    if (in_.has(field::weight_block_size) && (given != 2 || sides[0] <= 0 || sides[1] <= 0))
      in_.fail(config_problem::out_of_range, field::weight_block_size);
    const json::slice activations = in_.text(field::activation_scheme);
    if (!activations.raw.empty() && !(activations == "dynamic") && !(activations == "static"))
      in_.fail(config_problem::unknown, field::activation_scheme);
    use(quantization_method::fp8,
        sides[0] > 0 ? stored::fp8_blocks(sides[0], sides[1]) : stored::fp8_matrix(activations == "static"));
    storage_.inputs = fp8_e4m3::format;
    // DeepSeek-V4's experts, packed with a scale of a byte for 32 inputs, beside which the blocks' scales have a byte,
    // too (the shapes and types of its checkpoint's tensors: NVIDIA-NeMo/Automodel issue 2034).
    if (const json::slice experts = top_.text(field::expert_dtype); experts == "fp4") {
      storage_.formats[1].scale_bytes = 1;
      storage_.formats[2] = stored::mxfp4;
      place_named(2, field::expert_dtype, {"layers.*.ffn.experts"});
    } else if (!experts.raw.empty() && !(experts == "fp8")) {
      top_.fail(config_problem::unknown, field::expert_dtype);
    }
    // Model Optimizer puts experts of FP4 into a checkpoint whose other matrices stay as they were, `ignore` included.
    if (in_.has(field::moe_quant_algo)) {
      if (!(in_.text(field::moe_quant_algo) == "NVFP4")) in_.fail(config_problem::unknown, field::moe_quant_algo);
      storage_.formats[2] = stored::nvfp4(true);
      const json::value* listed = in_.find(field::quantized_layers);
      if (listed == nullptr || listed->type != json::kind::object)
        return in_.fail(config_problem::wrong_type, field::quantized_layers);
      json::for_each_member(
          *listed, [&](json::slice name, const json::value&) { place_named(2, field::quantized_layers, name); });
      in_.find(field::ignore);
    } else {
      leave(field::ignore);
    }
  }

  constexpr void read_packed(quantization_method method) {
    storage_.towers = method == quantization_method::awq;  // GPTQ goes through the decoder's blocks
    check_gptq_exceptions(in_);
    const std::int64_t bits = in_.count_or(field::bits_, 4);
    if (bits != 2 && bits != 3 && bits != 4 && bits != 8) in_.fail(config_problem::out_of_range, field::bits_);
    const json::value* group = in_.find(field::group_size);
    const bool whole = group != nullptr && group->integer == -1;
    // qweight and qzeros pack 32/bits numbers in an int32, scales are FP16; GPTQ adds g_idx, an int32 an input.
    use(method, {.kind = bits == 8 ? number_kind::int8 : number_kind::int4,
                 .bits = static_cast<double>(bits),
                 .scope = whole ? scale_scope::output : scale_scope::group,
                 .group_size = whole ? 0 : in_.count_or(field::group_size, 128),
                 .scale_bytes = 2,
                 .zero_point_bits = static_cast<double>(bits),
                 .bytes_an_input = method == quantization_method::gptq ? 4.0 : 0.0});
    if (storage_.dtype.kind == number_kind::bf16 && !top_.has(field::torch_dtype) && !top_.has(field::dtype))
      storage_.dtype = fp16::format;
  }

  /// Without quant_map, 64 bytes, and the text of the quantisation state, some 150, that each matrix has beside.
  constexpr void read_bitsandbytes() {
    if (in_.flag_or(field::load_in_8bit, false)) {  // SCB: FP32 an output, and a byte that names the layout
      use(quantization_method::bitsandbytes,
          {.kind = number_kind::int8, .bits = 8, .scope = scale_scope::output, .scale_bytes = 4, .bytes_a_matrix = 1});
      storage_.inputs = int8::format;
      return;
    }
    if (!in_.flag_or(field::load_in_4bit, false)) in_.fail(config_problem::missing, field::load_in_4bit);
    const bool twice = in_.flag_or(field::bnb_4bit_use_double_quant, false);
    use(quantization_method::bitsandbytes, {.kind = number_kind::fp4,
                                            .bits = 4,
                                            .scope = scale_scope::group,
                                            .group_size = 64,
                                            .scale_bytes = twice ? 1.0 : 4.0,
                                            .scales_of_scales = twice ? 256 : 0});
  }

  /// Every product and every table in groups, with a scale and a bias of 16 bits where the mode is affine; "bits" and
  /// "mode" of one module under its name, or false where it is left alone. Routers that are no nn.Linear stay as they
  /// are, and so do towers (mlx-lm, utils.py and models/; mlx-vlm leaves out what sees).
  constexpr void read_mlx() {
    const json::value* said = top_.find(field::quantization);
    if (said->type != json::kind::object) return top_.fail(config_problem::wrong_type, field::quantization);
    use(quantization_method::mlx, mlx_format(*said, {}));
    storage_.quantised = {operation::projection, operation::expert_projection};
    if (!has_router_of_its_own(top_.text(field::model_type).raw))
      storage_.quantised = {operation::projection, operation::expert_projection, operation::router};
    storage_.head_format = storage_.table_format = 1;
    storage_.towers = false;
    json::for_each_member(*said, [&](json::slice key, const json::value& v) {
      if (says_mlx_default(key.raw) || key == "quant_method" || key == "linear_class") return;
      if (v.type == json::kind::boolean && !v.truth) return place_named(0, field::quantization, key);
      if (v.type != json::kind::object) return top_.fail(config_problem::unknown, field::quantization, key);
      const int number = number_of(mlx_format(v, key));
      if (number == placed_formats::most_formats) return top_.fail(config_problem::unknown, field::quantization, key);
      place_named(number, field::quantization, key);
    });
    count_exceptions();
  }
  static constexpr bool says_mlx_default(std::string_view key) {
    return detail::is_one_of(key, "bits", "group_size", "mode");
  }
  static constexpr bool has_router_of_its_own(std::string_view model_type) {
    return detail::is_one_of(model_type, "deepseek_v2", "deepseek_v3", "deepseek_v32", "kimi_k2", "glm4_moe",
                             "glm4_moe_lite", "glm_moe_dsa", "dots1");
  }
  /// The number of a format: what it has already, or the next that is free; `most_formats` where none is.
  constexpr int number_of(const matrix_format& format) {
    int number = 1;
    while (number < placed_formats::most_formats && storage_.formats[number].bits > 0 &&
           !(storage_.formats[number] == format))
      ++number;
    if (number < placed_formats::most_formats) storage_.formats[number] = format;
    return number;
  }
  /// What one entry says; `of_module` names it where it is not the usual one.
  constexpr matrix_format mlx_format(const json::value& entry, json::slice of_module) const {
    std::int64_t bits = 0, group = 0;
    json::slice mode;
    json::for_each_member(entry, [&](json::slice key, const json::value& v) {
      if (key == "bits") bits = v.integer;
      if (key == "group_size") group = v.integer;
      if (key == "mode") mode = v.text;
      if (!of_module.raw.empty() && !says_mlx_default(key.raw))
        top_.fail(config_problem::unknown, field::quantization, of_module);
    });
    if (mode == "mxfp4" && bits == 4 && group == 32) return stored::mxfp4;
    if (mode == "mxfp8" && bits == 8 && group == 32) return stored::mxfp8;
    const bool affine = mode.raw.empty() || mode == "affine";
    if (!affine || group <= 0 || bits < 2 || bits > 8 || bits == 7) {
      of_module.raw.empty() ? top_.fail(config_problem::unknown, field::quantization)
                            : top_.fail(config_problem::unknown, field::quantization, of_module);
      return stored::mxfp4;
    }
    return {.kind = bits > 4 ? number_kind::int8 : number_kind::int4,
            .bits = static_cast<double>(bits),
            .scope = scale_scope::group,
            .group_size = group,
            .scale_bytes = 2,
            .zero_point_bits = 16};
  }

  /// W_q packed into bytes, three bits into int32 by tens, beside a scale and a zero of 16 bits a group (hqq, core/
  /// quantize.py); without the few bytes of settings that each layer's state has beside.
  constexpr void read_hqq() {
    const json::value* said = in_.find(field::quant_config);
    if (said == nullptr) return in_.fail(config_problem::missing, field::quant_config);
    if (said->type != json::kind::object) return in_.fail(config_problem::wrong_type, field::quant_config);
    storage_.method = quantization_method::hqq;
    bool everywhere = false;
    json::for_each_member(*said, [&](json::slice key, const json::value& v) {
      everywhere = everywhere || key == "weight_quant_params";
      if (key == "offload_meta") return;
      if (key == "weight_quant_params" && v.type == json::kind::object)
        storage_.formats[1] = hqq_format(v, key);
      else if (v.type != json::kind::null && v.type != json::kind::object)
        in_.fail(config_problem::unknown, field::quant_config, key);
    });
    if (everywhere) {  // scales and zeros that are quantised once more are not counted
      json::for_each_member(*said, [&](json::slice key, const json::value& v) {
        if (v.type == json::kind::object && !(key == "weight_quant_params"))
          in_.fail(config_problem::unknown, field::quant_config, key);
      });
    } else {  // {"self_attn.q_proj": {"weight_quant_params": {...}}}: the layers that it names
      storage_.quantised = {};
      json::for_each_member(*said, [&](json::slice of_module, const json::value& v) {
        if (v.type != json::kind::object) return;
        json::value params = v;
        json::for_each_member(v, [&](json::slice key, const json::value& inner) {
          if (key == "weight_quant_params") params = inner;
        });
        const int number = number_of(hqq_format(params, of_module));
        if (number == placed_formats::most_formats)
          return in_.fail(config_problem::unknown, field::quant_config, of_module);
        place_named(number, field::quant_config, of_module);
      });
    }
    leave(field::skip_modules);
  }
  constexpr matrix_format hqq_format(const json::value& params, json::slice said) const {
    std::int64_t bits = 0, group = 0;
    json::for_each_member(params, [&](json::slice key, const json::value& v) {
      if (key == "nbits") bits = v.integer;
      if (key == "group_size" && v.type == json::kind::integer) group = v.integer;
    });
    if ((bits != 1 && bits != 2 && bits != 3 && bits != 4 && bits != 8) || group < 0) {
      in_.fail(config_problem::unknown, field::quant_config, said);
      return stored::mxfp4;
    }
    return {.kind = bits == 8 ? number_kind::int8 : number_kind::int4,
            .bits = bits == 3 ? 3.2 : static_cast<double>(bits),
            .scope = group > 0 ? scale_scope::group : scale_scope::output,
            .group_size = group,
            .scale_bytes = 2,
            .zero_point_bits = 16};
  }

  /// Codes of so many bits for a group of inputs, one from each codebook, beside the codebooks and a scale an output
  /// (Vahe1994/AQLM, inference_lib/src/aqlm/inference.py).
  constexpr void read_aqlm() {
    const std::int64_t group = in_.count_or(field::in_group_size, 8), books = in_.count_or(field::num_codebooks, 1);
    const std::int64_t bits = in_.count_or(field::nbits_per_codebook, 16);
    if (bits < 8 || bits > 16) return in_.fail(config_problem::out_of_range, field::nbits_per_codebook);
    if (in_.count_or(field::out_group_size, 1) != 1)
      return in_.fail(config_problem::out_of_range, field::out_group_size);
    const double code_bits = bits > 8 ? 16 : 8;  // a code lies in one integer
    use(quantization_method::aqlm,
        {.kind = number_kind::custom,
         .bits = static_cast<double>(books) * code_bits / static_cast<double>(group),
         .scope = scale_scope::output,
         .scale_bytes = 2,
         .bytes_a_matrix = 2.0 * static_cast<double>(books * (std::int64_t{1} << bits) * group)});
    leave(field::linear_weights_not_to_quantize);
  }

  /// The name of a configuration, or its class under "default" (torchao, quantization/quant_api.py). Weights of 4 bits
  /// have a scale and a zero of 16 bits a group; of 8 bits a scale an output, FP32 of floats, the model's dtype of
  /// integers.
  constexpr void read_torchao() {
    json::slice named;
    std::int64_t group = 128;
    const auto read_arguments = [&](const json::value& arguments) {
      if (arguments.type != json::kind::object) return;
      json::for_each_member(arguments, [&](json::slice key, const json::value& v) {
        if (key == "group_size" && v.type == json::kind::integer) group = v.integer;
      });
    };
    const json::value* said = in_.find(field::quant_type);
    if (said == nullptr) return in_.fail(config_problem::missing, field::quant_type);
    if (said->type == json::kind::string) {
      named = said->text;
      if (const json::value* arguments = in_.find(field::quant_type_kwargs); arguments != nullptr)
        read_arguments(*arguments);
    } else if (said->type == json::kind::object) {
      json::for_each_member(*said, [&](json::slice key, const json::value& chosen) {
        if (!(key == "default") || chosen.type != json::kind::object)
          return in_.fail(config_problem::unknown, field::quant_type, key);
        json::for_each_member(chosen, [&](json::slice part, const json::value& v) {
          if (part == "_type" && v.type == json::kind::string) named = v.text;
          if (part == "_data") read_arguments(v);
        });
      });
    }
    if (detail::is_one_of(named.raw, "int4_weight_only", "Int4WeightOnlyConfig") && group > 0) {
      use(quantization_method::torchao, {.kind = number_kind::int4,
                                         .bits = 4,
                                         .scope = scale_scope::group,
                                         .group_size = group,
                                         .scale_bytes = 2,
                                         .zero_point_bits = 16});
    } else if (detail::is_one_of(named.raw, "int8_weight_only", "Int8WeightOnlyConfig",
                                 "int8_dynamic_activation_int8_weight", "Int8DynamicActivationInt8WeightConfig")) {
      use(quantization_method::torchao, {.kind = number_kind::int8,
                                         .bits = 8,
                                         .scope = scale_scope::output,
                                         .scale_bytes = storage_.dtype.bytes_per_element()});
      if (detail::mentions(named.raw, "ynamic")) storage_.inputs = int8::format;
    } else if (detail::is_one_of(named.raw, "float8_weight_only", "Float8WeightOnlyConfig",
                                 "float8_dynamic_activation_float8_weight",
                                 "Float8DynamicActivationFloat8WeightConfig")) {
      use(quantization_method::torchao,
          {.kind = number_kind::fp8_e4m3, .bits = 8, .scope = scale_scope::output, .scale_bytes = 4});
      if (detail::mentions(named.raw, "ynamic")) storage_.inputs = fp8_e4m3::format;
    } else {
      in_.fail(config_problem::unknown, field::quant_type, named);
    }
  }

  /// The format that Model Optimizer calls so.
  constexpr matrix_format modelopt_format(json::slice algorithm, field said) {
    if (algorithm == "FP8") {
      storage_.inputs = fp8_e4m3::format;
      return stored::fp8_matrix(true);
    }
    if (algorithm == "FP8_PB_WO" || algorithm == "FP8_PB_REAL") return stored::fp8_blocks(128, 128);
    if (algorithm == "NVFP4" || algorithm == "W4A4_NVFP4") {
      storage_.inputs = nvfp4::format;
      return stored::nvfp4(true);
    }
    if (algorithm == "W4A16_NVFP4" || algorithm == "NVFP4_WO") return stored::nvfp4(false);
    if (algorithm == "MXFP4") return stored::mxfp4;
    if (algorithm == "MXFP8") return stored::mxfp8;
    in_.fail(config_problem::unknown, said, algorithm);
    return stored::mxfp4;
  }

  constexpr void read_modelopt() {
    const json::slice algorithm = in_.text(field::quant_algo);
    storage_.method = quantization_method::modelopt;
    if (algorithm == "MIXED_PRECISION") {
      storage_.quantised = {};
      read_quantized_layers();
      in_.find(field::config_groups);  // says the same once more, by format
    } else {
      use(quantization_method::modelopt, modelopt_format(algorithm, field::quant_algo));
    }
    read_kv_cache();
    leave(field::ignore);
    leave(field::exclude_modules);
  }

  /// "model.layers.0.self_attn.q_proj": {"quant_algo": "FP8"}, one a module.
  constexpr void read_quantized_layers() {
    const json::value* listed = in_.find(field::quantized_layers);
    if (listed == nullptr) return in_.fail(config_problem::missing, field::quantized_layers);
    if (listed->type != json::kind::object) return in_.fail(config_problem::wrong_type, field::quantized_layers);
    std::string_view algorithms[placed_formats::most_formats]{};
    json::for_each_member(*listed, [&](json::slice name, const json::value& v) {
      json::slice algorithm;
      if (v.type == json::kind::object)
        json::for_each_member(v, [&](json::slice key, const json::value& said) {
          if (key == "quant_algo") algorithm = said.text;
        });
      int number = 1;
      while (number < placed_formats::most_formats && !algorithms[number].empty() &&
             algorithms[number] != algorithm.raw)
        ++number;
      if (number == placed_formats::most_formats || algorithm.raw.empty())
        return in_.fail(config_problem::unknown, field::quantized_layers, name);
      if (algorithms[number].empty()) {
        algorithms[number] = algorithm.raw;
        storage_.formats[number] = modelopt_format(algorithm, field::quantized_layers);
      }
      place_named(number, field::quantized_layers, name);
    });
  }

  /// One of FP8 or FP4, with a scale of FP32 each for the keys and the values of a layer.
  constexpr void read_kv_cache() {
    const auto take = [&](bool narrow, bool fp8, field said) {
      if (!narrow) return in_.fail(config_problem::unknown, said);
      storage_.kv_cache = fp8 ? fp8_e4m3::format : nvfp4::format;
      storage_.cache_scale_bytes = 8;
    };
    for (const field f : {field::kv_cache_scheme, field::kv_cache_quant_algo}) {
      const json::value* said = in_.find(f);
      if (said == nullptr) continue;
      if (said->type == json::kind::string) {
        if (!(said->text == "")) take(said->text == "FP8" || said->text == "NVFP4", said->text == "FP8", f);
        continue;
      }
      const scheme one = read_scheme(*said);
      take(one.is_float && (one.bits == 8 || one.bits == 4), one.bits == 8, f);
    }
  }

  /// Of compressed-tensors: what is said of weights, activations or the cache.
  struct scheme {
    bool present = false, is_float = false, symmetric = true, dynamic = true;
    std::int64_t bits = 0, group = 0, block[2]{};
    std::string_view strategy{}, order{};
  };
  constexpr scheme read_scheme(const json::value& of) const {
    scheme one;
    if (of.type != json::kind::object) return one;
    one.present = true;
    json::for_each_member(of, [&](json::slice key, const json::value& v) {
      if (key == "num_bits") one.bits = v.integer;
      if (key == "type") one.is_float = v.text == "float";
      if (key == "symmetric") one.symmetric = v.type != json::kind::boolean || v.truth;
      if (key == "dynamic") one.dynamic = v.type == json::kind::boolean ? v.truth : true;
      if (key == "strategy" && v.type == json::kind::string) one.strategy = v.text.raw;
      if (key == "actorder" && v.type == json::kind::string) one.order = v.text.raw;
      if (key == "group_size" && v.type == json::kind::integer) one.group = v.integer;
      if (key == "block_structure" && v.type == json::kind::array) {
        int i = 0;
        json::for_each_element(v, [&](const json::value& side) {
          if (i < 2) one.block[i++] = side.integer;
        });
      }
    });
    return one;
  }

  /// How compressed-tensors stores a matrix of such weights. Scales have the model's dtype but for the microscaled
  /// ones.
  constexpr matrix_format compressed(const scheme& weights, const scheme& inputs, std::string_view layout) const {
    const double scale = storage_.dtype.bytes_per_element();
    if (detail::mentions(layout, "nvfp4")) return stored::nvfp4(inputs.present);
    if (detail::mentions(layout, "mxfp4")) return stored::mxfp4;
    if (detail::mentions(layout, "mxfp8")) return stored::mxfp8;
    const bool known = (weights.bits == 4 || weights.bits == 8) && (!weights.is_float || weights.bits == 8);
    if (!known) {
      in_.fail(config_problem::unknown, field::config_groups);
      return stored::mxfp4;
    }
    matrix_format made{.kind = weights.is_float    ? number_kind::fp8_e4m3
                               : weights.bits == 8 ? number_kind::int8
                                                   : number_kind::int4,
                       .bits = static_cast<double>(weights.bits),
                       .scale_bytes = scale,
                       .zero_point_bits = weights.symmetric ? 0.0 : static_cast<double>(weights.bits)};
    if (weights.strategy == "channel") {
      made.scope = scale_scope::output;
    } else if (weights.strategy == "group" && weights.group > 0) {
      made.scope = scale_scope::group;
      made.group_size = weights.group;
    } else if (weights.strategy == "block" && weights.block[0] > 0 && weights.block[1] > 0) {
      made.scope = scale_scope::block;
      made.block_rows = weights.block[0];
      made.block_columns = weights.block[1];
    } else if (weights.strategy == "tensor" || weights.strategy.empty()) {
      made.scope = scale_scope::matrix;
    } else {
      in_.fail(config_problem::unknown, field::config_groups, {weights.strategy});
    }
    if (weights.order == "group") made.bytes_an_input = 4;                // g_idx
    if (inputs.present && !inputs.dynamic) made.bytes_a_matrix += scale;  // input_scale
    if (detail::mentions(layout, "pack")) made.bytes_a_matrix += 16;      // weight_shape, two of int64
    return made;
  }

  constexpr void read_compressed_tensors() {
    const json::value* groups = in_.find(field::config_groups);
    if (groups == nullptr) return in_.fail(config_problem::missing, field::config_groups);
    if (groups->type != json::kind::object) return in_.fail(config_problem::wrong_type, field::config_groups);
    storage_.quantised = {};
    int number = 0;
    json::for_each_member(*groups, [&](json::slice name, const json::value& group) {
      if (++number == placed_formats::most_formats || group.type != json::kind::object)
        return in_.fail(config_problem::unknown, field::config_groups, name);
      scheme weights, inputs;
      std::string_view layout = in_.text(field::format).raw;
      json::value targets{};
      json::for_each_member(group, [&](json::slice key, const json::value& v) {
        if (key == "weights") weights = read_scheme(v);
        if (key == "input_activations") inputs = read_scheme(v);
        if (key == "targets") targets = v;
        if (key == "format" && v.type == json::kind::string) layout = v.text.raw;
      });
      if (!weights.present) return in_.fail(config_problem::unknown, field::config_groups, name);
      use(quantization_method::compressed_tensors, compressed(weights, inputs, layout), number);
      if (inputs.present) storage_.inputs = narrow_inputs(inputs);
      if (targets.type != json::kind::array) return in_.fail(config_problem::unknown, field::config_groups, name);
      json::for_each_element(targets, [&](const json::value& target) {
        if (!(target.text == "Linear")) return place_in(number, field::config_groups, target);
        if (number != 1) return in_.fail(config_problem::unknown, field::config_groups, name);
        storage_.quantised = {operation::projection, operation::expert_projection};
      });
    });
    read_kv_cache();
    leave(field::ignore);
  }
  static constexpr number_format narrow_inputs(const scheme& inputs) {
    if (!inputs.is_float) return inputs.bits == 8 ? int8::format : number_format{};
    return inputs.bits == 4 ? nvfp4::format : fp8_e4m3::format;
  }

  /// Modules that a method leaves in `dtype`.
  constexpr void leave(field f) {
    in_.each(f, [&](const json::value& v, std::int64_t) { place_in(0, f, v); });
  }
  constexpr void place_in(int number, field f, const json::value& v) {
    if (v.type != json::kind::string) return in_.fail(config_problem::wrong_type, f);
    place_named(number, f, v.text);
  }
  constexpr void place_named(int number, field f, json::slice name) {
    for_each_named(name.raw, [&](const named_modules& named) {
      if (named.meant == named_modules::what::tower && number == 0) storage_.towers = false;
      const bool chosen = named.meant == named_modules::what::matrices;
      if (named.meant == named_modules::what::head) {
        storage_.head_format = number;
        return;
      }
      if (named.meant == named_modules::what::table) {
        storage_.table_format = number;
        return;
      }
      // What a method leaves alone anyhow may be said; a format for it may not.
      if (named.meant == named_modules::what::unknown || (number != 0 && !chosen) || named.layer >= layer_set::capacity)
        return in_.fail(config_problem::unknown, f, name);
      if (!chosen) return;
      const layer_set layers =
          named.layer < 0 ? layer_set::range(0, blocks_.layers) : layer_set::range(named.layer, named.layer + 1);
      for (int i = 0; i < matrix_count; ++i) {
        if (!named.chosen[i]) continue;
        for (layer_set& in_other : stored_in_[i]) in_other = in_other - layers;
        stored_in_[i][number] = stored_in_[i][number] | layers;
      }
      any_exception_ = true;
    });
  }

  constexpr void count_exceptions() {
    if (!any_exception_) return;
    for (int i = 0; i < matrix_count; ++i) {
      const place& where = matrices_of_blocks[i];
      const bool of_experts = where.in == sublayer::experts;
      const operation kind = where.at == position::router ? operation::router
                             : of_experts                 ? operation::expert_projection
                                                          : operation::projection;
      const int usual = storage_.quantised.contains(kind) ? 1 : 0;
      layer_set elsewhere{};
      for (const layer_set& layers : stored_in_[i]) elsewhere = elsewhere | layers;
      if (elsewhere.empty() || elsewhere == stored_in_[i][usual]) continue;
      blocks_.for_each_kind([&](block_kind block) {
        const layer_set alike = blocks_.of_kind(block, 0, blocks_.layers);
        placed_formats found{.where = where, .kind = static_cast<std::uint8_t>(block.number())};
        for (int number = 0; number < placed_formats::most_formats; ++number)
          found.layers[number] = static_cast<std::int16_t>((alike & stored_in_[i][number]).size());
        found.layers[usual] = static_cast<std::int16_t>(found.layers[usual] + (alike - elsewhere).size());
        if (alike.empty() || found.layers[usual] == alike.size()) return;
        if (storage_.exception_count == weight_storage::most_exceptions)
          return in_.fail(config_problem::too_large, field::quantization_config);
        storage_.exceptions[storage_.exception_count++] = found;
      });
    }
  }

  config_fields top_, in_;
  const stack& blocks_;
  weight_storage storage_{};
  layer_set stored_in_[matrix_count][placed_formats::most_formats]{};
  bool any_exception_ = false;
};

}  // namespace flopledger::hugging_face
