// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// A ledger's rows as kernels to run: each row's product in the shape that the ledger has, forward and backward, beside
/// what the library says of it: multiply-adds, bytes, floor, predicted time. No cost is written down here a second
/// time.
///
/// - A product: forward m×k by k×n; backward m×n by n×k for the gradient of its input and n×m by m×k for that of its
///   weights, in the layouts of frameworks (weights stored [out, in]).
/// - Scores, softmax and context of attention: one attention kernel, forward and backward.
/// - Everything else: a stream that moves the bytes that the time model says the row moves. What the model lets a
///   product move beside its operands (casts to narrow formats, experts' tokens on their way, gradients added up) is a
///   stream, too.

#include <flopledger/models/transformer.hpp>
#include <flopledger/time/row.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backend.hpp"

namespace harness {

/// What is run of a model.
struct job {
  flopledger::work pass{};  ///< `training` says whether the backward pass is run, too
  flopledger::recipe precision{};
  std::int64_t layers = 0;  ///< the first so many blocks alone; 0: all
};

/// A kernel of a line.
struct part {
  std::string_view what;  ///< "product", "input gradient", "weight gradient", "attention", "bytes", "bytes beside"
  kernel_shape shape;
  double macs = 0;  ///< that it executes: those of a product's or an attention's whole shape, half of a causal square
};

/// One operation in one direction: a line of the report.
struct line {
  std::string name;
  flopledger::operation kind = flopledger::operation::custom;
  number_kind format = number_kind::custom;  ///< of its products, or of the elements that it moves
  bool backward = false;
  double times = 1;                 ///< in the whole pass
  double times_in_layer = 0;        ///< in the layer that is run as a sequence
  double macs = 0;                  ///< of one instance, as the ledger counts
  double bytes = 0;                 ///< of one instance
  double floor = 0, predicted = 0;  ///< seconds of one instance
  std::vector<part> parts{};
  std::vector<flopledger::row> rows{};  ///< that it is made of
  std::string note{};                   ///< in what the kernels differ from the row
};

struct execution_plan {
  std::vector<line> lines;
  std::int64_t layers = 0;          ///< of the model that are counted
  std::int64_t layers_of_kind = 0;  ///< that are as the one that is run as a sequence
};

/// The machines that predicted times and floors are of.
struct machines {
  flopledger::machine predicting{}, floor{};
};

/// The rows of a job as lines. Throws `std::invalid_argument` for a model without blocks or fewer than `layers`.
execution_plan plan_of(const flopledger::transformer_config& model, const job& asked, const machines& on);

/// Multiply-adds of a list of lines, by the ledger: what the folds over the model say, too.
double ledger_macs(std::span<const line> lines);

/// The formats that a recipe's products run in: those inside the blocks, and attention, head and router.
number_kind product_format(const flopledger::recipe& precision);
number_kind plain_format(const flopledger::recipe& precision);

}  // namespace harness
