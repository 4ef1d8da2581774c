// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/guard.hpp>
#include <flopledger/hardware/nvidia.hpp>
#include <flopledger/models/zoo.hpp>

namespace {

using namespace flopledger;

// The margin: the caller's, else the job's own, else 5 per cent.
template <int PerMille>
struct filling {
  static constexpr memory_account memory() {
    memory_account account;
    account[memory_line::weights] = PerMille / 1000.0 * usable_memory<hardware::h100_sxm5_80gb>;
    return account;
  }
};
struct cautious : filling<900> {
  static constexpr int usable_per_mille = 887;
};
static_assert(fits<filling<940>, hardware::h100_sxm5_80gb>);
static_assert(!fits<filling<960>, hardware::h100_sxm5_80gb>);
static_assert(fits<filling<900>, hardware::h100_sxm5_80gb>);
static_assert(!fits<cautious, hardware::h100_sxm5_80gb>);
static_assert(fits<cautious, hardware::h100_sxm5_80gb, margin{.usable_per_mille = 950}>);
static_assert(!fits<filling<900>, hardware::h100_sxm5_80gb, margin{.usable_per_mille = 800}>);

// What published runs of a framework exceeded their prediction by is left free.
static_assert(usable_per_mille(frameworks::deepspeed) == 887);
static_assert(usable_per_mille(frameworks::megatron_core) == 950);
static_assert(usable_per_mille(framework{}) == 950);
static_assert(usable_per_mille(frameworks::pytorch_fsdp, plan{.data = 8}) == 950);
static_assert(usable_per_mille(frameworks::pytorch_fsdp, plan{.data = 8, .tensor = 2}) == 861);
static_assert(usable_per_mille(frameworks::megatron_core, plan{.tensor = 8, .pipeline = 2}) == 950);
static_assert(training<models::llama3_1_8b, recipes::mixed_bf16, optimizers::adamw, plan{.sequence = 4096},
                       frameworks::deepspeed>::usable_per_mille == 887);

// In words, for compilers that take a computed message and for run time.
using crowded = weights_and_cache<models::llama2_70b, recipes::bf16, load{.sequences = 8, .context = 8192}>;
static_assert(std::string_view(why<crowded, hardware::h100_sxm5_80gb>) ==
              "the job needs 152043 MiB of a device that has 77481 MiB for it, 74562 too few; the largest part is "
              "weights, 131563 MiB");
using uneven =
    training<models::llama2_70b, recipes::mixed_bf16, optimizers::adamw, plan{.sequence = 4096, .tensor = 3}>;
static_assert(std::string_view(why<uneven, hardware::h100_sxm5_80gb>) ==
              "impossible plan: attention heads do not divide by the tensor-parallel degree: 64 by 3");
static_assert(require_fits<filling<940>, hardware::h100_sxm5_80gb>::holds);
#if __cplusplus > 202302L && __cpp_static_assert >= 202306L  // clang 22 takes it in C++20 too, with a warning
static_assert(fits<filling<940>, hardware::h100_sxm5_80gb>, why<filling<940>, hardware::h100_sxm5_80gb>);
#endif

// A guard leaves out what a model has not; what it says is what everybody is told.
template <class Model>
constexpr bool agrees() {
  constexpr plan p{.sequence = 1024, .data = 8, .sharding = zero::optimizer, .recompute = recompute::selective};
  using trained = training<Model, recipes::mixed_bf16, optimizers::adamw, p>;
  if (trained::memory().total() != training_memory(Model::config, trained::setup).worst().total()) return false;
  using adapted = training<Model, recipes::mixed_bf16, optimizers::adamw, plan{.sequence = 1024, .adapter_rank = 8}>;
  if (adapted::memory().total() != training_memory(Model::config, adapted::setup).worst().total()) return false;
  using served = serving<Model, recipes::bf16, service{.sequences = 4, .context = 5000}>;
  if (served::memory().total() != serving_memory(Model::config, served::setup).worst(4, 5000).total()) return false;
  using resident = weights_and_cache<Model, recipes::bf16, load{.sequences = 4, .context = 5000}>;
  return resident::memory()[memory_line::weights] == weight_bytes(Model::config, recipes::bf16::value) &&
         resident::memory()[memory_line::kv_cache] ==
             kv_cache_bytes(Model::config, forward(4, 5000), recipes::bf16::value.kv_cache);
}
static_assert(agrees<models::llama3_1_8b>());   // plain attention
static_assert(agrees<models::mixtral_8x7b>());  // mixture
static_assert(agrees<models::deepseek_v3>());   // latent attention
static_assert(agrees<models::jamba_v0_1>());    // state space
static_assert(agrees<models::flan_t5_base>());  // encoder
static_assert(agrees<models::gemma3_4b>());     // windows and a tower

}  // namespace
