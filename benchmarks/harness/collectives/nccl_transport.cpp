// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#include "nccl_transport.hpp"

#include <cstring>
#include <limits>
#include <optional>

#include <nccl.h>

#include "cuda/runtime.hpp"

namespace harness {
namespace {

void check_nccl(ncclResult_t code, const char* call) {
  if (code == ncclSuccess) return;
  throw cuda::error(std::string(call) + ": " + ncclGetErrorString(code) + " (" + std::to_string(code) + ")");
}

class communicator {
 public:
  explicit communicator(const mpi_world& world) {
    ncclUniqueId id{};
    if (world.rank() == 0) check_nccl(ncclGetUniqueId(&id), "ncclGetUniqueId");
    world.share(std::as_writable_bytes(std::span(&id, 1)));
    check_nccl(ncclCommInitRank(&handle_, world.ranks(), id, world.rank()), "ncclCommInitRank");
  }
  ~communicator() {
    // Destroying waits for the others, who may never come where an exception is on its way.
    if (std::uncaught_exceptions() > 0)
      ncclCommAbort(handle_);
    else
      ncclCommDestroy(handle_);
  }
  communicator(const communicator&) = delete;
  communicator& operator=(const communicator&) = delete;
  ncclComm_t get() const { return handle_; }
  void check_what_runs() const {
    ncclResult_t code = ncclSuccess;
    check_nccl(ncclCommGetAsyncError(handle_, &code), "ncclCommGetAsyncError");
    check_nccl(code, "an operation under way");
  }
 private:
  ncclComm_t handle_ = nullptr;
};

class nccl_exchange final : public exchange {
 public:
  nccl_exchange(const exchange_shape& shape, int rank, const communicator& among, const cuda::stream& on)
      : shape_(shape),
        rank_(rank),
        among_(among),
        on_(on),
        sent_(shape.sent() * sizeof(float)),
        received_(shape.received() * sizeof(float)) {
    const std::vector<float> values = sent_by(shape, rank);
    const std::vector<float> none(shape.received(), std::numeric_limits<float>::quiet_NaN());
    copy(sent_.data(), values.data(), sent_.size(), cudaMemcpyHostToDevice);
    copy(received_.data(), none.data(), received_.size(), cudaMemcpyHostToDevice);
  }

  void run() override {
    const std::size_t full = shape_.full, part = shape_.part();
    const void* const out = sent_.data();
    void* const in = received_.data();
    switch (shape_.what) {
      case collective::all_reduce:
        return check_nccl(ncclAllReduce(out, in, full, ncclFloat, ncclSum, among_.get(), on_.get()), "ncclAllReduce");
      case collective::all_gather:
        return check_nccl(ncclAllGather(out, in, part, ncclFloat, among_.get(), on_.get()), "ncclAllGather");
      case collective::reduce_scatter:
        return check_nccl(ncclReduceScatter(out, in, part, ncclFloat, ncclSum, among_.get(), on_.get()),
                          "ncclReduceScatter");
      case collective::all_to_all:
        check_nccl(ncclGroupStart(), "ncclGroupStart");
        for (int peer = 0; peer < shape_.ranks; ++peer) {
          const std::size_t offset = static_cast<std::size_t>(peer) * part;
          send_to(peer, static_cast<const float*>(out) + offset, part);
          receive_from(peer, static_cast<float*>(in) + offset, part);
        }
        return check_nccl(ncclGroupEnd(), "ncclGroupEnd");
      case collective::broadcast:
        return check_nccl(ncclBroadcast(out, in, full, ncclFloat, 0, among_.get(), on_.get()), "ncclBroadcast");
      case collective::reduce:
        return check_nccl(ncclReduce(out, in, full, ncclFloat, ncclSum, 0, among_.get(), on_.get()), "ncclReduce");
      case collective::send_receive:
        check_nccl(ncclGroupStart(), "ncclGroupStart");
        send_to((rank_ + 1) % shape_.ranks, out, full);
        receive_from((rank_ + shape_.ranks - 1) % shape_.ranks, in, full);
        return check_nccl(ncclGroupEnd(), "ncclGroupEnd");
    }
  }

  std::vector<float> received() override {
    on_.wait();
    std::vector<float> values(shape_.received());
    copy(values.data(), received_.data(), received_.size(), cudaMemcpyDeviceToHost);
    return values;
  }
 private:
  void copy(void* to, const void* from, std::size_t size, cudaMemcpyKind direction) const {
    cuda::check(cudaMemcpyAsync(to, from, size, direction, on_.get()), "cudaMemcpyAsync");
    on_.wait();
  }
  void send_to(int peer, const void* from, std::size_t count) const {
    check_nccl(ncclSend(from, count, ncclFloat, peer, among_.get(), on_.get()), "ncclSend");
  }
  void receive_from(int peer, void* into, std::size_t count) const {
    check_nccl(ncclRecv(into, count, ncclFloat, peer, among_.get(), on_.get()), "ncclRecv");
  }

  exchange_shape shape_;
  int rank_;
  const communicator& among_;
  const cuda::stream& on_;
  cuda::device_memory sent_, received_;
};

class nccl_transport final : public transport {
 public:
  explicit nccl_transport(const mpi_world& world) : world_(world), among_(world) {}

  std::string name() const override { return "nccl"; }
  std::vector<std::pair<std::string, std::string>> provenance() const override {
    int nccl = 0, driver = 0, runtime = 0, device = 0;
    check_nccl(ncclGetVersion(&nccl), "ncclGetVersion");
    cuda::check(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
    cuda::check(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
    cuda::check(cudaGetDevice(&device), "cudaGetDevice");
    cudaDeviceProp properties{};
    cuda::check(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
    std::string hosts;
    for (const std::string& host : world_.hosts()) (hosts += hosts.empty() ? "" : ", ") += host;
    return {{"nccl", std::to_string(nccl)}, {"driver", std::to_string(driver)}, {"runtime", std::to_string(runtime)},
            {"device", properties.name},    {"mpi", mpi_world::library()},      {"hosts", hosts}};
  }
  int rank() const override { return world_.rank(); }
  int ranks() const override { return world_.ranks(); }

  std::unique_ptr<exchange> prepare(const exchange_shape& shape) override {
    return std::make_unique<nccl_exchange>(shape, rank(), among_, on_);
  }
  double time(exchange& ready, int runs) override {
    on_.wait();
    world_.barrier();
    begin_.record(on_);
    for (int i = 0; i < runs; ++i) ready.run();
    end_.record(on_);
    end_.wait();
    among_.check_what_runs();
    return between(begin_, end_);
  }
  double greatest(double value) override { return world_.greatest(value); }
  double sum(double value) override { return world_.sum(value); }
 private:
  const mpi_world& world_;
  communicator among_;
  cuda::stream on_;
  cuda::event begin_, end_;
};

}  // namespace

std::unique_ptr<transport> make_nccl_transport(const mpi_world& world) {
  // Every rank must come to the same answer, or some would wait for others who have left.
  std::optional<std::string> reason;
  try {
    cuda::use_device(world.local_rank());
  } catch (const unavailable& e) {
    reason = e.what();
  }
  if (world.sum(reason ? 1 : 0) > 0) throw unavailable(reason.value_or("another rank has no CUDA device of its own"));
  return std::make_unique<nccl_transport>(world);
}

}  // namespace harness
