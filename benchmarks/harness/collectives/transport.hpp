// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// What a communication library is asked for: to have a collective ready, to run it, to show what came.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "exchanges.hpp"

namespace harness {

/// A collective with its arrays, on one rank. Every run sends the same and overwrites what came before.
class exchange {
 public:
  exchange() = default;
  exchange(const exchange&) = delete;
  exchange& operator=(const exchange&) = delete;
  virtual ~exchange() = default;

  /// Starts one run; it may go on after the return.
  virtual void run() = 0;
  /// What this rank received, once all runs are done. NaN where nothing was ever written.
  virtual std::vector<float> received() = 0;
};

class transport {
 public:
  transport() = default;
  transport(const transport&) = delete;
  transport& operator=(const transport&) = delete;
  virtual ~transport() = default;

  virtual std::string name() const = 0;  ///< "mpi", "nccl"
  virtual std::vector<std::pair<std::string, std::string>> provenance() const = 0;
  virtual int rank() const = 0;
  virtual int ranks() const = 0;

  virtual std::unique_ptr<exchange> prepare(const exchange_shape& shape) = 0;
  /// Seconds on this rank of `runs` runs back to back, after a barrier.
  virtual double time(exchange& ready, int runs) = 0;

  /// Over all ranks.
  virtual double greatest(double value) = 0;
  virtual double sum(double value) = 0;
};

}  // namespace harness
