// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// A Hugging Face config.json, read into a `transformer_config`: in a constant expression, and at run time.
///
/// One function serves both. It never throws and never guesses: what is wrong comes back as a problem, the field, the
/// line and the numbers. `require_config` (models/config_error.hpp) turns that into an exception, `model_from` into a
/// compile error.
///
/// What belongs to a family of models stands in a file of its own under models/hugging_face/ (docs/architectures.md).

#include <flopledger/models/hugging_face/apertus.hpp>
#include <flopledger/models/hugging_face/baichuan.hpp>
#include <flopledger/models/hugging_face/bailing.hpp>
#include <flopledger/models/hugging_face/bert.hpp>
#include <flopledger/models/hugging_face/bloom.hpp>
#include <flopledger/models/hugging_face/cohere.hpp>
#include <flopledger/models/hugging_face/deepseek.hpp>
#include <flopledger/models/hugging_face/deepseek_v4.hpp>
#include <flopledger/models/hugging_face/eagle.hpp>
#include <flopledger/models/hugging_face/encoder_decoder.hpp>
#include <flopledger/models/hugging_face/ernie.hpp>
#include <flopledger/models/hugging_face/exaone.hpp>
#include <flopledger/models/hugging_face/falcon.hpp>
#include <flopledger/models/hugging_face/falcon_h1.hpp>
#include <flopledger/models/hugging_face/gemma.hpp>
#include <flopledger/models/hugging_face/gemma4.hpp>
#include <flopledger/models/hugging_face/glm.hpp>
#include <flopledger/models/hugging_face/glm4v.hpp>
#include <flopledger/models/hugging_face/gpt.hpp>
#include <flopledger/models/hugging_face/gpt_oss.hpp>
#include <flopledger/models/hugging_face/granite.hpp>
#include <flopledger/models/hugging_face/grok.hpp>
#include <flopledger/models/hugging_face/hunyuan.hpp>
#include <flopledger/models/hugging_face/internlm.hpp>
#include <flopledger/models/hugging_face/kimi.hpp>
#include <flopledger/models/hugging_face/lfm2.hpp>
#include <flopledger/models/hugging_face/llama.hpp>
#include <flopledger/models/hugging_face/llama4.hpp>
#include <flopledger/models/hugging_face/mamba.hpp>
#include <flopledger/models/hugging_face/mimo.hpp>
#include <flopledger/models/hugging_face/minimax.hpp>
#include <flopledger/models/hugging_face/mistral.hpp>
#include <flopledger/models/hugging_face/mpt.hpp>
#include <flopledger/models/hugging_face/nemotron.hpp>
#include <flopledger/models/hugging_face/olmo.hpp>
#include <flopledger/models/hugging_face/opt.hpp>
#include <flopledger/models/hugging_face/phi.hpp>
#include <flopledger/models/hugging_face/qwen.hpp>
#include <flopledger/models/hugging_face/qwen_next.hpp>
#include <flopledger/models/hugging_face/qwen_vl.hpp>
#include <flopledger/models/hugging_face/smollm.hpp>
#include <flopledger/models/hugging_face/stablelm.hpp>
#include <flopledger/models/hugging_face/starcoder.hpp>
#include <flopledger/models/hugging_face/step.hpp>
#include <flopledger/models/hugging_face/storage.hpp>
#include <flopledger/models/hugging_face/vision.hpp>
#include <flopledger/models/problem.hpp>

namespace flopledger {

/// A model as its configuration file describes it.
struct model_description {
  transformer_config config{};
  weight_storage storage{};
  std::string_view model_type{};
};

/// A description, or why there is none.
struct config_reading {
  model_description value{};
  config_error_place error{};
  constexpr bool ok() const { return error.problem == config_problem::none; }
};

namespace hugging_face {

/// Every family that is read.
// clang-format off
inline constexpr family families[] = {
    llama_family,
    mistral_family,
    qwen_family,
    gemma_family,
    gemma4_family,
    phi_family,
    deepseek_family,
    deepseek_v4_family,
    gpt_family,
    gpt_oss_family,
    llama4_family,
    glm_family,
    glm4v_family,
    cohere_family,
    olmo_family,
    opt_family,
    bloom_family,
    falcon_family,
    mpt_family,
    mamba_family,
    minimax_family,
    grok_family,
    ernie_family,
    exaone_family,
    step_family,
    mimo_family,
    hunyuan_family,
    bailing_family,
    apertus_family,
    granite_family,
    smollm_family,
    baichuan_family,
    internlm_family,
    stablelm_family,
    starcoder_family,
    nemotron_family,
    bert_family,
    encoder_decoder_family,
    vision_family,
    qwen_vl_family,
    qwen_next_family,
    kimi_family,
    falcon_h1_family,
    lfm2_family,
    eagle_family,
};
// clang-format on

constexpr const architecture* of_model_type(std::string_view model_type) {
  for (const family& one : families)
    for (const architecture& row : one)
      if (row.model_type == model_type) return &row;
  return nullptr;
}

/// A class name taken apart; no architecture where none has its beginning.
struct class_parts {
  const architecture* known = nullptr;
  head_class head = head_class::unknown;
};

constexpr class_parts of_class(std::string_view name) {
  for (const family& one : families)
    for (const architecture& row : one) {
      if (row.whole_class && name == row.class_prefix) return {&row, row.head};
      if (row.whole_class || !name.starts_with(row.class_prefix)) continue;
      const head_class head = head_of_suffix(name.substr(row.class_prefix.size()));
      if (head != head_class::unknown) return {&row, head};
    }
  return {};
}

/// What a file is of, and with which head on top.
struct identified {
  const architecture* known = nullptr;
  head_class head = head_class::unknown;
  std::string_view class_name{};
  std::string_view model_type{};
};

/// An architecture is named by model_type, by the class in `architectures`, or by both if they agree.
constexpr identified identify(const config_fields& in) {
  identified found;
  found.model_type = in.text(field::model_type).raw;
  const architecture* by_type = found.model_type.empty() ? nullptr : of_model_type(found.model_type);
  in.each(field::architectures, [&](const json::value& v, std::int64_t i) {
    if (i == 0) found.class_name = v.text.raw;
  });
  const class_parts by_class = found.class_name.empty() ? class_parts{} : of_class(found.class_name);
  if (by_type == nullptr && by_class.known == nullptr) {
    if (found.model_type.empty() && found.class_name.empty())
      in.fail(config_problem::missing, field::model_type);
    else
      found.model_type.empty() ? in.fail(config_problem::unknown, field::architectures, {found.class_name})
                               : in.fail(config_problem::unknown, field::model_type);
    return found;
  }
  const bool by_whole_class = by_class.known != nullptr && by_class.known->whole_class;
  if (by_type != nullptr && by_class.known != nullptr &&
      !(by_whole_class ? by_type->model_type == by_class.known->model_type : by_type->reads_as(*by_class.known))) {
    in.contradict(field::architectures, 0, field::model_type, 0);
    return found;
  }
  found.known = by_type != nullptr && !by_whole_class ? by_type : by_class.known;
  found.head = by_class.known != nullptr ? by_class.head : found.known->head;
  // A class of somebody's own over a known type: taken for a language model only where its name says so.
  if (by_class.known == nullptr && !found.class_name.empty() && !found.class_name.ends_with("ForCausalLM") &&
      found.class_name.find("LMHeadModel") == std::string_view::npos)
    in.fail(config_problem::unknown, field::architectures, {found.class_name});
  return found;
}

/// What a wrapper and its text_config both say must be the same, and a tower that nothing here reads is refused.
constexpr void check_wrapper(const config_fields& in, const architecture& known) {
  const config_fields text = in.in(config_scope::text);
  if (in.in(config_scope::vision).present() && !known.sees) in.fail(config_problem::unknown, field::vision_config);
  if (!text.present()) return;
  if (const json::slice inner = text.text(field::model_type); !inner.raw.empty()) {
    const architecture* named = of_model_type(inner.raw);
    if (named == nullptr || !named->describes_blocks_as(known)) text.fail(config_problem::unknown, field::model_type);
  }
  for (const field f : {field::hidden_size, field::num_hidden_layers, field::num_attention_heads,
                        field::num_key_value_heads, field::intermediate_size, field::vocab_size})
    if (in.has(f) && text.has(f) && in.count(f) != text.count(f))
      in.contradict(f, in.count(f), field::text_config, text.count(f));
}

/// Puts the head that the class names on a decoder.
constexpr void set_decoder_head(const config_fields& in, const identified& model, transformer_config& config) {
  switch (model.head) {
    case head_class::causal_language:
    case head_class::conditional_generation:
      break;
    case head_class::model:
      if (!model.known->headed_model) config.head = {};
      break;
    case head_class::sequence_labels:
      config.head = {.outputs = read_label_count(in), .on_sequence = true};
      break;
    case head_class::token_labels:
      config.head = {.outputs = read_label_count(in), .bias = true};
      break;
    default:
      in.fail(config_problem::unknown, field::architectures);
  }
}

/// The reference implementations turn int(share · head_dim) dimensions.
constexpr void make_rotary_whole(stack& blocks) {
  double& turned = blocks.attention.rotary_dims;
  turned = static_cast<double>(static_cast<std::int64_t>(turned + 1e-9));
}

constexpr transformer_config read_model(const config_fields& in, const identified& model) {
  const architecture& known = *model.known;
  const model_file file{in, known, model.head, model.class_name, model.model_type};
  if (known.decoder) check_wrapper(in, known);
  // A decoder that attends to somebody else's encoder has weights that nothing here counts.
  if (in.flag_or(field::add_cross_attention, false)) in.fail(config_problem::unknown, field::add_cross_attention);
  transformer_config made = known.read != nullptr ? known.read(file) : read_wrapped(file);
  if (known.decoder) set_decoder_head(in, model, made);
  make_rotary_whole(made.stack);
  return made;
}

}  // namespace hugging_face

/// Reads a config.json. Costs some fifty evaluation steps a byte in a constant expression.
constexpr config_reading read_config(std::string_view json) {
  config_reading reading;
  detail::config_document document;
  document.read(json);
  if (document.error.problem == config_problem::none) {
    const hugging_face::config_fields fields{document, config_scope::top};
    const hugging_face::identified model = hugging_face::identify(fields);
    if (!fields.failed() && model.known != nullptr) {
      reading.value.config = hugging_face::read_model(fields, model);
      reading.value.storage = hugging_face::storage_reader(fields, reading.value.config.stack).read();
      fields.refuse_unread(hugging_face::of_model_type(model.model_type) == nullptr && !model.model_type.empty());
      reading.value.model_type = model.model_type;
      // What the checks of single fields let pass.
      if (const model_verdict found = problem_of(reading.value.config); !fields.failed() && !found.ok())
        document.error = {.problem = config_problem::impossible, .value = found.value, .text = name_of(found.field)};
    }
  }
  reading.error = document.error;
  return reading;
}

}  // namespace flopledger
