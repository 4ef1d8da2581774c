// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Guards: concepts that a build asserts, and that say in numbers why they fail.

#include <flopledger/element_bytes.hpp>
#include <flopledger/hardware/device.hpp>
#include <flopledger/memory/account.hpp>
#include <flopledger/memory/kv_cache.hpp>
#include <flopledger/memory/serving.hpp>
#include <flopledger/memory/training.hpp>

namespace flopledger {

// What a failing guard prints. Each number has a type of its own, for clang prints a template's arguments without their
// names and a class type's members without theirs.
template <std::int64_t MiB>
struct needed_MiB;
template <std::int64_t MiB>
struct available_MiB;
template <std::int64_t MiB>
struct exceeding_MiB;
template <memory_line Line, std::int64_t MiB>
struct largest_part;

template <class Needed, class Available, class Exceeding, class Largest>
struct device_memory;
template <std::int64_t Needed, std::int64_t Available, std::int64_t Exceeding, class Largest>
struct device_memory<needed_MiB<Needed>, available_MiB<Available>, exceeding_MiB<Exceeding>, Largest> {
  static constexpr bool suffices = Needed <= Available;
  struct required {
    static_assert(Needed <= Available,
                  "the job needs more memory than the device has: both in MiB, and the largest part, stand in "
                  "device_memory<...>");
  };
};

/// Memory that is left to a job: a share of what the tools report for the device, in 1/1000. The rest is the margin for
/// what no account has. 0: the job's own, which for training is what its framework's published errors leave
/// (`usable_per_mille`), and 950 where a job says nothing. docs/accuracy.md counts what that refuses.
struct margin {
  int usable_per_mille = 0;
};

/// What a job must be to be guarded: a type that accounts for its memory.
template <class Job>
concept accountable = requires {
  { Job::memory() } -> std::same_as<memory_account>;
};

namespace detail {
/// Checks its arguments hard before it answers, so that neither `fits` nor `!fits` is true of a typo. The checks are
/// named flags in the body of the class that is instantiated first: a compiler's way to them is shortest so.
template <class Job, class Device, margin Margin>
struct memory_check {
  static constexpr bool is_job = accountable<Job>;
  static_assert(is_job, "not a job: it needs `static constexpr flopledger::memory_account memory()`");
  static constexpr bool is_accelerator = accelerator_type<Device>;
  static_assert(is_accelerator, "not an accelerator: it needs `static constexpr flopledger::accelerator value`");
  static constexpr int share = [] {
    if constexpr (requires { Job::usable_per_mille; })
      return Margin.usable_per_mille != 0 ? Margin.usable_per_mille : Job::usable_per_mille;
    else
      return Margin.usable_per_mille != 0 ? Margin.usable_per_mille : 950;
  }();
  static constexpr bool is_margin = share > 0 && share <= 1000;
  static_assert(is_margin, "a margin leaves between 1 and 1000 thousandths of the memory");

  static constexpr memory_account account = [] {
    if constexpr (is_job)
      return Job::memory();
    else
      return memory_account{};
  }();
  static constexpr bool is_account = account.possible();
  static_assert(is_account, "a memory account has only lines of zero bytes and more");
  static constexpr std::int64_t needed = mebibytes_of(account.total());
  static constexpr std::int64_t available = [] {
    if constexpr (is_accelerator)
      return usable_mebibytes(usable_memory<Device>, share);
    else
      return needed;  // the message above is the last
  }();
  using budget = device_memory<needed_MiB<needed>, available_MiB<available>, exceeding_MiB<needed - available>,
                               largest_part<account.largest(), mebibytes_of(account[account.largest()])>>;
};
}  // namespace detail

/// Whether a model allows a plan: what does not go, and the two numbers that do not go together.
template <plan_problem Problem, std::int64_t Value, std::int64_t Divisor>
struct plan_check {
  static constexpr bool possible = Problem == plan_problem::none;
  struct required {
    static_assert(Problem == plan_problem::none,
                  "the plan is impossible on this model: the problem, and the two numbers that do not go together, "
                  "stand in plan_check<...>");
  };
};

/// Whether a model can be: what does not go, of which field, its value and the one that it does not go with.
template <model_problem Problem, model_field Field, std::int64_t Value, std::int64_t Other>
struct model_check {
  static constexpr bool possible = Problem == model_problem::none;
  struct required {
    static_assert(Problem == model_problem::none,
                  "the model is impossible: the problem, its field and the two values stand in model_check<...>");
  };
};

namespace detail {
template <class Job>
struct plan_of {
  using check = plan_check<plan_problem::none, 0, 0>;
};
template <class Job>
requires requires { requires Job::judged.problem != plan_problem::model; }
struct plan_of<Job> {
  using check = plan_check<Job::judged.problem, Job::judged.value, Job::judged.divisor>;
};
template <class Job>
requires requires { requires Job::judged.problem == plan_problem::model; }
struct plan_of<Job> {
  static constexpr model_verdict why = Job::judged.of_model;
  using check = model_check<why.problem, why.field, why.value, why.other_value>;
};
}  // namespace detail

template <class Check>
concept possible_plan = Check::possible;

template <class Budget>
concept within_memory = Budget::suffices;

/// True where the job's memory fits on one such device: `static_assert(fits<job, hardware::h100_sxm5_80gb>)`.
template <class Job, class Device, margin Margin = margin{}>
concept fits = possible_plan<typename detail::plan_of<Job>::check> &&
    within_memory<typename detail::memory_check<Job, Device, Margin>::budget>;

namespace detail {
/// The account of a job that cannot be is not asked for.
template <class Job, class Device, margin Margin, bool Possible>
struct required_memory {};
template <class Job, class Device, margin Margin>
struct required_memory<Job, Device, Margin, true> : memory_check<Job, Device, Margin>::budget::required {};
}  // namespace detail

/// `fits` with a sentence of its own: `static_assert(require_fits<job, hardware::h100_sxm5_80gb>::holds)`. It asserts
/// in the class that has the numbers as arguments, so that every compiler's first lines have them; of a concept that
/// does not hold, some compilers show none.
template <class Job, class Device, margin Margin = margin{}>
struct require_fits : detail::plan_of<Job>::check::required,
                      detail::required_memory<Job, Device, Margin, detail::plan_of<Job>::check::possible> {
  static constexpr bool holds = true;
};

/// One sentence on whether the job fits, with the numbers. Compilers that take a computed message (C++26) print it:
/// `static_assert(fits<job, device>, why<job, device>)`. At run time it is a text like another.
template <class Job, class Device, margin Margin = margin{}>
inline constexpr sentence why = [] {
  sentence said;
  if constexpr (!possible_plan<typename detail::plan_of<Job>::check>) {
    said = sentence_of(Job::judged);
  } else {
    using check = detail::memory_check<Job, Device, Margin>;
    constexpr memory_line largest = check::account.largest();
    said << "the job needs " << check::needed << " MiB of a device that has " << check::available << " MiB for it";
    if (check::needed > check::available) said << ", " << check::needed - check::available << " too few";
    said << "; the largest part is " << name_of(largest) << ", " << mebibytes_of(check::account[largest]) << " MiB";
  }
  return said;
}();

namespace detail {
template <class Model>
inline constexpr bool describes_transformer = requires {
  requires std::same_as<std::remove_cvref_t<decltype(Model::config)>, transformer_config>;
};

/// What lies over devices: a description with a stack, which records what is below its blocks, a block of a kind, and
/// what is above. The library's is one; one's own derives from it and records blocks of its own.
template <class Model>
inline constexpr bool records_blocks = describes_transformer<Model>;
template <class Model>
requires(!describes_transformer<Model>) &&
    requires(const std::remove_cvref_t<decltype(Model::config)>& config, totals& sink, const work& asked) {
  requires std::same_as<std::remove_cvref_t<decltype(config.stack)>, stack>;
  config.record_below(sink, asked);
  config.record_block(sink, asked, block_kind{});
  config.record_above(sink, asked, false);
}
inline constexpr bool records_blocks<Model> = true;

/// What the blocks of a model have.
template <class Model>
struct parts_of {
  static constexpr bool recurrence = !Model::config.stack.recurrent.empty(),
                        latent = Model::config.stack.latent.heads + Model::config.stack.compressed.heads > 0,
                        mixture = !Model::config.stack.sparse.empty(), cross = Model::config.stack.cross_attention,
                        streams = Model::config.stack.streams.present(),
                        layer_extras = Model::config.stack.layer_input > 0 || Model::config.stack.layer_scale ||
                                       Model::config.stack.feed_beside_experts || Model::config.stack.depth.present() ||
                                       !Model::config.stack.variants.empty();
};

/// A model without encoder and tower, as memory asks for its rows: what it lacks is not instantiated, which is most of
/// what a guard would cost a compiler.
template <class Model>
class decoder_view {
 public:
  static constexpr bool is_judged = true;
  static constexpr const auto& stack = Model::config.stack;
  static constexpr const output_head& head = Model::config.head;

  static constexpr work with_source(const work& asked) { return Model::config.with_source(asked); }
  static constexpr void record_below(auto& sink, const work& asked) {
    Model::config.record_embedding(sink, asked);
    stack.record_below(sink);
  }
  static constexpr void record_block(auto& sink, const work& asked, block_kind kind) {
    Model::config.template record_block<parts_of<Model>>(sink, asked, kind);
  }
  static constexpr void record_blocks(auto& sink, const work& asked, std::int64_t first, std::int64_t last) {
    Model::config.template record_blocks<parts_of<Model>>(sink, asked, first, last);
  }
  static constexpr void record_above(auto& sink, const work& asked, bool untied = false) {
    Model::config.record_above(sink, asked, untied);
  }
  static constexpr void record(auto& sink, const work& asked) {
    record_below(sink, asked);
    record_blocks(sink, asked, 0, stack.layers);
    record_above(sink, asked);
  }
};

template <class Model>
constexpr bool is_decoder() {
  if constexpr (describes_transformer<Model>)
    return !Model::config.has_encoder() && !Model::config.has_vision() && !Model::config.vision_only;
  else
    return false;
}

/// What a guard asks a model's rows of.
template <class Model>
constexpr decltype(auto) guarded() {
  if constexpr (is_decoder<Model>())
    return decoder_view<Model>{};
  else
    return (Model::config);
}

/// A configuration without blocks has no fields to check.
template <class Model>
constexpr plan_verdict model_verdict_of() {
  if constexpr (records_blocks<Model>)
    return model_problem_of(Model::config);
  else
    return {};
}

template <class Recipe>
inline constexpr bool has_formats = false;
template <class Recipe>
requires std::same_as<std::remove_cvref_t<decltype(Recipe::value)>, recipe>
inline constexpr bool has_formats<Recipe> = possible(Recipe::value);
/// Of a type that is no recipe another one, for the message that says so is the last.
template <class Recipe>
constexpr const recipe& recipe_of() {
  if constexpr (requires { requires std::same_as<std::remove_cvref_t<decltype(Recipe::value)>, recipe>; })
    return Recipe::value;
  else
    return recipes::bf16::value;
}

template <class Model>
inline constexpr bool agrees = [] {
  // The library's own rows do (tests/memory); to ask each build again would cost as much as the guard.
  if constexpr (describes_transformer<Model>) {
    return true;
  } else {
    row_agreement fold;
    Model::config.record(fold, forward(1, 1));
    return fold.holds;
  }
}();
}  // namespace detail

/// Sequences that are held in the cache at once, and how many tokens each.
struct load {
  std::int64_t sequences = 0;
  std::int64_t context = 0;
};

namespace detail {
/// A fold: both at once.
struct held_and_cached {
  recipe_weights weights;
  cached_elements cache{};

  template <class Row = row>
  constexpr void take(const Row& r, std::int64_t times) {
    weights.take(r, times);
    cache.take(r, times);
  }
};
}  // namespace detail

/// Weights and cache of a model that serves: what is resident however an engine computes. An engine needs more (its
/// activations, its own reserve); `fits` of this job is necessary, not sufficient.
template <class Model, class Recipe, load Load>
struct weights_and_cache {
  static_assert(Load.sequences >= 0 && Load.context >= 0 && (Load.sequences == 0) == (Load.context == 0),
                "a load names both its sequences and their context, or neither: then there is no cache");
  static_assert(
      detail::has_formats<Recipe>,
      "not a recipe: it needs `static constexpr flopledger::recipe value` with formats of more than 0 bits each");
  static_assert(
      detail::agrees<Model>,
      "a row of this model holds other parameters than its weight operands, or less than nothing: memory counts "
      "operands");
  static constexpr plan_verdict judged = detail::model_verdict_of<Model>();
  static constexpr memory_account memory() {
    // One recording: weights do not depend on what is asked, and where nothing is, nothing is cached.
    const bool cached = Load.sequences > 0 && Load.context > 0;
    detail::held_and_cached fold{.weights = {.precision = detail::recipe_of<Recipe>()}};
    const auto& model = detail::guarded<Model>();
    model.record(
        fold, cached ? forward(static_cast<double>(Load.sequences), static_cast<double>(Load.context)) : forward(1, 1));
    memory_account account;
    account[memory_line::weights] = bytes::from_value(fold.weights.held);
    if (cached)
      account[memory_line::kv_cache] = bytes::from_value(
          fold.cache.bytes_in(detail::recipe_of<Recipe>().kv_cache, detail::recipe_of<Recipe>().state()));
    return account;
  }
};

/// A training job: `training<models::llama3_8b, recipes::mixed_bf16, optimizers::adamw, plan{.sequence = 8192, .data =
/// 8}>`. `Framework` names what a framework takes beside the tensors: `frameworks::megatron_core`, or one of one's own.
/// A model without blocks has no stages to lie over: `weights_and_cache` takes it, this does not.
template <class Model, class Recipe, const optimizer& Rule, plan Plan,
          const framework& Framework = frameworks::megatron_core>
struct training {
  static_assert(detail::records_blocks<Model>,
                "not a model of blocks: training<> and serving<> need `static constexpr flopledger::transformer_config "
                "config`, or a description derived from it");
  static_assert(
      detail::has_formats<Recipe>,
      "not a recipe: it needs `static constexpr flopledger::recipe value` with formats of more than 0 bits each");
  static constexpr plan_verdict judged = verdict(Plan, Model::config);
  static constexpr training_setup setup{
      .precision = detail::recipe_of<Recipe>(), .optimizer = Rule, .plan = Plan, .framework = Framework};
  static constexpr int usable_per_mille = flopledger::usable_per_mille(Framework, Plan);
  static constexpr const auto& model() { return Model::config; }
  static constexpr memory_account memory() {
    static_assert(possible_plan<typename detail::plan_of<training>::check>, "an impossible plan has no memory");
    const auto& model = detail::guarded<Model>();
    return training_memory(model, setup, std::bool_constant<(Plan.adapter_rank > 0)>{}).worst();
  }
};

/// What a serving job asks for, in whole numbers that a template argument can hold.
struct service {
  std::int64_t sequences = 1;
  std::int64_t context = 0;
  std::int64_t tensor = 1, pipeline = 1, expert = 1;
  kv_layout layout = kv_layout::paged;
  std::int64_t block = 16;
  std::int64_t chunk = 2048;
  std::int64_t reserve_MiB = 0;
};

/// A serving job: weights, cache, one pass's activations and the engine's reserve.
template <class Model, class Recipe, service Service>
struct serving {
  static_assert(detail::records_blocks<Model>,
                "not a model of blocks: training<> and serving<> need `static constexpr flopledger::transformer_config "
                "config`, or a description derived from it");
  static_assert(
      detail::has_formats<Recipe>,
      "not a recipe: it needs `static constexpr flopledger::recipe value` with formats of more than 0 bits each");
  static constexpr serving_setup setup{
      .formats = {.precision = detail::recipe_of<Recipe>()},
      .tensor = Service.tensor,
      .pipeline = Service.pipeline,
      .expert = Service.expert,
      .layout = Service.layout,
      .block = Service.block,
      .chunk = Service.chunk,
      .reserve = bytes::from_value(static_cast<double>(Service.reserve_MiB) * prefix::mebi)};
  static constexpr plan_verdict judged = load_verdict(Service.sequences, Service.context).ok()
                                             ? verdict(setup, Model::config)
                                             : load_verdict(Service.sequences, Service.context);
  static constexpr memory_account memory() {
    static_assert(possible_plan<typename detail::plan_of<serving>::check>, "an impossible service has no memory");
    const auto& model = detail::guarded<Model>();
    return serving_memory(model, setup).worst(Service.sequences, Service.context);
  }
};

}  // namespace flopledger
