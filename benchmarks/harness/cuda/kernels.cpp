// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#include "kernels.hpp"

#include <algorithm>
#include <cstring>

#include "operands.hpp"

namespace harness::cuda {
namespace {

class product_kernel final : public kernel {
 public:
  product_kernel(const product_shape& shape, std::uint64_t seed, double footprint, resources use)
      : use_(use), layout_(layout_of(shape)), product_(use.multiply, layout_) {
    const std::size_t result_bytes = layout_.elements_of_result() * size_of(layout_.d.kind);
    sets_.push_back({.left = operand_on_device(use, shape.format, operand_seed(seed, 0), shape.batch, layout_.left),
                     .right = operand_on_device(use, shape.format, operand_seed(seed, 1), shape.batch, layout_.right),
                     .result = held_memory(use.memory, result_bytes)});
    const set& first = sets_.front();
    product_.choose(first.right.data(), first.left.data(), first.result.data());
    const std::size_t sets =
        sets_for(footprint, static_cast<double>(first.left.size() + first.right.size() + result_bytes));
    while (sets_.size() < sets)
      sets_.push_back({.left = copied(use, sets_.front().left),
                       .right = copied(use, sets_.front().right),
                       .result = held_memory(use.memory, result_bytes)});
    enqueue();
    use.on.wait();
    use.memory.see();
    next_ = 0;
  }

  void enqueue() override {
    run(sets_[next_]);
    next_ = (next_ + 1) % sets_.size();
  }
  std::vector<double> result(int, std::span<const std::size_t> elements) override {
    run(sets_.front());
    std::vector<std::size_t> places;
    for (const std::size_t one : elements) places.push_back(layout_.place_of(one));
    return read_back(use_, layout_.d.kind, sets_.front().result, places);
  }
  std::string description() const override { return product_.description(); }
 private:
  struct set {
    held_memory left, right, result;
  };
  void run(const set& on) const { product_.run(on.right.data(), on.left.data(), on.result.data()); }

  resources use_;
  product_layout layout_;
  product product_;
  std::vector<set> sets_;
  std::size_t next_ = 0;
};

class stream_kernel final : public kernel {
 public:
  stream_kernel(const stream_shape& shape, std::uint64_t seed, double footprint, resources use)
      : use_(use), parts_(parts_of(shape)), sum_(use.memory, sizeof(float)) {
    const std::size_t read = parts_.copied + parts_.summed, written = parts_.copied + parts_.set;
    const std::size_t sets = sets_for(footprint, static_cast<double>(read + written));
    while (sets_.size() < sets) {
      sets_.push_back({.from = held_memory(use.memory, read + padding), .into = held_memory(use.memory, written)});
      fill(sets_.back().from, shape.format, operand_seed(seed, 0));
    }
    enqueue();
    use.on.wait();
    use.memory.see();
    next_ = 0;
  }

  void enqueue() override {
    const set& on = sets_[next_];
    next_ = (next_ + 1) % sets_.size();
    auto* const from = static_cast<std::byte*>(on.from.data());
    auto* const into = static_cast<std::byte*>(on.into.data());
    if (parts_.copied > 0) copy(use_.on, into, from, parts_.copied);
    if (parts_.set > 0) cuda::set(use_.on, into + parts_.copied, 1, parts_.set);
    if (parts_.summed > 0) {
      // From the last number of four bytes that is copied, so that the first is aligned.
      const std::size_t begin = parts_.copied / sizeof(float) * sizeof(float), end = parts_.copied + parts_.summed;
      const std::size_t count = (end - begin + sizeof(float) - 1) / sizeof(float);
      const void* const first = from + begin;
      check(cublasSasum_v2_64(use_.sums, static_cast<std::int64_t>(count), static_cast<const float*>(first), 1,
                              static_cast<float*>(sum_.data())),
            "cublasSasum");
    }
  }
  std::vector<double> result(int, std::span<const std::size_t>) override { return {}; }
  std::string description() const override {
    std::string text;
    const auto add = [&](std::size_t amount, const char* by) {
      if (amount > 0) text += (text.empty() ? "" : ", ") + std::string(by) + " of " + std::to_string(amount) + " B";
    };
    add(parts_.copied, "cudaMemcpyAsync on the device");
    add(parts_.set, "cudaMemsetAsync");
    add(parts_.summed, "cublasSasum");
    return text;
  }
 private:
  static constexpr std::size_t padding = 2 * sizeof(float);
  struct set {
    held_memory from, into;
  };

  /// Random numbers, a block of them again and again: what a wire spends depends on the bits, not on their period.
  void fill(const held_memory& memory, number_kind format, std::uint64_t seed) const {
    constexpr std::size_t most = std::size_t{64} << 20;
    std::vector<std::byte> block(std::min(most, (memory.size() + 3) / 4 * 4));
    fill_operand(format, seed, 0, block);
    for (std::size_t at = 0; at < memory.size(); at += block.size())
      upload(use_.on, static_cast<std::byte*>(memory.data()) + at,
             std::span(block).first(std::min(block.size(), memory.size() - at)));
  }

  resources use_;
  stream_parts parts_;
  held_memory sum_;
  std::vector<set> sets_;
  std::size_t next_ = 0;
};

}  // namespace

held_memory operand_on_device(resources use, number_kind format, std::uint64_t seed, std::size_t elements) {
  held_memory made(use.memory, elements * harness::size_of(format));
  upload(use.on, made.data(), operand_bytes(format, seed, elements));
  return made;
}

held_memory operand_on_device(resources use, number_kind format, std::uint64_t seed, std::int64_t batch,
                              const rearrangement& to) {
  const auto elements = static_cast<std::size_t>(batch * to.rows * to.columns);
  if (to.is_plain()) return operand_on_device(use, format, seed, elements);
  const std::size_t size = harness::size_of(format);
  held_memory made(use.memory, static_cast<std::size_t>(batch * to.stored_rows * to.stored_columns) * size);
  upload(use.on, made.data(), rearranged(operand_bytes(format, seed, elements), batch, size, to));
  return made;
}

held_memory copied(resources use, const held_memory& from) {
  held_memory made(use.memory, from.size());
  copy(use.on, made.data(), from.data(), from.size());
  return made;
}

std::vector<double> read_back(resources use, element kind, const held_memory& from,
                              std::span<const std::size_t> places) {
  const std::size_t size = size_of(kind);
  std::vector<double> values;
  for (const std::size_t place : places) {
    if ((place + 1) * size > from.size())
      throw std::out_of_range("result: element " + std::to_string(place) + " is beyond the last");
    std::byte stored[4];
    download(use.on, std::span(stored, size), static_cast<const std::byte*>(from.data()) + place * size);
    std::int32_t whole = 0;
    switch (kind) {
      case element::int32:
        std::memcpy(&whole, stored, sizeof whole);
        values.push_back(whole);
        break;
      case element::fp32:
        values.push_back(decoded(number_kind::fp32, stored));
        break;
      case element::bf16:
        values.push_back(decoded(number_kind::bf16, stored));
        break;
      case element::fp16:
        values.push_back(decoded(number_kind::fp16, stored));
        break;
      case element::fp8_e4m3:
        values.push_back(decoded(number_kind::fp8_e4m3, stored));
        break;
      case element::int8:
        values.push_back(decoded(number_kind::int8, stored));
        break;
    }
  }
  return values;
}

std::unique_ptr<kernel> make_kernel(const product_shape& shape, std::uint64_t seed, double footprint, resources use) {
  return std::make_unique<product_kernel>(shape, seed, footprint, use);
}
std::unique_ptr<kernel> make_kernel(const stream_shape& shape, std::uint64_t seed, double footprint, resources use) {
  return std::make_unique<stream_kernel>(shape, seed, footprint, use);
}

}  // namespace harness::cuda
