// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// What the commands are asked, and what they answer. A command returns all that it says, so that nothing is printed
/// when it fails on the way.

#include <flopledger/engines.hpp>
#include <flopledger/memory/serving.hpp>
#include <flopledger/memory/training.hpp>
#include <flopledger/parallel/collectives.hpp>
#include <flopledger/parallel/plan.hpp>
#include <flopledger/profile/read.hpp>
#include <flopledger/time/traffic.hpp>
#include <flopledger/work.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace program {

using json = nlohmann::ordered_json;

/// Why there is no answer, in one line. A line that is about an option begins with it, `--option: `; `field` names the
/// key of the request where the line begins otherwise.
struct request_error : std::runtime_error {
  explicit request_error(const std::string& line, std::string key = {})
      : std::runtime_error(line), field(std::move(key)) {}
  std::string field;
};

/// What the user gave cannot be answered: exit status 2.
struct usage_error : request_error {
  using request_error::request_error;
};

/// What the user gave is right, and the machine failed: exit status 1.
struct failure : request_error {
  using request_error::request_error;
};

enum class output { people, programs };

/// What a command says: a text, or an object, whichever was asked for.
struct reply {
  explicit reply(std::string for_people) : text(std::move(for_people)) {}
  explicit reply(json for_programs) : value(std::move(for_programs)) {}
  std::string text;
  json value;
  bool differs = false;  ///< what was compared is not the same: exit status 1
};

/// A device, and what the user knows of it better than its data sheet.
struct device_request {
  std::string name{};                 ///< of the catalogue, the path of a JSON file, or the text of an object
  std::optional<double> memory{};     ///< GiB
  std::optional<double> bandwidth{};  ///< of its memory, GB/s
  std::optional<double> power{};      ///< W
  std::vector<std::pair<flopledger::number_kind, double>> peaks{};  ///< dense, TFLOP/s

  bool differs() const { return memory || bandwidth || power || !peaks.empty(); }
  bool is_given() const { return !name.empty() || differs(); }
};

/// A model and a pass over it. What is left out takes the default that --help names.
struct work_request {
  std::string model;
  double batch = 1;
  std::optional<double> sequence{};  ///< new tokens a sequence
  std::optional<double> context{};   ///< tokens already cached
  std::optional<double> source{};    ///< encoder tokens a sequence
  double images = 0;                 ///< a sequence
  flopledger::attention_counting attention = flopledger::attention_counting::full;
  std::optional<flopledger::head_positions> head{};
  flopledger::product_counting products = flopledger::product_counting::conventional;
};

/// The same on a device.
struct report_request : work_request {
  device_request device{};
  double devices = 1;
  const flopledger::recipe* recipe = nullptr;  ///< null: the checkpoint's quantization, or bf16
  flopledger::attention_kernel kernel = flopledger::attention_kernel::fused;
};

/// Devices beyond which no plan is taken seriously.
inline constexpr std::int64_t largest_devices = 1'000'000'000;

/// Links that the user may set; what is left out is that of the node or of the data sheet.
struct link_request {
  const flopledger::node* in = nullptr;
  std::optional<std::int64_t> devices_a_node{};
  std::optional<double> scale_up{};  ///< GB/s, one way, of one device
  std::optional<double> network{};   ///< Gb/s, one way, of one device
};

/// Shares of each group's traffic that run beside computation; what is left out takes the framework's default.
struct hidden_shares {
  std::optional<double> tensor{}, context{}, expert{}, pipeline{}, data{};
};

/// What `--recompute` takes by its kind.
inline constexpr flopledger::operation recomputable[] = {
    flopledger::operation::projection,        flopledger::operation::expert_projection,
    flopledger::operation::attention_scores,  flopledger::operation::softmax,
    flopledger::operation::attention_context, flopledger::operation::rotary,
    flopledger::operation::activation,        flopledger::operation::normalization,
    flopledger::operation::addition,          flopledger::operation::dropout};

/// A member of a framework or an engine that the user gave a value, by its path: "overlap.tensor".
struct changed_member {
  std::string path;
  json to;
};
struct changed_members {
  std::string of{};  ///< what an error about them begins with
  std::vector<changed_member> all{};
};

/// A training job. What is left out takes the default that --help names.
struct training_request {
  std::string model;
  device_request device{};
  std::optional<std::int64_t> devices{};
  const flopledger::recipe* recipe = nullptr;  ///< null: mixed-bf16
  std::optional<std::int64_t> sequence{}, global_batch{};
  flopledger::plan layout{};
  const flopledger::optimizer* rule = &flopledger::optimizers::adamw;
  std::optional<int> gradient_bytes{};  ///< none: the recipe's
  std::optional<flopledger::cross_entropy> loss{};
  const flopledger::framework* framework = &flopledger::frameworks::megatron_core;
  // Members of the framework that the user changes: any, then those with an option of their own.
  changed_members members{};
  hidden_shares hidden{};
  std::optional<flopledger::optimizer_update> update{};
  std::optional<flopledger::attention_library> attention{};
  std::optional<flopledger::context_exchange> exchange{};
  bool eager = false;
  std::optional<double> expert_wait_ms{}, data_loading_ms{};
  std::optional<double> power_limit{};  ///< W
  link_request links{};
  std::int64_t usable_per_mille = 0;  ///< 0: what the framework's published errors leave
  std::string calibrate;              ///< path of measured steps; empty: none
  bool timeline = false;              ///< of the pipeline's passes
};

/// A measured step of a training job.
struct explain_request : training_request {
  double step_time = 0;  ///< seconds
  /// Of model FLOPs: the full square, or the causal triangle.
  flopledger::attention_counting counting = flopledger::attention_counting::full;
};

/// A model that serves.
struct serving_request {
  std::string model;
  device_request device{};
  std::optional<std::int64_t> devices{}, tensor{};
  const flopledger::recipe* recipe = nullptr;           ///< null: the checkpoint's quantization, or bf16
  const flopledger::number_format* kv_cache = nullptr;  ///< null: the recipe's
  std::int64_t prompt = 1024, output = 128, concurrency = 1, expert = 1;
  std::optional<std::int64_t> users{};  ///< each sends its next request when the last has ended
  const flopledger::engine* engine = &flopledger::engines::tensorrt_llm_0_9;
  // Members of the engine that the user changes: any, then those with an option of their own.
  changed_members members{};
  std::optional<flopledger::kv_layout> layout{};
  std::optional<std::int64_t> block{}, chunk{}, reserve_mib{};
  std::optional<double> request_ms{}, pass_ms{}, token_ms{};
  link_request links{};
  std::int64_t usable_per_mille = 950;
};

/// A measured step, of which no more is known than what it read.
struct mfu_request {
  std::string model;
  device_request device{};
  std::int64_t devices = 1, global_batch = 1, sequence = 1;
  double step_time = 0;  ///< seconds
  flopledger::number_kind precision = flopledger::number_kind::bf16;
  std::optional<flopledger::number_kind> attention_precision{};  ///< of attention, router and head; none: as the others
  std::string convention = "model-flops";
  std::string written_in;  ///< empty: as Hugging Face writes that architecture
  flopledger::recompute again = flopledger::recompute::none;
};

/// A count by other people's rules.
struct convention_request : work_request {
  std::string convention, against;
  std::string written_in;  ///< empty: as Hugging Face writes that architecture
};

/// A profile beside the ledger.
enum class passes { forward, forward_backward, training };
struct reconcile_request {
  work_request over;                ///< the model and the pass of one step
  std::vector<std::string> traces;  ///< paths
  device_request device{};
  double devices = 1;
  std::optional<double> steps{};
  passes covered = passes::forward;
  const flopledger::recipe* precision = nullptr;
  flopledger::profile::format written = flopledger::profile::format::automatic;
  std::vector<std::string> rules;  ///< PATTERN=KIND
};

/// One operation on one device.
struct operation_request {
  device_request device{};
  const flopledger::recipe* recipe = nullptr;  ///< null: bf16
};
struct product_request : operation_request {
  double batch = 1, m = 0, n = 0, k = 0;
  std::optional<double> moved{};  ///< bytes; none: each operand and the result once, as the recipe stores them
};
struct attention_request : operation_request {
  double batch = 1, heads = 0, head_dim = 0, sequence = 0;
  bool causal = false, backward = false;
};
struct stream_request : operation_request {
  double moved = 0;  ///< bytes
};
struct collective_request {
  device_request device{};
  flopledger::collective what = flopledger::collective::all_reduce;
  double full = 0;  ///< bytes of the whole array
  std::int64_t ranks = 0;
  flopledger::algorithm how = flopledger::algorithm::fastest;
  link_request links{};
};

/// Weight files beside the rows of a model.
struct check_request {
  std::string model;
  std::vector<std::string> files;  ///< paths; empty: those in the folder that is the model
};

/// A list, or the part of it that holds a word.
struct list_request {
  std::string filter;
};

/// The models that have a name, or the architectures whose config.json is read.
struct model_list_request : list_request {
  bool architectures = false;
};

reply count(const work_request& asked, output how);
reply count_by_convention(const convention_request& asked, output how);
reply report(const report_request& asked, output how);
reply report_training(const training_request& asked, output how);
reply report_serving(const serving_request& asked, output how);
reply explain_step(const explain_request& asked, output how);
reply mfu(const mfu_request& asked, output how);
reply reconcile(const reconcile_request& asked, output how);
reply time_product(const product_request& asked, output how);
reply time_attention(const attention_request& asked, output how);
reply time_stream(const stream_request& asked, output how);
reply time_collective(const collective_request& asked, output how);
reply check(const check_request& asked, output how);
reply list_models(const model_list_request& asked, output how);
reply list_devices(const list_request& asked, output how);
reply list_conventions(const list_request& asked, output how);

}  // namespace program
