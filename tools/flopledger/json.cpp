// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include "json.hpp"

#include <cstdint>

namespace program {

using namespace flopledger;

bool put_number(json& object, const std::string& key, double value) {
  if (is_exact_count(value))
    object[key] = static_cast<std::int64_t>(value);
  else
    object[key] = value;
  return is_exact_count(value);
}

std::string dumped(const json& whole, int indent) {
  // A path need not be UTF-8, but JSON must.
  std::string text = whole.dump(indent, ' ', false, json::error_handler_t::replace);
  text += '\n';
  return text;
}

void json_answer::count(json& object, const std::string& key, double value, const std::string& path) {
  if (!put_number(object, key, value)) rounded_.push_back(path);
}

json json_answer::whole() {
  if (!rounded_.empty()) value_["rounded"] = std::move(rounded_);
  return std::move(value_);
}

void put_counts(json_answer& answer, const subject& model, const counts& found) {
  answer.put("model", model.name);
  answer.put("architecture", model.config().architecture);
  answer.count("batch", found.pass.run.count);
  answer.count("sequence", found.pass.run.length);
  if (found.pass.run.cached > 0) answer.count("context", found.pass.run.cached);
  if (model.config().has_encoder()) answer.count("source", found.pass.source_of(found.pass.run));
  if (found.pass.images > 0) answer.count("images", found.pass.images);
  answer.put("attention", name_of(found.pass.attention));
  answer.put("head", name_of(found.pass.head));
  answer.put("products", name_of(found.counting));
  answer.count("parameters", found.held.value());
  answer.count("active_parameters", found.active.value());
  answer.count("embedding_parameters", found.tables.value());
  answer.count("forward_macs", found.multiplied.value());
  answer.count("forward_matmul_flops", found.products.value());
  answer.count("forward_elementwise_flops", found.elementwise.value());
  if (found.training)
    answer.count("training_step_matmul_flops", found.training->value());
  else
    answer.put("training_step_matmul_flops", nullptr);
}

json operation_of(json_answer& answer, const listed_operation& e, const counts& found, const std::string& path) {
  const row& r = e.what;
  json one;
  one["name"] = r.name;
  one["part"] = flopledger::name_of(r.part);
  one["kind"] = flopledger::name_of(r.kind);
  one["repeat"] = e.times;
  if (e.window > 0) one["window"] = e.window;
  const auto put = [&](const std::string& key, double value) { answer.count(one, key, value, path + '.' + key); };
  put("parameters", r.held.value());
  put("active_parameters", r.active.value());
  put("macs", r.multiplied.value());
  put("matmul_flops", product_flops(r, found.counting).value());
  put("elementwise_flops", r.elementwise.value());
  json shape;
  if (r.shape.batch > 0) {
    for (const auto& [key, value] :
         {std::pair{"batch", r.shape.batch}, {"m", r.shape.m}, {"n", r.shape.n}, {"k", r.shape.k}})
      put_number(shape, key, value);  // an expert's rows are an average: no count
  }
  one["shape"] = shape;
  return one;
}

}  // namespace program
