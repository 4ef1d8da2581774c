// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include "subject.hpp"

#include <flopledger/memory/kv_cache.hpp>
#include <flopledger/models/catalogue.hpp>
#include <flopledger/models/config_error.hpp>
#include <flopledger/text/number.hpp>
#include <flopledger/weights/files.hpp>
#include <flopledger/weights/gguf_model.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "json.hpp"

namespace program {
namespace {

using namespace flopledger;

/// Model Optimizer may say beside a config.json how the weights are stored: what it says there is put where a
/// config.json has it. Lines of the config.json stay where they are.
std::vector<char> with_quantization_beside(const std::string& path) {
  std::vector<char> text = content_of(path);
  const std::filesystem::path beside = std::filesystem::path(path).replace_filename("hf_quant_config.json");
  std::error_code problem;
  if (std::filesystem::path(path).filename() != "config.json" || !std::filesystem::exists(beside, problem)) return text;
  const std::string_view config(text.data(), text.size());
  const std::size_t end = config.rfind('}');
  if (end == std::string_view::npos || config.find("\"quantization_config\"") != std::string_view::npos) return text;
  const std::vector<char> said = content_of(beside.string());
  const json whole = json::parse(said.begin(), said.end(), nullptr, false);
  if (!whole.is_object() || !whole.contains("quantization") || !whole["quantization"].is_object())
    throw usage_error(beside.string() + ": has no object \"quantization\", so nothing says how the weights are stored");
  json quantization = whole["quantization"];
  quantization["quant_method"] = "modelopt";
  const std::string member = ", \"quantization_config\": " + quantization.dump();
  text.insert(text.begin() + static_cast<std::ptrdiff_t>(end), member.begin(), member.end());
  return text;
}

subject read_file(const std::string& path) {
  subject model{.name = path,
                .text = std::make_unique<const std::vector<char>>(with_quantization_beside(path)),
                .description = {}};
  try {
    model.description = require_config({model.text->data(), model.text->size()}, path);
  } catch (const config_error& problem) {
    throw usage_error(problem.what());
  }
  return model;
}

/// The config.json of a folder, and the one beside a file of safetensors or their index; any other path is the file.
std::filesystem::path description_at(const std::filesystem::path& path) {
  std::error_code problem;
  const std::optional<weights::file_kind> kind = weights::kind_of(path);
  const bool is_folder = std::filesystem::is_directory(path, problem);
  if (!is_folder && (!kind || kind == weights::file_kind::gguf)) return path;
  const std::filesystem::path config = is_folder ? path / "config.json" : path.parent_path() / "config.json";
  if (!std::filesystem::exists(config, problem))
    throw usage_error(path.string() +
                      (is_folder ? ": a folder without a config.json" : ": has no config.json beside it"));
  return config;
}

/// A GGUF file has its model in its metadata.
subject read_gguf_file(const std::filesystem::path& path) {
  std::ifstream stream = opened(path.string());
  try {
    const weights::gguf_file file = weights::read_gguf(stream, path.string());
    const std::string config = weights::config_of(file);
    subject model{.name = path.string(),
                  .text = std::make_unique<const std::vector<char>>(config.begin(), config.end()),
                  .description = {}};
    model.description = weights::model_of(file, {model.text->data(), model.text->size()});
    return model;
  } catch (const flopledger::error& problem) {
    throw usage_error(problem.what());
  }
}

subject read_path(const std::filesystem::path& path) {
  return weights::kind_of(path) == weights::file_kind::gguf ? read_gguf_file(path) : read_file(path.string());
}

bool is_there(const std::filesystem::path& path) {
  std::error_code problem;
  return !path.empty() && std::filesystem::status(path, problem).type() != std::filesystem::file_type::not_found;
}

/// So many names and files are kept; who asks about more of them waits for the look-up again.
constexpr std::size_t most_kept = 256;

const models::zoo_entry* found_in_zoo(const std::string& name) {
  thread_local std::unordered_map<std::string, const models::zoo_entry*> kept;
  if (const auto known = kept.find(name); known != kept.end()) return known->second;
  const models::zoo_entry* found = models::find(name);
  if (found == nullptr || kept.size() >= most_kept) return found;
  return kept[name] = found;
}

const subject& kept_entry(const models::zoo_entry& entry) {
  thread_local std::unordered_map<const models::zoo_entry*, subject> kept;
  const auto [at, is_new] = kept.try_emplace(&entry);
  subject& found = at->second;
  if (is_new) {
    found.name = std::string(entry.name);
    found.description.config = entry.describe();
    found.description.storage = entry.checkpoint();
  }
  return found;
}

const subject& kept_path(const std::filesystem::path& path) {
  struct file {
    std::filesystem::file_time_type written{};
    std::uintmax_t size = 0;
    subject content;
  };
  thread_local std::unordered_map<std::string, file> kept;
  std::error_code problem;
  const std::filesystem::path read = description_at(path);
  const auto written = std::filesystem::last_write_time(read, problem);
  const std::uintmax_t size = problem ? 0 : std::filesystem::file_size(read, problem);
  if (const auto known = kept.find(path.string()); known != kept.end()) {
    if (!problem && known->second.written == written && known->second.size == size) return known->second.content;
    kept.erase(known);
  }
  if (kept.size() >= most_kept) kept.clear();
  return kept.try_emplace(path.string(), file{written, size, read_path(read)}).first->second.content;
}

std::string hint(const std::string& model) {
  std::string names;
  for (const models::zoo_entry* near : models::closest(model))
    names.append(names.empty() ? "; the closest: " : ", ").append(near->name);
  return names;
}

bool same(const operand& a, const operand& b) {
  return a.what == b.what && a.how == b.how && a.over == b.over && a.parts == b.parts && a.elements == b.elements &&
         a.touched == b.touched;
}

bool alike(const row& a, const row& b) {
  return a.name == b.name && a.where == b.where && a.part == b.part && a.kind == b.kind && a.trainable == b.trainable &&
         a.shape.batch == b.shape.batch && a.shape.m == b.shape.m && a.shape.n == b.shape.n && a.shape.k == b.shape.k &&
         a.held == b.held && a.active == b.active && a.multiplied == b.multiplied && a.elementwise == b.elementwise &&
         a.backward.input_products == b.backward.input_products &&
         a.backward.weight_products == b.backward.weight_products &&
         a.backward.weight_elementwise == b.backward.weight_elementwise &&
         a.backward.elementwise == b.backward.elementwise &&
         std::equal(a.operands.begin(), a.operands.end(), b.operands.begin(), same);
}

}  // namespace

std::ifstream opened(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw failure(path + ": cannot be opened: " + std::strerror(errno));
  return file;
}

std::vector<char> content_of(const std::string& path) {
  // A config.json is some kilobytes; what is longer is some other file, or none that ends.
  constexpr std::size_t largest_file = 16U << 20U;
  std::ifstream file = opened(path);
  std::vector<char> text(largest_file + 1);
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad()) throw failure(path + ": cannot be read: " + std::strerror(errno));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > largest_file) throw usage_error(path + ": longer than 16 MiB, so no config.json");
  text.shrink_to_fit();
  return text;
}

const subject& find_subject(const std::string& model) try {
  const std::filesystem::path path(model);
  // A path that is there is meant as one; a bare name is looked up first, and ./NAME is the file.
  const bool by_path = path.has_parent_path();
  if (by_path && is_there(path)) return kept_path(path);
  if (const models::zoo_entry* known = found_in_zoo(model); known != nullptr) return kept_entry(*known);
  if (!by_path && is_there(path)) return kept_path(path);
  // What ends so was meant as a file, and what is missing is the file, not the question.
  if (path.extension() == ".json" || weights::kind_of(path)) return kept_path(path);
  throw usage_error('"' + model + "\" is neither a model that `flopledger models` lists nor a file" + hint(model));
} catch (request_error& problem) {
  problem.field = "model";
  throw;
}

void refuse_what_does_not_serve(const subject& model) {
  const transformer_config& config = model.config();
  if (config.vision_only || config.has_encoder())
    throw usage_error(model.name + ": serving is of decoders, and this model " +
                      (config.vision_only ? "reads images alone" : "has an encoder"));
  if (kv_cache_bytes(config, forward(1, 1), bf16::format) <= bytes{})
    throw usage_error(model.name + ": serving generates tokens, and the model keeps no cache");
}

work pass_over(const subject& model, const work_request& asked) {
  const transformer_config& config = model.config();
  work pass = asked.context ? decode_step(asked.batch, *asked.context) : forward(asked.batch, 4096);
  if (!asked.context && config.context > 0) pass.run.length = std::min(4096.0, static_cast<double>(config.context));
  if (asked.sequence) pass.run.length = *asked.sequence;
  pass.attention = asked.attention;
  if (asked.head) pass.head = *asked.head;
  if (asked.source) pass.source_length = *asked.source;
  pass.images = asked.images;
  if (asked.context && kv_cache_bytes(config, pass, bf16::format) <= 0.0 * unit::byte)
    throw usage_error(model.name + ": --context: the model keeps no cache");
  if (asked.source && !config.has_encoder())
    throw usage_error(model.name + ": --source: the model has no encoder beside its decoder");
  if (asked.images > 0 && !config.has_vision()) throw usage_error(model.name + ": --images: the model reads none");
  return config.with_source(pass);
}

std::vector<entry> operations_of(const transformer_config& config, const work& pass) {
  std::vector<entry> recorded;
  stored_in rows{recorded};
  config.record(rows, pass);
  std::vector<entry> merged;
  for (const entry& e : recorded) {
    const auto known =
        std::find_if(merged.begin(), merged.end(), [&](const entry& other) { return alike(other.what, e.what); });
    if (known == merged.end())
      merged.push_back(e);
    else {
      known->times += e.times;
      if (!e.what.block.windowed) known->what.block.windowed = false;  // a window that cuts nothing off
    }
  }
  return merged;
}

std::int64_t window_of(const transformer_config& config, const row& asked) {
  return asked.block.windowed && is_attention_core(asked.is()) ? config.stack.window : 0;
}

std::string counted(double n, const std::string& one) { return report::in_full(n) + ' ' + one + (n == 1 ? "" : "s"); }

std::string beyond_context(const transformer_config& config, double tokens) {
  if (config.context <= 0 || tokens <= static_cast<double>(config.context)) return "";
  return " (beyond the model's context of " + report::in_full(static_cast<double>(config.context)) + ')';
}

std::string_view name_of(attention_counting counting) {
  switch (counting) {
    case attention_counting::full:
      return "full";
    case attention_counting::causal:
      return "causal";
    case attention_counting::causal_half:
      return "half";
  }
  return "";
}
std::string_view name_of(head_positions positions) {
  return positions == head_positions::every_token ? "every" : "last";
}
std::string_view name_of(product_counting counting) {
  return counting == product_counting::conventional ? "conventional" : "strict";
}

std::string described(const transformer_config& config) {
  std::string text(config.architecture);
  const auto add_stack = [&](const stack& blocks, std::string_view part) {
    if (blocks.layers == 0) return;
    if (!text.empty()) text += ", ";
    if (!part.empty()) (text += part) += ' ';
    text += counted(static_cast<double>(blocks.layers), "layer") + " of width " +
            report::in_full(static_cast<double>(blocks.hidden));
  };
  add_stack(config.vision.stack, config.vision_only ? "" : "vision");
  add_stack(config.encoder, "encoder");
  if (!config.vision_only) add_stack(config.stack, config.has_encoder() ? "decoder" : "");
  return text;
}

std::string described(const subject& model, const work& pass) {
  const transformer_config& config = model.config();
  const std::string_view head =
      pass.head == head_positions::every_token ? "; head on every token" : "; head on the last token of each sequence";
  if (config.vision_only) return counted(pass.run.count, "image");
  std::string text = "batch " + report::in_full(pass.run.count) + ", sequence " + report::in_full(pass.run.length);
  if (pass.run.cached > 0) text += " after " + report::in_full(pass.run.cached) + " cached";
  if (config.has_encoder()) text += ", encoder " + report::in_full(pass.source_of(pass.run));
  if (config.has_vision()) text += pass.images > 0 ? ", " + counted(pass.images, "image") + " each" : ", no images";
  return text.append(beyond_context(config, pass.run.total_length())).append(head);
}

}  // namespace program
