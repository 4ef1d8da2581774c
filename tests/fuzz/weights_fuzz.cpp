// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// Any bytes as a weight file: read or refused in one line with the file's name, never more tensors than bytes, and what
// a GGUF file says is a model sums to whole numbers.
#include <flopledger/weights/compare.hpp>
#include <flopledger/weights/gguf_model.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace flopledger;
using namespace flopledger::weights;

void require(bool holds) {
  if (!holds) std::abort();
}

void check_tensors(const std::vector<stored_tensor>& tensors, std::size_t size) {
  std::uint64_t sum = 0;
  for (const stored_tensor& one : tensors) {
    require(one.bytes <= size && one.begin <= size);
    sum += one.bytes;
  }
  require(sum <= size && tensors.size() <= size);
}

void read(char what, const std::string& text) {
  std::istringstream stream(text);
  if (what % 3 == 0) return check_tensors(read_safetensors(stream, "f").tensors, text.size());
  if (what % 3 == 1) return require(read_safetensors_index(text, "f").files().size() <= text.size());
  const gguf_file file = read_gguf(stream, "f");
  check_tensors(file.tensors, text.size());
  const std::string config = config_of(file);
  const model_description model = model_of(file, config);
  const double bytes = weight_bytes(model.config, model.storage).value();
  require(std::isfinite(bytes) && bytes >= 0);
  compare(model.config, model.storage, names_of(architecture_of(file)), file.tensors, compared_formats::any);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  try {
    read(static_cast<char>(data[0] % 3), {reinterpret_cast<const char*>(data) + 1, size - 1});
  } catch (const unreadable& problem) {
    const std::string_view said = problem.what();
    require(said.starts_with("f: ") && said.find('\n') == std::string_view::npos);
  } catch (const unnamed_row&) {
  }
  return 0;
}
