// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#include "fused_attention.hpp"

#include <array>
#include <cmath>
#include <cstdlib>
#include <deque>
#include <string_view>

#include "operands.hpp"
#include "softmax.hpp"

namespace harness::cuda {

// The operations as the headers of 9.19 name them; causal masks came to them later.
#if CUDNN_VERSION >= 91900

namespace {

class descriptor {
 public:
  explicit descriptor(cudnnBackendDescriptorType_t type) {
    cudnnBackendDescriptor_t made = nullptr;
    check(cudnnBackendCreateDescriptor(type, &made), "cudnnBackendCreateDescriptor");
    handle_.reset(made);
  }
  cudnnBackendDescriptor_t get() const { return handle_.get(); }

  template <class Value>
  void set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, std::span<const Value> values) {
    check(cudnnBackendSetAttribute(get(), name, type, static_cast<std::int64_t>(values.size()), values.data()),
          "cudnnBackendSetAttribute " + std::to_string(static_cast<int>(name)));
  }
  template <class Value>
  void set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, const Value& value) {
    set(name, type, std::span<const Value>(&value, 1));
  }
  void link(cudnnBackendAttributeName_t name, const descriptor& to) {
    set(name, CUDNN_TYPE_BACKEND_DESCRIPTOR, to.get());
  }
  void finalize(const char* what) {
    check(cudnnBackendFinalize(get()), std::string("cudnnBackendFinalize of ") + what);
  }
 private:
  owned<cudnnBackendDescriptor_t, cudnnBackendDestroyDescriptor> handle_;
};

enum uid : std::int64_t { query = 1, key, value, output, statistics, scale, gradient, d_query, d_key, d_value };

using extents = std::array<std::int64_t, 4>;

/// Dense, the last dimension innermost; a number alone stands with the host.
descriptor tensor(uid id, const extents& dims, cudnnDataType_t type, bool by_value = false) {
  descriptor made(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  const extents strides{dims[1] * dims[2] * dims[3], dims[2] * dims[3], dims[3], 1};
  made.set(CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, static_cast<std::int64_t>(id));
  made.set(CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, type);
  made.set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64, std::int64_t{16});
  made.set(CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, std::span<const std::int64_t>(dims));
  made.set(CUDNN_ATTR_TENSOR_STRIDES, CUDNN_TYPE_INT64, std::span<const std::int64_t>(strides));
  if (by_value) made.set(CUDNN_ATTR_TENSOR_IS_BY_VALUE, CUDNN_TYPE_BOOLEAN, true);
  made.finalize("a tensor");
  return made;
}

/// A graph of one operation, with the first of the heuristic's engines that takes it.
class planned {
 public:
  planned(cudnnHandle_t handle, const descriptor& operation) : handle_(handle) {
    graph_.set(CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, handle);
    graph_.link(CUDNN_ATTR_OPERATIONGRAPH_OPS, operation);
    graph_.finalize("the graph");
    heuristic_.link(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph_);
    heuristic_.set(CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, CUDNN_HEUR_MODE_A);
    heuristic_.finalize("the heuristic");
    std::int64_t count = 0;
    check(cudnnBackendGetAttribute(heuristic_.get(), CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_TYPE_BACKEND_DESCRIPTOR, 0,
                                   &count, nullptr),
          "cudnnBackendGetAttribute of the number of engines");
    std::vector<cudnnBackendDescriptor_t> raw;
    for (std::int64_t i = 0; i < count; ++i) {
      engines_.emplace_back(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
      raw.push_back(engines_.back().get());
    }
    check(cudnnBackendGetAttribute(heuristic_.get(), CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_TYPE_BACKEND_DESCRIPTOR,
                                   count, &count, raw.data()),
          "cudnnBackendGetAttribute of the engines");
    for (chosen_ = 0; chosen_ < count; ++chosen_)
      if (plan(engines_[static_cast<std::size_t>(chosen_)])) return;
    throw error("none of " + std::to_string(count) + " engines of cuDNN takes it");
  }

  std::size_t workspace() const { return static_cast<std::size_t>(workspace_); }
  void run(const descriptor& pack) const {
    check(cudnnBackendExecute(handle_, plan_->get(), pack.get()), "cudnnBackendExecute");
  }
  std::string description() const {
    return "engine " + std::to_string(chosen_ + 1) + " of " + std::to_string(engines_.size()) + ", workspace " +
           std::to_string(workspace_) + " B";
  }
 private:
  bool plan(const descriptor& engine) {
    auto made = std::make_unique<descriptor>(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
    made->set(CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE, handle_);
    made->link(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, engine);
    if (cudnnBackendFinalize(made->get()) != CUDNN_STATUS_SUCCESS) return false;
    std::int64_t count = 0;
    check(cudnnBackendGetAttribute(made->get(), CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, CUDNN_TYPE_INT64, 1, &count,
                                   &workspace_),
          "cudnnBackendGetAttribute of the workspace");
    plan_ = std::move(made);
    return true;
  }

  cudnnHandle_t handle_;
  descriptor graph_{CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR}, heuristic_{CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR};
  std::vector<descriptor> engines_;
  std::unique_ptr<descriptor> plan_;
  std::int64_t chosen_ = 0, workspace_ = 0;
};

class fused_kernel final : public kernel {
 public:
  fused_kernel(const attention_shape& shape, resources use)
      : use_(use), shape_(shape), scale_(static_cast<float>(1 / std::sqrt(static_cast<double>(shape.key_dim)))) {
    forward_ = std::make_unique<planned>(use.softmax->handle(), forward_operation());
    if (shape.backward) backward_ = std::make_unique<planned>(use.softmax->handle(), backward_operation());
  }

  /// What takes memory, and the first run. A forward pass before a backward one leaves what that reads.
  void prepare(std::uint64_t seed, double footprint) {
    workspace_ = held_memory(use_.memory, std::max(forward_->workspace(), backward_ ? backward_->workspace() : 0));
    const auto operand = [&](int which, const extents& dims) {
      return operand_on_device(use_, shape_.format, operand_seed(seed, which), count_of(dims));
    };
    set first;
    first.tensors.emplace_back(query, operand(0, queries(shape_.key_dim)));
    first.tensors.emplace_back(key, operand(1, keys(shape_.key_dim)));
    first.tensors.emplace_back(value, operand(2, keys(shape_.value_dim)));
    first.tensors.emplace_back(output, room(queries(shape_.value_dim), harness::size_of(shape_.format)));
    if (shape_.backward) {
      first.tensors.emplace_back(statistics, room(queries(1), sizeof(float)));
      first.tensors.emplace_back(gradient, operand(3, queries(shape_.value_dim)));
    }
    forward_->run(pack(first));
    use_.on.wait();
    add_results(first);
    double bytes_of_set = 0;
    for (const auto& [id, memory] : first.tensors) bytes_of_set += static_cast<double>(memory.size());
    keep(std::move(first));
    for (std::size_t sets = sets_for(footprint, bytes_of_set); sets_.size() < sets;) {
      set next;
      for (const auto& [id, memory] : sets_.front().tensors)
        if (id < d_query) next.tensors.emplace_back(id, copied(use_, memory));
      add_results(next);
      keep(std::move(next));
    }
    enqueue();
    use_.on.wait();
    use_.memory.see();
    next_ = 0;
  }

  void enqueue() override {
    run(sets_[next_]);
    next_ = (next_ + 1) % sets_.size();
  }
  std::vector<double> result(int which, std::span<const std::size_t> elements) override {
    run(sets_.front());
    const std::int64_t id = shape_.backward ? std::int64_t{d_query} + which : std::int64_t{output};
    for (const auto& [of, memory] : sets_.front().tensors)
      if (of == id) return read_back(use_, layout_of({.format = shape_.format}).d.kind, memory, elements);
    throw std::out_of_range("attention has no result " + std::to_string(which));
  }
  std::string description() const override {
    return std::string("cuDNN, fused attention ") +
           (backward_ ? "backward, " + backward_->description() : "forward, " + forward_->description());
  }
 private:
  struct set {
    std::vector<std::pair<std::int64_t, held_memory>> tensors;
    std::unique_ptr<descriptor> pack;
  };

  extents queries(std::int64_t dim) const { return {shape_.batch, shape_.heads, shape_.queries, dim}; }
  extents keys(std::int64_t dim) const { return {shape_.batch, shape_.kv_heads, shape_.keys, dim}; }
  static std::size_t count_of(const extents& dims) {
    return static_cast<std::size_t>(dims[0] * dims[1] * dims[2] * dims[3]);
  }
  held_memory room(const extents& dims, std::size_t size) const { return {use_.memory, count_of(dims) * size}; }
  cudnnDataType_t type() const { return shape_.format == number_kind::bf16 ? CUDNN_DATA_BFLOAT16 : CUDNN_DATA_HALF; }

  /// Whether an operation copies its tensors' descriptors, or a graph its operation's, is not said: all of them stay.
  const descriptor& kept(descriptor made) { return kept_.emplace_back(std::move(made)); }

  const descriptor& forward_operation() {
    descriptor made(CUDNN_BACKEND_OPERATION_SDPA_FWD_DESCRIPTOR);
    made.link(CUDNN_ATTR_OPERATION_SDPA_FWD_QDESC, kept(tensor(query, queries(shape_.key_dim), type())));
    made.link(CUDNN_ATTR_OPERATION_SDPA_FWD_KDESC, kept(tensor(key, keys(shape_.key_dim), type())));
    made.link(CUDNN_ATTR_OPERATION_SDPA_FWD_VDESC, kept(tensor(value, keys(shape_.value_dim), type())));
    made.link(CUDNN_ATTR_OPERATION_SDPA_FWD_ODESC, kept(tensor(output, queries(shape_.value_dim), type())));
    made.link(CUDNN_ATTR_OPERATION_SDPA_FWD_SCALEDESC, kept(tensor(scale, {1, 1, 1, 1}, CUDNN_DATA_FLOAT, true)));
    if (shape_.backward)
      made.link(CUDNN_ATTR_OPERATION_SDPA_FWD_STATSDESC, kept(tensor(statistics, queries(1), CUDNN_DATA_FLOAT)));
    made.finalize("attention forward");
    return kept(std::move(made));
  }
  const descriptor& backward_operation() {
    descriptor made(CUDNN_BACKEND_OPERATION_SDPA_BWD_DESCRIPTOR);
    made.link(CUDNN_ATTR_OPERATION_SDPA_BWD_QDESC, kept(tensor(query, queries(shape_.key_dim), type())));
    made.link(CUDNN_ATTR_OPERATION_SDPA_BWD_KDESC, kept(tensor(key, keys(shape_.key_dim), type())));
    made.link(CUDNN_ATTR_OPERATION_SDPA_BWD_VDESC, kept(tensor(value, keys(shape_.value_dim), type())));
    made.link(CUDNN_ATTR_OPERATION_SDPA_BWD_ODESC, kept(tensor(output, queries(shape_.value_dim), type())));
    made.link(CUDNN_ATTR_OPERATION_SDPA_BWD_STATSDESC, kept(tensor(statistics, queries(1), CUDNN_DATA_FLOAT)));
    made.link(CUDNN_ATTR_OPERATION_SDPA_BWD_SCALEDESC, kept(tensor(scale, {1, 1, 1, 1}, CUDNN_DATA_FLOAT, true)));
    made.link(CUDNN_ATTR_OPERATION_SDPA_BWD_DODDESC, kept(tensor(gradient, queries(shape_.value_dim), type())));
    made.link(CUDNN_ATTR_OPERATION_SDPA_BWD_DQDESC, kept(tensor(d_query, queries(shape_.key_dim), type())));
    made.link(CUDNN_ATTR_OPERATION_SDPA_BWD_DKDESC, kept(tensor(d_key, keys(shape_.key_dim), type())));
    made.link(CUDNN_ATTR_OPERATION_SDPA_BWD_DVDESC, kept(tensor(d_value, keys(shape_.value_dim), type())));
    made.finalize("attention backward");
    return kept(std::move(made));
  }

  void add_results(set& to) const {
    if (!shape_.backward) return;
    const std::size_t size = harness::size_of(shape_.format);
    to.tensors.emplace_back(d_query, room(queries(shape_.key_dim), size));
    to.tensors.emplace_back(d_key, room(keys(shape_.key_dim), size));
    to.tensors.emplace_back(d_value, room(keys(shape_.value_dim), size));
  }
  descriptor pack(const set& of) {
    std::vector<std::int64_t> ids{scale};
    std::vector<void*> addresses{&scale_};
    for (const auto& [id, memory] : of.tensors) {
      ids.push_back(id);
      addresses.push_back(memory.data());
    }
    descriptor made(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
    made.set(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_TYPE_INT64, std::span<const std::int64_t>(ids));
    made.set(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, std::span<void* const>(addresses));
    made.set(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, workspace_.data());
    made.finalize("the addresses");
    return made;
  }
  void keep(set made) {
    made.pack = std::make_unique<descriptor>(pack(made));
    sets_.push_back(std::move(made));
  }
  void run(const set& on) const { (backward_ ? *backward_ : *forward_).run(*on.pack); }

  resources use_;
  attention_shape shape_;
  float scale_;
  std::deque<descriptor> kept_;
  std::unique_ptr<planned> forward_, backward_;
  held_memory workspace_;
  std::vector<set> sets_;
  std::size_t next_ = 0;
};

}  // namespace

std::unique_ptr<kernel> make_fused_attention(const attention_shape& shape, std::uint64_t seed, double footprint,
                                             resources use, std::string& why_not) {
  const char* const wanted = std::getenv(attention_variable);
  if (wanted != nullptr && std::string_view(wanted) == "products") {
    why_not = std::string(attention_variable) + " says so";
    return nullptr;
  }
  if (shape.causal || (shape.format != number_kind::bf16 && shape.format != number_kind::fp16)) {
    why_not = "it is causal, or not in 16 bits";
    return nullptr;
  }
  std::unique_ptr<fused_kernel> made;
  try {
    made = std::make_unique<fused_kernel>(shape, use);
  } catch (const error& e) {  // of the plans alone: nothing has run
    why_not = e.what();
    return nullptr;
  }
  made->prepare(seed, footprint);
  return made;
}

#else

std::unique_ptr<kernel> make_fused_attention(const attention_shape&, std::uint64_t, double, resources,
                                             std::string& why_not) {
  why_not = "this build's cuDNN has no attention in one operation";
  return nullptr;
}

#endif

}  // namespace harness::cuda
