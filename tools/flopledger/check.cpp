// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// `flopledger check`: the tensors of weight files beside the rows of a model.

#include <flopledger/text/number.hpp>
#include <flopledger/text/table.hpp>
#include <flopledger/weights/compare.hpp>
#include <flopledger/weights/files.hpp>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "json.hpp"
#include "program.hpp"
#include "subject.hpp"

namespace program {
namespace {

using namespace flopledger;
using report::align;

/// What MODEL holds itself need not be named once more.
std::vector<std::filesystem::path> paths_of(const check_request& asked) {
  std::error_code problem;
  const bool holds_files = std::filesystem::is_directory(asked.model, problem) || weights::kind_of(asked.model);
  if (asked.files.empty() && !holds_files)
    throw usage_error("FILES: none is given, and MODEL is neither one of them nor a folder that holds them", "files");
  if (asked.files.empty()) return {asked.model};
  return {asked.files.begin(), asked.files.end()};
}

weights::checkpoint_names names_of(const subject& model, const weights::checkpoint& files) {
  if (files.is_gguf && files.architecture == nullptr)
    throw usage_error(files.files[0] + ": general.architecture is missing", "files");
  if (files.is_gguf) return weights::names_of(*files.architecture);
  std::string_view type = model.description.model_type;
  if (type.empty())
    if (const auto* known = hugging_face::of_class(model.config().architecture).known; known != nullptr)
      type = known->model_type;
  const weights::checkpoint_names* found = weights::find_names(type);
  if (found == nullptr || model.config().has_vision() || model.config().has_encoder())
    throw usage_error(fmt::format("{}: how files name the tensors of {} is not known here", model.name,
                                  std::string(model.config().architecture)),
                      "model");
  return *found;
}

struct checked {
  const subject& model;
  weights::checkpoint files;
  bool formats = false;  ///< a zoo's model of 16 bits has none of its own, and types of GGUF are the file's own choice
  weights::comparison found{};
};

checked check_files(const check_request& asked) try {
  checked made{.model = find_subject(asked.model), .files = weights::read_checkpoint(paths_of(asked))};
  const quantization_method method = made.model.description.storage.method;
  const bool says_formats =
      method != quantization_method::gguf && (made.model.text != nullptr || method != quantization_method::none);
  made.formats = says_formats && !made.files.is_gguf;
  made.found = weights::compare(made.model.config(), made.model.description.storage, names_of(made.model, made.files),
                                made.files.tensors,
                                made.formats ? weights::compared_formats::as_stored : weights::compared_formats::any);
  return made;
} catch (const weights::unreadable& problem) {
  throw usage_error(problem.what(), "files");
} catch (const weights::unnamed_row& problem) {
  throw usage_error(asked.model + ": " + problem.what(), "model");
}

std::string bytes_for_people(const checked& one) {
  const weights::comparison& found = one.found;
  std::string text = fmt::format("{} in the files", report::in_full(static_cast<double>(found.found_bytes)));
  if (found.expected_bytes) {
    const std::string held = report::in_full(static_cast<double>(*found.expected_bytes));
    text += found.expected_bytes == found.found_bytes ? ", as the rows take" : ", and the rows take " + held;
  }
  if (found.set_aside_bytes > 0)
    text += fmt::format("; {} of them set aside", report::in_full(static_cast<double>(found.set_aside_bytes)));
  if (one.files.said_bytes && *one.files.said_bytes != found.found_bytes)
    text += fmt::format("; the index says {}", report::in_full(static_cast<double>(*one.files.said_bytes)));
  return text;
}

std::string for_people(const checked& one) {
  constexpr std::size_t longest_list = 40;
  const weights::comparison& found = one.found;
  report::table lines({{"", align::left}, {"", align::left}});
  lines.add({"model", described(one.model.config())});
  lines.add({"tensors", fmt::format("{} of {} as the rows have them; the files hold {}", found.same, found.expected,
                                    found.found)});
  lines.add({"bytes", bytes_for_people(one)});
  if (!one.formats) lines.add({"formats", "not compared: the model or the files name none"});
  if (found.buffers > 0)
    lines.add({"buffers", fmt::format("{}, which are computed and need not be there", found.buffers)});
  if (found.predictions > 0)
    lines.add({"predictions", fmt::format("{} of modules that predict further tokens, not compared",
                                          counted(static_cast<double>(found.predictions), "tensor"))});
  lines.add({"differences", found.agrees() ? "none" : std::to_string(found.differences.size())});
  std::string text =
      fmt::format("{} beside {}\n", one.model.name,
                  one.files.files.size() == 1 ? one.files.files[0]
                                              : counted(static_cast<double>(one.files.files.size()), "file")) +
      lines.text(2);
  if (found.agrees()) return text;
  report::table differences({{"", align::left},
                             {"tensor", align::left},
                             {"of the rows", align::left},
                             {"in the files", align::left},
                             {"operation", align::left}});
  for (std::size_t i = 0; i < std::min(found.differences.size(), longest_list); ++i) {
    const weights::difference& d = found.differences[i];
    differences.add({std::string(weights::name_of(d.what)), d.tensor, d.expected, d.found, std::string(d.row)});
  }
  text += '\n' + differences.text(2);
  if (found.differences.size() > longest_list)
    text += fmt::format("  and {} more; --json lists all\n", found.differences.size() - longest_list);
  return text;
}

json for_programs(const checked& one) {
  const weights::comparison& found = one.found;
  const auto text_or_null = [](std::string_view text) { return text.empty() ? json(nullptr) : json(text); };
  json_answer answer;
  answer.put("model", one.model.name);
  answer.put("architecture", one.model.config().architecture);
  answer.put("files", one.files.files);
  answer.put("formats_compared", one.formats);
  answer.put("agrees", found.agrees());
  answer.put("expected_tensors", found.expected);
  answer.put("found_tensors", found.found);
  answer.put("same_tensors", found.same);
  answer.put("buffers", found.buffers);
  answer.put("prediction_tensors", found.predictions);
  answer.put("expected_bytes", found.expected_bytes ? json(*found.expected_bytes) : json(nullptr));
  answer.put("found_bytes", found.found_bytes);
  answer.put("set_aside_bytes", found.set_aside_bytes);
  answer.put("index_bytes", one.files.said_bytes ? json(*one.files.said_bytes) : json(nullptr));
  json differences = json::array();
  for (const weights::difference& d : found.differences)
    differences.push_back({{"what", weights::name_of(d.what)},
                           {"tensor", text_or_null(d.tensor)},
                           {"expected", text_or_null(d.expected)},
                           {"found", text_or_null(d.found)},
                           {"operation", text_or_null(d.row)}});
  answer.put("differences", std::move(differences));
  return answer.whole();
}

}  // namespace

reply check(const check_request& asked, output how) {
  const checked one = check_files(asked);
  reply said = how == output::programs ? reply(for_programs(one)) : reply(for_people(one));
  said.differs = !one.found.agrees();
  return said;
}

}  // namespace program
