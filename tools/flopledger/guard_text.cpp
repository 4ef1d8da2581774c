// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include "guard_text.hpp"

#include <flopledger/hardware/catalogue.hpp>
#include <flopledger/memory/training.hpp>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace program {
namespace {

using namespace flopledger;

/// "mixed-bf16" is the type mixed_bf16, "h100-sxm5-80gb" the device h100_sxm5_80gb.
std::string type_of(std::string_view name) {
  std::string made(name);
  std::replace(made.begin(), made.end(), '-', '_');
  return made;
}

constexpr std::string_view sharded[] = {"none", "optimizer", "gradients", "weights"};
constexpr std::string_view schedules[] = {"one_forward_one_backward", "zero_bubble"};
constexpr std::string_view kernels[] = {"fused", "explicit_matrix"};
constexpr std::string_view losses[] = {"explicit_softmax", "fused", "eager", "chunked"};

/// Members that are not what a plan has by itself.
std::string written(const plan& p) {
  const plan standard;
  std::string text;
  const auto put = [&text](std::string_view member, const auto& value) {
    text += fmt::format("{}.{} = {}", text.empty() ? "" : ", ", member, value);
  };
  const auto plain = [&](std::string_view member, auto plan::*of) {  // a number or a truth
    if (p.*of != standard.*of) put(member, p.*of);
  };
  const auto choice = [&](std::string_view type, auto plan::*of, std::string_view member, std::string_view chosen) {
    if (p.*of != standard.*of) put(member, fmt::format("{}::{}", type, chosen));
  };
  const auto among = [](const auto& names, auto chosen) { return names[static_cast<std::size_t>(chosen)]; };
  plain("sequence", &plan::sequence);
  plain("micro_batch", &plan::micro_batch);
  plain("gradient_accumulation", &plan::gradient_accumulation);
  plain("images", &plan::images);
  plain("data", &plan::data);
  plain("tensor", &plan::tensor);
  plain("pipeline", &plan::pipeline);
  plain("context", &plan::context);
  plain("expert", &plan::expert);
  plain("expert_tensor", &plan::expert_tensor);
  plain("virtual_stages", &plan::virtual_stages);
  plain("sequence_parallel", &plan::sequence_parallel);
  plain("first_stage_layers", &plan::first_stage_layers);
  plain("last_stage_layers", &plan::last_stage_layers);
  choice("zero", &plan::sharding, "sharding", among(sharded, p.sharding));
  plain("shard_group", &plan::shard_group);
  choice("pipeline_schedule", &plan::schedule, "schedule", among(schedules, p.schedule));
  choice("recompute", &plan::recompute, "recompute", program::name_of(p.recompute));
  if (p.recomputed_kinds.bits_of_kinds != 0)
    put("recomputed_kinds", fmt::format("{{{}u}}", p.recomputed_kinds.bits_of_kinds));
  plain("recompute_every", &plan::recompute_every);
  plain("adapter_rank", &plan::adapter_rank);
  plain("offload_optimizer", &plan::offload_optimizer);
  plain("offload_weights", &plan::offload_weights);
  plain("offload_activations", &plan::offload_activations);
  choice("attention_kernel", &plan::attention, "attention", among(kernels, p.attention));
  choice("cross_entropy", &plan::loss, "loss", among(losses, p.loss));
  plain("loss_chunks", &plan::loss_chunks);
  return text;
}

/// Whether the job holds the same by the names of its framework and its recipe.
bool is_of_its_names(const training_job& job) {
  const framework* const under = frameworks::find(job.framework().name);
  const recipe* const formats = recipes::find(job.setup().precision.name);
  if (under == nullptr || formats == nullptr) return false;
  training_setup named = job.setup();
  named.framework = *under;
  named.precision = formats_under(*under, *formats, job.layout());
  const memory_account account = training_memory(job.model().config(), named).worst();
  return std::equal(std::begin(account.lines), std::end(account.lines), std::begin(job.worst().lines));
}

/// What a guard calls the model: one that the zoo has, or the header that a build makes of one's own.
std::string model_of(const training_job& job) {
  if (job.model().text != nullptr)
    return "// CMake makes it of the file: flopledger_add_model(TARGET NAME trained_model CONFIG config.json)\n"
           "#include <trained_model.hpp>\n\nusing namespace flopledger;\n";
  return fmt::format(
      "#include <flopledger/models/catalogue.hpp>\n\nusing namespace flopledger;\n\nstruct trained_model {{\n"
      "  static constexpr transformer_config config = models::find(\"{}\")->describe();\n}};\n",
      job.model().name);
}

}  // namespace

json guard_of(const training_job& job) {
  const auto& listed = hardware::all;
  const bool has_type = std::find(std::begin(listed), std::end(listed), &job.device()) != std::end(listed);
  if (!has_type || !job.device().usable_memory.is_known() || !is_of_its_names(job)) return nullptr;
  const int usual = usable_per_mille(job.framework(), job.layout());
  const std::string margin =
      job.budget().usable_per_mille == usual ? "" : fmt::format(", margin{{{}}}", job.budget().usable_per_mille);
  return fmt::format(
      "#include <flopledger/flopledger.hpp>\n{}"
      "inline constexpr plan layout{{{}}};\n"
      "struct formats {{\n  static constexpr recipe value = formats_under(frameworks::{}, recipes::{}::value, "
      "layout);\n"
      "}};\n"
      "using job = training<trained_model, formats, optimizers::{}, layout, frameworks::{}>;\n"
      "static_assert(fits<job, hardware::{}{}>);\n",
      model_of(job), written(job.layout()), job.framework().name, type_of(job.setup().precision.name),
      type_of(job.setup().optimizer.name), job.framework().name, type_of(std::string_view(job.device().id)), margin);
}

}  // namespace program
