// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include "calibration_file.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <initializer_list>
#include <utility>

#include <fmt/format.h>

namespace harness {
namespace {

using flopledger::bad_calibration;

/// An object of the file that says which of its fields is wrong.
class object_reader {
 public:
  object_reader(const json& value, std::string path, std::initializer_list<const char*> fields)
      : value_(value), path_(std::move(path)) {
    if (!value.is_object()) throw bad_calibration(path_ + ": not an object");
    for (const auto& item : value.items())
      if (std::none_of(fields.begin(), fields.end(), [&](const char* known) { return item.key() == known; }))
        throw bad_calibration(fmt::format("{}: unknown field \"{}\"", path_, item.key()));
  }
  std::string path_of(std::string_view field) const { return fmt::format("{}: {}", path_, field); }
  const json& at(const char* field) const {
    const auto found = value_.find(field);
    if (found == value_.end()) throw bad_calibration(path_of(field) + ": missing");
    return *found;
  }
  bool has(const char* field) const { return value_.contains(field); }
  std::string text(const char* field) const {
    const json& value = at(field);
    if (!value.is_string()) throw bad_calibration(path_of(field) + ": not a text");
    return value.get<std::string>();
  }
  bool flag(const char* field) const {
    const json& value = at(field);
    if (!value.is_boolean()) throw bad_calibration(path_of(field) + ": neither true nor false");
    return value.get<bool>();
  }
  double positive(const char* field) const { return positive(at(field), path_of(field)); }
  std::vector<double> positives(const char* field, std::size_t count) const {
    std::vector<double> numbers;
    const json& values = list(field);
    for (std::size_t i = 0; i < values.size(); ++i)
      numbers.push_back(positive(values[i], fmt::format("{}[{}]", path_of(field), i)));
    if (count != 0 && numbers.size() != count)
      throw bad_calibration(
          fmt::format("{}: {} numbers where the sizes ask for {}", path_of(field), numbers.size(), count));
    return numbers;
  }
  std::vector<double> ascending(const char* field) const {
    std::vector<double> sizes = positives(field, 0);
    if (sizes.empty()) throw bad_calibration(path_of(field) + ": empty");
    if (std::adjacent_find(sizes.begin(), sizes.end(), std::greater_equal<>()) != sizes.end())
      throw bad_calibration(path_of(field) + ": not ascending");
    return sizes;
  }
  const json& list(const char* field) const {
    const json& value = at(field);
    if (!value.is_array()) throw bad_calibration(path_of(field) + ": not a list");
    return value;
  }
  number_kind format(const char* field) const {
    const std::string name = text(field);
    try {
      return format_of(name);
    } catch (const std::invalid_argument&) {
      throw bad_calibration(fmt::format("{}: \"{}\" is no format", path_of(field), name));
    }
  }
 private:
  static double positive(const json& value, const std::string& path) {
    const double number = value.is_number() ? value.get<double>() : std::nan("");
    if (!(number > 0 && std::isfinite(number))) throw bad_calibration(path + ": not a number above 0");
    return number;
  }
  const json& value_;
  std::string path_;
};

std::string name_of_format(number_kind format) { return std::string(flopledger::name_of(format)); }

template <class Curve>
void require_once(const std::vector<Curve>& known, const Curve& one, const std::string& path) {
  for (const Curve& other : known) {
    bool same = other.format == one.format;
    if constexpr (requires { one.causal; }) same = same && other.causal == one.causal;
    if (same) throw bad_calibration(path + ": the format stands there twice");
  }
}

}  // namespace

number_kind format_of(std::string_view name) {
  for (const number_kind kind : {number_kind::fp32, number_kind::tf32, number_kind::bf16, number_kind::fp16,
                                 number_kind::fp8_e4m3, number_kind::int8})
    if (flopledger::name_of(kind) == name) return kind;
  throw std::invalid_argument(fmt::format("\"{}\" is no format of a product", name));
}

json to_json(const calibration_data& data) {
  json whole{{"schema", calibration_schema},
             {"version", calibration_version},
             {"backend", data.backend},
             {"device", data.device},
             {"mode", data.mode},
             {"statistic", data.statistic},
             {"bandwidth_bytes_per_second", data.bandwidth},
             {"launch_seconds", data.launch}};
  json provenance = json::object(), peaks = json::array(), products = json::array(), attention = json::array();
  for (const auto& [key, value] : data.provenance) provenance[key] = value;
  for (const auto& peak : data.peaks) {
    json one{{"format", name_of_format(peak.format)},
             {"flops_per_second", peak.rate.value},
             {"derivation", peak.rate.derivation}};
    if (peak.rate.checked) one["checked_flops_per_second"] = *peak.rate.checked;
    peaks.push_back(std::move(one));
  }
  for (const auto& curve : data.product_curves)
    products.push_back({{"format", name_of_format(curve.format)},
                        {"batch_runs_apart", curve.batch_runs_apart},
                        {"m", curve.m},
                        {"n", curve.n},
                        {"k", curve.k},
                        {"flops_per_second", curve.rates}});
  for (const auto& curve : data.attention_curves)
    attention.push_back({{"format", name_of_format(curve.format)},
                         {"causal", curve.causal},
                         {"head_dims", curve.head_dims},
                         {"lengths", curve.lengths},
                         {"forward_flops_per_second", curve.forward},
                         {"backward_flops_per_second", curve.backward}});
  whole["peaks"] = std::move(peaks);
  whole["products"] = std::move(products);
  whole["attention"] = std::move(attention);
  whole["streams"] = {{"bytes", data.stream_sizes}, {"bytes_per_second", data.stream_rates}};
  whole["provenance"] = std::move(provenance);
  return whole;
}

calibration_data calibration_of(const json& document, const std::string& file) {
  // Another schema or version may have other fields: it is asked for first.
  if (!document.is_object()) throw bad_calibration(file + ": not an object");
  if (const auto schema = document.find("schema"); schema == document.end() || *schema != calibration_schema)
    throw bad_calibration(fmt::format("{}: schema: not \"{}\"", file, calibration_schema));
  if (const auto version = document.find("version"); version == document.end() || *version != calibration_version)
    throw bad_calibration(fmt::format("{}: version: {}, this program reads {}", file,
                                      version == document.end() ? "missing" : version->dump(), calibration_version));
  const object_reader whole(
      document, file,
      {"schema", "version", "backend", "device", "mode", "statistic", "bandwidth_bytes_per_second", "launch_seconds",
       "peaks", "products", "attention", "streams", "provenance"});
  calibration_data data{.backend = whole.text("backend"),
                        .device = whole.text("device"),
                        .mode = whole.text("mode"),
                        .statistic = whole.text("statistic")};
  data.bandwidth = whole.positive("bandwidth_bytes_per_second");
  data.launch = whole.positive("launch_seconds");

  const auto each = [&](const char* field, auto&& read) {
    const json& list = whole.list(field);
    for (std::size_t i = 0; i < list.size(); ++i) read(list[i], fmt::format("{}: {}[{}]", file, field, i));
  };
  each("peaks", [&](const json& value, const std::string& path) {
    const object_reader one(value, path, {"format", "flops_per_second", "derivation", "checked_flops_per_second"});
    calibration_data::peak peak{one.format("format"), {one.positive("flops_per_second"), one.text("derivation")}};
    if (one.has("checked_flops_per_second")) peak.rate.checked = one.positive("checked_flops_per_second");
    require_once(data.peaks, peak, path);
    data.peaks.push_back(std::move(peak));
  });
  each("products", [&](const json& value, const std::string& path) {
    const object_reader one(value, path, {"format", "batch_runs_apart", "m", "n", "k", "flops_per_second"});
    calibration_data::products curve{.format = one.format("format"),
                                     .batch_runs_apart = one.flag("batch_runs_apart"),
                                     .m = one.ascending("m"),
                                     .n = one.ascending("n"),
                                     .k = one.ascending("k")};
    curve.rates = one.positives("flops_per_second", curve.m.size() * curve.n.size() * curve.k.size());
    require_once(data.product_curves, curve, path);
    data.product_curves.push_back(std::move(curve));
  });
  each("attention", [&](const json& value, const std::string& path) {
    const object_reader one(
        value, path,
        {"format", "causal", "head_dims", "lengths", "forward_flops_per_second", "backward_flops_per_second"});
    calibration_data::attention curve{.format = one.format("format"),
                                      .causal = one.flag("causal"),
                                      .head_dims = one.ascending("head_dims"),
                                      .lengths = one.ascending("lengths")};
    const std::size_t count = curve.head_dims.size() * curve.lengths.size();
    curve.forward = one.positives("forward_flops_per_second", count);
    curve.backward = one.positives("backward_flops_per_second", count);
    require_once(data.attention_curves, curve, path);
    data.attention_curves.push_back(std::move(curve));
  });
  const object_reader streams(whole.at("streams"), file + ": streams", {"bytes", "bytes_per_second"});
  data.stream_sizes = streams.ascending("bytes");
  data.stream_rates = streams.positives("bytes_per_second", data.stream_sizes.size());
  const json& provenance = whole.at("provenance");
  if (!provenance.is_object()) throw bad_calibration(file + ": provenance: not an object");
  for (const auto& item : provenance.items()) {
    if (!item.value().is_string()) throw bad_calibration(file + ": provenance: " + item.key() + ": not a text");
    data.provenance.emplace_back(item.key(), item.value().get<std::string>());
  }
  return data;
}

calibration_data read_calibration(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw bad_calibration(path + ": cannot be opened");
  json document;
  try {
    document = json::parse(file);
  } catch (const json::exception& problem) {
    throw bad_calibration(path + ": no JSON: " + problem.what());
  }
  return calibration_of(document, path);
}

calibration_view::calibration_view(calibration_data data) : data_(std::move(data)) {
  for (const auto& peak : data_.peaks)
    peaks_.push_back({peak.format, flopledger::flop_rate::from_value(peak.rate.value)});
  for (const auto& curve : data_.product_curves)
    products_.push_back({.format = curve.format,
                         .m = curve.m,
                         .n = curve.n,
                         .k = curve.k,
                         .rates = curve.rates,
                         .batch_runs_apart = curve.batch_runs_apart});
  for (const auto& curve : data_.attention_curves)
    attention_.push_back({.format = curve.format,
                          .causal = curve.causal,
                          .head_dims = curve.head_dims,
                          .lengths = curve.lengths,
                          .forward = curve.forward,
                          .backward = curve.backward});
  values_ = {.device = data_.device,
             .peaks = peaks_,
             .bandwidth = flopledger::byte_rate::from_value(data_.bandwidth),
             .launch = flopledger::seconds::from_value(data_.launch),
             .products = products_,
             .attention = attention_,
             .streams = {.sizes = data_.stream_sizes, .rates = data_.stream_rates}};
}

}  // namespace harness
