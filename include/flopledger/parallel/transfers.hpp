// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The transfers of a training step by group: which collectives, how often, over how many bytes.

#include <flopledger/compiler.hpp>
#include <flopledger/element_bytes.hpp>
#include <flopledger/errors.hpp>
#include <flopledger/parallel/collectives.hpp>
#include <flopledger/parallel/device_rows.hpp>

namespace flopledger {

// The transfers of a training step. An encoder or a tower below the stack that a plan cuts adds the sums of its own
// regions, on the first stage; nothing else of theirs travels but their weights.
// -------------------------------------------------------------------------------------

/// One collective of a step: `times` times with `full` bytes, as each device of the group sees it.
struct transfer {
  label name{};
  flopledger::group over = group::data;
  collective what = collective::all_reduce;
  bytes full{};
  double times = 0;
};

/// The collectives of one kind of parallelism in a step, on one device.
class transfers {
 public:
  static constexpr std::size_t capacity = 16;  // four a stack, two a table
  /// Throws `capacity_exceeded` where there is no place left.
  constexpr void add(const transfer& one) {
    if (!(one.times > 0 && one.full.value() > 0)) return;
    if (size_ == capacity) detail::raise<capacity_exceeded>(capacity);
    items_[size_++] = one;
  }
  constexpr const transfer* begin() const { return items_; }
  constexpr const transfer* end() const { return items_ + size_; }
  constexpr bool empty() const { return size_ == 0; }

  /// Bytes that the device sends in a step.
  constexpr bytes sent(const plan& p) const {
    bytes sum{};
    for (const transfer& one : *this)
      sum += one.times * sent_bytes(one.what, static_cast<double>(ranks_of(one.over, p)), one.full);
    return sum;
  }
  /// Their time, one after another, on such nodes.
  constexpr seconds time(const plan& p, const node& in, const rank_order& order = {},
                         algorithm how = algorithm::fastest) const {
    seconds sum{};
    group_span over{};
    const transfer* before = nullptr;
    for (const transfer& one : *this) {
      if (before == nullptr || before->over != one.over) over = span_of(one.over, p, in.devices, order);
      before = &one;
      sum += one.times * collective_time(one.what, one.full, over, in, how);
    }
    return sum;
  }
 private:
  transfer items_[capacity]{};
  std::size_t size_ = 0;
};

/// Bytes of weights and gradients that one device holds before ZeRO shards them. Experts are apart, for their replicas
/// are other ranks.
struct stage_weights {
  bytes weights{}, gradients{};
  bytes expert_weights{}, expert_gradients{};
};

namespace detail {
/// What a `device_fold` makes of rows.
struct stage_weight_part {
  const recipe& precision;
  stage_weights sum{};

  struct seen {
    constexpr void join(const seen&) {}
  };
  constexpr void open() const {}
  constexpr void weight(seen&, const device_row& here, const row& r, const operand& o, int of_class, double elements,
                        double) {
    const bool expert = is_routed(of_class);
    const double held = here.times * elements;
    (expert ? sum.expert_weights : sum.weights) +=
        held * weight_format(precision, r, o.what).bytes_per_element() * unit::byte;
    if (r.trainable)
      (expert ? sum.expert_gradients : sum.gradients) += held * precision.gradients.bytes_per_element() * unit::byte;
  }
  constexpr void data(seen&, const device_row&, const device_data&) const {}
  constexpr void close(const seen&, const device_row&) const {}
};

/// Blocks of a stage with and without routed experts, and how many of them run again.
struct block_counts {
  double dense = 0, sparse = 0, dense_again = 0, sparse_again = 0;
  double missing = 0, missing_again = 0;  ///< sublayers that blocks lack
  constexpr double all() const { return dense + sparse; }
  constexpr double all_again() const { return dense_again + sparse_again; }
  constexpr void add(const stack& blocks, block_kind kind, const kind_count& count, const plan& p) {
    const double again = p.recompute == recompute::full ? count.again : 0.0;
    (kind.sparse ? sparse : dense) += count.layers;
    (kind.sparse ? sparse_again : dense_again) += again;
    missing += blocks.missing_sublayers(kind) * count.layers;
    missing_again += blocks.missing_sublayers(kind) * again;
  }
};
constexpr block_counts blocks_of(const stack& blocks, const plan& p, std::int64_t stage) {
  block_counts counts;
  blocks.for_each_kind([&](block_kind kind) { counts.add(blocks, kind, count_of(blocks, kind, p, stage), p); });
  return counts;
}

/// The hidden state of a micro-batch on one context rank, whole over the tensor group.
constexpr bytes hidden_state(const transformer_config& model, const plan& p, const recipe& precision) {
  return static_cast<double>(p.micro_batch * p.sequence) / static_cast<double>(p.context) *
         static_cast<double>(model.stack.hidden) * precision.activations.bytes_per_element() * unit::byte;
}
constexpr double micro_batches(const plan& p) { return static_cast<double>(p.gradient_accumulation); }
constexpr double tensor_split(const plan& p) { return p.sequence_parallel ? static_cast<double>(p.tensor) : 1.0; }
}  // namespace detail

/// What a stage's devices hold: a fold over its rows.
constexpr stage_weights weights_of(const transformer_config& model, const plan& p, const recipe& precision,
                                   std::int64_t stage = 0) {
  detail::stage_weight_part part{precision};
  const detail::device_shares shares(detail::degrees_of(p));
  detail::fold_rows(p, shares, part, [&](auto& sink) {
    const work one = training_step(1, 1);
    for (std::int64_t piece = 0; piece < p.virtual_stages; ++piece) {
      const stage_layers range = layers_of(p, model.stack, stage, piece);
      model.stack.record_blocks(sink, model.with_source(one), range.first, range.last);
    }
    if (stage == 0) model.record_below(sink, one);
    if (stage == p.pipeline - 1) model.record_above(sink, one, p.pipeline > 1);
  });
  return part.sum;
}

/// When gathered weights are let go, where ZeRO-3 shards them.
enum class resharding : std::uint8_t {
  each_micro_batch,  ///< gathered again for every forward and every backward pass, gradients reduced each time (FSDP)
  each_step          ///< gathered twice a step, gradients reduced once
};

namespace detail {

// What causes transfers, one function a kind of parallelism: each hands them to `to.add`. They are written down here
// alone; `transfers` keeps them, and the time of a step adds them up.

constexpr void add_data_parallel(auto& to, const stage_weights& held, const plan& p, double rounds) {
  if (p.sharding == zero::none) {
    to.add({"gradients", group::data, collective::all_reduce, held.gradients, 1});
    to.add({"expert gradients", group::expert_data, collective::all_reduce, held.expert_gradients, 1});
    return;
  }
  const double gathers = p.sharding == zero::weights ? 2 * rounds : 1;
  to.add({"gradients", group::shard, collective::reduce_scatter, held.gradients, rounds});
  to.add({"weights", group::shard, collective::all_gather, held.weights, gathers});
  to.add({"expert gradients", group::expert_data, collective::reduce_scatter, held.expert_gradients, rounds});
  to.add({"expert weights", group::expert_data, collective::all_gather, held.expert_weights, gathers});
  if (p.shard_group > 0 && ranks_of(group::replica, p) > 1)
    to.add({"sharded gradients", group::replica, collective::all_reduce,
            held.gradients / static_cast<double>(p.shards()), rounds});
}

/// `m`: micro-batches; `whole`: `hidden_state`.
constexpr void add_tensor_parallel(auto& to, const stack& blocks, const plan& p, const block_counts& count, bytes whole,
                                   double m) {
  if (p.tensor <= 1) return;
  const double dense = tensor_regions(blocks, false, true),
               sparse = tensor_regions(blocks, true, p.tensor_of_experts() > 1);
  const double regions = count.dense * dense + count.sparse * sparse - count.missing;
  const double again = count.dense_again * dense + count.sparse_again * sparse - count.missing_again;
  if (!p.sequence_parallel) {
    to.add({"forward", group::tensor, collective::all_reduce, whole, m * (regions + again)});
    to.add({"backward", group::tensor, collective::all_reduce, whole, m * regions});
    return;
  }
  to.add({"forward, gathered", group::tensor, collective::all_gather, whole, m * (regions + again)});
  to.add({"forward, reduced", group::tensor, collective::reduce_scatter, whole, m * (regions + again)});
  to.add({"backward, gathered", group::tensor, collective::all_gather, whole, m * 2 * regions});
  to.add({"backward, reduced", group::tensor, collective::reduce_scatter, whole, m * regions});
}

/// The rows of a table that is split by its entries.
constexpr void add_table(auto& to, const plan& p, bytes whole, double m) {
  if (p.sequence_parallel) {
    to.add({"embedding", group::tensor, collective::reduce_scatter, whole, m});
    to.add({"embedding, backward", group::tensor, collective::all_gather, whole, m});
  } else {
    to.add({"embedding", group::tensor, collective::all_reduce, whole, m});
  }
}

/// What runs below the first block, for one micro-batch of `asked`: an encoder with its table, a vision tower. Neither
/// runs again under full recompute, which is of the blocks above.
template <class Model>
constexpr void add_tensor_parallel_below(auto& to, const Model& model, const work& asked, const plan& p, double width,
                                         double m) {
  if (p.tensor <= 1 || (!model.has_encoder() && !model.has_vision())) return;
  const auto summed = [&](const stack& blocks, double tokens_in_all, bool has_table) {
    const double here = tokens_in_all / static_cast<double>(p.context);
    const bytes whole = bytes::from_value(here * static_cast<double>(blocks.hidden) * width);
    add_tensor_parallel(to, blocks, p, {.dense = static_cast<double>(blocks.layers)}, whole, m);
    if (has_table) add_table(to, p, whole, m);
  };
  if (model.has_encoder())
    summed(model.encoder, model.with_source(asked).source_token_count(), model.encoder_embedding.width > 0);
  if (model.has_vision()) {
    const double images = model.vision_only ? asked.sequence_count() : asked.images * asked.sequence_count();
    summed(model.vision.stack, images * static_cast<double>(model.vision.sequence_length()), false);
  }
}

constexpr void add_vocabulary_parallel(auto& to, const plan& p, std::int64_t stage, bytes whole, double m) {
  if (p.tensor <= 1) return;
  if (stage == 0) add_table(to, p, whole, m);
  if (stage == p.pipeline - 1) {
    if (p.sequence_parallel) {
      to.add({"head, input", group::tensor, collective::all_gather, whole, 2 * m});
      to.add({"head, input gradient", group::tensor, collective::reduce_scatter, whole, m});
    } else {
      to.add({"head, input gradient", group::tensor, collective::all_reduce, whole, m});
    }
    const bytes statistic = static_cast<double>(p.micro_batch * p.sequence) / static_cast<double>(p.context) *
                            fp32::format.bytes_per_element() * unit::byte;
    to.add({"loss", group::tensor, collective::all_reduce, statistic, 3 * m});
  }
}

constexpr void add_pipeline(auto& to, const plan& p, std::int64_t stage, bytes whole, double m) {
  if (p.pipeline <= 1) return;
  const bytes passed = whole / tensor_split(p);
  const auto pieces = static_cast<double>(p.virtual_stages);
  to.add({"outputs", group::pipeline, collective::send_receive, passed,
          m * (stage == p.pipeline - 1 ? pieces - 1 : pieces)});
  to.add({"gradients of inputs", group::pipeline, collective::send_receive, passed,
          m * (stage == 0 ? pieces - 1 : pieces)});
}

/// Elements a token, on one tensor rank.
struct token_elements {
  double key_value = 0, query_output = 0;
};
constexpr token_elements exchanged_elements(double heads, double kv_heads, double width, double tensor) {
  return {(kv_heads > tensor ? kv_heads / tensor : 1) * width, heads / tensor * width};
}
/// Of the layers of a stack; on average where those with a window have another attention.
constexpr token_elements exchanged_elements(const stack& blocks, double tensor) {
  if (const latent_attention& one = blocks.latent; one.heads > 0) {
    const auto heads = static_cast<double>(one.heads);
    return exchanged_elements(heads, heads, static_cast<double>(one.nope_dim + one.rope_dim + one.value_dim), tensor);
  }
  const auto of = [tensor](const attention& one) {
    return exchanged_elements(static_cast<double>(one.heads), static_cast<double>(one.kv_heads),
                              static_cast<double>(one.head_dim + one.value_width()), tensor);
  };
  const token_elements most = of(blocks.attention);
  if (blocks.windowed_attention.heads == 0) return most;
  const token_elements some = of(blocks.windowed_attention);
  const double share = static_cast<double>(blocks.windowed.size()) / static_cast<double>(blocks.layers);
  return {most.key_value + share * (some.key_value - most.key_value),
          most.query_output + share * (some.query_output - most.query_output)};
}

constexpr void add_context_parallel(auto& to, const stack& blocks, const plan& p, const block_counts& count,
                                    double width, double m, context_exchange how) {
  if (p.context <= 1) return;
  const auto [key_value, query_output] = exchanged_elements(blocks, static_cast<double>(p.tensor));
  const auto tokens_here = static_cast<double>(p.micro_batch * p.sequence) / static_cast<double>(p.context);
  if (how == context_exchange::ring) {
    const double hops = static_cast<double>(p.context - 1);
    const bytes block = tokens_here * key_value * width * unit::byte;
    to.add({"keys and values", group::context, collective::send_receive, block,
            m * hops * (2 * count.all() + count.all_again())});
    to.add({"their gradients", group::context, collective::send_receive, block, m * hops * count.all()});
    return;
  }
  const bytes exchanged = tokens_here * (query_output + key_value) * width * unit::byte;
  // Four all-to-alls of a quarter each, on average: queries, keys, values, output.
  to.add({"queries, keys, values, output", group::context, collective::all_to_all, exchanged / 4.0,
          m * 4 * (2 * count.all() + count.all_again())});
}

constexpr void add_expert_parallel(auto& to, const stack& blocks, const plan& p, const block_counts& count, bytes whole,
                                   double m) {
  if (p.expert <= 1) return;
  const bytes routed = whole / tensor_split(p) * static_cast<double>(blocks.mixture.experts_per_token);
  to.add({"dispatch", group::expert, collective::all_to_all, routed, m * (2 * count.sparse + count.sparse_again)});
  to.add({"combine", group::expert, collective::all_to_all, routed, m * (2 * count.sparse + count.sparse_again)});
}

}  // namespace detail

/// Data parallelism, a step: an all-reduce of the gradients; with ZeRO-1 and 2 a reduce-scatter of the gradients and an
/// all-gather of the weights; with ZeRO-3 two all-gathers of the weights and a reduce-scatter of the gradients
/// (Rajbhandari et al. 2020, section 7). With hybrid sharding, what is sharded inside a group is summed across groups.
constexpr transfers data_parallel_transfers(const stage_weights& held, const plan& p,
                                            resharding when = resharding::each_micro_batch) {
  transfers made;
  detail::add_data_parallel(
      made, held, p,
      p.sharding == zero::weights && when == resharding::each_micro_batch ? detail::micro_batches(p) : 1.0);
  return made;
}
constexpr transfers data_parallel_transfers(const transformer_config& model, const plan& p, const recipe& precision,
                                            std::int64_t stage = 0, resharding when = resharding::each_micro_batch) {
  return data_parallel_transfers(weights_of(model, p, precision, stage), p, when);
}

/// Tensor parallelism, a step on one stage: each of a block's two regions ends in an all-reduce forward and begins with
/// one backward. With sequence parallelism each of those is an all-gather and a reduce-scatter, and the region's input
/// is gathered once more backward (Korthikanti et al. 2022, section 4.2.2). Full recompute repeats the forward's. Where
/// experts are not cut by tensor, their region has none.
constexpr transfers tensor_parallel_transfers(const transformer_config& model, const plan& p, const recipe& precision,
                                              std::int64_t stage = 0) {
  transfers made;
  detail::add_tensor_parallel(made, model.stack, p, detail::blocks_of(model.stack, p, stage),
                              detail::hidden_state(model, p, precision), detail::micro_batches(p));
  if (stage == 0)
    detail::add_tensor_parallel_below(made, model, detail::micro_batch_of(p), p,
                                      precision.activations.bytes_per_element(), detail::micro_batches(p));
  return made;
}

/// Vocabulary parallelism, a step: the looked-up rows are summed on the first stage; on the last, the head's input
/// gradient is, and the loss exchanges a maximum, a sum and the target's logit in FP32 a token, never the logits.
constexpr transfers vocabulary_parallel_transfers(const transformer_config& model, const plan& p,
                                                  const recipe& precision, std::int64_t stage = 0) {
  transfers made;
  detail::add_vocabulary_parallel(made, p, stage, detail::hidden_state(model, p, precision), detail::micro_batches(p));
  return made;
}

/// Pipeline parallelism, a step: what a stage passes on forward and back, for each of its pieces. The first stage has
/// nobody to send a gradient to, the last nobody to send an output to.
constexpr transfers pipeline_transfers(const transformer_config& model, const plan& p, const recipe& precision,
                                       std::int64_t stage = 0) {
  transfers made;
  detail::add_pipeline(made, p, stage, detail::hidden_state(model, p, precision), detail::micro_batches(p));
  return made;
}

/// Context parallelism, a step. Ring: each rank passes its keys and values c − 1 times forward; backward they go round
/// once more, their gradients with them. All-to-all: queries, keys, values and output forward, their gradients
/// backward.
constexpr transfers context_parallel_transfers(const transformer_config& model, const plan& p, const recipe& precision,
                                               std::int64_t stage = 0, context_exchange how = context_exchange::ring) {
  transfers made;
  detail::add_context_parallel(made, model.stack, p, detail::blocks_of(model.stack, p, stage),
                               precision.activations.bytes_per_element(), detail::micro_batches(p), how);
  return made;
}

/// Expert parallelism, a step: each token goes to its experts and comes back, forward and backward: four all-to-alls a
/// layer. (e−1)/e of what is dispatched leaves the device.
constexpr transfers expert_parallel_transfers(const transformer_config& model, const plan& p, const recipe& precision,
                                              std::int64_t stage = 0) {
  transfers made;
  detail::add_expert_parallel(made, model.stack, p, detail::blocks_of(model.stack, p, stage),
                              detail::hidden_state(model, p, precision), detail::micro_batches(p));
  return made;
}

/// All of a step's transfers on one stage, by what causes them.
struct step_transfers {
  transfers tensor{}, vocabulary{}, context{}, expert{}, pipeline{}, data{};

  constexpr bytes sent(const plan& p) const {
    return tensor.sent(p) + vocabulary.sent(p) + context.sent(p) + expert.sent(p) + pipeline.sent(p) + data.sent(p);
  }
};

constexpr step_transfers transfers_of(const transformer_config& model, const plan& p, const recipe& precision,
                                      std::int64_t stage = 0, context_exchange how = context_exchange::ring) {
  return {.tensor = tensor_parallel_transfers(model, p, precision, stage),
          .vocabulary = vocabulary_parallel_transfers(model, p, precision, stage),
          .context = context_parallel_transfers(model, p, precision, stage, how),
          .expert = expert_parallel_transfers(model, p, precision, stage),
          .pipeline = pipeline_transfers(model, p, precision, stage),
          .data = data_parallel_transfers(model, p, precision, stage)};
}

}  // namespace flopledger
