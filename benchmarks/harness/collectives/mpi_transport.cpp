// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#include "mpi_transport.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <limits>

namespace harness {

void check_mpi(int code, const char* call) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw mpi_error(std::string(call) + ": " + std::string(text, static_cast<std::size_t>(length)) + " (" +
                  std::to_string(code) + ")");
}

mpi_world::mpi_world(int& argc, char**& argv) {
  check_mpi(MPI_Init(&argc, &argv), "MPI_Init");
  check_mpi(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  check_mpi(MPI_Comm_rank(MPI_COMM_WORLD, &rank_), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(MPI_COMM_WORLD, &ranks_), "MPI_Comm_size");
  MPI_Comm here = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &here),
            "MPI_Comm_split_type");
  check_mpi(MPI_Comm_rank(here, &local_rank_), "MPI_Comm_rank");
  check_mpi(MPI_Comm_free(&here), "MPI_Comm_free");
}

mpi_world::~mpi_world() {
  if (std::uncaught_exceptions() > 0) stop_all(EXIT_FAILURE);
  MPI_Finalize();
}

void mpi_world::stop_all(int status) {
  MPI_Abort(MPI_COMM_WORLD, status);
  std::abort();  // MPI_Abort comes back from nowhere
}

void mpi_world::barrier() const { check_mpi(MPI_Barrier(MPI_COMM_WORLD), "MPI_Barrier"); }

double mpi_world::greatest(double value) const {
  double found = 0;
  check_mpi(MPI_Allreduce(&value, &found, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD), "MPI_Allreduce");
  return found;
}

double mpi_world::sum(double value) const {
  double found = 0;
  check_mpi(MPI_Allreduce(&value, &found, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD), "MPI_Allreduce");
  return found;
}

void mpi_world::share(std::span<std::byte> with_all) const {
  check_mpi(MPI_Bcast(with_all.data(), static_cast<int>(with_all.size()), MPI_BYTE, 0, MPI_COMM_WORLD), "MPI_Bcast");
}

std::vector<std::string> mpi_world::hosts() const {
  char mine[MPI_MAX_PROCESSOR_NAME] = "";
  int length = 0;
  check_mpi(MPI_Get_processor_name(mine, &length), "MPI_Get_processor_name");
  std::vector<char> all(static_cast<std::size_t>(ranks_) * sizeof mine);
  check_mpi(MPI_Allgather(mine, sizeof mine, MPI_CHAR, all.data(), sizeof mine, MPI_CHAR, MPI_COMM_WORLD),
            "MPI_Allgather");
  std::vector<std::string> names;
  for (std::size_t at = 0; at < all.size(); at += sizeof mine) {
    std::string name(all.data() + at);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
  return names;
}

std::string mpi_world::library() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  check_mpi(MPI_Get_library_version(text, &length), "MPI_Get_library_version");
  std::string version(text);
  version.erase(std::min(version.find_last_not_of(" \n") + 1, version.size()));
  return version;
}

std::vector<std::pair<std::string, std::string>> mpi_transport::provenance() const {
  std::string hosts;
  for (const std::string& host : world_.hosts()) (hosts += hosts.empty() ? "" : ", ") += host;
  return {{"mpi", mpi_world::library()}, {"hosts", hosts}};
}

namespace {

class mpi_exchange final : public exchange {
 public:
  mpi_exchange(const exchange_shape& shape, int rank)
      : shape_(shape),
        rank_(rank),
        sent_(sent_by(shape, rank)),
        received_(shape.received(), std::numeric_limits<float>::quiet_NaN()) {
    if (shape.full > static_cast<std::size_t>(std::numeric_limits<int>::max()))
      throw std::invalid_argument("size: " + std::to_string(shape.full) + " elements are more than MPI counts");
    if (shape.what == collective::broadcast && rank == 0) received_ = sent_;  // MPI knows one array for both
  }

  void run() override {
    const auto full = static_cast<int>(shape_.full), part = static_cast<int>(shape_.part());
    float* const in = received_.data();
    const float* const out = sent_.data();
    const MPI_Comm all = MPI_COMM_WORLD;
    switch (shape_.what) {
      case collective::all_reduce:
        return check_mpi(MPI_Allreduce(out, in, full, MPI_FLOAT, MPI_SUM, all), "MPI_Allreduce");
      case collective::all_gather:
        return check_mpi(MPI_Allgather(out, part, MPI_FLOAT, in, part, MPI_FLOAT, all), "MPI_Allgather");
      case collective::reduce_scatter:
        return check_mpi(MPI_Reduce_scatter_block(out, in, part, MPI_FLOAT, MPI_SUM, all), "MPI_Reduce_scatter_block");
      case collective::all_to_all:
        return check_mpi(MPI_Alltoall(out, part, MPI_FLOAT, in, part, MPI_FLOAT, all), "MPI_Alltoall");
      case collective::broadcast:
        return check_mpi(MPI_Bcast(in, full, MPI_FLOAT, 0, all), "MPI_Bcast");
      case collective::reduce:
        return check_mpi(MPI_Reduce(out, in, full, MPI_FLOAT, MPI_SUM, 0, all), "MPI_Reduce");
      case collective::send_receive:
        return check_mpi(MPI_Sendrecv(out, full, MPI_FLOAT, (rank_ + 1) % shape_.ranks, 0, in, full, MPI_FLOAT,
                                      (rank_ + shape_.ranks - 1) % shape_.ranks, 0, all, MPI_STATUS_IGNORE),
                         "MPI_Sendrecv");
    }
  }

  std::vector<float> received() override { return received_; }
 private:
  exchange_shape shape_;
  int rank_;
  std::vector<float> sent_, received_;
};

}  // namespace

std::unique_ptr<exchange> mpi_transport::prepare(const exchange_shape& shape) {
  return std::make_unique<mpi_exchange>(shape, rank());
}

double mpi_transport::time(exchange& ready, int runs) {
  world_.barrier();
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < runs; ++i) ready.run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace harness
