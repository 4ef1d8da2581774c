// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// A model whose blocks the library does not know, with guards on its training and its step: a description derived from
/// the library's, which records blocks of its own.

#include <flopledger/hardware/cluster.hpp>
#include <flopledger/job.hpp>
#include <flopledger/models/block_shape.hpp>

#include <cstdio>

using namespace flopledger;

/// Differential attention (Ye et al. 2024, section 2.1): two maps of scores from halves of each head's queries and
/// keys, one taken off the other, over one set of values; a norm of each head's output. The four vectors that make λ
/// are left out.
struct differential_attention {
  std::int64_t hidden = 0, heads = 0, head_dim = 0;

  constexpr tensor record(recording auto& into, const tensor& x, const work& asked) const {
    const double rows = asked.token_count();
    const auto at = [](position where) { return place{sublayer::attention, where}; };
    const linear widen{
        .in = hidden, .out = heads * head_dim, .cut = tensor_cut::columns, .parts = static_cast<std::int32_t>(heads)};
    const tensor query = widen.record(into, x, rows, at(position::query), "query");
    const tensor key = widen.record(into, x, rows, at(position::key), "key");
    const tensor value = widen.record(into, x, rows, at(position::value), "value");
    const attention_core map{.heads = static_cast<double>(heads),
                             .kv_heads = static_cast<double>(heads),
                             .key_dim = static_cast<double>(head_dim) / 2,
                             .value_dim = static_cast<double>(head_dim),
                             .cached_per_token = static_cast<double>(heads * head_dim)};
    const tensor first = map.record(into, {part_of(query), part_of(key), value}, asked);
    const tensor second = map.record(into, {part_of(query), part_of(key), value}, asked);
    const double elements = rows * static_cast<double>(heads * head_dim);
    const tensor both = record_addition(into, first, second, elements, at(position::custom), "difference");
    const tensor normed = normalization{.width = head_dim, .over = split::tensor}.record(
        into, both, rows * static_cast<double>(heads), at(position::output_norm), "head norm");
    return linear{.in = heads * head_dim, .out = hidden, .cut = tensor_cut::rows}.record(
        into, normed, rows, at(position::output), "output");
  }
};

/// Everything but the blocks is the library's: tables, head, stages, recompute by whole blocks.
struct differential_transformer : transformer_config {
  differential_attention mixer{};

  constexpr void record_block(books auto& sink, const work& asked, block_kind kind) const {
    recorder into{sink, kind};
    const double rows = asked.token_count(), elements = rows * static_cast<double>(stack.hidden);
    const normalization norm{.width = stack.hidden};
    const tensor x = into.enters();
    const tensor read = norm.record(into, x, rows, {sublayer::attention, position::norm}, "attention.norm");
    const tensor mixed = mixer.record(into, read, asked);
    const tensor y = record_addition(into, x, mixed, elements, {sublayer::attention, position::residual}, "residual");
    const tensor fed = norm.record(into, y, rows, {sublayer::feed_forward, position::norm}, "feed_forward.norm");
    const tensor made = stack.feed.record(into, fed, rows);
    record_addition(into, y, made, elements, {sublayer::feed_forward, position::residual}, "residual");
  }
  constexpr void record_blocks(books auto& sink, const work& asked, std::int64_t first, std::int64_t last) const {
    repeated alike{sink, last - first};
    record_block(alike, asked, {});
  }
  constexpr void record(books auto& sink, const work& asked) const {
    record_below(sink, asked);
    record_blocks(sink, asked, 0, stack.layers);
    record_above(sink, asked);
  }
};

/// 32 layers of 16 heads, each of two halves of 128.
struct differential_7b {
  static constexpr differential_transformer config{
      make_decoder(
          "differential",
          {.layers = 32, .hidden = 4096, .heads = 16, .head_dim = 256, .intermediate = 11008, .vocabulary = 100288}),
      {.hidden = 4096, .heads = 16, .head_dim = 256}};
};

using job = training<differential_7b, recipes::mixed_bf16, optimizers::adamw,
                     plan{.sequence = 4096,
                          .gradient_accumulation = 4,
                          .data = 8,
                          .sharding = zero::optimizer,
                          .recompute = recompute::full}>;
static_assert(fits<job, hardware::h100_sxm5_80gb>);
static_assert(within_time<job, cluster<hardware::dgx_h100>, 8000>);

int main() {
  const parameters held = total<&row::held>(differential_7b::config, forward(1, 1));
  std::printf("%.0f parameters\n", held.value());
  std::printf("%.1f GiB a device\n", job::memory().total().value() / prefix::gibi);
  std::printf("%.2f s a step\n", step_of<job, cluster<hardware::dgx_h100>>.total().value());
}
