// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Collectives of MPI, between arrays of the hosts' memory; and MPI itself, which starts the ranks for others too.

#include <span>
#include <stdexcept>

#include <mpi.h>

#include "transport.hpp"

namespace harness {

struct mpi_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// Throws `mpi_error` with the call's name and what MPI says of the code.
void check_mpi(int code, const char* call);

/// MPI from here to the end of its scope. While an exception is on its way the others are stopped too, for they would
/// wait for this rank for ever.
class mpi_world {
 public:
  mpi_world(int& argc, char**& argv);
  ~mpi_world();
  mpi_world(const mpi_world&) = delete;
  mpi_world& operator=(const mpi_world&) = delete;

  int rank() const { return rank_; }
  int ranks() const { return ranks_; }
  /// Among the ranks of this host.
  int local_rank() const { return local_rank_; }
  void barrier() const;
  double greatest(double value) const;
  double sum(double value) const;
  /// Rank 0's bytes on every rank.
  void share(std::span<std::byte> with_all) const;
  /// The hosts' names, each once, by first rank.
  std::vector<std::string> hosts() const;
  static std::string library();
  /// Ends every rank with this exit status.
  [[noreturn]] static void stop_all(int status);
 private:
  int rank_ = 0, ranks_ = 1, local_rank_ = 0;
};

class mpi_transport final : public transport {
 public:
  explicit mpi_transport(const mpi_world& world) : world_(world) {}
  std::string name() const override { return "mpi"; }
  std::vector<std::pair<std::string, std::string>> provenance() const override;
  int rank() const override { return world_.rank(); }
  int ranks() const override { return world_.ranks(); }
  std::unique_ptr<exchange> prepare(const exchange_shape& shape) override;
  double time(exchange& ready, int runs) override;
  double greatest(double value) override { return world_.greatest(value); }
  double sum(double value) override { return world_.sum(value); }
 private:
  const mpi_world& world_;
};

}  // namespace harness
