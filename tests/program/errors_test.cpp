// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <algorithm>
#include <string>

#include "catch.hpp"
#include "run_program.hpp"

using program_test::result;
using program_test::run;
using program_test::scratch_folder;
using program_test::shell;

namespace {

/// One line on standard error that says `about`, nothing on standard output.
void check_refused(const result& ran, int status, const std::string& about) {
  CHECK(ran.status == status);
  CHECK(ran.out.empty());
  CHECK(std::count(ran.err.begin(), ran.err.end(), '\n') == 1);
  INFO(ran.err);
  CHECK(ran.err.find(about) != std::string::npos);
}

}  // namespace

TEST_CASE("what cannot be asked ends with 2, one line and no output") {
  const auto refused = [](const std::string& arguments, const std::string& about) {
    INFO(arguments);
    check_refused(run(arguments), 2, about);
  };
  refused("",
          "report, count, plan, fit, compare, sweep, mfu, explain, scale, sensitivity, reconcile, product, attention, "
          "stream, "
          "collective, check, "
          "models, "
          "devices");
  refused("",
          "report, count, plan, fit, compare, sweep, mfu, explain, scale, sensitivity, reconcile, product, attention, "
          "stream, "
          "collective, check, "
          "models, "
          "devices");
  refused("",
          "report, count, plan, fit, compare, sweep, mfu, explain, scale, sensitivity, reconcile, product, attention, "
          "stream, "
          "collective, check, "
          "models, "
          "devices");
  refused("tally", "tally is no command");
  refused("--frobnicate", "--frobnicate");
  refused("count", "MODEL is required");
  refused("count Llama-3.1-8B --frobnicate", "--frobnicate");
  refused("count Llama-3.1-8B Llama-3-8B", "Llama-3-8B");
  refused("count Lama-3.1-8B", "Llama-3.1-8B");
  refused("count ''", "neither a model");
  refused("count no/such/folder", "neither a model");
  refused("count /", "config.json");
  refused("count /dev/zero", "16 MiB");
  refused("report Llama-3.1-8B", "--device is required");
  refused("report --device h100-sxm5-80gb", "MODEL is required");
  refused("report --device h100-sxm5-80gb train", "MODEL is required");
  refused("report Llama-3.1-8B --device abacus", "abacus");
  refused("report Llama-3.1-8B --device h100-sxm5-80gb --recipe fp7", "mixed-bf16");
  refused("report Llama-3.1-8B --device h100-sxm5-80gb --products strict", "--products");
  refused("count Llama-3.1-8B --attention diagonal", "causal|full|half");
  refused("count Llama-3.1-8B --images 1", "reads none");
  refused("count Llama-3.1-8B --source 1", "no encoder");
  refused("count BERT-base-uncased --context 5", "no cache");
}

TEST_CASE("what the parser refuses names the option alone, and how it was given") {
  const std::string llama = "Llama-3.1-8B --device h100-sxm5-80gb ";
  const auto said = [](const std::string& arguments, const std::string& line) {
    INFO(arguments);
    const auto ran = run(arguments);
    CHECK(ran.status == 2);
    CHECK(ran.err == "flopledger: " + line + '\n');
  };
  said("report " + llama + "train --foo 3", "--foo: no such option (see flopledger report train --help)");
  said("report " + llama + "--foo=3", "--foo: no such option (see flopledger report --help)");
  said("count Llama-3.1-8B --sequnce 3",
       "--sequnce: no such option; the closest: --sequence (see flopledger count --help)");
  said("report " + llama + "train --tp 8",
       "--tp: no such option; the closest: --tensor (see flopledger report train --help)");
  said("report " + llama + "train --data 8 --data 4", "--data: is given twice");
  said("report " + llama + "--device a10 --device a30", "--device: is given 3 times");
  said("report " + llama + "train --sequence 5 --sequence 6", "--sequence: is given twice");
  said("report " + llama + "train --data", "--data: needs a value (N)");
}

TEST_CASE("numbers out of range are refused with the range") {
  const std::string job = "report Llama-3.1-8B --device h100-sxm5-80gb ";
  check_refused(run(job + "train --usable 0"), 2, "--usable: 0 is not between 1 and 100\n");
  check_refused(run(job + "serve --usable 101"), 2, "--usable: 101 is not between 1 and 100\n");
  check_refused(run(job + "train --network -3"), 2, "--network: -3 is not between 0.001 and 1000000\n");
  check_refused(run(job + "train --overlap data=200"), 2, "--overlap data: 200 is not between 0 and 100\n");
  check_refused(run("explain Llama-3.1-8B --device h100-sxm5-80gb --step-time 0"), 2,
                "--step-time: 0 is not between 1e-09 and 1000000000\n");
}

TEST_CASE("only what is near is suggested") {
  const auto said = [](const std::string& device) { return run("report Llama-3.1-8B --device " + device).err; };
  CHECK(said("foo") == "flopledger: --device: no device is called \"foo\" (see flopledger devices)\n");
  CHECK(said("h100-smx").find("; the closest: h100-sxm5-80gb") != std::string::npos);
  CHECK(said("a").find(" and 36 more (see flopledger devices)") != std::string::npos);
  const std::string many = said("a");
  CHECK(std::count(many.begin(), many.end(), ',') < 10);
  const std::string step = "mfu Llama-3.1-8B --device a30 --sequence 8 --step-time 1 --precision bf16 --convention ";
  CHECK(run(step + "mfu").err == "flopledger: --convention: \"mfu\" is none that `flopledger conventions` lists\n");
  CHECK(run(step + "plam").err.find("; the closest: palm") != std::string::npos);
}

TEST_CASE("an ambiguous device is refused with every device that it may be") {
  const auto ran = run("report Llama-3.1-8B --device h100");
  check_refused(ran, 2, "h100-sxm5-80gb");
  CHECK(ran.err.find("h100-pcie-80gb") != std::string::npos);
  CHECK(ran.err.find("h100-nvl-94gb") != std::string::npos);
}

TEST_CASE("a peak that is not published is an error where nothing is left to answer, and says which recipes have one") {
  check_refused(run("product --device v100-sxm2-32gb --m 8 --n 8 --k 8"), 2, "fp16");
}

TEST_CASE("counts are whole numbers from one to a thousand million") {
  for (const std::string number : {"0", "-1", "1.5", "1e-3", "0x10", "''", "' 1'", "1K", "1.0001k", "2G", "1000000001",
                                   "99999999999999999999999", "1e999", "nan", "inf"}) {
    for (const std::string option : {"--batch", "--sequence", "--devices"}) {
      INFO(option << ' ' << number);
      check_refused(run("report Llama-3.1-8B --device h100-sxm5-80gb " + option + "=" + number), 2, option);
      check_refused(run("report Llama-3.1-8B --device h100-sxm5-80gb " + option + " " + number), 2, option);
    }
  }
  CHECK(run("count Llama-3.1-8B --context 0").status == 0);
  CHECK(run("count Llama-3.1-8B --batch 1000000000 --sequence 1000000000").status == 0);
}

TEST_CASE("a config.json that is wrong is refused with its name and what is wrong") {
  const scratch_folder scratch;
  const std::string half = scratch.file("half.json", "{\n  \"model_type\": \"llama\",\n");
  check_refused(run("count '" + half + "'"), 2, "half.json");
  const std::string missing = scratch.file("missing.json", R"({"model_type": "llama", "hidden_size": 64})");
  check_refused(run("count '" + missing + "'"), 2, "missing.json");
  const std::string lines = scratch.file("two\nlines.json", "[]");
  check_refused(run("count '" + lines + "'"), 2, "two lines.json");
}

TEST_CASE("a file that is not there is a failure: 1") {
  check_refused(run("count no/such/config.json"), 1, "no/such/config.json: cannot be opened");
  check_refused(run("report nowhere.json --device h100-sxm5-80gb serve"), 1, "nowhere.json: cannot be opened");
}

TEST_CASE("a file that is there but cannot be read is a failure: 1") {
  if (geteuid() == 0) return;  // nothing is closed to root
  const scratch_folder scratch;
  const std::string path = scratch.file("config.json", "{}");
  std::filesystem::permissions(path, std::filesystem::perms::none);
  check_refused(run("count '" + path + "'"), 1, "config.json");
}

TEST_CASE("output that cannot be written is a failure, output that nobody wants to read is none") {
  const auto full = shell("flopledger devices >/dev/full");
  CHECK(full.status == 1);
  CHECK(full.err.find("standard output") != std::string::npos);
  const auto closed = shell("{ flopledger devices --json; echo $? >&2; } | :");
  CHECK(closed.err == "0\n");
}

TEST_CASE("numbers do not follow the locale") {
  const std::string line = "flopledger report Llama-3.1-8B --device h100-sxm5-80gb";
  CHECK(shell("export LC_ALL=de_DE.UTF-8; " + line).out == shell("export LC_ALL=C; " + line).out);
}

TEST_CASE("the options --help and --version answer on standard output") {
  for (const std::string command :
       {"", "report ", "report train ", "report serve ", "count ", "mfu ", "explain ", "product ", "attention ",
        "stream ", "collective ", "models ", "devices ", "conventions ", "batch ", "schema "}) {
    INFO(command);
    const auto ran = run(command + "--help");
    CHECK(ran.status == 0);
    CHECK(ran.err.empty());
    INFO(ran.out);
    CHECK(ran.out.find("Usage: flopledger " + command) != std::string::npos);
  }
  const auto version = run("--version");
  CHECK(version.status == 0);
  CHECK(version.out.rfind("flopledger ", 0) == 0);
}
