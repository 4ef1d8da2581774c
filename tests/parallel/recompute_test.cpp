// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/element_bytes.hpp>
#include <flopledger/memory/training.hpp>
#include <flopledger/models/catalogue.hpp>
#include <flopledger/models/zoo.hpp>
#include <flopledger/parallel/recompute.hpp>
#include <flopledger/time/traffic.hpp>
#include <flopledger/utilisation.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "catch.hpp"

namespace {

using namespace flopledger;

std::vector<entry> block_of(const transformer_config& model, block_kind kind) {
  std::vector<entry> rows;
  stored_in sink{rows};
  model.record_block(sink, model.with_source(training_step(1, 64)), kind);
  return rows;
}

/// What a rule does with the tensors of a block that have a number.
struct tensors_of_block {
  std::set<int> repeated;  ///< written by rows that time runs again
  std::set<int> dropped;   ///< needed, and made again: memory holds none of them
  std::set<int> kept;      ///< needed, and held

  tensors_of_block(const std::vector<entry>& rows, const recompute_rule& rule) {
    for (const entry& e : rows)
      e.what.operands.for_each([&](const operand& o) {
        if (o.of.id == 0) return;
        // Dispatch makes a tensor without moving a byte of its own.
        const bool made_here = has(o.how, use::written) || o.of.made_by.kind == operation::dispatch;
        if (made_here && runs_again(rule, o.of.made_by)) repeated.insert(o.of.id);
        const fate is = fate_of(rule, e.what, o);
        if (is == fate::made_again) dropped.insert(o.of.id);
        if (is == fate::kept) kept.insert(o.of.id);
      });
  }
};

const recompute_rule rules[] = {
    {.how = recompute::selective},
    {.how = recompute::full},
    {.how = recompute::alternate},
    {.how = recompute::alternate, .joins_products = false},
    {.how = recompute::kinds, .kinds = {operation::normalization}},
    {.how = recompute::kinds, .kinds = {operation::activation}},
    {.how = recompute::kinds, .kinds = {operation::normalization, operation::activation}},
};

TEST_CASE("time repeats the rows whose outputs memory drops, and the end of a checkpoint", "[recompute]") {
  for (const models::zoo_entry& one : models::all) {
    const transformer_config model = one.describe();
    model.stack.for_each_kind([&](block_kind kind) {
      const std::vector<entry> rows = block_of(model, kind);
      for (const recompute_rule& rule : rules) {
        const tensors_of_block found(rows, rule);
        INFO(one.name << ", block " << kind.number() << ", recompute " << static_cast<int>(rule.how) << ", joined "
                      << rule.joins_products);
        for (const int id : found.dropped) CHECK(found.repeated.count(id) == 1);
        // What is repeated without being dropped: the row with which a checkpoint ends, whose output a reader outside
        // keeps, and tensors that nothing behind them needs.
        int ends = 0;
        for (const int id : found.repeated)
          if (found.dropped.count(id) == 0 && found.kept.count(id) == 1) ++ends;
        const bool has_two_cores = model.stack.cross_attention && rule.how == recompute::selective;
        CHECK(ends <= (has_two_cores ? 2 : 1));
        if (rule.how == recompute::full) CHECK(ends == 0);
      }
    });
  }
}

TEST_CASE("full recompute keeps a block's input alone", "[recompute]") {
  for (const models::zoo_entry& one : models::all) {
    if (one.describe().stack.cross_attention) continue;  // these keep the encoder's output, too
    one.describe().stack.for_each_kind([&](block_kind kind) {
      INFO(one.name << ", block " << kind.number());
      CHECK(tensors_of_block(block_of(one.describe(), kind), {.how = recompute::full}).kept.size() == 1);
    });
  }
}

const row& named(const std::vector<entry>& rows, std::string_view name) {
  return std::find_if(rows.begin(), rows.end(), [&](const entry& e) { return e.what.name == name; })->what;
}

TEST_CASE("products of one tensor run as one: DeepSeek-V3", "[recompute]") {
  const std::vector<entry> rows = block_of(models::deepseek_v3::config, {.sparse = true});
  const auto number = [&](std::string_view name) { return named(rows, name).nth_joined; };
  CHECK(number("attention.latent_down") == number("attention.query_down"));
  CHECK(number("attention.latent_down") != number("attention.query_up"));
  CHECK(number("experts.gate") == number("experts.up"));
  CHECK(number("shared_expert.gate") == number("shared_expert.up"));
  CHECK(number("shared_expert.gate") != number("attention.query_down"));
  CHECK(number("experts.down") != number("shared_expert.down"));
}

TEST_CASE("a parallel block does not run attention's and feed-forward's products as one", "[recompute]") {
  const std::vector<entry> rows = block_of(models::falcon_7b::config, {});
  CHECK(named(rows, "attention.query").nth_joined == named(rows, "attention.value").nth_joined);
  CHECK(named(rows, "attention.query").nth_joined != named(rows, "feed_forward.up").nth_joined);
}

// Of a mixture's seven products, q, k, v, o, gate, up and down, every other one runs again: k, o and up. Until memory
// and time were one decision, time repeated k, o, gate and down, and memory kept the outputs of gate and down.
TEST_CASE("alternate recompute of a mixture repeats the products whose outputs are dropped", "[recompute]") {
  const transformer_config& mixture = models::mixtral_8x7b::config;
  const work asked = training_step(1, 64);
  const double tokens = 64, hidden = 4096, kv = 1024, inner = 14336, chosen = 2, experts = 8;
  const double repeated = tokens * (hidden * kv + hidden * hidden + chosen * hidden * inner + hidden * experts);
  const flops again = recomputed_flops(mixture, asked, {.how = recompute::alternate, .joins_products = false});
  CHECK(again.value() == 2 * 32 * repeated);
}

TEST_CASE("an index takes the same bytes in memory, in traffic and in time", "[recompute]") {
  const role_bytes sizes(recipes::mixed_bf16::value, attention_kernel::fused);
  CHECK(sizes[role::index] == 8);  // torch.int64
  std::vector<entry> rows;
  stored_in sink{rows};
  embedding{.entries = 100, .width = 4}.record(sink, 10.0, "table");
  CHECK(moved_by(rows.front().what, {}).other.read.value() == 80);
}

}  // namespace
