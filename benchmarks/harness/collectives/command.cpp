// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include "command.hpp"

#include <cstdlib>
#include <fstream>
#include <iostream>

#include <CLI/CLI.hpp>

#include "backend.hpp"
#include "measured.hpp"
#include "mpi_transport.hpp"
#include "nccl_transport.hpp"
#include "verification.hpp"

namespace harness {
namespace {

struct options {
  std::string transport_name = "mpi";
  std::vector<std::string> collectives;
  double least = 4096, greatest = 16777216, factor = 4;
  sampling_rule rule{.noise = 0.02, .most_warm_up = 0.5, .most_time = 2};
  std::string json_file;
};

void declare(CLI::App& app, options& given) {
  app.add_flag("--collectives")->required();
  app.add_option("--transport", given.transport_name, "mpi: between the hosts' memories; nccl: between devices'")
      ->check(CLI::IsMember({"mpi", "nccl"}))
      ->capture_default_str();
  app.add_option("--collective", given.collectives, "one or more, by name; without it, all");
  const CLI::AsSizeValue as_size(true);
  const auto size = [&](const char* name, double& into, const char* what) {
    app.add_option_function<std::string>(
           name,
           [&into, as_size](std::string text) {
             as_size(text);
             into = std::stod(text);
           },
           what)
        ->type_name("BYTES");
  };
  size("--least", given.least, "least size: 4KiB, where size is nccl-tests' S");
  size("--greatest", given.greatest, "greatest size: 16MiB");
  app.add_option("--factor", given.factor, "from one size to the next")->capture_default_str();
  app.add_option("--least-samples", given.rule.least_samples)->capture_default_str();
  app.add_option("--least-time", given.rule.least_time, "seconds of all samples of a size")->capture_default_str();
  app.add_option("--noise", given.rule.noise, "half the median's 95 % interval, over the median, to stop at")
      ->capture_default_str();
  app.add_option("--most-time", given.rule.most_time, "seconds of wall time a size")->capture_default_str();
  app.add_option("--json", given.json_file, "writes everything, every sample among it, to this file");
}

std::vector<exchange_shape> shapes_of(const options& given, int ranks) {
  std::vector<collective> wanted;
  for (const std::string& name : given.collectives) wanted.push_back(collective_named(name));
  if (wanted.empty()) wanted.assign(std::begin(all_collectives), std::end(all_collectives));
  std::vector<exchange_shape> shapes;
  for (const collective what : wanted)
    for (const double bytes_of : sizes_between(given.least, given.greatest, given.factor))
      shapes.push_back(shape_of(what, ranks, bytes_of));
  return shapes;
}

int run(const options& given, const mpi_world& world, const std::string& command) {
  const bool tells = world.rank() == 0;
  std::vector<exchange_shape> shapes;
  try {
    shapes = shapes_of(given, world.ranks());
  } catch (const std::invalid_argument& e) {
    if (tells) std::cerr << "mfu_harness: " << e.what() << '\n';
    return 2;
  }
  std::unique_ptr<transport> by;
  try {
    by = given.transport_name == "nccl" ? make_nccl_transport(world) : std::make_unique<mpi_transport>(world);
  } catch (const unavailable& e) {
    if (tells) std::cerr << "mfu_harness: skipped: " << e.what() << '\n';
    return 77;
  }
  collectives_record record{.provenance = by->provenance(),
                            .transport_name = by->name(),
                            .ranks = world.ranks(),
                            .measurements = {},
                            .fits = {},
                            .link = {}};
  record.provenance.emplace_back("command", command);
  record.provenance.emplace_back("compiler", __VERSION__);
#ifdef HARNESS_REVISION
  record.provenance.emplace_back("source_revision_when_configured", HARNESS_REVISION);
#endif
#ifdef HARNESS_FLAGS
  record.provenance.emplace_back("compiler_flags", HARNESS_FLAGS);
#endif
  const auto load = [] {
    double average = 0;
    return getloadavg(&average, 1) == 1 ? std::to_string(average) : "unknown";
  };
  // Ranks of a host wait busily: whatever else runs there shows in the times.
  record.provenance.emplace_back("load_before", load());
  try {
    for (const exchange_shape& shape : shapes) record.measurements.push_back(measured(*by, shape, given.rule));
  } catch (const wrong_result& e) {  // thrown on all ranks alike
    std::cerr << "mfu_harness: " << e.what() << '\n';
    return 1;
  }
  if (!tells) return 0;
  record.provenance.emplace_back("load_after", load());
  fit(record);
  std::cout << text_of(record);
  if (!given.json_file.empty()) {
    std::ofstream file(given.json_file);
    file << json_of(record).dump(1) << '\n';
    if (!file.flush()) throw std::runtime_error("cannot write " + given.json_file);
  }
  return 0;
}

}  // namespace

int run_collectives(int argc, char** argv) {
  options given;
  CLI::App app("Collectives of MPI or NCCL: checked, timed, beside the library's model. Run it under mpirun.");
  app.name("mfu_harness");
  declare(app, given);
  std::string command;
  for (int i = 0; i < argc; ++i) (command += i > 0 ? " " : "") += argv[i];
  const char* const rank = std::getenv("OMPI_COMM_WORLD_RANK");
  const bool tells = rank == nullptr || std::string_view(rank) == "0";
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    if (tells) std::cout << app.help();
    return 0;
  } catch (const CLI::ParseError& e) {
    if (tells) std::cerr << "mfu_harness: " << e.what() << '\n';
    return 2;
  }
  const mpi_world world(argc, argv);
  try {
    return run(given, world, command);
  } catch (const std::exception& e) {
    std::cerr << "mfu_harness: rank " << world.rank() << ": " << e.what() << std::endl;
  }
  mpi_world::stop_all(1);
}

}  // namespace harness
