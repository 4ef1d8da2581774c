// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// The transfers of a training step by group, in bytes that one device sends.

#include <flopledger/models/zoo/llama.hpp>
#include <flopledger/models/zoo/mistral.hpp>
#include <flopledger/parallel/transfers.hpp>

#include "quantities.hpp"

namespace {
using namespace flopledger;
using namespace flopledger::literals;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

const recipe& mixed = recipes::mixed_bf16::value;
constexpr const transformer_config& llama_8b = models::llama3_8b::config;
constexpr const transformer_config& llama_70b = models::llama3_1_70b::config;
constexpr double gradients_8b = 2 * 8030261248.0;    // BF16
constexpr double gradients_70b = 2 * 70553706496.0;  // BF16

double sent(const transfers& made, const plan& p) { return made.sent(p).value(); }
}  // namespace

TEST_CASE("what a stage holds") {
  CHECK(weights_of(llama_8b, {}, mixed).gradients.value() == gradients_8b);
  CHECK(weights_of(llama_8b, {}, recipes::fp32::value).gradients.value() == 2 * gradients_8b);
  double stages = 0;
  const plan cut{.pipeline = 4};
  for (std::int64_t s = 0; s < 4; ++s) stages += weights_of(llama_8b, cut, mixed, s).weights.value();
  CHECK(stages == gradients_8b);  // the head is untied: nothing is held twice
  const plan interleaved{.gradient_accumulation = 8, .pipeline = 4, .virtual_stages = 2};
  CHECK(weights_of(llama_8b, interleaved, mixed, 1).weights == weights_of(llama_8b, cut, mixed, 1).weights);
  // Mixtral: 46 702 792 704 parameters, of which experts lie over the expert group.
  const auto& mixtral = models::mixtral_8x7b::config;
  const stage_weights whole = weights_of(mixtral, {}, mixed);
  CHECK((whole.weights + whole.expert_weights).value() == 2 * 46702792704.0);
  CHECK(whole.expert_weights.value() == 2.0 * 32 * 8 * 3 * 4096 * 14336);
  const plan four{.data = 4, .expert = 4};
  CHECK(weights_of(mixtral, four, mixed).expert_weights.value() == whole.expert_weights.value() / 4);
  CHECK(weights_of(mixtral, four, mixed).weights == whole.weights);
  // Low-rank adapters: their gradients alone.
  CHECK(weights_of(llama_8b, {.adapter_rank = 8}, mixed).gradients.value() < 0.01 * gradients_8b);
}

TEST_CASE("data parallelism by ZeRO stage") {
  const auto volume = [](zero stage, std::int64_t micro_batches = 1, resharding when = resharding::each_micro_batch) {
    const plan p{.gradient_accumulation = micro_batches, .data = 8, .sharding = stage};
    return sent(data_parallel_transfers(llama_8b, p, mixed, 0, when), p);
  };
  const double all_reduce = 2 * 7.0 / 8 * gradients_8b;
  CHECK(volume(zero::none) == all_reduce);
  CHECK(volume(zero::none, 16) == all_reduce);
  CHECK(volume(zero::optimizer) == all_reduce);
  CHECK(volume(zero::gradients) == all_reduce);
  CHECK(volume(zero::weights) == 1.5 * all_reduce);
  CHECK(volume(zero::weights, 4) == 4 * 1.5 * all_reduce);
  CHECK(volume(zero::weights, 4, resharding::each_step) == 1.5 * all_reduce);

  // FP32 gradients beside BF16 weights: only the gradients' part grows.
  recipe wide = mixed;
  wide.gradients = fp32::format;
  const plan first{.data = 8, .sharding = zero::optimizer};
  CHECK(sent(data_parallel_transfers(llama_8b, first, wide), first) == 7.0 / 8 * (2 + 1) * gradients_8b);

  // Hybrid sharding: inside eight as ZeRO-3, across four an all-reduce of an eighth.
  const plan hybrid{.data = 32, .sharding = zero::weights, .shard_group = 8};
  CHECK_THAT(sent(data_parallel_transfers(llama_8b, hybrid, mixed), hybrid),
             WithinRel(1.5 * all_reduce + 2 * 3.0 / 4 * gradients_8b / 8, 1e-12));
  // Context ranks are replicas of the weights, too.
  const plan context{.data = 4, .context = 2};
  CHECK(sent(data_parallel_transfers(llama_8b, context, mixed), context) == all_reduce);
  CHECK(data_parallel_transfers(llama_8b, {}, mixed).sent({}).value() == 0);
}

TEST_CASE("tensor parallelism, a layer, a micro-batch") {
  const double whole = 4096.0 * 8192 * 2;  // B·S·h·s
  plan p{.sequence = 4096, .tensor = 8, .sequence_parallel = false};
  const double all_reduce = 2 * 7.0 / 8 * whole;
  CHECK(sent(tensor_parallel_transfers(llama_70b, p, mixed), p) == 80 * 4 * all_reduce);
  p.recompute = recompute::full;
  CHECK(sent(tensor_parallel_transfers(llama_70b, p, mixed), p) == 80 * 6 * all_reduce);
  p.recompute = recompute::selective;  // the attention core has no communication
  CHECK(sent(tensor_parallel_transfers(llama_70b, p, mixed), p) == 80 * 4 * all_reduce);
  p.sequence_parallel = true;  // and two more all-gathers, one a region
  CHECK(sent(tensor_parallel_transfers(llama_70b, p, mixed), p) == 80 * (4 * all_reduce + 2 * all_reduce / 2));
  p.gradient_accumulation = 3;
  CHECK(sent(tensor_parallel_transfers(llama_70b, p, mixed), p) == 3 * 80 * (4 * all_reduce + 2 * all_reduce / 2));
  p.context = 2;
  CHECK(sent(tensor_parallel_transfers(llama_70b, p, mixed), p) == 3 * 40 * (4 * all_reduce + 2 * all_reduce / 2));
  p.tensor = 1;
  CHECK(tensor_parallel_transfers(llama_70b, p, mixed).empty());

  // Experts that are not cut by tensor have no region of their own.
  const plan mixture{.sequence = 4096, .tensor = 2, .expert = 2, .expert_tensor = 1, .sequence_parallel = false};
  CHECK(sent(tensor_parallel_transfers(models::mixtral_8x7b::config, mixture, mixed), mixture) ==
        32 * 2 * (4096.0 * 4096 * 2));
}

TEST_CASE("an encoder and a tower sum over the tensor group on the first stage") {
  transformer_config both = llama_8b;
  both.encoder = both.stack;
  both.encoder_embedding.width = 4096;
  plan p{.sequence = 4096, .micro_batch = 2, .tensor = 8, .pipeline = 2, .sequence_parallel = false};
  const double whole = 2 * 4096.0 * 4096 * 2, all_reduce = 2 * 7.0 / 8 * whole;
  const auto added = [&](const transformer_config& model, std::int64_t stage) {
    return sent(tensor_parallel_transfers(model, p, mixed, stage), p) -
           sent(tensor_parallel_transfers(llama_8b, p, mixed, stage), p);
  };
  CHECK(added(both, 0) == (32 * 4 + 1) * all_reduce);  // every block's, and the table's
  CHECK(added(both, 1) == 0);
  p.recompute = recompute::full;  // of the decoder's blocks alone
  CHECK(added(both, 0) == (32 * 4 + 1) * all_reduce);
  p.sequence_parallel = true;
  CHECK(added(both, 0) == (32 * 4 + 1) * all_reduce + 32 * 2 * all_reduce / 2);
  both.encoder_positions = 1500;  // Whisper's frames
  CHECK_THAT(added(both, 0) * 4096 / 1500, WithinRel((32 * 4 + 1) * all_reduce + 32 * 2 * all_reduce / 2, 1e-12));

  transformer_config seeing = llama_8b;
  seeing.vision = {.patches = {.image_size = 336, .patch_size = 14, .hidden = 1024}};
  seeing.vision.stack.layers = 24;
  seeing.vision.stack.hidden = 1024;
  CHECK(added(seeing, 0) == 0);
  p.sequence_parallel = false;
  p.images = 3;
  CHECK(added(seeing, 0) == 24 * 4 * 2 * 7.0 / 8 * (2 * 3 * 576.0 * 1024 * 2));
}

TEST_CASE("tensor- against data-parallel traffic depends on the tokens between two reductions") {
  const auto ratio = [](std::int64_t micro_batches) {
    const plan p{
        .sequence = 4096, .gradient_accumulation = micro_batches, .data = 64, .tensor = 8, .sequence_parallel = false};
    return sent(tensor_parallel_transfers(llama_70b, p, mixed), p) /
           sent(data_parallel_transfers(llama_70b, p, mixed), p);
  };
  CHECK_THAT(ratio(1), WithinAbs(1.0, 0.1));  // about equal at 4096 tokens
  CHECK_THAT(ratio(8) / ratio(1), WithinRel(8.0, 1e-12));
  CHECK(gradients_70b / 8 > 17e9);
}

TEST_CASE("vocabulary parallelism exchanges numbers a token, not logits") {
  const plan p{.sequence = 4096, .tensor = 8, .sequence_parallel = false};
  const double whole = 4096.0 * 4096 * 2, all_reduce = 2 * 7.0 / 8;
  CHECK(sent(vocabulary_parallel_transfers(llama_8b, p, mixed), p) == all_reduce * (whole + whole + 3 * 4096.0 * 4));
  CHECK(sent(vocabulary_parallel_transfers(llama_8b, p, mixed), p) < 4096.0 * 128256 * 2 / 8);
  const plan piped{.sequence = 4096, .tensor = 8, .pipeline = 4, .sequence_parallel = false};
  CHECK(sent(vocabulary_parallel_transfers(llama_8b, piped, mixed, 0), piped) == all_reduce * whole);
  CHECK(vocabulary_parallel_transfers(llama_8b, piped, mixed, 1).empty());
}

TEST_CASE("pipeline parallelism, a boundary, a micro-batch") {
  const double whole = 2 * 4096.0 * 4096 * 2;
  const plan p{.sequence = 4096, .micro_batch = 2, .gradient_accumulation = 8, .pipeline = 4};
  CHECK(sent(pipeline_transfers(llama_8b, p, mixed, 0), p) == 8 * whole);      // outputs forward
  CHECK(sent(pipeline_transfers(llama_8b, p, mixed, 1), p) == 2 * 8 * whole);  // and gradients back
  CHECK(sent(pipeline_transfers(llama_8b, p, mixed, 3), p) == 8 * whole);
  plan interleaved = p;
  interleaved.virtual_stages = 2;
  CHECK(sent(pipeline_transfers(llama_8b, interleaved, mixed, 1), interleaved) == 2 * 2 * 8 * whole);
  plan split = p;
  split.tensor = 8;
  CHECK(sent(pipeline_transfers(llama_8b, split, mixed, 1), split) == 2 * 8 * whole / 8);
  split.sequence_parallel = false;
  CHECK(sent(pipeline_transfers(llama_8b, split, mixed, 1), split) == 2 * 8 * whole);
}

TEST_CASE("context parallelism, ring and all-to-all") {
  const plan p{.sequence = 32768, .context = 4};
  const double here = 32768.0 / 4, keys_and_values = here * 2 * 8 * 128 * 2;
  // Forward (c − 1), backward the same, and the gradients with them.
  CHECK(sent(context_parallel_transfers(llama_8b, p, mixed), p) == 32 * 3 * 3 * keys_and_values);
  // Queries and output of 32 heads, keys and values of 8: 3/4 leaves, forward and backward.
  CHECK(sent(context_parallel_transfers(llama_8b, p, mixed, 0, context_exchange::all_to_all), p) ==
        32 * 2 * 3.0 / 4 * here * (2 * 32 + 2 * 8) * 128 * 2);
  CHECK(context_parallel_transfers(llama_8b, {}, mixed).empty());
}

TEST_CASE("expert parallelism: two all-to-alls forward, two backward, for each layer with experts") {
  const auto& mixtral = models::mixtral_8x7b::config;
  const plan p{.sequence = 4096, .data = 8, .expert = 8};
  const double routed = 4096.0 * 2 * 4096 * 2;  // tokens × experts a token × h × s
  CHECK(sent(expert_parallel_transfers(mixtral, p, mixed), p) == 32 * 4 * 7.0 / 8 * routed);
  CHECK(expert_parallel_transfers(mixtral, {.sequence = 4096, .data = 8}, mixed).empty());
  double items = 0;
  for (const transfer& one : expert_parallel_transfers(mixtral, p, mixed)) items += one.times;
  CHECK(items == 32 * 4);  // dispatch and combine are two, not one (lm-sys PR 394)
}

TEST_CASE("all of a step, and its time on such nodes") {
  const plan p{.sequence = 4096,
               .gradient_accumulation = 16,
               .data = 8,
               .tensor = 8,
               .pipeline = 8,
               .sharding = zero::optimizer};
  const node& in = hardware::dgx_h100::value;
  const step_transfers all = transfers_of(llama_70b, p, mixed, 1);
  CHECK_THAT(all.sent(p).value(), WithinRel(sent(all.tensor, p) + sent(all.pipeline, p) + sent(all.data, p), 1e-12));
  CHECK(all.expert.empty());
  CHECK(all.vocabulary.empty());
  // Tensor inside the node is faster a byte than data across.
  const double tensor_rate = sent(all.tensor, p) / all.tensor.time(p, in).value();
  const double data_rate = sent(all.data, p) / all.data.time(p, in).value();
  CHECK(tensor_rate > data_rate);
  CHECK(all.pipeline.time(p, in).value() > 0);
}

TEST_CASE("algorithms: what each is for") {
  const node& in = hardware::dgx_h100::value;
  const group_span inside{8, 1, 8}, across{64, 8, 8}, pairs{8, 8, 1};
  const auto took = [&](bytes full, const group_span& over, algorithm how) {
    return collective_time(collective::all_reduce, full, over, in, how).value();
  };
  // The switch sums large arrays faster than a ring can; the ring is no faster than its bandwidth.
  CHECK(took(4_GiB, inside, algorithm::in_switch) < took(4_GiB, inside, algorithm::ring));
  CHECK(took(4_GiB, inside, algorithm::ring) > (1.75 * 4_GiB / in.scale_up.send).value());
  // A tree's latency grows with the logarithm of the nodes: small messages.
  CHECK(took(256_KiB, across, algorithm::tree) < took(256_KiB, across, algorithm::ring));
  // On every adapter at once, hierarchical moves an eighth across.
  CHECK(took(1_GiB, across, algorithm::hierarchical) < took(1_GiB, pairs, algorithm::ring));
  for (const bytes& full : {1_MiB, 64_MiB, 4_GiB})
    for (const algorithm how : {algorithm::ring, algorithm::tree})
      CHECK(took(full, across, algorithm::fastest) <= took(full, across, how));
  // LL for small, LL128 between, Simple for large.
  const auto by = [&](bytes full, const protocol& p) {
    return collective_time(collective::all_reduce, full, inside, in, algorithm::ring, p).value();
  };
  CHECK(by(64_KiB, nccl::ll) < by(64_KiB, nccl::ll128));
  CHECK(by(64_KiB, nccl::ll128) < by(64_KiB, nccl::simple));
  CHECK(by(8_MiB, nccl::ll128) < by(8_MiB, nccl::ll));
  CHECK(by(8_MiB, nccl::ll128) < by(8_MiB, nccl::simple));
  CHECK(by(1_GiB, nccl::simple) < by(1_GiB, nccl::ll128));
}

TEST_CASE("all-to-all and messages: a mesh sends one lane to one peer") {
  const group_span inside{8, 1, 8}, two{2, 1, 2}, across{16, 2, 8};
  const node& mesh = hardware::mi300x_platform::value;
  const node& switched = hardware::dgx_h100::value;
  const auto message = [&](const node& in) { return collective_time(collective::send_receive, 1_GB, two, in).value(); };
  CHECK_THAT(message(mesh), WithinRel(1.0 / 48, 0.01));       // 48 of 64 GB/s
  CHECK_THAT(message(switched), WithinRel(1.0 / 370, 0.01));  // 370 of 450 GB/s
  // To all seven peers at once the mesh uses all its lanes.
  CHECK_THAT(collective_time(collective::all_to_all, 8_GB, inside, mesh).value(), WithinRel(7.0 / (7 * 48), 0.01));
  // Half of an all-to-all over two nodes leaves the node: 8 of 16 parts at 48 GB/s.
  CHECK_THAT(collective_time(collective::all_to_all, 16_GB, across, switched).value(), WithinRel(8.0 / 48, 0.01));
}
