// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

/// `flopledger batch`: one request a line, one answer a line.

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "catch.hpp"
#include "run_program.hpp"

using nlohmann::ordered_json;
using program_test::content_of;
using program_test::result;
using program_test::run;
using program_test::scratch_folder;
using program_test::shell;

namespace {

struct batch_result {
  result ran;
  std::vector<ordered_json> answers;
};

batch_result batch(const std::string& requests) {
  const scratch_folder scratch;
  batch_result found{shell("flopledger batch <'" + scratch.file("requests", requests) + "'"), {}};
  std::istringstream lines(found.ran.out);
  for (std::string line; std::getline(lines, line);) found.answers.push_back(ordered_json::parse(line));
  return found;
}

ordered_json answered(const std::string& request) {
  const batch_result found = batch(request + '\n');
  REQUIRE(found.answers.size() == 1);
  return found.answers[0];
}

/// A request and what is typed for the same.
struct pair_of {
  std::string request, arguments;
};

const std::vector<pair_of>& samples() {
  static const std::vector<pair_of> all{
      {R"({"command": "report", "model": "Llama-3.1-8B", "device": "h100-sxm5-80gb", "context": 2048, "batch": 8})",
       "report Llama-3.1-8B --device h100-sxm5-80gb --context 2048 --batch 8"},
      {R"({"command": "report", "job": "train", "model": "Llama-3.1-70B", "device": "h100-sxm5-80gb", "devices": 128,)"
       R"( "sequence": 8192, "global_batch": 128, "data": 4, "tensor": 8, "pipeline": 4, "zero": 1,)"
       R"( "recompute": "selective", "overlap": {"data": 80, "tensor": 10.5}})",
       "report Llama-3.1-70B --device h100-sxm5-80gb --devices 128 train --sequence 8192 --global-batch 128 --data 4 "
       "--tensor 8 --pipeline 4 --zero 1 --recompute selective --overlap data=80,tensor=10.5"},
      {R"({"command": "report", "job": "train", "model": "Llama-3.1-70B", "device": "h100-sxm5-80gb", "tensor": 8,)"
       R"( "no_sequence_parallel": true, "eager": false, "offload": ["optimizer", "weights"], "images": null})",
       "report Llama-3.1-70B --device h100-sxm5-80gb train --tensor 8 --no-sequence-parallel --offload "
       "optimizer,weights"},
      {R"({"command": "report", "job": "serve", "model": "Llama-3.1-8B", "device": "h100-sxm5-80gb", "prompt": "2Ki",)"
       R"( "output": 256, "concurrency": 32, "kv_cache": "fp8"})",
       "report Llama-3.1-8B --device h100-sxm5-80gb serve --prompt 2048 --output 256 --concurrency 32 --kv-cache fp8"},
      {R"({"command": "count", "model": "Llama-3.1-8B", "sequence": 8192})", "count Llama-3.1-8B --sequence 8192"},
      {R"({"command": "count", "model": "GPT-2 small", "sequence": 1024, "convention": "thop", "against": "full"})",
       "count 'GPT-2 small' --sequence 1024 --convention thop --against full"},
      {R"({"command": "mfu", "model": "Llama-3.1-8B", "device": "h100-sxm5-80gb", "devices": 8, "global_batch": 64,)"
       R"( "sequence": 8192, "step_time": 8.0, "precision": "bf16"})",
       "mfu Llama-3.1-8B --device h100-sxm5-80gb --devices 8 --global-batch 64 --sequence 8192 --step-time 8 "
       "--precision bf16"},
      {R"({"command": "explain", "model": "Llama-3.1-8B", "device": "h100-sxm5-80gb", "sequence": 8192,)"
       R"( "global_batch": 64, "data": 8, "zero": 3, "framework": "pytorch_fsdp", "recompute": "full",)"
       R"( "step_time": 9})",
       "explain Llama-3.1-8B --device h100-sxm5-80gb --sequence 8192 --global-batch 64 --data 8 --zero 3 --framework "
       "pytorch_fsdp --recompute full --step-time 9.0"},
      {R"({"command": "plan", "job": "train", "model": "Llama-3.1-8B", "device": "h100-sxm5-80gb", "devices": [8, 16],)"
       R"( "global_batch": 64, "sequence": 4096, "tensor": "1..4", "zero": [0, 1], "front": "cost", "price": 2.5})",
       "plan train Llama-3.1-8B --device h100-sxm5-80gb --devices 8,16 --global-batch 64 --sequence 4096 --tensor 1..4 "
       "--zero 0,1 --front cost --price 2.5"},
      {R"({"command": "plan", "job": "serve", "model": "Llama-3.1-8B", "device": "h100-sxm5-80gb", "rate": 10,)"
       R"( "prompt": "uniform:500..1500", "output": 50, "ttft": "500ms", "tpot": "40ms", "requests": 200,)"
       R"( "tensor": [1, 2], "pipeline": 1, "sequences": 256, "chunk": 8192})",
       "plan serve Llama-3.1-8B --device h100-sxm5-80gb --rate 10/s --prompt uniform:500..1500 --output 50 "
       "--ttft 500ms --tpot 40ms --requests 200 --tensor 1,2 --pipeline 1 --sequences 256 --chunk 8192"},
      {R"({"command": "product", "device": "h100-sxm5-80gb", "m": 8192, "n": 8192, "k": 8192})",
       "product --device h100-sxm5-80gb --m 8192 --n 8192 --k 8192"},
      {R"({"command": "attention", "device": "a100-sxm4-80gb", "heads": 32, "head_dim": 128, "sequence": 4096,)"
       R"( "causal": true, "backward": true})",
       "attention --device a100-sxm4-80gb --heads 32 --head-dim 128 --sequence 4096 --causal --backward"},
      {R"({"command": "stream", "device": "h100-sxm5-80gb", "bytes": 1e9})",
       "stream --device h100-sxm5-80gb --bytes 1G"},
      {R"({"command": "collective", "device": "h100-sxm5-80gb", "collective": "all_reduce", "bytes": 1e9, "ranks": 8})",
       "collective --device h100-sxm5-80gb --collective all_reduce --bytes 1e9 --ranks 8"},
      {R"({"command": "check", "model": ")" FLOPLEDGER_TEST_DATA R"(/weights/llama"})",
       "check '" FLOPLEDGER_TEST_DATA "/weights/llama'"},
      {R"({"command": "models", "filter": "mixtral"})", "models mixtral"},
      {R"({"command": "devices", "filter": "H100"})", "devices h100"},
      {R"({"command": "conventions"})", "conventions"},
      {R"({"command": "schema"})", "schema"}};
  return all;
}

}  // namespace

TEST_CASE("the answers of a batch are what --json prints, of every command, in order") {
  std::string requests;
  for (const pair_of& one : samples()) requests += one.request + '\n';
  const batch_result found = batch(requests);
  CHECK(found.ran.status == 0);
  CHECK(found.ran.err.empty());
  REQUIRE(found.answers.size() == samples().size());
  for (std::size_t i = 0; i < samples().size(); ++i) {
    INFO(samples()[i].arguments);
    const auto ran = run(samples()[i].arguments + " --json");
    CHECK(ran.status == 0);
    CHECK(found.answers[i].dump(2) + '\n' == ran.out);
  }
}

TEST_CASE("a profile's files are a list of a request") {
  const scratch_folder scratch;
  const std::string missing = scratch.file("none.json");
  const auto answer = answered(R"({"command": "reconcile", "model": "GPT-2 small", "trace": [")" + missing + R"("]})");
  CHECK(answer["error"]["message"].get<std::string>().find("none.json: cannot be opened") != std::string::npos);
}

TEST_CASE("a refused request is an error on its own line, and the batch goes on") {
  const std::string good = R"({"command": "stream", "device": "h100-sxm5-80gb", "bytes": 1000})";
  struct bad {
    std::string request, message, field;
    ordered_json value;
    std::string arguments;  // what is typed for the same; its line is the message
  };
  const std::string job =
      R"({"command": "report", "job": "train", "model": "Llama-3.1-8B", "device": "a100-sxm4-80gb", )";
  const std::string line = "report Llama-3.1-8B --device a100-sxm4-80gb train ";
  const std::vector<bad> refused{
      {job + R"("micro_batch": 0})", "--micro-batch: 0 is not between 1 and 1000000000", "micro_batch", 0,
       line + "--micro-batch 0"},
      {job + R"("sequence": "long"})", "--sequence: \"long\" is not a whole number", "sequence", "long",
       line + "--sequence long"},
      {job + R"("tp": 8})", "--tp: no such option; the closest: --tensor (see flopledger report train --help)", "tp", 8,
       line + "--tp 8"},
      {job + R"("micro_btch": 8})",
       "--micro-btch: no such option; the closest: --micro-batch (see flopledger report train --help)", "micro_btch", 8,
       line + "--micro-btch 8"},
      {job + R"("zero": 4})", "--zero: \"4\" is none of 0|1|2|3", "zero", 4, line + "--zero 4"},
      {job + R"("tensor": 7})",
       "--tensor: impossible plan: attention heads do not divide by the tensor-parallel degree: 32 by 7", "tensor", 7,
       line + "--tensor 7"},
      {job + R"("eager": 1})", "--eager: \"1\" is neither true nor false", "eager", 1, ""},
      {job + R"("data": true})", "--data: \"true\" is not a whole number", "data", true, ""},
      {job + R"("data": 1, "data": 2})", "--data: is given twice", "data", 1, ""},
      {job + R"("data": [[1]]})", "--data: holds lists in lists", "data", ordered_json::array(), ""},
      {R"({"command": "count"})", "MODEL is required", "model", nullptr, "count"},
      {R"({"command": "count", "model": 5})", "MODEL: 5 is no text", "model", 5, ""},
      {R"({"command": "count", "model": "Lama-3.1-8B"})", "neither a model", "model", "Lama-3.1-8B",
       "count Lama-3.1-8B"},
      {R"({"command": "devices", "filter": "abacus"})", "FILTER: nothing of the list holds \"abacus\"", "filter",
       "abacus", "devices abacus"},
      {R"({"command": "tally"})", "tally is no command", "command", "tally", ""},
      {R"({"command": "count", "job": "train"})", "job: count has none", "job", "train", ""},
      {R"({"command": "report", "job": "play"})", "job: \"play\" is none of report: train or serve", "job", "play", ""},
      {R"({})", "which command?", "command", nullptr, ""},
      {R"([1, 2])", "a request is a JSON object", "", nullptr, ""},
      {R"(7)", "a request is a JSON object", "", nullptr, ""},
      {R"({"command": )", "this is none from byte", "", nullptr, ""},
      {"", "this is none from byte", "", nullptr, ""},
      {"{\"command\": \"\xff\"}", "this is none from byte", "", nullptr, ""}};
  std::string requests;
  for (const bad& one : refused) requests += one.request + '\n' + good + '\n';
  const batch_result found = batch(requests);
  CHECK(found.ran.status == 2);
  REQUIRE(found.answers.size() == 2 * refused.size());
  for (std::size_t i = 0; i < refused.size(); ++i) {
    INFO(refused[i].request);
    const ordered_json& error = found.answers[2 * i]["error"];
    CHECK(error["message"].get<std::string>().find(refused[i].message) != std::string::npos);
    CHECK(error["field"] == (refused[i].field.empty() ? ordered_json(nullptr) : ordered_json(refused[i].field)));
    CHECK(error["value"] == refused[i].value);
    CHECK(found.answers[2 * i + 1]["moved_bytes"] == 1000);
    if (!refused[i].arguments.empty())
      CHECK(run(refused[i].arguments).err == "flopledger: " + error["message"].get<std::string>() + '\n');
  }
}

TEST_CASE("lines without end and nests without bottom are refused, and what follows is answered") {
  const std::string good = R"({"command": "stream", "device": "h100-sxm5-80gb", "bytes": 1000})";
  const std::string deep = R"({"command": )" + std::string(500'000, '[');
  const batch_result found = batch(std::string(3'000'000, 'x') + '\n' + deep + '\n' + good);
  CHECK(found.ran.status == 2);
  REQUIRE(found.answers.size() == 3);
  CHECK(found.answers[0]["error"]["message"] == "a request of more than 1 MiB, so none");
  CHECK(found.answers[1]["error"]["field"] == "command");
  CHECK(found.answers[2]["moved_bytes"] == 1000);
  CHECK(batch("").answers.empty());
  CHECK(batch("").ran.status == 0);
}

TEST_CASE("an answer does not wait for the next request") {
  const scratch_folder scratch;
  const std::string out = scratch.file("answers");
  const std::string one = R"({"command": "stream", "device": "h100-sxm5-80gb", "bytes": 1000})";
  // The second request is written when the first answer has been read, or five seconds later.
  const auto ran =
      shell("{ echo '" + one + "'; for i in $(seq 500); do [ -s '" + out + "' ] && break; sleep 0.01; done; [ -s '" +
            out + "' ] && echo answered >&2; echo '" + one + "'; } | flopledger batch >'" + out + "'");
  CHECK(ran.status == 0);
  CHECK(ran.err == "answered\n");
  const std::string answers = content_of(out);
  CHECK(std::count(answers.begin(), answers.end(), '\n') == 2);
}

TEST_CASE("a batch whose answers cannot be written fails, and one that nobody reads does not") {
  CHECK(shell("echo '{\"command\": \"devices\"}' | flopledger batch >/dev/full").status == 1);
  CHECK(shell("yes '{\"command\": \"devices\"}' | head -2000 | { flopledger batch; echo $? >&2; } | head -1").err ==
        "0\n");
}

TEST_CASE("numbers may be written as people write them") {
  const auto sequence = [](const std::string& text) {
    return run("count Llama-3.1-8B --json --sequence " + text).json()["sequence"].get<long long>();
  };
  CHECK(sequence("128k") == 128'000);
  CHECK(sequence("128Ki") == 131'072);
  CHECK(sequence("1.5k") == 1500);
  CHECK(sequence("2e3") == 2000);
  const auto usable = run("report Llama-3.1-8B --device h100-sxm5-80gb serve --usable 88.7 --json").json();
  CHECK(usable["memory"]["usable_percent"] == 88.7);
}

TEST_CASE("one operation is asked with its floor") {
  const auto number = [](const ordered_json& answer, const char* key) { return answer[key].get<double>(); };
  const auto product = run("product --device h100-sxm5-80gb --m 8192 --n 8192 --k 8192 --json");
  const auto answer = ordered_json::parse(product.out);
  CHECK(number(answer, "flops") == 2.0 * 8192 * 8192 * 8192);
  CHECK(number(answer, "moved_bytes") == 3.0 * 2 * 8192 * 8192);
  CHECK(number(answer, "time_seconds") > number(answer, "floor_seconds"));
  CHECK(std::abs(number(answer, "floor_seconds") - number(answer, "floor_compute_seconds")) < 1e-12);
  const std::string attention = "attention --device a100-sxm4-80gb --heads 16 --head-dim 64 --sequence 1024 --json";
  CHECK(run(attention).json()["flops"] == 4.0 * 16 * 1024 * 1024 * 64);
  CHECK(run(attention + " --causal --backward").json()["flops"] == 3.5 * 2.0 * 16 * 1024 * 1024 * 64);
  CHECK(run("stream --device h100-sxm5-80gb --bytes 3.35e12 --json").json()["floor_seconds"] == 1.0);
  for (const std::string kind :
       {"all_reduce", "all_gather", "reduce_scatter", "all_to_all", "broadcast", "reduce", "send_receive"})
    for (const int ranks : {2, 8, 64}) {
      if (kind == "send_receive" && ranks != 2) continue;
      for (const std::string bytes : {"1k", "1M", "10G"}) {
        const auto one = run(fmt::format(
            "collective --device h100-sxm5-80gb --collective {} --ranks {} --bytes {} --json", kind, ranks, bytes));
        INFO(kind << ' ' << ranks << ' ' << bytes << ' ' << one.err);
        REQUIRE(one.status == 0);
        CHECK(number(ordered_json::parse(one.out), "floor_seconds") > 0);
        CHECK(number(ordered_json::parse(one.out), "time_seconds") >=
              number(ordered_json::parse(one.out), "floor_seconds"));
      }
    }
  program_test::check_refused("product --device h100-sxm5-80gb --m 8 --n 8", "--k is required");
  program_test::check_refused("collective --device h100-sxm5-80gb --collective send_receive --ranks 3 --bytes 1",
                              "--ranks");
}

TEST_CASE("a job's help ends with what holds of the job") {
  for (const std::string job : {"train", "serve"}) {
    const std::string help = run("report " + job + " --help").out;
    CHECK(help.find("Times are floors") == std::string::npos);
    CHECK(help.find("stand before") != std::string::npos);
  }
}

TEST_CASE("docs/requests.md has the tables of the schema, and every key of an answer is on a page") {
  const std::string page = content_of(FLOPLEDGER_TEST_DATA "/../../docs/requests.md");
  const std::string program = content_of(FLOPLEDGER_TEST_DATA "/../../docs/program.md");
  const std::string schema = run("schema").out;
  INFO("docs/requests.md holds what `flopledger schema` prints, as it is");
  CHECK(page.find(schema) != std::string::npos);
  for (const pair_of& one : samples()) {
    const auto answer = answered(one.request);
    for (const auto& [key, value] : answer.items()) {
      INFO(one.request << ": " << key);
      CHECK((page + program).find('`' + key + '`') != std::string::npos);
    }
  }
}
