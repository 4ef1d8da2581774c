// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

// The recurrence carried out state by state, as torch_recurrent_gated_delta_rule of transformers'
// modeling_qwen3_next.py carries it out.

#include <flopledger/layers/delta_rule.hpp>
#include <flopledger/memory/kv_cache.hpp>

#include "catch.hpp"

using namespace flopledger;

namespace {

struct walked {
  std::int64_t products = 0, decays = 0;
};

walked walk(std::int64_t tokens, std::int64_t heads, std::int64_t key_dim, std::int64_t value_dim) {
  walked done;
  for (std::int64_t token = 0; token < tokens; ++token)
    for (std::int64_t head = 0; head < heads; ++head)
      for (std::int64_t key = 0; key < key_dim; ++key)
        for (std::int64_t value = 0; value < value_dim; ++value) {
          ++done.decays;
          ++done.products;  // what the state holds for the key
          ++done.products;  // the outer product that is written
          ++done.products;  // what the query reads
        }
  return done;
}

template <auto Column>
double of_kind(const auto& layer, const work& asked, operation kind) {
  tally chosen{0.0, [kind](const row& r) { return r.kind == kind ? (r.*Column).value() : 0.0; }};
  layer.record(chosen, asked);
  return chosen.total;
}

bool agrees(const auto& layer, const work& asked) {
  row_agreement rows;
  layer.record(rows, asked);
  return rows.holds;
}

constexpr gated_delta_network network{
    .hidden = 12, .key_heads = 2, .value_heads = 4, .key_dim = 3, .value_dim = 5, .kernel = 4};
constexpr kimi_delta_attention kimi{.hidden = 12, .heads = 3, .head_dim = 4, .kernel = 4};

}  // namespace

TEST_CASE("the gated delta rule computes three products of a state's size a head and token") {
  for (const std::int64_t length : {1, 7}) {
    const walked done = walk(length, 4, 3, 5);
    const work asked = prefill(1, static_cast<double>(length));
    CHECK(of_kind<&row::multiplied>(network, asked, operation::recurrence) == static_cast<double>(done.products));
    CHECK(of_kind<&row::elementwise>(network, asked, operation::recurrence) > static_cast<double>(done.decays));
    CHECK(agrees(network, asked));
    const walked of_kimi = walk(length, 3, 4, 4);
    CHECK(of_kind<&row::multiplied>(kimi, asked, operation::recurrence) == static_cast<double>(of_kimi.products));
    CHECK(agrees(kimi, asked));
  }
}

TEST_CASE("a gated delta network holds the modules of Qwen3NextGatedDeltaNet") {
  const double in_proj_qkvz = 12 * (2 * 6 + 2 * 20), in_proj_ba = 12 * 2 * 4, conv1d = (2 * 6 + 20) * 4;
  const double dt_bias = 4, a_log = 4, norm = 5, out_proj = 20 * 12;
  CHECK(total<&row::held>(network, forward(1, 1)).value() ==
        in_proj_qkvz + in_proj_ba + conv1d + dt_bias + a_log + norm + out_proj);
}

TEST_CASE("Kimi Delta Attention holds the modules of KimiDeltaAttention") {
  const double q_k_v = 3 * 12 * 12, convolutions = 3 * 12 * 4, f_a = 12 * 4, f_b = 4 * 12, b = 12 * 3, g_a = 12 * 4,
               g_b = 4 * 12, a_log = 3, dt_bias = 12, o_norm = 4, o = 12 * 12;
  CHECK(total<&row::held>(kimi, forward(1, 1)).value() ==
        q_k_v + convolutions + f_a + f_b + b + g_a + g_b + a_log + dt_bias + o_norm + o);
  kimi_delta_attention whole = kimi;
  whole.whole_gate = true;
  CHECK(total<&row::held>(whole, forward(1, 1)).value() ==
        q_k_v + convolutions + f_a + f_b + b + 12 * 12 + a_log + dt_bias + o_norm + o);
}

TEST_CASE("the state of the delta rule does not grow with the sequence") {
  // Four heads' states of 3 × 5, and four tokens of what is convolved.
  const double states = 4 * 3 * 5, taps = 4 * (2 * 6 + 20);
  for (const double length : {1.0, 100.0}) {
    cached_elements fold;
    network.record(fold, prefill(3, length));
    CHECK(fold.states == 3 * (states + taps));
  }
  // A decode step reads it, a prompt's first pass finds nothing.
  const auto read = [](const work& asked) {
    double elements = 0;
    tally sum{0.0, [&](const row& r) {
                for (const operand& o : r.operands)
                  if (o.what == role::state) elements += o.read_elements();
                return 0.0;
              }};
    network.record(sum, asked);
    return elements;
  };
  CHECK(read(decode_step(2, 50)) == 2 * (states + taps));
  CHECK(read(prefill(2, 50)) == 0);
}
