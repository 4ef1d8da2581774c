// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// `flopledger fit`: what of a model fits on a device, in which formats, how much more, on how few devices.

#include <flopledger/memory/fit.hpp>
#include <flopledger/text/number.hpp>
#include <flopledger/text/table.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "changed_members.hpp"
#include "device_choice.hpp"
#include "fits.hpp"
#include "memory_answer.hpp"
#include "option_choices.hpp"
#include "option_table.hpp"
#include "subject.hpp"
#include "training_job.hpp"

namespace program {
namespace {

using namespace flopledger;
using report::align;

/// One way to hold the model, and what memory leaves of it.
template <class Fit>
struct way {
  std::string name;  ///< of the recipe
  bool by_checkpoint = false;
  recipe formats{};
  std::int64_t adapter_rank = 0;
  recompute again = recompute::none;
  budget limits{};
  Fit found{};
};

const accelerator& device_with_memory(const fit_request& asked) {
  const accelerator& device = find_device(asked.device);
  if (!memory_of(device).is_known())
    throw usage_error(fmt::format("--memory: that of {} is not published", std::string_view(device.id)));
  return device;
}

std::string named(const way<serving_fit>& one) { return one.name + (one.by_checkpoint ? " (the checkpoint)" : ""); }
std::string named(const way<training_fit>& one) {
  return one.name + (one.adapter_rank > 0 ? fmt::format(", adapters of rank {}", one.adapter_rank) : "") +
         (one.again == recompute::full ? ", recompute full" : "");
}

/// The ways beside the first that fit where that does not.
template <class Fit>
std::vector<std::string> that_would_fit(const std::vector<way<Fit>>& ways) {
  std::vector<std::string> names;
  if (ways.front().found.fits) return names;
  for (const way<Fit>& one : ways)
    if (one.found.fits) names.push_back(named(one));
  return names;
}

template <class Fit>
std::string verdict_of(const std::vector<way<Fit>>& ways, const accelerator& device) {
  const way<Fit>& as_it_is = ways.front();
  std::string text = named(as_it_is) + ": " + verdict_line(as_it_is.found.needed, as_it_is.limits, device);
  if (as_it_is.found.fits) return text;
  const std::vector<std::string> others = that_would_fit(ways);
  if (!others.empty()) text += fmt::format("  would fit: {}\n", fmt::join(others, "; "));
  if (as_it_is.found.fewest_devices > 0)
    text += fmt::format("  would fit: {} on {}\n", named(as_it_is), counted(as_it_is.found.fewest_devices, "device"));
  if (others.empty() && as_it_is.found.fewest_devices == 0)
    text += "  no format and no number of devices makes it fit\n";
  return text;
}

std::string number_or_dash(std::int64_t n, std::int64_t most = unlimited) {
  return n == 0 ? "-" : std::min(n, most) == unlimited ? "any" : std::to_string(std::min(n, most));
}

void put_number_of(json& one, const char* key, std::int64_t n) {
  one[key] = n;
  if (n == unlimited) one[key] = nullptr;
}

template <class Fit>
json base_of(const way<Fit>& one) {
  json object;
  object["recipe"] = one.name;
  object["computes_in"] = one.formats.compute.name;
  object["weights_bytes"] = whole_bytes(one.found.needed[memory_line::weights]);
  object["needed_bytes"] = whole_account(one.found.needed).total;
  object["available_bytes"] = one.limits.available->value();
  object["fits"] = one.found.fits;
  return object;
}

// Serving ----------------------------------------------------------------------------------------------------------

std::int64_t context_of(const subject& model, const serving_fit_request& asked) {
  return asked.context.value_or(sequence_of(model.config()));
}

std::vector<way<serving_fit>> ways_to_serve(const subject& model, const serving_fit_request& asked,
                                            const accelerator& device) {
  refuse_what_does_not_serve(model);
  const budget limits = budget_of(device, asked.usable_per_mille > 0 ? asked.usable_per_mille : guarded_per_mille);
  std::vector<way<serving_fit>> ways;
  const auto add = [&](const chosen_recipe& chosen) {
    const data_formats formats{.precision = chosen.precision,
                               .checkpoint = chosen.by_checkpoint ? &model.description.storage : nullptr};
    const serving_setup setup = setup_under(engines::tensorrt_llm_0_9, formats, asked.tensor);
    if (const plan_verdict judged = verdict(setup, model.config()); !judged.ok())
      throw usage_error(impossible(judged, "--tensor"));
    ways.push_back(
        {.name = std::string(chosen.precision.name),
         .by_checkpoint = chosen.by_checkpoint,
         .formats = chosen.precision,
         .limits = limits,
         .found = fit_of(model.config(), setup, asked.concurrency, context_of(model, asked), *limits.available)});
  };
  add(recipe_for_serving(model, asked.recipe, device));
  for (const recipe* format : serving_formats) {
    const bool is_first = !ways.front().by_checkpoint && (format->name == ways.front().name ||
                                                          (asked.recipe == nullptr && format->weights.bits == 16));
    if (!is_first && serves_in(device, *format)) add({run_on(device, *format), false});
  }
  return ways;
}

json for_programs(const serving_fit_request& asked) {
  const subject& model = find_subject(asked.model);
  const accelerator& device = device_with_memory(asked);
  const std::vector<way<serving_fit>> ways = ways_to_serve(model, asked, device);
  json answer;
  answer["model"] = model.name;
  answer["device"] = std::string_view(device.id);
  answer["context"] = context_of(model, asked);
  answer["model_context"] = model.config().context;
  answer["concurrency"] = asked.concurrency;
  answer["tensor"] = asked.tensor;
  answer["fits"] = ways.front().found.fits;
  answer["would_fit"] = that_would_fit(ways);
  for (const way<serving_fit>& one : ways) {
    json object = base_of(one);
    object["recipe_is_of_the_checkpoint"] = one.by_checkpoint;
    put_number_of(object, "max_concurrency", one.found.most_sequences);
    put_number_of(object, "longest_context", one.found.longest_context);
    put_number_of(object, "fewest_devices", one.found.fewest_devices);
    answer["formats"].push_back(std::move(object));
  }
  return answer;
}

std::string for_people(const serving_fit_request& asked) {
  const subject& model = find_subject(asked.model);
  const accelerator& device = device_with_memory(asked);
  const std::vector<way<serving_fit>> ways = ways_to_serve(model, asked, device);
  const std::int64_t context = context_of(model, asked), longest = model.config().context;
  std::string text =
      fmt::format("Serving {} on {}: {} of {}{}\n", model.name, described(device, static_cast<double>(asked.tensor)),
                  counted(asked.concurrency, "sequence"), counted(context, "token"),
                  beyond_context(model.config(), static_cast<double>(context)));
  report::table table({{"formats", align::left},
                       {"products", align::left},
                       {"weights"},
                       {"needs"},
                       {"fits", align::left},
                       {"most sequences"},
                       {"longest context"},
                       {"fewest devices"}});
  for (const way<serving_fit>& one : ways)
    table.add({named(one), std::string(one.formats.compute.name),
               report::scaled_binary(one.found.needed[memory_line::weights]),
               report::scaled_binary(one.found.needed.total()), one.found.fits ? "yes" : "no",
               number_or_dash(one.found.most_sequences),
               number_or_dash(one.found.longest_context, longest > 0 ? longest : unlimited),
               number_or_dash(one.found.fewest_devices)});
  text += '\n' + table.text() + verdict_of(ways, device);
  if (longest > 0) text += fmt::format("Contexts end at the model's own {} tokens.\n", longest);
  return text;
}

// Training ---------------------------------------------------------------------------------------------------------

std::vector<way<training_fit>> ways_to_train(const subject& model, const training_fit_request& asked,
                                             const accelerator& device) {
  refuse_without_tokens(model);
  framework under = *asked.framework;
  change(under, asked.members);
  std::vector<way<training_fit>> ways;
  const auto add = [&](const recipe& formats, std::int64_t adapter_rank, recompute again) {
    plan layout{.sequence = asked.sequence.value_or(sequence_of(model.config())), .micro_batch = asked.micro_batch};
    layout.loss = under.loss;
    layout.adapter_rank = adapter_rank;
    layout.recompute = again;
    const training_setup setup{.precision = formats_under(under, formats, layout),
                               .optimizer = *asked.rule,
                               .plan = layout,
                               .framework = under};
    if (const plan_verdict judged = verdict(layout, model.config()); !judged.ok())
      throw usage_error(impossible(judged, option_of(judged, layout)));
    const budget limits =
        budget_of(device, asked.usable_per_mille > 0 ? asked.usable_per_mille : usable_per_mille(under, layout));
    ways.push_back({.name = std::string(formats.name),
                    .formats = setup.precision,
                    .adapter_rank = adapter_rank,
                    .again = again,
                    .limits = limits,
                    .found = fit_of(model.config(), setup, {*limits.device, asked.usable_per_mille})});
  };
  add(recipe_for_training(asked.recipe, device), 0, recompute::none);
  for (const training_way& one : training_ways) add(run_on(device, *one.formats), one.adapter_rank, one.again);
  return ways;
}

json for_programs(const training_fit_request& asked) {
  const subject& model = find_subject(asked.model);
  const accelerator& device = device_with_memory(asked);
  const std::vector<way<training_fit>> ways = ways_to_train(model, asked, device);
  json answer;
  answer["model"] = model.name;
  answer["device"] = std::string_view(device.id);
  answer["sequence"] = asked.sequence.value_or(sequence_of(model.config()));
  answer["micro_batch"] = asked.micro_batch;
  answer["framework"] = asked.framework->name;
  answer["optimizer"] = asked.rule->name;
  answer["fits"] = ways.front().found.fits;
  answer["would_fit"] = that_would_fit(ways);
  for (const way<training_fit>& one : ways) {
    json object = base_of(one);
    object["adapter_rank"] = one.adapter_rank;
    object["recompute"] = name_of(one.again);
    put_number_of(object, "largest_micro_batch", one.found.largest_micro_batch);
    put_number_of(object, "longest_sequence", one.found.longest_sequence);
    put_number_of(object, "fewest_devices", one.found.fewest_devices);
    answer["ways"].push_back(std::move(object));
  }
  return answer;
}

std::string for_people(const training_fit_request& asked) {
  const subject& model = find_subject(asked.model);
  const accelerator& device = device_with_memory(asked);
  const std::vector<way<training_fit>> ways = ways_to_train(model, asked, device);
  const std::int64_t sequence = asked.sequence.value_or(sequence_of(model.config()));
  std::string text = fmt::format("Training {} on {}: {} of {}, {}, {}\n", model.name, described(device, 1),
                                 counted(asked.micro_batch, "sequence"), counted(sequence, "token"), asked.rule->name,
                                 asked.framework->name);
  report::table table({{"what is trained", align::left},
                       {"weights"},
                       {"needs"},
                       {"fits", align::left},
                       {"largest micro-batch"},
                       {"longest sequence"},
                       {"fewest devices"}});
  for (const way<training_fit>& one : ways)
    table.add({named(one), report::scaled_binary(one.found.needed[memory_line::weights]),
               report::scaled_binary(one.found.needed.total()), one.found.fits ? "yes" : "no",
               number_or_dash(one.found.largest_micro_batch), number_or_dash(one.found.longest_sequence),
               number_or_dash(one.found.fewest_devices)});
  return text + '\n' + table.text() + verdict_of(ways, device) +
         "Several devices: data ranks over which all lies in shards (ZeRO-3).\n";
}

/// Both, with what they share.
std::pair<serving_fit_request, training_fit_request> both_of(const fit_request& asked) {
  serving_fit_request served;
  training_fit_request trained;
  static_cast<fit_request&>(served) = asked;
  static_cast<fit_request&>(trained) = asked;
  if (asked.recipe != nullptr && stores_narrow(*asked.recipe)) trained.recipe = nullptr;
  return {served, trained};
}

void add_subject(option_table& options, fit_request& asked) {
  options.model(asked.model);
  options.device(asked.device);
  options.choice("recipe", asked.recipe, serving_recipes(), "number formats of the model as it is",
                 "the quantization of the config.json, or 16 bits; of train mixed-bf16");
}

}  // namespace

reply fit_serving(const serving_fit_request& asked, output how) {
  return how == output::programs ? reply(for_programs(asked)) : reply(for_people(asked));
}
reply fit_training(const training_fit_request& asked, output how) {
  return how == output::programs ? reply(for_programs(asked)) : reply(for_people(asked));
}
reply fit(const fit_request& asked, output how) {
  const auto [served, trained] = both_of(asked);
  if (how == output::people) return reply(for_people(served) + '\n' + for_people(trained));
  json whole;
  whole["serve"] = for_programs(served);
  whole["train"] = for_programs(trained);
  return reply(std::move(whole));
}

void describe_fits(std::deque<command>& all) {
  fit_request& both =
      add_command<fit_request>(all, "fit", "what of a model fits on a device, in which formats, on how few", &fit);
  add_subject(all.back().options, both);
  add_usable(all.back().options, both.usable_per_mille);
  all.back().footer =
      "`flopledger fit MODEL --device DEVICE serve OPTIONS` is about serving alone, `... train OPTIONS` about "
      "training.";

  serving_fit_request& served = add_command<serving_fit_request>(
      all, "fit serve", "formats in which a model can be served, how many sequences, how long", &fit_serving);
  option_table& of_serving = all.back().options;
  add_subject(of_serving, served);
  of_serving.count("context", served.context, 1, "tokens that each sequence holds",
                   "4096, or the model's context where that is shorter");
  of_serving.count("concurrency", served.concurrency, 1, "sequences at once", "1");
  of_serving.count("tensor", served.tensor, 1, "devices that share one copy of the model", "1");
  add_usable(of_serving, served.usable_per_mille);

  training_fit_request& trained = add_command<training_fit_request>(
      all, "fit train", "ways to train a model that fit, how large a batch, how long", &fit_training);
  option_table& of_training = all.back().options;
  of_training.model(trained.model);
  of_training.device(trained.device);
  of_training.choice("recipe", trained.recipe, all_recipes(), "number formats of the first way", "mixed-bf16");
  of_training.count("sequence", trained.sequence, 1, "tokens a sequence",
                    "4096, or the model's context where that is shorter");
  of_training.count("micro_batch", trained.micro_batch, 1, "sequences that a device works on at once", "1");
  add_optimizer(of_training, trained.rule);
  add_framework(of_training, trained.framework, trained.members);
  add_usable(of_training, trained.usable_per_mille);

  compare_request& side_by_side =
      add_command<compare_request>(all, "compare", "a model on several devices, side by side", &compare);
  option_table& options = all.back().options;
  options.model(side_by_side.model);
  options
      .other("devices", "NAME,NAME,...", "names that `flopledger devices` lists, or files of boards of one's own", "",
             [&side_by_side](const std::string& text) {
               for_each_part(text, [&](const std::string& one) {
                 constexpr std::size_t most = 64;
                 if (side_by_side.devices.size() == most)
                   throw usage_error(fmt::format("--devices: more than {} of them", most));
                 side_by_side.devices.push_back(one);
               });
             })
      .required = true;
  options.choice("recipe", side_by_side.recipe, serving_recipes(), "number formats of serving",
                 "the quantization of the config.json, or 16 bits");
  options.count("prompt", side_by_side.prompt, 1, "tokens of a prompt", "1024");
  options.count("output", side_by_side.output, 1, "tokens that each request generates", "128");
  options.count("concurrency", side_by_side.concurrency, 1, "sequences that are served at once", "1");
  options.count("tensor", side_by_side.tensor, 1, "devices that serve one copy of the model", "1");
  options.count("sequence", side_by_side.sequence, 1, "tokens a sequence of training",
                "4096, or the model's context where that is shorter");
  options.count("data", side_by_side.data, 1, "devices that train, over which all lies in shards (ZeRO-3)", "8");
}

}  // namespace program
