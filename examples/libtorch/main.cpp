// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// A small GPT and a small Llama, trained with LibTorch 1.13 on a CPU: guards stand before the loop, the meter inside,
/// and torch is asked what the ledger says. Parameters and FLOPs are equal; of the bytes that torch saves for the
/// backward pass, those that the account does not model are named and counted.

#include <flopledger/counting/training.hpp>
#include <flopledger/guard.hpp>
#include <flopledger/hardware/nvidia.hpp>
#include <flopledger/meter.hpp>
#include <flopledger/meter_writers.hpp>
#include <flopledger/models/block_shape.hpp>
#include <flopledger/models/model.hpp>

#include <chrono>
#include <cmath>
#include <map>
#include <set>

#include <ATen/record_function.h>
#include <fmt/core.h>
#include <torch/csrc/autograd/engine.h>
#include <torch/csrc/autograd/saved_variable_hooks.h>
#include <torch/csrc/profiler/util.h>
#include <torch/torch.h>

namespace books = flopledger;

namespace {
// The models, as the ledger knows them -----------------------------------------------------------------------------
constexpr std::int64_t batch = 4, sequence = 32;

struct small_gpt {
  static constexpr books::block_shape shape{.layers = 3,
                                            .hidden = 64,
                                            .heads = 4,
                                            .intermediate = 256,
                                            .vocabulary = 512,
                                            .tied = true,
                                            .positions = 64,
                                            .query_bias = true,
                                            .key_bias = true,
                                            .value_bias = true,
                                            .output_bias = true,
                                            .feed_bias = true,
                                            .gated = false,
                                            .activation = books::activation_function::gelu,
                                            .norm = {.kind = books::norm_kind::layer, .bias = true},
                                            .rotary_fraction = 0};
  static constexpr books::transformer_config config = books::make_decoder("small GPT", shape);
};
struct small_llama {
  static constexpr books::block_shape shape{
      .layers = 3, .hidden = 64, .heads = 4, .kv_heads = 2, .intermediate = 176, .vocabulary = 512};
  static constexpr books::transformer_config config = books::make_decoder("small Llama", shape);
};
template <class Model>
using job = books::training<
    Model, books::recipes::fp32, books::optimizers::adamw,
    books::plan{.sequence = sequence, .micro_batch = batch, .attention = books::attention_kernel::explicit_matrix}>;
static_assert(books::fits<job<small_gpt>, books::hardware::t4>);
static_assert(books::fits<job<small_llama>, books::hardware::t4>);

// The same models, as torch runs them ------------------------------------------------------------------------------
using torch::Tensor;
using torch::nn::Linear, torch::nn::LinearOptions;

Tensor heads_apart(const Tensor& x, std::int64_t heads) {
  return x.view({x.size(0), x.size(1), heads, -1}).transpose(1, 2);
}
/// Scores, probabilities and context through memory.
Tensor attend(const Tensor& query, const Tensor& key, const Tensor& value, const Tensor& masked) {
  const Tensor scores = torch::matmul(query, key.transpose(2, 3)) / std::sqrt(static_cast<double>(query.size(3)));
  const Tensor probabilities = torch::softmax(scores.masked_fill(masked, -1e9), -1);
  const Tensor context = torch::matmul(probabilities, value);
  return context.transpose(1, 2).reshape({query.size(0), query.size(2), -1});
}

struct gpt_block : torch::nn::Module {
  explicit gpt_block(const books::block_shape& s) : heads(s.heads) {
    first_norm = register_module("first_norm", torch::nn::LayerNorm(torch::nn::LayerNormOptions({s.hidden})));
    joined = register_module("joined", Linear(s.hidden, 3 * s.hidden));
    output = register_module("output", Linear(s.hidden, s.hidden));
    second_norm = register_module("second_norm", torch::nn::LayerNorm(torch::nn::LayerNormOptions({s.hidden})));
    up = register_module("up", Linear(s.hidden, s.intermediate));
    down = register_module("down", Linear(s.intermediate, s.hidden));
  }
  Tensor forward(const Tensor& x, const Tensor& masked) {
    const auto parts = joined(first_norm(x)).chunk(3, -1);
    const Tensor context =
        attend(heads_apart(parts[0], heads), heads_apart(parts[1], heads), heads_apart(parts[2], heads), masked);
    const Tensor y = x + output(context);
    return y + down(torch::gelu(up(second_norm(y))));
  }
  std::int64_t heads;
  torch::nn::LayerNorm first_norm{nullptr}, second_norm{nullptr};
  Linear joined{nullptr}, output{nullptr}, up{nullptr}, down{nullptr};
};

struct gpt : torch::nn::Module {
  explicit gpt(const books::block_shape& s) {
    tokens = register_module("tokens", torch::nn::Embedding(s.vocabulary, s.hidden));
    positions = register_module("positions", torch::nn::Embedding(s.positions, s.hidden));
    for (std::int64_t i = 0; i < s.layers; ++i)
      blocks.push_back(register_module(fmt::format("block{}", i), std::make_shared<gpt_block>(s)));
    norm = register_module("norm", torch::nn::LayerNorm(torch::nn::LayerNormOptions({s.hidden})));
  }
  Tensor forward(const Tensor& ids, const Tensor& masked) {
    const Tensor numbers = torch::arange(ids.size(1)).repeat({ids.size(0), 1});
    Tensor x = tokens(ids) + positions(numbers);
    for (const auto& block : blocks) x = block->forward(x, masked);
    return torch::linear(norm(x), tokens->weight);
  }
  torch::nn::Embedding tokens{nullptr}, positions{nullptr};
  std::vector<std::shared_ptr<gpt_block>> blocks;
  torch::nn::LayerNorm norm{nullptr};
};

struct rms_norm : torch::nn::Module {
  explicit rms_norm(std::int64_t width) { weight = register_parameter("weight", torch::ones({width})); }
  Tensor forward(const Tensor& x) { return weight * (x * torch::rsqrt(x.pow(2).mean({-1}, true) + 1e-5)); }
  Tensor weight;
};

/// Cosines and sines of rotary position embedding, once for all layers.
struct rotation {
  Tensor cosine, sine;
  rotation(std::int64_t length, std::int64_t width) {
    const Tensor inverse =
        torch::pow(10000.0, -torch::arange(0, width, 2).to(torch::kFloat) / static_cast<double>(width));
    const Tensor half = torch::outer(torch::arange(length).to(torch::kFloat), inverse);
    const Tensor angles = torch::cat({half, half}, -1);
    cosine = angles.cos();
    sine = angles.sin();
  }
  Tensor turn(const Tensor& x) const {
    const auto halves = x.chunk(2, -1);
    return x * cosine + torch::cat({-halves[1], halves[0]}, -1) * sine;
  }
};

struct llama_block : torch::nn::Module {
  explicit llama_block(const books::block_shape& s) : heads(s.heads), kv_heads(s.kv_heads) {
    const std::int64_t narrow = s.kv_heads * s.hidden / s.heads;
    const auto plain = [](std::int64_t in, std::int64_t out) { return LinearOptions(in, out).bias(false); };
    first_norm = register_module("first_norm", std::make_shared<rms_norm>(s.hidden));
    query = register_module("query", Linear(plain(s.hidden, s.hidden)));
    key = register_module("key", Linear(plain(s.hidden, narrow)));
    value = register_module("value", Linear(plain(s.hidden, narrow)));
    output = register_module("output", Linear(plain(s.hidden, s.hidden)));
    second_norm = register_module("second_norm", std::make_shared<rms_norm>(s.hidden));
    gate = register_module("gate", Linear(plain(s.hidden, s.intermediate)));
    up = register_module("up", Linear(plain(s.hidden, s.intermediate)));
    down = register_module("down", Linear(plain(s.intermediate, s.hidden)));
  }
  Tensor forward(const Tensor& x, const Tensor& masked, const rotation& rotated) {
    const Tensor read = first_norm->forward(x);
    const auto every_head = [this](const Tensor& of) {
      return of.unsqueeze(2).expand({-1, -1, heads / kv_heads, -1, -1}).flatten(1, 2);
    };
    const Tensor context = attend(rotated.turn(heads_apart(query(read), heads)),
                                  every_head(rotated.turn(heads_apart(key(read), kv_heads))),
                                  every_head(heads_apart(value(read), kv_heads)), masked);
    const Tensor y = x + output(context);
    const Tensor fed = second_norm->forward(y);
    return y + down(torch::silu(gate(fed)) * up(fed));
  }
  std::int64_t heads, kv_heads;
  std::shared_ptr<rms_norm> first_norm, second_norm;
  Linear query{nullptr}, key{nullptr}, value{nullptr}, output{nullptr}, gate{nullptr}, up{nullptr}, down{nullptr};
};

struct llama : torch::nn::Module {
  explicit llama(const books::block_shape& s) : rotated(sequence, s.hidden / s.heads) {
    tokens = register_module("tokens", torch::nn::Embedding(s.vocabulary, s.hidden));
    for (std::int64_t i = 0; i < s.layers; ++i)
      blocks.push_back(register_module(fmt::format("block{}", i), std::make_shared<llama_block>(s)));
    norm = register_module("norm", std::make_shared<rms_norm>(s.hidden));
    head = register_module("head", Linear(LinearOptions(s.hidden, s.vocabulary).bias(false)));
  }
  Tensor forward(const Tensor& ids, const Tensor& masked) {
    Tensor x = tokens(ids);
    for (const auto& block : blocks) x = block->forward(x, masked, rotated);
    return head(norm->forward(x));
  }
  rotation rotated;
  torch::nn::Embedding tokens{nullptr};
  std::vector<std::shared_ptr<llama_block>> blocks;
  std::shared_ptr<rms_norm> norm;
  Linear head{nullptr};
};

// What torch says ---------------------------------------------------------------------------------------------------
/// Storages that autograd saved, once each, while one of these lives. In Python:
/// torch.autograd.graph.saved_tensors_hooks.
class saved_tensors {
 public:
  saved_tensors() {
    now() = this;
    at::SavedTensorDefaultHooks::enable();
  }
  ~saved_tensors() { now() = nullptr; }
  void take(const Tensor& one) { bytes_[one.storage().data()] = static_cast<double>(one.storage().nbytes()); }
  /// Without those of parameters, which are there anyhow.
  double bytes_beside(const std::vector<Tensor>& parameters) const {
    std::set<const void*> held;
    for (const Tensor& one : parameters) held.insert(one.storage().data());
    double sum = 0;
    for (const auto& [storage, size] : bytes_)
      if (!held.contains(storage)) sum += size;
    return sum;
  }
  static saved_tensors*& now() {
    static saved_tensors* one = nullptr;
    return one;
  }
 private:
  std::map<const void*, double> bytes_;
};
struct counting_hook : torch::autograd::SavedVariableHooks {
  void call_pack_hook(const Tensor& one) override {
    kept = one;
    saved_tensors::now()->take(one);
  }
  Tensor call_unpack_hook() override { return kept; }
  Tensor kept;
};
/// Python's engine hands its hooks out in the same way.
struct counting_engine : torch::autograd::Engine {
  std::unique_ptr<torch::autograd::SavedVariableHooks> get_default_saved_variable_hooks() override {
    if (saved_tensors::now() == nullptr) return nullptr;
    return std::make_unique<counting_hook>();
  }
  static torch::autograd::Engine& only() {
    static counting_engine one;
    return one;
  }
};

/// FLOPs of matrix products, by the function of torch's own profiler (`with_flops`), while one of these lives.
class profiled_products {
 public:
  profiled_products() : handle_(at::addGlobalCallback(at::RecordFunctionCallback(&seen).needsInputs(true))) {
    sum() = 0;
  }
  ~profiled_products() { at::removeCallback(handle_); }
  static double& sum() {
    static double flops = 0;
    return flops;
  }
 private:
  static std::unique_ptr<at::ObserverContext> seen(const at::RecordFunction& call) {
    const std::string name = call.name();
    if (name == "aten::mm" || name == "aten::addmm" || name == "aten::bmm")
      sum() +=
          static_cast<double>(torch::profiler::impl::computeFlops(name, torch::profiler::impl::saveExtraArgs(call)));
    return nullptr;
  }
  at::CallbackHandle handle_;
};

// Side by side ------------------------------------------------------------------------------------------------------
struct difference {
  const char* what;
  std::int64_t elements;
};

bool same(const char* what, double torch_says, double ledger_says) {
  fmt::print("{:<58} {:>12.0f} {:>12.0f}\n", what, torch_says, ledger_says);
  return torch_says == ledger_says;
}

template <class Model, class Module>
bool train(const char* name, std::initializer_list<difference> beside) {
  torch::manual_seed(1);
  Module model(Model::shape);
  const std::vector<Tensor> parameters = model.parameters();
  const Tensor ids = torch::randint(Model::shape.vocabulary, {batch, sequence + 1});
  const Tensor read = ids.slice(1, 0, sequence).contiguous(), wanted = ids.slice(1, 1).contiguous();
  const Tensor masked = torch::ones({sequence, sequence}, torch::kBool).triu(1);
  const auto loss_of = [&](const Tensor& logits) {
    return torch::nn::functional::cross_entropy(logits.flatten(0, 1), wanted.flatten());
  };

  fmt::print("{:<58} {:>12} {:>12}\n", name, "torch", "ledger");
  double held = 0;
  for (const Tensor& one : parameters) held += static_cast<double>(one.numel());
  bool equal = same("parameters", held, books::parameter_count<Model>.value());

  double saved = 0;
  {
    saved_tensors hooks;
    const Tensor logits = model.forward(read, masked);
    saved = hooks.bytes_beside(parameters);
  }
  double named = 0;
  for (const difference& one : beside) {
    fmt::print("  {:<56} {:>12}\n", one.what, one.elements);
    named += static_cast<double>(one.elements);
  }
  equal &= same("bytes saved for the backward pass, without these", saved - named,
                job<Model>::memory()[books::memory_line::activations].value());

  const books::work step = books::training_step(batch, sequence);
  {
    const profiled_products profiled;
    loss_of(model.forward(read, masked)).backward();
    equal &= same("FLOPs of products, forward and backward", profiled.sum(),
                  books::counting::count(Model::config, step, books::conventions::model_flops{}).value());
  }

  // No device is named and none guessed: the meter says tokens a second and no utilisation.
  books::training_meter meter(
      {.of_a_step = {.model_flops = books::counting::count(Model::config, step, books::conventions::model_flops{}),
                     .read = static_cast<double>(batch * sequence) * books::unit::token}},
      {.warm_up = 2, .window = 8});
  torch::optim::AdamW optimizer(parameters, torch::optim::AdamWOptions(1e-2));
  double first = 0, last = 0;
  for (int i = 0; i < 10; ++i) {
    const auto begun = std::chrono::steady_clock::now();
    optimizer.zero_grad();
    const Tensor loss = loss_of(model.forward(read, masked));
    loss.backward();
    optimizer.step();
    last = loss.template item<double>();
    if (i == 0) first = last;
    meter.step(std::chrono::steady_clock::now() - begun);
  }
  const books::meter_report report = meter.report();
  fmt::print(stderr, "{}\n", books::as_line(report));
  fmt::print("{:<58} {:>12} {:>12}\n\n", "steps that the meter took, after two to warm up", 8, report.run_steps);
  return equal && report.run_steps == 8 && !report.window.mfu && last < first;
}
}  // namespace

int main() {
  torch::set_num_threads(1);
  torch::autograd::set_default_engine_stub(&counting_engine::only);
  constexpr std::int64_t rows = batch * sequence;
  constexpr const books::block_shape& l = small_llama::shape;
  constexpr std::int64_t head_dim = l.hidden / l.heads;
  const bool gpt_same =
      train<small_gpt, gpt>("small GPT", {{"mask of what lies ahead, a byte a pair", sequence * sequence}});
  const bool llama_same = train<small_llama, llama>(
      "small Llama",
      {{"mask of what lies ahead, a byte a pair", sequence * sequence},
       {"cosines and sines", 4 * 2 * sequence * head_dim},
       {"norms' squares, which their mean keeps", 4 * rows * l.hidden * (2 * l.layers + 1)},
       {"norms' outputs before their weight", 4 * rows * l.hidden * (2 * l.layers + 1)},
       {"SiLU of the gates, before they multiply", 4 * rows * l.intermediate * l.layers},
       {"keys and values, repeated for every head", 4 * rows * 2 * (l.heads - l.kv_heads) * head_dim * l.layers}});
  return gpt_same && llama_same ? 0 : 1;
}
