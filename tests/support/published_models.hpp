// The entries of tests/data/published_models.json.
#pragma once

#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

struct published_model {
  std::string name, architecture;
  std::string config;  ///< the config.json, with `architectures`, as text
  double total = 0;
  double active = 0;      ///< 0: not a mixture
  double size_bytes = 0;  ///< of the checkpoint, by its index file; 0: not read
  nlohmann::json entry;
};

inline const std::vector<published_model>& published_models() {
  static const std::vector<published_model> models = [] {
    std::ifstream file{FLOPLEDGER_TEST_DATA "/published_models.json"};
    if (!file) throw std::runtime_error{"tests/data/published_models.json cannot be read"};
    std::vector<published_model> read;
    for (const nlohmann::json& entry : nlohmann::json::parse(file)) {
      nlohmann::json config = entry.at("config");
      const std::string architecture = entry.at("architecture");
      // GPT-3 was never a class of Hugging Face; the entry says so in words.
      if (architecture.find(' ') == std::string::npos) config["architectures"] = {architecture};
      const auto number = [&](const char* key) { return entry.at(key).is_null() ? 0.0 : entry.at(key).get<double>(); };
      // The dtype stands beside the config in this collection. One entry names a class that was never in a config.json.
      if (!config.contains("torch_dtype")) {
        const std::string dtype = entry.at("dtype");
        for (const char* known : {"bfloat16", "float16", "float32", "float8_e4m3fn"})
          if (dtype.rfind(known, 0) == 0) config["torch_dtype"] = known;
      }
      read.push_back({entry.at("name"), architecture, config.dump(), number("total_params"), number("active_params"),
                      number("total_size_bytes"), entry});
    }
    return read;
  }();
  return models;
}

inline const published_model* find_published(const std::string& name) {
  for (const published_model& model : published_models())
    if (model.name == name) return &model;
  return nullptr;
}
