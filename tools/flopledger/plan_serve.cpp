// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// `flopledger plan serve`: the fewest devices that serve a stream of requests within limits on latency.

#include <flopledger/planning/cost.hpp>
#include <flopledger/text/number.hpp>
#include <flopledger/text/table.hpp>

#include <fmt/format.h>

#include "arrival_trace.hpp"
#include "changed_members.hpp"
#include "device_choice.hpp"
#include "plans.hpp"
#include "subject.hpp"
#include "training_job.hpp"
#include "watched_search.hpp"

namespace program {
namespace {

using namespace flopledger;
using namespace flopledger::planning;
using report::align;

/// The service that plans are sought for.
struct sought_service {
  explicit sought_service(const service_request& asked)
      : model(find_subject(asked.model)),
        board(find_device(asked.device)),
        space(asked.space),
        limits{seconds::from_value(asked.first_token), seconds::from_value(asked.output_token), asked.percentile / 100},
        price(price_of(asked.price, std::string_view(board.id))),
        changed(paths_of(asked.members)) {
    const chosen_recipe chosen = formats_to_serve(model, asked.recipe, asked.kv_cache, board);
    space.formats = {.precision = chosen.precision,
                     .checkpoint = chosen.by_checkpoint ? &model.description.storage : nullptr};
    space.under = *asked.engine;
    change(space.under, asked.members);
    space.together = asked.prefill != prefill_place::apart;
    space.apart = asked.prefill != prefill_place::together;
    how.wanted = static_cast<std::size_t>(asked.top);
    take_requests(asked);
    take_fleet(asked);
  }

  const subject& model;
  const accelerator& board;
  service_space space;
  latency_limits limits;
  fleet on{};
  offered_requests of{};
  service_options how{};
  std::optional<chosen_price> price;
  std::vector<std::string> changed;         ///< members of the engine, by their paths
  double rate = 0, prompt = 0, output = 0;  ///< requests a second, and mean tokens
 private:
  void take_requests(const service_request& asked) {
    of.requests = static_cast<std::size_t>(asked.requests);
    if (asked.trace.empty()) {
      if (!asked.rate) throw usage_error("--rate is required, or --trace");
      rate = *asked.rate;
      prompt = asked.prompt.mean;
      output = asked.output.mean;
      of.stream = {.rate = rate / unit::second,
                   .prompt = asked.prompt,
                   .output = asked.output,
                   .spaced = asked.spaced,
                   .seed = static_cast<std::uint64_t>(asked.seed)};
      return;
    }
    of.trace = read_trace(asked.trace);
    const auto count = static_cast<double>(of.trace.size());
    const double own = (count - 1) / of.trace.back().at.value();
    rate = asked.rate.value_or(own);
    of.trace = stretched(std::move(of.trace), own / rate);
    for (const arrival& one : of.trace) {
      prompt += static_cast<double>(one.prompt) / count;
      output += static_cast<double>(one.output) / count;
    }
  }
  void take_fleet(const service_request& asked) {
    const recipe precision = formats_under(space.under, space.formats.precision);
    static_cast<void>(peak_for(board, precision));
    on.in = node_for(board, asked.links, 2);
    // Stages of the largest copies lie on several nodes.
    if (space.pipeline.empty())
      space.pipeline = on.in.scale_out.send.value() > 0 ? degree_choices{1, 2} : degree_choices{1};
    std::int64_t most = 1;
    for (const std::int64_t tensor : space.tensor.empty() ? degree_choices{on.in.devices} : space.tensor)
      for (const std::int64_t pipeline : space.pipeline) most = std::max(most, tensor * pipeline);
    require_links(on.in, space.apart ? std::max(most, on.in.devices + 1) : most);
    on.device = machine_of(board, precision, space.under);
    const figure<bytes>& memory = memory_of(board);
    if (!memory.is_known())
      throw usage_error(fmt::format("--memory: that of {} is not published", std::string_view(board.id)));
    on.memory = {memory.value(), asked.usable_per_mille};
  }
};

found_services search(const sought_service& job, bool watched) {
  service_options how = job.how;
  const auto found = [&] { return search_services(job.model.config(), job.space, job.on, job.of, job.limits, how); };
  if (!watched) return found();
  const watched_search watch(how);
  return found();
}

/// Dollars an hour, and a million tokens in and out: what reads prompts pays for these, what decodes for the others.
struct bill {
  double an_hour = 0;
  token_prices million{};

  bill(const sought_service& job, const service_plan& plan) {
    const device_price price = dollars_an_hour(job.price->usd);
    const auto devices = static_cast<double>(plan.devices());
    an_hour = devices * job.price->usd;
    const auto a_token = [&](double share, double tokens_a_request) {
      return seconds::from_value(devices * share / (job.rate * tokens_a_request));
    };
    million =
        cost_of_tokens(a_token(plan.reading_share, job.prompt), a_token(1 - plan.reading_share, job.output), price);
  }
};

std::string table_of(const sought_service& job, const std::vector<service_plan>& plans) {
  report::table lines({{""},
                       {"devices"},
                       {"", align::left},
                       {"tensor"},
                       {"pipeline"},
                       {"expert"},
                       {"copies"},
                       {"sequences"},
                       {"chunk"},
                       {"first token"},
                       {"per token"},
                       {"breaks at"}});
  for (std::size_t n = 0; n < plans.size(); ++n) {
    const service_plan& one = plans[n];
    const auto add = [&](const server_pool& pool, const std::string& what, bool first) {
      lines.add({first ? std::to_string(n + 1) : "", first ? std::to_string(one.devices()) : "", what,
                 std::to_string(pool.copy.tensor), std::to_string(pool.copy.pipeline), std::to_string(pool.copy.expert),
                 std::to_string(pool.copies), std::to_string(pool.batch.sequences),
                 std::to_string(pool.batch.pass_tokens), first ? report::scaled(one.first_token.at_share) : "",
                 first ? report::scaled(one.output_token.at_share) : "",
                 first ? report::three_digits(one.largest_load * job.rate) + "/s" : ""});
    };
    if (one.reading) add(*one.reading, "prompts", true);
    add(one.pool, one.reading ? "tokens" : "both", !one.reading);
  }
  return lines.text();
}

/// Reasons with how many layouts each refused.
std::vector<std::pair<std::uint64_t, std::string>> refusals(const service_counts& counts) {
  std::vector<std::pair<std::uint64_t, std::string>> reasons;
  for (std::size_t i = 0; i < std::size(counts.impossible); ++i)
    reasons.emplace_back(counts.impossible[i], describe(static_cast<plan_problem>(i)));
  reasons.emplace_back(counts.across_nodes, "tensor ranks are more than a node's devices");
  reasons.emplace_back(counts.too_large, "memory holds no request beside the weights");
  reasons.emplace_back(counts.too_slow, "a request alone breaks the limits");
  reasons.emplace_back(counts.more_devices, "need more devices than those kept");
  std::erase_if(reasons, [](const auto& one) { return one.first == 0; });
  return reasons;
}

std::string lengths_of(const sought_service& job) {
  return fmt::format("{} requests a second of {} and {} tokens{}", report::three_digits(job.rate),
                     report::three_digits(job.prompt), report::three_digits(job.output),
                     job.of.trace.empty() ? "" : fmt::format(", a trace of {}", job.of.trace.size()));
}

std::string for_people(const sought_service& job, const found_services& found) {
  const std::string share = report::three_digits(100 * job.limits.share) + " %";
  std::string text = fmt::format(
      "Services of {} on {}: {}\n{} within {} to the first token, and {} within {} per token after it; {}, {}{}\n",
      job.model.name, described(job.board, 1), lengths_of(job), share, report::scaled(job.limits.first_token), share,
      report::scaled(job.limits.output_token), job.space.formats.precision.name, job.space.under.name,
      described(job.changed));
  std::uint64_t all = found.counts.kept;
  report::table reasons({{""}, {"", align::left}});
  for (const auto& [number, why] : refusals(found.counts)) {
    all += number;
    reasons.add({std::to_string(number), why});
  }
  text += fmt::format("{} layouts: {} kept\n{}", all, found.counts.kept, reasons.text(2));
  if (found.stopped) text += "Stopped: the best so far.\n";
  if (found.best.empty()) return text + "\nNo service keeps the limits.\n";
  text += '\n' + table_of(job, found.best);
  const service_plan& best = found.best.front();
  report::table times({{"of 1", align::left}, {share}, {"50 %"}});
  const auto add = [&](const char* what, const service_plan::latency& of) {
    times.add({what, report::scaled(of.at_share), report::scaled(of.median)});
  };
  add("to first token", best.first_token);
  add("per token after it", best.output_token);
  add("whole request", best.request);
  text += '\n' + times.text();
  text +=
      fmt::format("\n{} % of the requests keep both limits: a goodput of {}/s. At {} times the load a limit breaks.\n",
                  report::three_digits(100 * best.within), report::three_digits(best.within * job.rate),
                  report::three_digits(best.largest_load));
  if (job.price) {
    const bill costs(job, best);
    text += fmt::format("{} USD an hour at {}: {} USD a million tokens in, {} out.\n",
                        report::three_digits(costs.an_hour), described(*job.price),
                        report::three_digits(costs.million.input), report::three_digits(costs.million.output));
  }
  return text;
}

json as_json(const server_pool& pool, const char* what) {
  json made;
  made["serves"] = what;
  made["devices"] = pool.devices();
  made["copies"] = pool.copies;
  made["tensor"] = pool.copy.tensor;
  made["pipeline"] = pool.copy.pipeline;
  made["expert"] = pool.copy.expert;
  made["sequences"] = pool.batch.sequences;
  made["chunk"] = pool.batch.pass_tokens;
  made["cache_tokens"] = pool.batch.cache_tokens;
  return made;
}

json as_json(const sought_service& job, const service_plan& plan) {
  json made;
  made["devices"] = plan.devices();
  json& pools = made["pools"] = json::array();
  if (plan.reading) pools.push_back(as_json(*plan.reading, "prompts"));
  pools.push_back(as_json(plan.pool, plan.reading ? "tokens" : "both"));
  const auto put = [&](const std::string& key, const service_plan::latency& of) {
    made[key + "_seconds"] = of.at_share.value();
    made[key + "_median_seconds"] = of.median.value();
  };
  put("first_token", plan.first_token);
  put("output_token", plan.output_token);
  put("request", plan.request);
  made["within_limits"] = plan.within;
  made["goodput_per_second"] = plan.within * job.rate;
  made["breaks_at_per_second"] = plan.largest_load * job.rate;
  if (!job.price) return made;
  const bill costs(job, plan);
  made["usd_per_hour"] = costs.an_hour;
  made["usd_per_million_input_tokens"] = costs.million.input;
  made["usd_per_million_output_tokens"] = costs.million.output;
  return made;
}

json for_programs(const sought_service& job, const found_services& found) {
  json made;
  made["model"] = job.model.name;
  made["device"] = std::string_view(job.board.id);
  made["engine"] = job.space.under.name;
  made["changed_members"] = job.changed;
  made["recipe"] = job.space.formats.precision.name;
  made["rate_per_second"] = job.rate;
  made["mean_prompt"] = job.prompt;
  made["mean_output"] = job.output;
  json& layouts = made["layouts"] = json::object();
  layouts["kept"] = found.counts.kept;
  json& refused = layouts["refused"] = json::object();
  for (const auto& [number, why] : refusals(found.counts)) refused[why] = number;
  made["stopped"] = found.stopped;
  if (job.price && !job.price->provider.empty()) {
    made["price_provider"] = job.price->provider;
    made["price_date"] = job.price->date;
  }
  json& best = made["best"] = json::array();
  for (const service_plan& one : found.best) best.push_back(as_json(job, one));
  return made;
}

}  // namespace

reply plan_service(const service_request& asked, output how) {
  const sought_service job(asked);
  const found_services found = search(job, how == output::people);
  return how == output::programs ? reply(for_programs(job, found)) : reply(for_people(job, found));
}

}  // namespace program
