// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// `flopledger plan`: which plans may be chosen from.

#include <algorithm>
#include <map>
#include <string>

#include <fmt/format.h>

#include "document.hpp"
#include "option_choices.hpp"
#include "option_table.hpp"
#include "plans.hpp"

namespace program {
namespace {

using flopledger::planning::degree_choices;

constexpr std::size_t most_values = degree_choices::capacity;

/// "4", "1,2,4" or "1..8"; `next` leads from one number of a range to the one after it.
template <class Next>
void read_degrees(const std::string& text, const std::string& name, std::int64_t least, degree_choices& into,
                  const Next& next) {
  into = {};
  const auto add = [&](std::int64_t one) {
    if (into.size() == most_values) throw usage_error(fmt::format("{}: more than {} values", name, most_values));
    if (!into.contains(one)) into.add(one);
  };
  for_each_part(text, [&](const std::string& part) {
    const std::size_t dots = part.find("..");
    const std::int64_t first = whole_number(part.substr(0, dots), least, name);
    const std::int64_t last = dots == std::string::npos ? first : whole_number(part.substr(dots + 2), first, name);
    for (std::int64_t one = first; one <= last; one = next(one)) add(one);
  });
}

void add_degrees(option_table& options, const char* key, degree_choices& target, const std::string& about,
                 const std::string& standard, std::int64_t least = 1) {
  options.other(key, "N,N..N", about, standard,
                [&target, least, name = option_table::name_of_key(key)](const std::string& text) {
                  read_degrees(text, name, least, target, [](std::int64_t one) { return one + 1; });
                });
}

/// Several of a few words, joined by commas.
template <class List, class Value>
void add_words(option_table& options, const char* key, List& target, const std::map<std::string, Value>& words,
               const std::string& about, const std::string& standard) {
  std::string names;
  for (const auto& [name, value] : words) names += (names.empty() ? "" : ", ") + name;
  options.other(key, "WORD,...", about + ": " + names, standard,
                [&target, words, names, name = option_table::name_of_key(key)](const std::string& text) {
                  target = {};
                  for_each_part(text, [&](const std::string& one) {
                    const auto found = words.find(one);
                    if (found == words.end()) throw usage_error(name + ": \"" + one + "\" is none of " + names);
                    if (std::find(target.begin(), target.end(), found->second) != target.end()) return;
                    if constexpr (requires { target.add(found->second); })
                      target.add(found->second);
                    else
                      target.push_back(found->second);
                  });
                });
}

/// "nothing", "optimizer" or "optimizer+weights", several joined by commas.
void add_offloads(option_table& options, flopledger::planning::choices<flopledger::planning::offloaded>& target) {
  options.other(
      "offload", "WHAT+WHAT,...",
      "what may lie in the host's memory, each choice of activations, optimizer and weights joined by +; its "
      "traffic is not in the step",
      "nothing", [&target](const std::string& text) {
        target = {};
        for_each_part(text, [&](const std::string& choice) {
          flopledger::planning::offloaded one;
          for (std::size_t at = 0; at <= choice.size();) {
            const std::size_t end = std::min(choice.find('+', at), choice.size());
            const std::string what = choice.substr(at, end - at);
            at = end + 1;
            if (what == "optimizer")
              one.optimizer = true;
            else if (what == "weights")
              one.weights = true;
            else if (what == "activations")
              one.activations = true;
            else if (what != "nothing")
              throw usage_error("--offload: \"" + what + "\" is none of nothing, activations, optimizer, weights");
          }
          target.add(one);
        });
      });
}

/// What stands before one of these endings, and what one of it comes to.
double with_unit(const std::string& text, const std::string& name,
                 std::initializer_list<std::pair<std::string_view, double>> units, const char* example) {
  for (const auto& [ending, worth] : units) {
    if (!text.ends_with(ending)) continue;
    const std::string number = text.substr(0, text.size() - ending.size());
    if (const auto value = number_in(number); value && *value > 0 && *value < 1e12) return *value * worth;
    break;
  }
  throw usage_error(fmt::format("{}: \"{}\" is nothing like {}", name, text, example));
}

option& add_time(option_table& options, const char* key, double& target, const std::string& about) {
  return options.other(key, "TIME", about + ", such as 500ms or 2s", "",
                       [&target, name = option_table::name_of_key(key)](const std::string& text) {
                         target = with_unit(text, name, {{"us", 1e-6}, {"ms", 1e-3}, {"s", 1}}, "500ms or 2s");
                       });
}

/// "2000", "uniform:1000..3000", "exponential:2000" or "lognormal:2000:0.5".
flopledger::planning::length_distribution read_lengths(const std::string& text, const std::string& name) {
  using shape = flopledger::planning::length_distribution::shape;
  const std::size_t colon = text.find(':');
  const auto tokens = [&](const std::string& number) { return static_cast<double>(whole_number(number, 1, name)); };
  if (colon == std::string::npos) return {shape::constant, tokens(text)};
  const std::string kind = text.substr(0, colon), rest = text.substr(colon + 1);
  if (kind == "exponential") return {shape::exponential, tokens(rest)};
  if (const std::size_t dots = rest.find(".."); kind == "uniform" && dots != std::string::npos) {
    const double least = tokens(rest.substr(0, dots)), most = tokens(rest.substr(dots + 2));
    if (least <= most) return {shape::uniform, (least + most) / 2, (most - least) / 2};
  }
  if (const std::size_t second = rest.find(':'); kind == "lognormal" && second != std::string::npos)
    return {shape::lognormal, tokens(rest.substr(0, second)), real_number(rest.substr(second + 1), 0, 100, name)};
  throw usage_error(name + ": \"" + text +
                    "\" is none of N, uniform:N..N, exponential:MEAN, lognormal:MEAN:DEVIATION/MEAN");
}
option& add_lengths(option_table& options, const char* key, flopledger::planning::length_distribution& target,
                    const std::string& about, const std::string& standard) {
  return options.other(
      key, "N|DISTRIBUTION", about + ": N, uniform:N..N, exponential:MEAN or lognormal:MEAN:DEVIATION/MEAN", standard,
      [&target, name = option_table::name_of_key(key)](const std::string& text) { target = read_lengths(text, name); });
}

void add_space(option_table& options, plan_request& asked) {
  flopledger::planning::plan_space& space = asked.space;
  options.under("Degrees, each one value, several, or a range");
  const char* const divisors = "all that divide";
  add_degrees(options, "tensor", space.tensor, "tensor-parallel degree", divisors);
  add_degrees(options, "pipeline", space.pipeline, "pipeline stages", divisors);
  add_degrees(options, "interleave", space.interleave, "pieces of the model on each stage", divisors);
  add_degrees(options, "context", space.context, "context-parallel degree", divisors);
  add_degrees(options, "expert", space.expert, "ranks that share a layer's experts", divisors);
  add_degrees(options, "expert_tensor", space.expert_tensor, "ranks that share one expert", "the tensor degree, or 1");
  add_degrees(options, "micro_batch", space.micro_batch, "sequences that a device works on at once", divisors);
  add_degrees(options, "first_stage_layers", space.first_stage_layers, "layers of the first stage, 0 as the others",
              "0", 0);
  add_degrees(options, "last_stage_layers", space.last_stage_layers, "layers of the last stage, 0 as the others", "0",
              0);
  add_degrees(options, "shard_group", space.shard_group, "ranks that shards lie over, 0 data × context", "0", 0);
  options.under("Ways");
  options.choice("sequence_parallel", space.sequence_parallel,
                 std::map<std::string, flopledger::planning::choices<bool>>{
                     {"both", {true, false}}, {"no", {false}}, {"yes", {true}}},
                 "whether activations between tensor-parallel regions are split too", "both");
  using flopledger::recompute;
  add_words(options, "recompute", asked.ways,
            std::map<std::string, recompute>{{"none", recompute::none},
                                             {"selective", recompute::selective},
                                             {"full", recompute::full},
                                             {"alternate", recompute::alternate}},
            "what runs again in the backward pass", "none,selective,full");
  options.other("recompute_every", "N,N..N", "full recompute of each Nth block alone", "1",
                [&asked](const std::string& text) {
                  degree_choices every;
                  read_degrees(text, "--recompute-every", 1, every, [](std::int64_t one) { return one + 1; });
                  asked.every.assign(every.begin(), every.end());
                });
  add_words(options, "zero", space.sharding, choices_of<flopledger::zero>(), "what lies in shards over data × context",
            "0,1,2,3");
  add_words(options, "schedule", space.schedule, choices_of<flopledger::pipeline_schedule>(), "of the pipeline",
            "1f1b");
  add_words(options, "context_exchange", space.exchange, choices_of<flopledger::context_exchange>(),
            "how context ranks see one another's keys", "the framework's");
  add_offloads(options, space.offload);
  options.under({});
}

void describe_training_plans(std::deque<command>& all) {
  using flopledger::planning::goal;
  using flopledger::planning::trade;
  plan_request& asked =
      add_command<plan_request>(all, "plan train", "the best plans of a training job", &plan_training);
  all.back().documented = &document_of_plans;
  option_table& options = all.back().options;
  options.model(asked.model);
  options.device(asked.device);
  options
      .other("devices", "N,N..N", "of the whole job; several numbers to choose from; 8..64 doubles: 8, 16, 32, 64", "",
             [&asked](const std::string& text) {
               read_degrees(text, "--devices", 1, asked.space.devices, [](std::int64_t one) { return 2 * one; });
             })
      .required = true;
  options.count("global_batch", asked.space.global_batch, 1, "sequences a step, over all devices").required = true;
  options.choice("recipe", asked.recipe, all_recipes(), "number formats", "mixed-bf16");
  options.count("sequence", asked.sequence, 1, "tokens a sequence",
                "4096, or the model's context where that is shorter");
  options.count("images", asked.images, 0, "images a sequence, of a model that reads both", "0");
  options.count("adapter_rank", asked.adapter_rank, 1, "LoRA on every projection of the blocks, all else frozen",
                "everything is trained");
  options.choice("goal", asked.best_in,
                 std::map<std::string, goal>{{"fastest", goal::fastest},
                                             {"cheapest", goal::cheapest},
                                             {"fewest-devices", goal::fewest_devices},
                                             {"least-memory", goal::least_memory},
                                             {"least-energy", goal::least_energy}},
                 "time of a step; device-seconds of a step; devices; memory of a device; energy of a step, by "
                 "--idle-power",
                 "fastest");
  options.choice(
      "front", asked.front,
      std::map<std::string, trade>{
          {"memory", trade::time_and_memory}, {"cost", trade::time_and_cost}, {"devices", trade::time_and_devices}},
      "the plans than which none is both faster and less in this", "none");
  options.count("top", asked.top, 1, "plans that are shown", "5");
  add_price(options, asked.price, "for what a step costs");
  options.flag("explain", asked.explained, true, "what each degree of the best plan costs and saves");
  options.texts(
      "diff", asked.diff, "PLAN",
      "twice, instead of a search: two plans side by side, members as of `report train` with a space between: "
      "\"tensor=8 pipeline=4\"");
  options.flag("exhaustive", asked.exhaustive, true, "every plan is tried; the best are the same");
  options.flag("any_framework", asked.without_rules, true, "plans that the framework does not run are tried too");
  options.count("threads", asked.threads, 1, "that search", "as many as the machine has");
  add_framework(options, asked.framework, asked.members);
  add_optimizer(options, asked.rule);
  add_space(options, asked);
  add_power_limit(options, asked.power_limit);
  options.real("idle_power", asked.idle_power, 0, 1e5, "WATTS",
               "that one device draws while it waits, for the energy of a step; while it computes it draws its power");
  add_links(options, asked.links);
  add_usable(options, asked.usable_per_mille);
  all.back().footer =
      "A plan is passed over only where a bound shows that it cannot be among the best. Ctrl-C stops the search and "
      "prints\n"
      "the best so far.";
}

void describe_service_plans(std::deque<command>& all) {
  service_request& asked = add_command<service_request>(
      all, "plan serve", "the fewest devices that serve within limits on latency", &plan_service);
  option_table& options = all.back().options;
  options.model(asked.model);
  options.device(asked.device);
  options.other(
      "rate", "RATE", "requests that come, such as 50/s or 3000/min", "the trace's", [&asked](const std::string& text) {
        asked.rate =
            with_unit(text, "--rate", {{"/s", 1}, {"/min", 1.0 / 60}, {"/h", 1.0 / 3600}, {"", 1}}, "50/s or 3000/min");
      });
  add_lengths(options, "prompt", asked.prompt, "tokens of a prompt", "1024");
  add_lengths(options, "output", asked.output, "tokens that each request generates", "128");
  add_time(options, "ttft", asked.first_token, "limit on the time to first token").required = true;
  add_time(options, "tpot", asked.output_token, "limit on the time per token after it").required = true;
  options.real("percentile", asked.percentile, 1, 100, "PERCENT", "of the requests keep each limit", "95");
  options.text("trace", asked.trace, "FILE", "of arrivals instead: CSV with time, prompt, output, or JSON lines",
               "none");
  using spacing = flopledger::planning::request_stream::spacing;
  options.choice("arrivals", asked.spaced,
                 std::map<std::string, spacing>{{"poisson", spacing::poisson}, {"constant", spacing::constant}},
                 "by chance, or evenly", "poisson");
  options.count("requests", asked.requests, 100, "that each server is tried with", "2000");
  options.count("seed", asked.seed, 0, "of what is drawn", "1");
  options.choice("recipe", asked.recipe, all_recipes(), "number formats",
                 "the quantization of the config.json, or bf16");
  add_kv_cache(options, asked.kv_cache);
  add_engine(options, asked.engine, asked.members, flopledger::engines::vllm_0_15);
  options.choice(
      "prefill", asked.prefill,
      std::map<std::string, prefill_place>{
          {"together", prefill_place::together}, {"apart", prefill_place::apart}, {"both", prefill_place::both}},
      "prompts beside tokens, or on devices of their own, from which the cache travels", "together");
  options.count("top", asked.top, 1, "plans that are shown", "3");
  add_price(options, asked.price, "for what tokens cost");
  options.under("Degrees and batches, each one value, several, or a range");
  flopledger::planning::service_space& space = asked.space;
  add_degrees(options, "tensor", space.tensor, "tensor-parallel degree", "powers of two up to a node");
  add_degrees(options, "pipeline", space.pipeline, "pipeline stages", "1,2, or 1 without a network");
  add_degrees(options, "expert", space.expert, "ranks of these that share a layer's experts",
              "1 and the tensor degree");
  add_degrees(options, "sequences", space.sequences, "of one batch, at most", "256,64,1024");
  add_degrees(options, "chunk", space.pass_tokens, "tokens of one pass, at most", "the engine's, 2048, 512");
  options.under({});
  add_links(options, asked.links);
  add_usable(options, asked.usable_per_mille);
  all.back().footer =
      "Requests are served pass by pass. A batch other than the first counts where it saves devices. Ctrl-C stops the\n"
      "search and prints the best so far.";
}

}  // namespace

void describe_plans(std::deque<command>& all) {
  describe_training_plans(all);
  describe_service_plans(all);
}

}  // namespace program
