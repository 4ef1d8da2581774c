// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// Attention, where cuDNN has no single kernel for it, as two products with a softmax between them, and its backward
/// pass as the two again and four more. Scores stand in memory in the operands' format; a causal mask is added to them
/// by the product that makes them.

#include <cmath>
#include <optional>

#include "fused_attention.hpp"
#include "operands.hpp"
#include "softmax.hpp"

namespace harness::cuda {
namespace {

class attention_kernel final : public kernel {
 public:
  attention_kernel(const attention_shape& shape, std::uint64_t seed, double footprint, resources use,
                   std::string not_fused)
      : use_(use),
        shape_(shape),
        not_fused_(std::move(not_fused)),
        parts_(products_of(shape)),
        kind_(layout_of(parts_.scores).d.kind),
        softmax_(*use.softmax, kind_, static_cast<std::size_t>(parts_.matrices * parts_.rows),
                 static_cast<std::size_t>(shape.keys)),
        scores_(use.multiply, layout_of(parts_.scores), scale(), shape.causal) {
    const auto product_of = [&](std::optional<product>& made, const product_shape& of, float alpha) {
      made.emplace(use.multiply, layout_of(of), alpha);
    };
    if (!shape.backward) {
      product_of(output_, parts_.output, 1);
    } else {
      product_of(value_gradient_, parts_.value_gradient, 1);
      product_of(probability_gradient_, parts_.probability_gradient, 1);
      product_of(query_gradient_, parts_.query_gradient, scale());
      product_of(key_gradient_, parts_.key_gradient, scale());
    }
    score_memory_ = held_memory(use.memory, parts_.score_count() * size_of(kind_));
    probability_memory_ = held_memory(use.memory, score_memory_.size());
    if (shape.causal) {
      const std::vector<std::byte> mask = stored_mask(causal_mask(shape), kind_);
      mask_ = held_memory(use.memory, mask.size());
      upload(use.on, mask_.data(), mask);
    }
    make_first_set(seed);
    choose();
    make_more_sets(footprint);
    enqueue();
    use.on.wait();
    use.memory.see();
    next_ = 0;
  }

  void enqueue() override {
    run(sets_[next_]);
    next_ = (next_ + 1) % sets_.size();
  }

  std::vector<double> result(int which, std::span<const std::size_t> elements) override {
    run(sets_.front());
    return read_back(use_, kind_, sets_.front().results.at(static_cast<std::size_t>(which)), elements);
  }

  std::string description() const override {
    const std::string scores = "products, not fused (" + not_fused_ + "); scores: " + scores_.description() +
                               (shape_.causal ? ", mask added" : "");
    if (!shape_.backward) return scores + "; cudnnSoftmaxForward; output: " + output_->description();
    return scores + "; cudnnSoftmaxForward; dV: " + value_gradient_->description() +
           "; dP: " + probability_gradient_->description() +
           "; cudnnSoftmaxBackward; dQ: " + query_gradient_->description() + "; dK: " + key_gradient_->description();
  }
 private:
  struct set {
    held_memory query, key, value, gradient;
    std::vector<held_memory> results;  ///< output; or dQ, dK, dV
  };

  float scale() const { return static_cast<float>(1 / std::sqrt(static_cast<double>(shape_.key_dim))); }

  std::size_t of_queries(std::int64_t dim) const {
    return static_cast<std::size_t>(shape_.batch * shape_.heads * shape_.queries * dim);
  }
  std::size_t of_keys(std::int64_t dim) const {
    return static_cast<std::size_t>(shape_.batch * shape_.kv_heads * shape_.keys * dim);
  }

  std::vector<held_memory> results() const {
    std::vector<held_memory> made;
    const auto add = [&](std::size_t elements) { made.emplace_back(use_.memory, elements * size_of(kind_)); };
    if (!shape_.backward) {
      add(of_queries(shape_.value_dim));
    } else {
      add(of_queries(shape_.key_dim));
      add(of_keys(shape_.key_dim));
      add(of_keys(shape_.value_dim));
    }
    return made;
  }

  void make_first_set(std::uint64_t seed) {
    const auto operand = [&](int which, std::size_t elements) {
      return operand_on_device(use_, shape_.format, operand_seed(seed, which), elements);
    };
    sets_.push_back({.query = operand(0, of_queries(shape_.key_dim)),
                     .key = operand(1, of_keys(shape_.key_dim)),
                     .value = operand(2, of_keys(shape_.value_dim)),
                     .gradient = shape_.backward ? operand(3, of_queries(shape_.value_dim)) : held_memory(),
                     .results = results()});
  }
  void make_more_sets(double footprint) {
    const set& first = sets_.front();
    // The scores pass through the cache each time, whichever set it is.
    double bytes_of_set = 2 * static_cast<double>(score_memory_.size());
    for (const held_memory* one : {&first.query, &first.key, &first.value, &first.gradient})
      bytes_of_set += static_cast<double>(one->size());
    for (const held_memory& one : first.results) bytes_of_set += static_cast<double>(one.size());
    const std::size_t sets = sets_for(footprint, bytes_of_set);
    while (sets_.size() < sets) {
      const set& from = sets_.front();
      sets_.push_back({.query = copied(use_, from.query),
                       .key = copied(use_, from.key),
                       .value = copied(use_, from.value),
                       .gradient = shape_.backward ? copied(use_, from.gradient) : held_memory(),
                       .results = results()});
    }
  }

  /// cuBLASLt's A is the right operand of a row-major product.
  static void multiply(const product& by, const held_memory& left, const held_memory& right, const held_memory& into) {
    by.run(right.data(), left.data(), into.data());
  }
  static void choose(product& by, const held_memory& left, const held_memory& right, const held_memory& into) {
    by.choose(right.data(), left.data(), into.data());
  }

  void choose() {
    const set& on = sets_.front();
    scores_.choose(on.key.data(), on.query.data(), score_memory_.data(), mask_.data());
    softmax_.forward(score_memory_.data(), probability_memory_.data());
    if (!shape_.backward) {
      choose(*output_, probability_memory_, on.value, on.results[0]);
      return;
    }
    choose(*value_gradient_, probability_memory_, on.gradient, on.results[2]);
    choose(*probability_gradient_, on.gradient, on.value, score_memory_);
    softmax_.backward(probability_memory_.data(), score_memory_.data());
    choose(*query_gradient_, score_memory_, on.key, on.results[0]);
    choose(*key_gradient_, score_memory_, on.query, on.results[1]);
  }

  void run(const set& on) const {
    scores_.run(on.key.data(), on.query.data(), score_memory_.data(), mask_.data());
    softmax_.forward(score_memory_.data(), probability_memory_.data());
    if (!shape_.backward) {
      multiply(*output_, probability_memory_, on.value, on.results[0]);
      return;
    }
    multiply(*value_gradient_, probability_memory_, on.gradient, on.results[2]);
    multiply(*probability_gradient_, on.gradient, on.value, score_memory_);
    softmax_.backward(probability_memory_.data(), score_memory_.data());
    multiply(*query_gradient_, score_memory_, on.key, on.results[0]);
    multiply(*key_gradient_, score_memory_, on.query, on.results[1]);
  }

  resources use_;
  attention_shape shape_;
  std::string not_fused_;
  attention_products parts_;
  element kind_;
  row_softmax softmax_;
  product scores_;
  std::optional<product> output_, value_gradient_, probability_gradient_, query_gradient_, key_gradient_;
  held_memory score_memory_, probability_memory_, mask_;
  std::vector<set> sets_;
  std::size_t next_ = 0;
};

}  // namespace

std::unique_ptr<kernel> make_kernel(const attention_shape& shape, std::uint64_t seed, double footprint, resources use) {
  std::string why_not;
  if (std::unique_ptr<kernel> fused = make_fused_attention(shape, seed, footprint, use, why_not)) return fused;
  return std::make_unique<attention_kernel>(shape, seed, footprint, use, why_not);
}

}  // namespace harness::cuda
