// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// One operation, below the level of a job: a product, an attention core, a stream of bytes, a collective. The
/// functions are those whose times docs/accuracy_time.md and docs/accuracy_communication.md compare.

#include <flopledger/hardware/formats.hpp>
#include <flopledger/parallel/collectives.hpp>
#include <flopledger/text/number.hpp>
#include <flopledger/text/table.hpp>
#include <flopledger/time/attention.hpp>
#include <flopledger/time/product.hpp>

#include <algorithm>
#include <map>
#include <string>

#include <fmt/format.h>

#include "device_choice.hpp"
#include "json.hpp"
#include "option_choices.hpp"
#include "program.hpp"

namespace program {
namespace {

using namespace flopledger;
using report::align;

/// Beyond it no array is one operation's.
constexpr double largest_bytes = 1e18;

/// A time with what it cannot be below.
struct timed {
  seconds predicted{}, floor{};
};

void put(json_answer& answer, const timed& took) {
  answer.put("time_seconds", took.predicted.value());
  answer.put("floor_seconds", took.floor.value());
}

/// "  time  12.3 us  floor 10.1 us".
std::string lines_of(const timed& took, const std::string& about) {
  report::table lines({{"", align::left}, {""}, {"floor"}, {"", align::left}});
  lines.add({"time", report::scaled(took.predicted), report::scaled(took.floor), about});
  return lines.text();
}

/// "all_reduce", as requests name it.
std::string key_of(collective what) {
  std::string key(flopledger::name_of(what));
  std::replace_if(
      key.begin(), key.end(), [](char c) { return c == '-' || c == '/'; }, '_');
  return key;
}

struct on_device {
  const accelerator& device;
  recipe precision;
  machine real, ideal;

  explicit on_device(const operation_request& asked)
      : device(find_device(asked.device)),
        precision(run_on(device, asked.recipe != nullptr ? *asked.recipe : recipes::bf16::value)) {
    peak_for(device, precision);  // refuses what is not published
    real = machine_of(device, precision);
    ideal = real.floor();
  }
  void put(json_answer& answer) const {
    answer.put("device", std::string_view(device.id));
    answer.put("recipe", precision.name);
  }
};

/// Seconds below which no algorithm can be: what each device has to send at the published rate of its links, one way.
seconds floor_of(const collective_request& asked, const group_span& over, const node& in) {
  if (over.ranks <= 1) return {};
  const auto ranks = static_cast<double>(over.ranks), near = static_cast<double>(over.ranks_a_node),
             nodes = static_cast<double>(over.nodes);
  const bool summed_in_switch = asked.what == collective::all_reduce && in.scale_up.in_switch > 0;
  double inside = summed_in_switch ? 1 : bus_factor(asked.what, near);
  double outside = bus_factor(asked.what, nodes) / near;
  if (asked.what == collective::all_to_all) {
    inside = (near - 1) / ranks;
    outside = (ranks - near) / ranks;
  }
  if (asked.what == collective::send_receive) {
    inside = over.crosses_network() ? 0 : 1;
    outside = over.crosses_network() ? 1 : 0;
  }
  const auto at = [&](double share, const interconnect& link) {
    return share > 0 && link.send.value() > 0 ? share * asked.full / link.send.value() : 0.0;
  };
  const double network = over.crosses_network() ? at(outside, in.scale_out) : 0.0;
  return std::max(near > 1 ? at(inside, in.scale_up) : 0.0, network) * unit::second;
}

}  // namespace

reply time_product(const product_request& asked, output how) {
  const on_device on(asked);
  const product shape{.batch = asked.batch, .m = asked.m, .n = asked.n, .k = asked.k};
  const recipe& formats = on.precision;
  const double input = asked.m * asked.k * formats.activations.bytes_per_element(),
               weights = asked.k * asked.n * formats.weights.bytes_per_element(),
               result = asked.m * asked.n * formats.activations.bytes_per_element();
  const bytes moved = asked.moved.value_or(asked.batch * (input + weights + result)) * unit::byte;
  const flops done = 2 * asked.batch * asked.m * asked.n * asked.k * unit::flop;
  const timed took{product_time(shape, moved, on.real), product_time(shape, moved, on.ideal)};
  const seconds computing = done / on.real.peak, moving = moved / on.real.bandwidth;
  const double share = took.predicted.value() > 0 ? (computing / took.predicted).value() : 0.0;
  const char* const bound = computing > moving ? "compute" : "bandwidth";
  if (how == output::people)
    return reply(fmt::format("{}m {} × n {} × k {} in {} on {}\n",
                             asked.batch > 1 ? fmt::format("{} of ", asked.batch) : "", asked.m, asked.n, asked.k,
                             formats.name, described(on.device, 1)) +
                 lines_of(took, fmt::format("{}, {} moved; {} % of the peak; bound by {}", report::scaled(done),
                                            report::scaled(moved), report::percent(share), bound)));
  json_answer answer;
  on.put(answer);
  for (const auto& [key, value] : {std::pair{"batch", asked.batch}, {"m", asked.m}, {"n", asked.n}, {"k", asked.k}})
    answer.count(key, value);
  answer.count("flops", done.value());
  answer.count("moved_bytes", moved.value());
  put(answer, took);
  answer.put("floor_compute_seconds", computing.value());
  answer.put("floor_bandwidth_seconds", moving.value());
  answer.put("bound_by", bound);
  answer.put("share_of_peak", share);
  return reply(answer.whole());
}

reply time_attention(const attention_request& asked, output how) {
  const on_device on(asked);
  const double square = asked.batch * asked.heads * asked.sequence * asked.sequence * asked.head_dim;
  const flops forward = 4 * square / (asked.causal ? 2 : 1) * unit::flop;
  // Queries, keys, values and results, each once; a rounding beside the products.
  const bytes moved = 4 * asked.batch * asked.heads * asked.sequence * asked.head_dim *
                      on.precision.activations.bytes_per_element() * unit::byte;
  const auto on_machine = [&](const machine& m) {
    attention_times found = attention_time(forward, moved, asked.head_dim, asked.sequence, asked.causal, m);
    if (!asked.backward) found.backward = 0;
    return found;
  };
  const attention_times real = on_machine(on.real), ideal = on_machine(on.ideal);
  const timed took{(real.forward + real.backward) * unit::second, (ideal.forward + ideal.backward) * unit::second};
  const flops done = (asked.backward ? 3.5 : 1.0) * forward;
  if (how == output::people)
    return reply(fmt::format("{}ttention of {} × {} heads of {}, {} tokens, in {} on {}\n",
                             asked.causal ? "Causal a" : "A", asked.batch, asked.heads, asked.head_dim, asked.sequence,
                             on.precision.name, described(on.device, 1)) +
                 lines_of(took, fmt::format("{}; {}", asked.backward ? "forward and backward" : "forward",
                                            report::scaled(done))));
  json_answer answer;
  on.put(answer);
  for (const auto& [key, value] : {std::pair{"batch", asked.batch},
                                   {"heads", asked.heads},
                                   {"head_dim", asked.head_dim},
                                   {"sequence", asked.sequence}})
    answer.count(key, value);
  answer.put("causal", asked.causal);
  answer.put("backward", asked.backward);
  answer.count("flops", done.value());
  answer.count("moved_bytes", moved.value());
  put(answer, took);
  answer.put("forward_seconds", real.forward);
  answer.put("backward_seconds", real.backward);
  return reply(answer.whole());
}

reply time_stream(const stream_request& asked, output how) {
  const accelerator& device = find_device(asked.device);
  const recipe& any = recipes::bf16::value;  // what only moves bytes does so in every format
  require_bandwidth(device);
  const machine on = machine_of(bounding(device, any), any);
  const bytes moved = asked.moved * unit::byte;
  const timed took{streaming_time(moved, on), moved / on.bandwidth};
  const byte_rate reached = moved / took.predicted;
  if (how == output::people)
    return reply(fmt::format("{} through the memory of {}\n", report::scaled(moved), described(device, 1)) +
                 lines_of(took, report::scaled(reached)));
  json_answer answer;
  answer.put("device", std::string_view(device.id));
  answer.count("moved_bytes", asked.moved);
  put(answer, took);
  answer.put("bytes_per_second", reached.value());
  return reply(answer.whole());
}

reply time_collective(const collective_request& asked, output how) {
  const accelerator& device = find_device(asked.device);
  if (asked.what == collective::send_receive && asked.ranks != 2)
    throw usage_error("--ranks: send_receive is between 2, not " + std::to_string(asked.ranks));
  const node in = node_for(device, asked.links, asked.ranks);
  require_links(in, asked.ranks);
  const group_span over = span_of(group::tensor, {.tensor = asked.ranks}, in.devices);
  const bytes full = asked.full * unit::byte;
  const timed took{collective_time(asked.what, full, over, in, asked.how), floor_of(asked, over, in)};
  const double sent = sent_bytes(asked.what, static_cast<double>(over.ranks), full).value();
  const double bus = took.predicted.value() > 0 ? sent / took.predicted.value() : 0.0;
  if (how == output::people)
    return reply(fmt::format("{} of {} over {} on {}\n  links  {}\n", flopledger::name_of(asked.what),
                             report::scaled(full), counted(asked.ranks, "rank"), described(device, 1), described(in)) +
                 lines_of(took, fmt::format("{} a second and device by nccl-tests' bus bandwidth",
                                            report::scaled(bus * unit::byte))));
  json_answer answer;
  answer.put("device", std::string_view(device.id));
  answer.put("node", std::string_view(in.id));
  answer.put("collective", key_of(asked.what));
  answer.count("bytes", asked.full);
  answer.put("ranks", asked.ranks);
  answer.put("nodes", over.nodes);
  answer.count("sent_bytes", sent);
  put(answer, took);
  answer.put("bus_bytes_per_second", bus);
  return reply(answer.whole());
}

void describe_operations(std::deque<command>& all) {
  const auto add_formats = [](option_table& options, operation_request& asked) {
    options.device(asked.device);
    options.choice("recipe", asked.recipe, all_recipes(), "number formats", "bf16");
  };
  product_request& product_asked =
      add_command<product_request>(all, "product", "the time of one matrix product on one device", &time_product);
  option_table& of_product = all.back().options;
  add_formats(of_product, product_asked);
  of_product.count("batch", product_asked.batch, 1, "products of the same shape in one kernel", "1");
  of_product.count("m", product_asked.m, 1, "rows of the result: tokens").required = true;
  of_product.count("n", product_asked.n, 1, "columns of the result").required = true;
  of_product.count("k", product_asked.k, 1, "length of the sums").required = true;
  of_product.real("bytes", product_asked.moved, 0, largest_bytes, "BYTES", "what the kernel reads and writes",
                  "each operand and the result once, as the recipe stores them");

  attention_request& attention_asked = add_command<attention_request>(
      all, "attention", "the time of one fused attention core on one device", &time_attention);
  option_table& of_attention = all.back().options;
  add_formats(of_attention, attention_asked);
  of_attention.count("batch", attention_asked.batch, 1, "sequences", "1");
  of_attention.count("heads", attention_asked.heads, 1, "query heads").required = true;
  of_attention.count("head_dim", attention_asked.head_dim, 1, "width of a head").required = true;
  of_attention.count("sequence", attention_asked.sequence, 1, "tokens a sequence").required = true;
  of_attention.flag("causal", attention_asked.causal, true, "half of the square");
  of_attention.flag("backward", attention_asked.backward, true, "the backward pass too");

  stream_request& stream_asked = add_command<stream_request>(
      all, "stream", "the time of one operation that only moves bytes on one device", &time_stream);
  option_table& of_stream = all.back().options;
  of_stream.device(stream_asked.device);
  of_stream.real("bytes", stream_asked.moved, 1, largest_bytes, "BYTES", "what it reads and writes").required = true;

  collective_request& collective_asked =
      add_command<collective_request>(all, "collective", "the time of one collective over devices", &time_collective);
  option_table& of_collective = all.back().options;
  of_collective.device(collective_asked.device);
  std::map<std::string, collective> kinds;
  for (int i = 0; i <= static_cast<int>(collective::send_receive); ++i)
    kinds.emplace(key_of(static_cast<collective>(i)), static_cast<collective>(i));
  of_collective.choice("collective", collective_asked.what, kinds, "which one").required = true;
  of_collective
      .real("bytes", collective_asked.full, 1, largest_bytes, "BYTES", "of the whole array, as nccl-tests' size")
      .required = true;
  of_collective.count("ranks", collective_asked.ranks, 1, "devices of the group, next to one another").required = true;
  of_collective.choice("algorithm", collective_asked.how,
                       std::map<std::string, algorithm>{{"fastest", algorithm::fastest},
                                                        {"ring", algorithm::ring},
                                                        {"tree", algorithm::tree},
                                                        {"hierarchical", algorithm::hierarchical},
                                                        {"in_switch", algorithm::in_switch}},
                       "as a library's tuner picks, or one by name", "fastest");
  add_links(of_collective, collective_asked.links);
}

}  // namespace program
