// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/precision.hpp>

#include <map>
#include <string>

#include "option_kinds.hpp"
#include "request.hpp"

namespace harness {
namespace {

using flopledger::attention_counting;
using flopledger::recipe;

/// The recipe that a format stands for: everything in it, but for 8-bit products, beside which the rest is in BF16.
std::map<std::string, const recipe*> precisions() {
  namespace recipes = flopledger::recipes;
  return {{"fp32", &recipes::fp32::value},       {"tf32", &recipes::tf32::value}, {"bf16", &recipes::mixed_bf16::value},
          {"fp16", &recipes::mixed_fp16::value}, {"fp8", &recipes::fp8::value},   {"int8", &recipes::w8a8::value}};
}

/// A whole number of any integer type, unsigned ones too.
template <class Value>
void add_whole(CLI::App& app, const std::string& option, Value& target, std::int64_t least, std::int64_t most,
               const std::string& about) {
  app.add_option_function<std::string>(
         option,
         [&target, option, least, most](const std::string& text) {
           const std::int64_t value = program::whole_number(text, least, option);
           if (value > most) throw program::usage_error(option + ": " + text + " is more than " + std::to_string(most));
           target = static_cast<Value>(value);
         },
         about)
      ->type_name("N");
}

void add_device(CLI::App& app, request& asked) {
  app.add_option("--backend", asked.backend_name, "cpu (the default) or cuda")
      ->check(CLI::IsMember({"cpu", "cuda"}))
      ->type_name("NAME");
  add_whole(app, "--threads", asked.device_options.threads, 1, 65536, "of the CPU (default 1)");
  add_choice(app, "--clock", asked.device_options.cpu_time, std::map<std::string, bool>{{"wall", false}, {"cpu", true}},
             "of the CPU: steady_clock (default), or the processor time\nof its one thread, where others use "
             "the machine, too");
  add_whole(app, "--gpu", asked.device_options.device, 0, 65536, "which GPU of several (default 0)");
  app.add_option_function<std::string>(
         "--memory-limit",
         [&asked](const std::string& text) {
           asked.device_options.memory_limit =
               program::real_number(text, 1e-3, 1e6, "--memory-limit") * flopledger::prefix::gibi;
         },
         "what may be allocated (default: 0.9 of what is free)")
      ->type_name("GiB");
}

void add_job(CLI::App& app, request& asked) {
  app.add_option("--model", asked.model, "a name that `flopledger models` lists, or the path of a config.json")
      ->type_name("MODEL");
  add_choice(app, "--pass", asked.training, std::map<std::string, bool>{{"forward", false}, {"training", true}},
             "forward alone (the default), or forward and backward");
  add_choice(app, "--precision", asked.precision, precisions(), "of the products (default fp32)");
  add_number(app, "--batch", asked.batch, 1, "sequences (default 1)");
  add_number(app, "--sequence", asked.sequence, 1,
             "tokens a sequence (default 1024, or the model's context\nwhere that is shorter)");
  add_number(app, "--layers", asked.layers, 1, "the first N layers alone");
  add_choice(app, "--attention", asked.attention,
             std::map<std::string, attention_counting>{{"full", attention_counting::full},
                                                       {"causal", attention_counting::causal}},
             "count and run the whole square (default), or the triangle");
}

void add_sampling(CLI::App& app, request& asked) {
  sampling_rule& rule = asked.how.rule;
  add_choice(app, "--mode", asked.how.mode,
             std::map<std::string, timing_mode>{{"steady", timing_mode::steady}, {"cold", timing_mode::cold}},
             "launches back to back on operands that no cache holds\n(the default), or one by one after a flush");
  add_choice(app, "--statistic", asked.which,
             std::map<std::string, statistic>{{"median", statistic::median}, {"lowest", statistic::lowest}},
             "of the samples (default median; lowest where others\nuse the machine, too)");
  add_whole(app, "--least-samples", rule.least_samples, 1, program::largest_count, "default 10");
  add_real(app, "--least-time", rule.least_time, 0, 3600, "SECONDS", "of all samples together (default 0.1)");
  add_real(app, "--noise", rule.noise, 0, 1, "SHARE",
           "stop when half of the median's 95 % interval is below\nthis share of it (default 0.01)");
  add_real(app, "--most-time", rule.most_time, 0, 3600, "SECONDS",
           "of wall time a kernel, warm-up included; what it ends\nis marked (default 10)");
  add_whole(app, "--seed", asked.how.seed, 0, program::largest_count, "of the operands (default 1)");
}

void add_answers(CLI::App& app, request& asked) {
  app.add_option_function<std::string>(
         "--sweep",
         [&asked](const std::string& file) {
           asked.what = action::sweep;
           asked.sweep_file = file;
         },
         "measure products, attention and streams over sizes, and\nwrite the calibration file")
      ->type_name("FILE");
  add_real(app, "--largest-size", asked.largest_size, 1, 1e6, "N", "of a side of a product in a sweep");
  app.add_flag_callback(
      "--bandwidth", [&asked] { asked.what = action::bandwidth; }, "measure streams over sizes alone");
  app.add_flag_callback(
      "--largest-batch", [&asked] { asked.what = action::largest_batch; },
      "search the largest batch of a training step that the\ndevice takes, beside the predicted one");
  app.add_flag_callback(
      "--collectives", [] {},  // another parser reads these command lines
      "measure collectives of MPI or NCCL, under mpirun; with\n--help, the options that these take");
  app.add_option("--calibration", asked.calibration_file, "predict from this file's curves")->type_name("FILE");
  app.add_option("--device", asked.known_device, "predict with the library's constants for this device")
      ->type_name("DEVICE");
  app.add_option_function<std::string>(
         "--peak",
         [&asked](const std::string& text) { asked.peak = 1e12 * program::real_number(text, 1e-6, 1e9, "--peak"); },
         "that utilisation is of, where the back end knows none")
      ->type_name("TFLOP/s");
  app.add_option("--json", asked.json_file, "every sample, with where it is from")->type_name("FILE");
  app.add_option("--svg", asked.svg_file, "a roofline with the measured operations of a job")->type_name("FILE");
  app.add_flag("--quiet", asked.quiet, "no progress on standard error");
}

}  // namespace

void add_options(CLI::App& app, request& asked) {
  add_job(app, asked);
  add_device(app, asked);
  add_answers(app, asked);
  add_sampling(app, asked);
  app.get_option("--sweep")->excludes("--bandwidth")->excludes("--largest-batch");
  app.get_option("--bandwidth")->excludes("--largest-batch");
  app.get_option("--calibration")->excludes("--device");
}

}  // namespace harness
