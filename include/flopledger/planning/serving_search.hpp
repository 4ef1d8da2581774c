// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The fewest devices that serve a stream of requests within limits on latency: how a copy of the model lies, how many
/// copies, how much a batch may hold, prompts and tokens together or apart.

#include <flopledger/memory/kv_cache.hpp>
#include <flopledger/planning/pass_costs.hpp>
#include <flopledger/planning/search.hpp>
#include <flopledger/planning/serving_plan.hpp>
#include <flopledger/stable_order.hpp>

#include <atomic>
#include <optional>

namespace flopledger::planning {

/// Devices that hold one copy of a model. Each stage of a pipeline has a batch of its own in work, so that a copy is as
/// many servers as it has stages: each of its passes goes through all of them, and each has its share of the cache, as
/// in vLLM, whose blocks are divided by the stages (worker/cache_engine.py).
struct copy_layout {
  std::int64_t tensor = 1, pipeline = 1, expert = 1;
  constexpr std::int64_t devices() const { return tensor * pipeline; }
};

/// Copies that do the same.
struct server_pool {
  copy_layout copy{};
  std::int64_t copies = 0;
  batch_limits batch{};  ///< of one server

  constexpr std::int64_t devices() const { return copies * copy.devices(); }
  constexpr std::int64_t servers() const { return copies * copy.pipeline; }
};

/// A service that keeps its limits, and what its users see.
struct service_plan {
  server_pool pool{};                    ///< for prompts and tokens, or for tokens alone
  std::optional<server_pool> reading{};  ///< for prompts, where they are read apart
  struct latency {
    seconds at_share{}, median{};
  } first_token{}, output_token{}, request{};
  double within = 0;         ///< share of the requests that met both limits
  double largest_load = 0;   ///< over the one that was asked for
  double reading_share = 0;  ///< of the devices' busy time, that prompts took

  constexpr std::int64_t devices() const { return pool.devices() + (reading ? reading->devices() : 0); }
};

/// What became of the layouts of a copy, over all that it may be for.
struct service_counts {
  std::uint64_t impossible[static_cast<std::size_t>(plan_problem::too_many_devices) + 1]{};
  std::uint64_t across_nodes = 0;  ///< tensor ranks that no node holds
  std::uint64_t too_large = 0;     ///< the weights, or a request beside them
  std::uint64_t too_slow = 0;      ///< a request alone breaks the limits
  std::uint64_t more_devices = 0;  ///< than the plans that are kept
  std::uint64_t kept = 0;
};

/// What comes: drawn from a stream, or given.
struct offered_requests {
  request_stream stream{};
  std::size_t requests = 4000;   ///< that each server of a stream is tried with
  std::vector<arrival> trace{};  ///< where it holds any, the stream is not read
};

/// What may be chosen. A degree without values takes powers of two: tensor ranks up to a node's devices, experts over
/// none or all of them.
struct service_space {
  data_formats formats{};  ///< `precision` is the recipe asked for
  engine under{};
  degree_choices tensor{}, pipeline{1}, expert{};
  degree_choices sequences{256, 64, 1024}, pass_tokens{};  ///< of a batch; none: the engine's chunk, then less
  bool together = true, apart = false;
};

struct service_options {
  std::size_t wanted = 3;                   ///< plans
  const std::atomic<bool>* stop = nullptr;  ///< once true, a search answers with the best so far
  std::function<void(double)> progress{};
};

struct found_services {
  std::vector<service_plan> best{};  ///< fewest devices first, then by the load that they carry
  service_counts counts{};
  bool stopped = false;
};

namespace detail {

/// A pass that goes through all stages of a pipeline.
struct staged_costs {
  pass_costs costs;
  double starting = 0, a_token = 0;  ///< seconds of sending between stages

  seconds operator()(const pass_load& load) const {
    const auto moved = static_cast<double>(load.decoding + load.prompt_tokens);
    return costs(load) + seconds::from_value(moved > 0 ? starting + a_token * moved : 0.0);
  }
};

enum class pool_role : std::uint8_t { together, reading, decoding };

template <class Model>
class service_search {
 public:
  service_search(const Model& model, const service_space& space, const fleet& on, const offered_requests& of,
                 const latency_limits& limits, const service_options& how)
      : model_(model), space_(space), on_(on), of_(of), limits_(limits), how_(how) {
    const std::vector<arrival> sample = of.trace.empty() ? arrivals_of(of.stream, of.requests) : of.trace;
    if (sample.empty()) flopledger::detail::raise<bad_argument>("a service without requests");
    double prompts = 0, outputs = 0;
    for (const arrival& one : sample) {
      longest_ = std::max(longest_, one.prompt + one.output);
      prompts += static_cast<double>(one.prompt);
      outputs += static_cast<double>(one.output);
    }
    prompt_ = prompts / static_cast<double>(sample.size());
    output_ = outputs / static_cast<double>(sample.size());
    if (space_.pass_tokens.empty())
      for (const std::int64_t tokens_of_pass : {space.under.chunk.value, std::int64_t{2048}, std::int64_t{512}})
        if (tokens_of_pass <= space.under.chunk && !space_.pass_tokens.contains(tokens_of_pass))
          space_.pass_tokens.add(tokens_of_pass);
  }

  found_services run() {
    const std::vector<copy_layout> layouts = all_layouts();
    const double roles = (space_.together ? 1 : 0) + (space_.apart ? 2 : 0);
    const auto share = 1 / (roles * static_cast<double>(layouts.size()));
    if (space_.together)
      for (const server_pool& pool : pools(layouts, pool_role::together, share)) found_.best.push_back({.pool = pool});
    // Who stops a search waits for no more than the best.
    if (found_.stopped && !found_.best.empty()) found_.best.resize(1);
    for (service_plan& one : found_.best) describe_together(one);
    if (space_.apart && !found_.stopped) try_apart(layouts, share);
    flopledger::detail::order_stably(found_.best, [](const service_plan& a, const service_plan& b) {
      return a.devices() != b.devices() ? a.devices() < b.devices() : a.largest_load > b.largest_load;
    });
    if (found_.best.size() > how_.wanted) found_.best.resize(how_.wanted);
    return std::move(found_);
  }
 private:
  // Layouts and what they cost --------------------------------------------------------------------------------------

  std::vector<copy_layout> all_layouts() const {
    degree_choices tensors = space_.tensor;
    if (tensors.empty())
      for (std::int64_t n = 1; n <= on_.in.devices; n *= 2) tensors.add(n);
    std::vector<copy_layout> all;
    for (const std::int64_t tensor : tensors)
      for (const std::int64_t pipeline : space_.pipeline) {
        degree_choices over = space_.expert;
        if (over.empty()) {
          over = {1};
          if (model_.stack.mixture.experts > 0 && tensor > 1) over.add(tensor);
        }
        for (const std::int64_t expert : over) all.push_back({tensor, pipeline, expert});
      }
    return all;
  }
  serving_setup setup_of(const copy_layout& copy) const {
    serving_setup made = setup_under(space_.under, space_.formats, copy.tensor, copy.expert);
    made.pipeline = copy.pipeline;
    return made;
  }
  /// What stands against a layout, counted; false where nothing does.
  bool refused(const copy_layout& copy) {
    const serving_setup setup = setup_of(copy);
    plan_verdict found = verdict(setup, model_);
    // Times know groups of experts inside one of tensor ranks alone.
    if (found.ok() && copy.tensor % copy.expert != 0) found.problem = plan_problem::expert_ranks;
    if (!found.ok()) {
      ++found_.counts.impossible[static_cast<std::size_t>(found.problem)];
      return true;
    }
    if (copy.tensor > on_.in.devices) {
      ++found_.counts.across_nodes;
      return true;
    }
    return false;
  }
  staged_costs costs_of(const copy_layout& copy, std::int64_t pass_tokens, pool_role role) const {
    const engine& under = space_.under;
    const serving_time<Model> time(model_, setup_of(copy).formats, on_.device,
                                   group_under(under, copy.tensor, copy.expert, on_.in), under);
    const double context = role == pool_role::reading ? prompt_ : prompt_ + output_ / 2;
    staged_costs made{pass_costs(time, pass_tokens, std::max(context, 1.0))};
    if (copy.pipeline == 1) return made;
    const plan lies{.tensor = copy.tensor, .pipeline = copy.pipeline, .sequence_parallel = false};
    const group_link over = link_over(group::pipeline, collective::send_receive, lies, on_.in);
    const auto hops = static_cast<double>(copy.pipeline - 1);
    const double row =
        static_cast<double>(model_.stack.hidden) * space_.formats.precision.activations.bytes_per_element();
    made.starting = hops * (over.quick_latency.value() > 0 ? over.quick_latency : over.latency).value();
    made.a_token = hops * row / over.bandwidth.value();
    return made;
  }
  /// The limits of a server's batch, with the cache that is left for it; no sequences where nothing is.
  batch_limits batch_of(const copy_layout& copy, std::int64_t sequences, std::int64_t pass_tokens) const {
    serving_setup setup = setup_of(copy);
    setup.chunk = pass_tokens;
    const std::int64_t block = setup.block, context = (longest_ + block - 1) / block * block;
    const std::int64_t room =
        serving_memory(model_, setup)
            .cache_tokens(on_.memory.usable(on_.memory.per_mille), sequences * copy.pipeline, context) /
        copy.pipeline;
    if (room < context) return {.sequences = 0};
    return {.sequences = sequences,
            .pass_tokens = pass_tokens,
            .cache_tokens = room,
            .block = block,
            .a_request = space_.under.a_request};
  }

  // What users see --------------------------------------------------------------------------------------------------

  std::vector<arrival> as_role(std::vector<arrival> all, pool_role role) const {
    if (role == pool_role::together) return all;
    std::vector<arrival> made;
    made.reserve(all.size());
    for (arrival one : all) {
      if (role == pool_role::decoding && one.output == 1) continue;
      one.read = role == pool_role::decoding;
      one.output = one.read ? one.output - 1 : 1;
      made.push_back(one);
    }
    return made;
  }
  std::vector<arrival> stream_at(double load, std::size_t count, std::int64_t servers) const {
    request_stream faster = of_.stream;
    faster.rate *= load;
    return arrivals_of(faster, count, servers);
  }
  served_requests serve(const server_pool& pool, const staged_costs& costs, pool_role role, double load) const {
    if (of_.trace.empty())
      return simulate(as_role(stream_at(load, of_.requests, pool.servers()), role), pool.batch, costs);
    return simulate(as_role(stretched(of_.trace, 1 / load), role), pool.servers(), pool.batch, costs);
  }
  bool good(const served_requests& served, pool_role role, const copy_layout& copy) const {
    if (served.requests.empty()) return true;
    if (role == pool_role::together) return keeps(served, limits_);
    if (role == pool_role::reading) return served.percentile(limits_.share, first_token_of) <= limits_.first_token;
    // All but the first token come after the cache.
    const seconds moving = transfer(copy, copy, prompt_);
    const auto each = [&](const served_request& one) {
      return (one.end_to_end() + moving) / static_cast<double>(one.output);
    };
    return served.percentile(limits_.share, each) <= limits_.output_token;
  }
  /// Whether a request alone keeps the limits.
  bool good_alone(const server_pool& pool, const staged_costs& costs, pool_role role) const {
    std::vector<arrival> few = of_.trace.empty() ? stream_at(1, 64, 1) : of_.trace;
    if (few.size() > 64) few.resize(64);
    for (std::size_t i = 0; i < few.size(); ++i) few[i].at = seconds::from_value(1e6 * static_cast<double>(i));
    return good(simulate(as_role(few, role), pool.batch, costs), role, pool.copy);
  }
  /// The cache of so many tokens, from the ranks of one copy to those of another, over the network.
  seconds transfer(const copy_layout& from, const copy_layout& to, double held) const {
    const auto lanes = static_cast<double>(std::min(from.devices(), to.devices()));
    const bytes cache = kv_cache_bytes(model_, forward(1, held), space_.formats.precision.kv_cache);
    return on_.in.scale_out.latency + cache / (lanes * on_.in.scale_out.sustained());
  }

  // The fewest copies -----------------------------------------------------------------------------------------------

  /// The fewest copies of a pool, up to `most` (0: any number), that keep the limits; 0 where that many do not.
  std::int64_t fewest_copies(server_pool pool, const staged_costs& costs, pool_role role, std::int64_t most) const {
    const auto enough = [&](std::int64_t copies) {
      pool.copies = copies;
      return good(serve(pool, costs, role, 1), role, pool.copy);
    };
    std::int64_t low = 0, high = most;  // too few, and enough
    if (most > 0) {
      if (!enough(most)) return 0;
    } else {
      constexpr std::int64_t beyond = std::int64_t{1} << 24U;
      for (high = 1; !enough(high); high *= 2) {
        if (high >= beyond || asked_to_stop(how_.stop)) return 0;
        low = high;
      }
    }
    while (high - low > 1) {
      const std::int64_t middle = low + (high - low) / 2;
      (enough(middle) ? high : low) = middle;
    }
    return high;
  }

  /// The best batch of a layout for a role, if it needs no more devices than `most` (0: any number).
  std::optional<server_pool> best_pool(const copy_layout& copy, pool_role role, std::int64_t most) {
    std::optional<server_pool> best;
    bool fits = false, quick = false;
    for (const std::int64_t pass_tokens : space_.pass_tokens) {
      const staged_costs costs = costs_of(copy, pass_tokens, role);
      for (const std::int64_t sequences : space_.sequences) {
        if (how_.progress) how_.progress(done_);
        if (asked_to_stop(how_.stop)) return best;
        server_pool pool{.copy = copy, .batch = batch_of(copy, sequences, pass_tokens)};
        if (pool.batch.sequences == 0) continue;
        fits = true;
        if (!good_alone(pool, costs, role)) continue;
        quick = true;
        std::int64_t bound = most > 0 ? most / copy.devices() : 0;
        if (most > 0 && bound == 0) continue;
        if (best) bound = best->copies - 1;
        if (best && bound == 0) return best;
        pool.copies = fewest_copies(pool, costs, role, bound);
        if (pool.copies > 0) best = pool;
      }
    }
    if (!best) ++(!fits ? found_.counts.too_large : !quick ? found_.counts.too_slow : found_.counts.more_devices);
    return best;
  }

  /// The pools of a role that need the fewest devices, one a layout.
  std::vector<server_pool> pools(const std::vector<copy_layout>& layouts, pool_role role, double share) {
    std::vector<server_pool> kept;
    for (const copy_layout& copy : layouts) {
      if (asked_to_stop(how_.stop)) break;
      const std::int64_t most = kept.size() < how_.wanted ? 0 : kept.back().devices();
      if (!refused(copy))
        if (const std::optional<server_pool> found = best_pool(copy, role, most)) {
          const auto place = std::upper_bound(kept.begin(), kept.end(), *found,
                                              [](const auto& a, const auto& b) { return a.devices() < b.devices(); });
          kept.insert(place, *found);
          ++found_.counts.kept;
          if (kept.size() > how_.wanted && kept.back().devices() > kept[how_.wanted - 1].devices()) {
            kept.pop_back();
            --found_.counts.kept;
            ++found_.counts.more_devices;
          }
        }
      done_ += share;
      if (how_.progress) how_.progress(done_);
    }
    found_.stopped = found_.stopped || asked_to_stop(how_.stop);
    return kept;
  }

  // What is said of a plan ------------------------------------------------------------------------------------------

  static seconds first_token_of(const served_request& one) { return one.time_to_first_token(); }

  void describe(service_plan& plan, const served_requests& served) const {
    const auto both = [&](const auto& of) {
      return service_plan::latency{served.percentile(limits_.share, of), served.percentile(0.5, of)};
    };
    plan.first_token = both(first_token_of);
    plan.output_token = both([](const served_request& one) { return one.time_per_output_token(); });
    plan.request = both([](const served_request& one) { return one.end_to_end(); });
    plan.within = served.share_within(limits_.first_token, limits_.output_token);
    plan.reading_share = served.busy.value() > 0 ? (served.reading / served.busy).value() : 0.0;
  }
  void describe_together(service_plan& plan) const {
    const staged_costs costs = costs_of(plan.pool.copy, plan.pool.batch.pass_tokens, pool_role::together);
    describe(plan, serve(plan.pool, costs, pool_role::together, 1));
    plan.largest_load = largest_load_by(
        [&](double load) { return keeps(serve(plan.pool, costs, pool_role::together, load), limits_); }, 1.0);
  }

  void try_apart(const std::vector<copy_layout>& layouts, double share) {
    if (!(on_.in.scale_out.send.value() > 0))
      flopledger::detail::raise<figure_not_published>(on_.in.id, ": the bandwidth of its network is not published");
    const std::vector<server_pool> reading = pools(layouts, pool_role::reading, share);
    if (reading.empty()) return;
    const std::vector<server_pool> decoding = pools(layouts, pool_role::decoding, share);
    if (decoding.empty()) return;
    service_plan made{.pool = decoding.front(), .reading = reading.front()};
    const staged_costs reads = costs_of(made.reading->copy, made.reading->batch.pass_tokens, pool_role::reading),
                       decodes = costs_of(made.pool.copy, made.pool.batch.pass_tokens, pool_role::decoding);
    const auto served_at = [&](double load) { return serve_apart(made, reads, decodes, load); };
    // Each pool was tried alone; the stream between them is not quite that of the users.
    for (int more = 0; more < 8; ++more) {
      const served_requests served = served_at(1);
      describe(made, served);
      if (keeps(served, limits_)) {
        made.reading_share = static_cast<double>(made.reading->devices()) / static_cast<double>(made.devices());
        made.largest_load = largest_load_by([&](double load) { return keeps(served_at(load), limits_); }, 1.0);
        found_.best.push_back(made);
        return;
      }
      ++(made.first_token.at_share > limits_.first_token ? made.reading->copies : made.pool.copies);
    }
  }
  served_requests serve_apart(const service_plan& plan, const staged_costs& reads, const staged_costs& decodes,
                              double load) const {
    const auto moving = [&](double held) { return transfer(plan.reading->copy, plan.pool.copy, held); };
    constexpr std::size_t most = 40'000;
    const auto servers = static_cast<std::size_t>(plan.reading->servers() + plan.pool.servers());
    const std::vector<arrival> all =
        of_.trace.empty() ? stream_at(load, std::max(of_.requests, std::min(most, of_.requests * servers)), 1)
                          : stretched(of_.trace, 1 / load);
    return simulate_apart(all, plan.reading->servers(), plan.reading->batch, reads, plan.pool.servers(),
                          plan.pool.batch, decodes, moving);
  }

  const Model& model_;
  service_space space_;
  const fleet& on_;
  const offered_requests& of_;
  const latency_limits& limits_;
  const service_options& how_;
  double prompt_ = 0, output_ = 0;  ///< means
  std::int64_t longest_ = 0;
  double done_ = 0;
  found_services found_{};
};

}  // namespace detail

/// The services with the fewest devices that keep the limits. Each layout is tried with the engine's own batch first;
/// another counts where it saves devices. Deterministic: requests are the same for a seed.
template <class Model>
found_services search_services(const Model& model, const service_space& space, const fleet& on,
                               const offered_requests& of, const latency_limits& limits,
                               const service_options& how = {}) {
  return detail::service_search<Model>(model, space, on, of, limits, how).run();
}

}  // namespace flopledger::planning
