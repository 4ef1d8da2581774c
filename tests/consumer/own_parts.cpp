// A stranger's own layer, precision, device and model, beside the installed headers alone.
#include <flopledger/flopledger.hpp>

#include <tiny_llama.hpp>  // made of config.json by flopledger_add_model

using namespace flopledger;
using namespace flopledger::literals;

namespace consumer {

// A layer: one struct with one function.
struct convolution {
  std::int64_t in = 0, out = 0, kernel = 3;

  constexpr void record(books auto& sink, const work& asked) const {
    const double rows = asked.token_count();
    const double inputs = static_cast<double>(kernel * in), outputs = static_cast<double>(out);
    const parameters stored = inputs * outputs * unit::parameter;
    sink.take({.name = "convolution",
               .kind = operation::convolution,
               .shape = {.batch = 1, .m = rows, .n = outputs, .k = inputs},
               .held = stored,
               .active = stored,
               .multiplied = rows * inputs * outputs * unit::mac,
               .backward = {.input_products = 1, .weight_products = 1},
               .operands = {{.what = role::weight, .how = use::read, .elements = inputs * outputs},
                            {.what = role::activation, .how = use::read, .elements = rows * static_cast<double>(in)},
                            {.what = role::activation, .how = use::written, .elements = rows * outputs}}},
              1);
  }
};
static_assert(recordable<convolution, work>);
static_assert(total<&row::multiplied>(convolution{.in = 80, .out = 512}, forward(1, 3000)) ==
              3000. * 3 * 80 * 512 * unit::mac);

// A model made of it, and one made of config.json.
struct pair {
  convolution first{}, second{};
  constexpr void record(books auto& sink, const work& asked) const {
    first.record(sink, asked);
    second.record(sink, asked);
  }
};
struct two_convolutions {
  static constexpr pair config{.first = {.in = 80, .out = 512}, .second = {.in = 512, .out = 512}};
};
static_assert(parameter_count<two_convolutions> == 3. * (80 * 512 + 512 * 512) * unit::parameter);
static_assert(parameter_count<tiny_llama> == 134'515'008. * unit::parameter);
static_assert(tiny_llama::name == "tiny_llama");
static_assert(weight_bytes(tiny_llama::config, tiny_llama::storage) == 269'030'016_B);

// A precision: five bits an element, one 8-bit scale for 64.
struct fp5 {
  static constexpr number_format format{.name = "fp5", .bits = 5, .group_size = 64, .scale_bits = 8};
};
static_assert(number_format_type<fp5>);
static_assert(parameter_count<tiny_llama> * storage<fp5> == 134'515'008. * (5 + 8. / 64) / 8 * unit::byte);
struct served_in_five_bits {
  static constexpr recipe value{.name = "fp5", .weights = fp5::format, .kv_cache = fp5::format};
};

// A device: what is known of it.
struct pocket_accelerator {
  static constexpr accelerator value{.id = "pocket-1",
                                     .product = "Pocket accelerator",
                                     .bf16 = teraflops(2),
                                     .usable_memory = 512_MiB,
                                     .memory_bandwidth = 0.1_TB / unit::second};
};
static_assert(usable_memory<pocket_accelerator> == 512_MiB);
static_assert(fits<weights_and_cache<tiny_llama, served_in_five_bits, load{1, 8192}>, pocket_accelerator>);
static_assert(!fits<weights_and_cache<models::llama3_1_8b, recipes::bf16, load{1, 8192}>, pocket_accelerator>);

}  // namespace consumer
