// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// mfu_harness: the rows of a model's ledger, run and timed on this machine (docs/harness.md).

#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

#include "collectives/command.hpp"
#include "program.hpp"
#include "request.hpp"

namespace {

using namespace harness;

constexpr int skipped = 77;  // what CTest and Automake take for "not here"

int complain(std::string_view problem, int status) {
  std::string line = "mfu_harness: ";
  for (const char c : problem) line += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  std::fprintf(stderr, "%s\n", line.c_str());
  return status;
}

void write(const std::string& path, const std::string& content) {
  std::ofstream file(path, std::ios::binary);
  file << content;
  file.close();
  if (!file) throw program::failure(path + ": cannot be written");
}

std::unique_ptr<backend> make_backend(const request& asked) {
  return asked.backend_name == "cuda" ? make_cuda_backend(asked.device_options)
                                      : make_cpu_backend(asked.device_options);
}

int run(int argc, char** argv) {
  if (std::any_of(argv + 1, argv + argc, [](std::string_view word) { return word == "--collectives"; }))
    return run_collectives(argc, argv);
  CLI::App app(
      "Runs the matrix products and attention of a model's ledger on this machine, and puts the measured time\n"
      "beside the floor and the predicted one.");
  app.name("mfu_harness");
  request asked;
  asked.command.assign(argv, argv + argc);
  add_options(app, asked);
  app.footer(
      "Exit status: 0; 2 for what cannot be asked so; 1 for what failed; 77 where the back end or its device is\n"
      "missing. docs/harness.md tells how it measures, and what stands in the files.");
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    std::fputs(app.help().c_str(), stdout);
    return 0;
  } catch (const CLI::ParseError& problem) {
    return complain(problem.what(), 2);
  }
  if (asked.device_options.cpu_time && asked.device_options.threads > 1)
    throw program::usage_error("--clock cpu: the processor time of one thread, and --threads asks for more");
  const std::unique_ptr<backend> on = make_backend(asked);
  const answer made = answer_of(asked, *on, [&](const std::string& now) {
    if (!asked.quiet) std::fprintf(stderr, "%s\n", now.c_str());
  });
  if (asked.what == action::sweep) write(asked.sweep_file, made.document.at("calibration").dump(1) + '\n');
  if (!asked.json_file.empty()) write(asked.json_file, made.document.dump(1) + '\n');
  if (!asked.svg_file.empty() && !made.svg.empty()) write(asked.svg_file, made.svg);
  std::fputs(made.text.c_str(), stdout);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const unavailable& problem) {
    return complain(std::string("skipped: ") + problem.what(), skipped);
  } catch (const program::usage_error& problem) {
    return complain(problem.what(), 2);
  } catch (const flopledger::bad_calibration& problem) {
    return complain(problem.what(), 2);
  } catch (const out_of_memory& problem) {
    return complain(std::string("out of memory: ") + problem.what(), 1);
  } catch (const std::exception& problem) {
    return complain(problem.what(), 1);
  }
}
