// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// A trainer in plain CUDA, in this library's terms: what llm.c prints of its memory and its MFU, from a model, a plan
/// and a list of the buffers that it has beside. Its source is github.com/karpathy/llm.c, `train_gpt2.cu` at 5afc5706
/// (21 activation tensors) and `llmc/mfu.h`. The memory is that of a published log of a build with cuDNN on an A800
/// (`-e d12 -b 56 -t 1024 -d 458752 -r 1 -z 1`), the MFU that of a log on an A100
/// (`-d 524288`, tests/data/published/nanogpt_llmc.csv).

#include <flopledger/counting/training.hpp>
#include <flopledger/hardware/nvidia.hpp>
#include <flopledger/memory/training.hpp>
#include <flopledger/models/block_shape.hpp>

#include <cmath>

#include <fmt/core.h>

using namespace flopledger;

namespace {
/// `gpt2_set_hyperparameters`, depth 12. The table has rows that no token has.
constexpr std::int64_t vocabulary = conventions::padded(50257);
static_assert(vocabulary == 50304);
constexpr block_shape depth_12{.layers = 12,
                               .hidden = 768,
                               .heads = 12,
                               .intermediate = std::int64_t{4} * 768,
                               .vocabulary = vocabulary,
                               .tied = true,
                               .positions = 1024,
                               .query_bias = true,
                               .key_bias = true,
                               .value_bias = true,
                               .output_bias = true,
                               .feed_bias = true,
                               .gated = false,
                               .activation = activation_function::gelu_tanh,
                               .norm = {.kind = norm_kind::layer, .bias = true},
                               .rotary_fraction = 0};

/// `encoder_forward`: a token's vector and its position's, read and summed by one kernel. What numbers the tokens lies
/// in a buffer of its own, `inputs`, and not among the activations: nothing is kept.
struct fused_tables {
  std::int64_t entries = 0, positions = 0, width = 0;

  constexpr tensor record(recording auto& into, double rows) const {
    const double columns = static_cast<double>(width), stored = static_cast<double>(entries + positions) * columns;
    const tensor y = into.made({sublayer::outside, position::table}, operation::gather);
    into.take({.name = "encoder",
               .where = y.made_by.where,
               .kind = operation::gather,
               .held = stored * unit::parameter,
               .active = stored * unit::parameter,
               .elementwise = rows * columns * unit::flop,
               .backward = {.weight_elementwise = 2 * rows * columns * unit::flop},
               .operands = {{.what = role::weight,
                             .how = use::read,
                             .over = split::tensor,
                             .elements = stored,
                             .touched = 2 * rows * columns},
                            {.what = role::index, .how = use::read, .over = split::sequence, .elements = rows},
                            {.what = role::activation,
                             .how = use::written,
                             .over = split::sequence,
                             .elements = rows * columns,
                             .of = y}}});
    return y;
  }
};

/// The library's GPT-2 on an own layer.
struct gpt2_in_cuda : transformer_config {
  constexpr void record_below(books auto& sink, const work& asked) const {
    recorder into{sink};
    fused_tables{embedding.vocabulary, embedding.positions, embedding.width}.record(into, asked.token_count());
  }
  constexpr void record(books auto& sink, const work& asked) const {
    record_below(sink, asked);
    record_blocks(sink, asked, 0, stack.layers);
    record_above(sink, asked);
  }
};
constexpr gpt2_in_cuda gpt2_d12{make_decoder("llm.c", depth_12)};
static_assert(total<&row::held>(gpt2_d12, forward(1, 1)) == 124'475'904. * unit::parameter);

/// `-r 1` makes what GELU puts out once more; `-r 2` what the norms put out, too.
constexpr operation_set recomputed(int level) {
  if (level == 0) return {};
  if (level == 1) return {operation::activation};
  return {operation::activation, operation::normalization};
}
constexpr training_setup setup(std::int64_t batch, std::int64_t accumulation, int level) {
  return {.precision = recipes::mixed_bf16::value,  // weights and gradients in BF16, `-w 1`: an FP32 copy
          .optimizer = optimizers::adamw,
          .plan = {.sequence = 1024,
                   .micro_batch = batch,
                   .gradient_accumulation = accumulation,
                   .recompute = level == 0 ? recompute::none : recompute::kinds,
                   .recomputed_kinds = recomputed(level)},
          .framework = {.name = "llm.c"}};
}

/// Buffers of `fill_in_activation_sizes` that are there once, whatever is kept: they hold what runs at the moment. With
/// `-r 2` also two numbers for each norm, which a plan that makes norms again would make again.
constexpr bytes scratch(std::int64_t batch, int level) {
  const auto width = static_cast<double>(depth_12.hidden), layers = static_cast<double>(depth_12.layers);
  const auto output = static_cast<double>(vocabulary);  // logits, then their gradient
  const double gradients = 4 * width + width;           // `scratch_bt4c`, `scratch_btc`
  const double gelu = level >= 1 ? 4 * width : 0;       // `fch_gelu`
  const double norms = level >= 2 ? width : 0;          // `lnf`
  const double losses = 1, statistics = level >= 2 ? 2 * (2 * layers + 1) : 0;
  const double a_token = (output + gradients + gelu + norms) * bf16::format.bytes_per_element() +
                         (losses + statistics) * fp32::format.bytes_per_element();
  return bytes::from_value(a_token * 1024 * static_cast<double>(batch));
}

/// What the backward pass needs is the ledger's; the rest is scratch.
constexpr bytes activations(std::int64_t batch, int level) {
  const memory_account account = training_memory(gpt2_d12, setup(batch, 1, level)).worst();
  return account[memory_line::activations] + scratch(batch, level);
}
// What `fill_in_activation_sizes` adds up to, by hand: 16-bit and 32-bit numbers a token.
constexpr double listed(double sixteen, double thirty_two) { return (2 * sixteen + 4 * thirty_two) * 1024; }
static_assert(activations(1, 0).value() == listed(768 * (1 + 12 * 16 + 1 + 5) + 50304, 12 * (4 + 12) + 3));
static_assert(activations(1, 1).value() == listed(768 * (1 + 12 * 12 + 4 + 1 + 5) + 50304, 12 * (4 + 12) + 3));
static_assert(activations(1, 2).value() == listed(768 * (1 + 12 * 10 + 4 + 1 + 5) + 50304, 12 * (4 + 12) + 3));
double whole_mebibytes(bytes amount) { return std::floor(in_mib(amount)); }
}  // namespace

int main() {
  constexpr std::int64_t batch = 56, level = 1;
  const memory_account account = training_memory(gpt2_d12, setup(batch, 8, level)).worst();
  const parameters held = total<&row::held>(gpt2_d12, forward(1, 1));
  const bytes states = account[memory_line::optimizer] / 3.0;  // m, v and the FP32 copy, of one size
  const bytes active = activations(batch, level);
  fmt::print("num_parameters: {:.0f} => bytes: {:.0f}\n", held.value(), account[memory_line::weights].value());
  fmt::print("allocated {:.0f} MiB for model parameters\n", whole_mebibytes(account[memory_line::weights]));
  fmt::print("allocating {:.0f} MiB for parameter gradients\n", whole_mebibytes(account[memory_line::gradients]));
  fmt::print("allocating {:.0f} MiB for activations\n", whole_mebibytes(active));
  fmt::print("allocating {:.0f} MiB for AdamW optimizer state m\n", whole_mebibytes(states));
  fmt::print("allocating {:.0f} MiB for AdamW optimizer state v\n", whole_mebibytes(states));
  fmt::print("allocating {:.0f} MiB for master copy of params\n", whole_mebibytes(states));

  // What the driver said was in use and there, and what llm.c makes of it.
  const bytes used = 21315.0 * prefix::mebi * unit::byte, there = 81100.0 * prefix::mebi * unit::byte;
  const bytes a_sequence = active / static_cast<double>(batch);
  const bytes tensors =
      account[memory_line::weights] + account[memory_line::gradients] + active + account[memory_line::optimizer];
  fmt::print("device memory usage: {:.0f} MiB / {:.0f} MiB\n", in_mib(used), in_mib(there));
  fmt::print("memory per sequence: {:.0f} MiB\n", whole_mebibytes(a_sequence));
  fmt::print(" -> estimated maximum batch size: {:.0f}\n",
             static_cast<double>(batch) + std::floor(((there - used) / a_sequence)));
  fmt::print("beside these tensors: {:.0f} MiB of context, libraries and cuBLAS's workspace\n\n",
             in_mib(used - tensors));

  for (const int other : {0, 1, 2})
    fmt::print("-r {}: {:>6.0f} MiB for activations\n", other, whole_mebibytes(activations(batch, other)));

  // `gpt2_estimate_mfu`, 512 sequences in 4187.58 ms; the peak is `AMPERE_DATACENTER`'s.
  const flops step = counting::count(gpt2_d12, training_step(512, 1024), conventions::llm_c{});
  const seconds took = 4.18758 * unit::second;
  fmt::print("\n{:.2f} ms | {:.1f}% bf16 MFU | {:.0f} tok/s\n", took.value() * 1e3,
             100 * (step / (took * peak_of<bf16, hardware::a100_sxm4_80gb>)), 512 * 1024 / took.value());
}
