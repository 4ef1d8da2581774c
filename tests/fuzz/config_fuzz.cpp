// Any bytes as a config.json: the reader never crashes or hangs, says what is wrong in one line, and what it accepts
// sums to whole numbers.
#include <flopledger/memory/kv_cache.hpp>
#include <flopledger/models/config_error.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void require_count(double value) { require(std::isfinite(value) && value >= 0 && std::floor(value) == value); }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace flopledger;
  const std::string text{reinterpret_cast<const char*>(data), size};
  const config_reading reading = read_config(text);
  if (!reading.ok()) {
    const config_problem problem = reading.error.problem;
    require(problem == config_problem::not_json || reading.error.field != config_field::none ||
            (problem == config_problem::impossible && !reading.error.text.empty()));
    const std::string said = explain(reading.error, "config.json");
    require(said.size() > 13 && said.find('\n') == std::string::npos);
    return 0;
  }
  const transformer_config& config = reading.value.config;
  for (const work& asked : {forward(1, 1), training_step(2, 5), decode_step(3, 1000)}) {
    const totals all = totals_of(config, asked);
    require_count(all.held.value());
    require_count(all.active.value());
    require_count(all.trainable.value());
    require_count(all.multiplied.value());
    require_count(all.multiplied_backward.value());
    require_count(all.elementwise.value());
    require_count(all.elementwise_backward.value());
    require(all.active <= all.held && all.trainable <= all.held);
  }
  require_count(kv_cache_bytes(config, forward(2, 7), bf16::format).value());
  const double stored = weight_bytes(config, reading.value.storage).value();
  require(std::isfinite(stored) && stored >= 0);
  return 0;
}
