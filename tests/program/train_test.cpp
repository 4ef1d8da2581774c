// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <algorithm>
#include <cstdint>
#include <string>

#include "catch.hpp"
#include "run_program.hpp"

using Catch::Matchers::WithinRel;
using program_test::check_refused;
using program_test::run;

namespace {

using json = nlohmann::json;

const std::string h100 = " --device h100-sxm5-80gb ";

json trained(const std::string& model, const std::string& arguments) {
  const auto ran = run("report " + model + h100 + "train " + arguments + " --json");
  INFO(arguments << ' ' << ran.err);
  REQUIRE(ran.status == 0);
  CHECK(ran.err.empty());
  return ran.json();
}

constexpr const char* lines[] = {"weights_bytes", "gradients_bytes", "optimizer_bytes", "activations_bytes",
                                 "logits_bytes",  "buffers_bytes",   "workspace_bytes"};

void check_account(const json& account) {
  std::int64_t sum = 0;
  for (const char* line : lines) {
    INFO(line);
    REQUIRE(account[line].is_number_integer());
    sum += account[line].get<std::int64_t>();
  }
  CHECK(account["allocated_bytes"] == sum);
  CHECK(account["total_bytes"] == sum + account["reserve_bytes"].get<std::int64_t>());
  CHECK(account["fits"] == (account["total_bytes"] <= account["available_bytes"]));
}

void check_time(const json& answer) {
  const json& time = answer["time"];
  double communication = 0;
  for (const auto& part : time["exposed_communication_seconds"]) communication += part.get<double>();
  const double step = time["step_seconds"],
               sum = time["compute_seconds"].get<double>() + time["recompute_seconds"].get<double>() +
                     time["bubble_seconds"].get<double>() + communication + time["optimizer_seconds"].get<double>() +
                     time["data_loading_seconds"].get<double>();
  CHECK_THAT(step, WithinRel(sum, 1e-12));
  CHECK(time["floor_seconds"] <= time["roofline_seconds"].get<double>() * (1 + 1e-9));
  CHECK(time["roofline_seconds"] <= step * (1 + 1e-9));
  CHECK(time["mfu"] <= time["hfu"]);
  const double devices = answer["devices"],
               tokens = answer["plan"]["global_batch"].get<double>() * answer["plan"]["sequence"].get<double>();
  CHECK_THAT(time["tokens_per_second_per_device"].get<double>(), WithinRel(tokens / step / devices, 1e-12));
  CHECK_THAT(time["mfu"].get<double>(), WithinRel(time["model_flops_per_step"].get<double>() / step / devices /
                                                      time["peak_flop_per_second_per_device"].get<double>(),
                                                  1e-12));
}

void check_answer(const json& answer) {
  check_account(answer["memory"]);
  const json& stages = answer["stages"];
  CHECK(answer["memory"]["stages"] == stages);
  CHECK(stages.size() == answer["plan"]["pipeline"]);
  std::int64_t fullest = 0;
  for (const auto& stage : stages) {
    check_account(stage);
    fullest = std::max(fullest, stage["total_bytes"].get<std::int64_t>());
  }
  CHECK(answer["memory"]["total_bytes"] == fullest);
  CHECK(stages[answer["memory"]["worst_stage"].get<std::size_t>()]["total_bytes"] == fullest);
  check_time(answer);
}

}  // namespace

TEST_CASE("report train --json: lines add up, stages and the step too") {
  for (const std::string arguments :
       {"--sequence 8192 --micro-batch 1 --global-batch 64 --data 8", "--data 8 --zero 3 --framework pytorch_fsdp",
        "--tensor 8 --recompute selective", "--tensor 4 --no-sequence-parallel --data 2 --recompute full",
        "--pipeline 4 --data 2 --global-batch 32 --micro-batch 2 --zero 1",
        "--pipeline 4 --interleave 2 --global-batch 16 --overlap pipeline=50", "--context 4 --sequence 32768 --zero 1",
        "--pipeline 4 --schedule zero-bubble --global-batch 16 --attention explicit --loss explicit",
        "--optimizer adafactor --gradient-bytes 4 --recompute full --recompute-every 2",
        "--adapter-rank 16 --offload optimizer,activations --eager --framework deepspeed"}) {
    INFO(arguments);
    check_answer(trained("Llama-3.1-8B", arguments));
  }
  for (const std::string model : {"DeepSeek-V3", "Mixtral-8x7B", "GPT-2\\ small", "Falcon-Mamba-7B", "Gemma-2-9B"}) {
    INFO(model);
    check_answer(trained(model, "--sequence 1024 --data 2 --global-batch 4"));
  }
}

TEST_CASE("report train: what a device holds of a whole model is known") {
  const auto memory = trained("Llama-3.1-8B", "--sequence 4096")["memory"];
  CHECK(memory["weights_bytes"] == 2 * 8030261248);
  CHECK(memory["gradients_bytes"] == 4 * 8030261248);  // Megatron-LM sums them in FP32
  CHECK(memory["optimizer_bytes"] == 12 * 8030261248);
  CHECK(memory["fits"] == false);
  const auto narrow = trained("Llama-3.1-8B", "--sequence 4096 --gradient-bytes 2 --data 8 --zero 1")["memory"];
  CHECK(narrow["gradients_bytes"] == 2 * 8030261248);
  CHECK(narrow["optimizer_bytes"] == 12 * 8030261248 / 8);
  const auto sharded = trained("Llama-3.1-8B", "--sequence 4096 --data 8 --zero 3")["memory"];
  CHECK(sharded["weights_bytes"] == 2 * 8030261248 / 8);
  CHECK(sharded["fits"] == true);
  CHECK(memory["available_bytes"] == 77481LL * 1024 * 1024);  // 95 % of 81559 MiB
  const auto all = run("report Llama-3.1-8B" + h100 + "train --usable 100 --json").json()["memory"];
  CHECK(all["available_bytes"] == 81559LL * 1024 * 1024);
}

TEST_CASE("report train: the floor is the products at the peak, and recompute never raises MFU") {
  const std::string plan = "--sequence 8192 --micro-batch 1 --global-batch 64 --data 8";
  const auto none = trained("Llama-3.1-8B", plan)["time"];
  CHECK_THAT(none["floor_seconds"].get<double>(), WithinRel(3.409, 1e-3));
  CHECK(none["hfu"] == none["mfu"]);
  const auto full = trained("Llama-3.1-8B", plan + " --recompute full")["time"];
  CHECK(full["floor_seconds"] == none["floor_seconds"]);
  CHECK(full["model_flops_per_step"] == none["model_flops_per_step"]);
  CHECK(full["mfu"] < none["mfu"]);
  CHECK(full["hfu"] > full["mfu"]);
  CHECK(full["recompute_seconds"] > 0);
  const auto half = trained("Llama-3.1-8B", plan + " --recompute full --recompute-every 2")["time"];
  CHECK_THAT(half["hfu"].get<double>() / half["mfu"].get<double>() - 1,
             WithinRel((full["hfu"].get<double>() / full["mfu"].get<double>() - 1) / 2, 1e-9));
}

TEST_CASE("report train: bytes that are no integer are rounded up and listed") {
  const auto answer = trained("Llama-3.1-8B", "--data 3 --zero 3");
  const auto rounded = answer["rounded"];
  CHECK(std::find(rounded.begin(), rounded.end(), "memory.reserve_bytes") != rounded.end());
  CHECK(answer["memory"]["weights_bytes"] == (2 * 8030261248 + 2) / 3);
  CHECK(std::find(rounded.begin(), rounded.end(), "memory.weights_bytes") != rounded.end());
}

TEST_CASE("report train: defaults, and the devices that follow from the degrees") {
  const auto answer = trained("GPT-2\\ small", "--tensor 2 --data 2");
  CHECK(answer["devices"] == 4);
  CHECK(answer["recipe"] == "mixed-bf16");
  CHECK(answer["plan"]["sequence"] == 1024);  // the model's context
  CHECK(answer["plan"]["global_batch"] == 2);
  CHECK(answer["plan"]["gradient_bytes"] == 4);
  CHECK(answer["plan"]["attention"] == "fused");
  CHECK(answer["plan"]["recompute"] == "none");
  CHECK(answer["plan"]["framework"] == "megatron_core");
  const auto given = run("report GPT-2\\ small" + h100 + "--devices 4 train --tensor 2 --data 2 --json").json();
  CHECK(given == answer);
  const auto before = run("report GPT-2\\ small" + h100 + "--json train --tensor 2 --data 2").json();
  CHECK(before == answer);
  CHECK(run("report train 'GPT-2 small'" + h100 + "--tensor 2 --data 2 --json").json() == answer);
}

TEST_CASE("report train: what cannot be is refused with both numbers") {
  const auto refused = [](const std::string& arguments, const std::string& first, const std::string& second) {
    check_refused("report " + arguments, first, second);
  };
  const std::string llama = "Llama-3.1-8B" + h100;
  refused(llama + "--devices 64 train --data 4 --tensor 8", "64 devices", "make 32");
  refused(llama + "--devices 8 train --tensor 4", "8 devices", "make 4");
  refused(llama + "train --tensor 3", "heads", "32 by 3");
  refused(llama + "train --pipeline 3", "layers", "32 by 3");
  refused(llama + "train --pipeline 2 --interleave 3", "layers", "32 by 6");
  refused(llama + "train --interleave 2", "pipeline", "2 by 1");
  refused(llama + "train --pipeline 2 --interleave 2 --global-batch 3", "micro-batches", "3 by 2");
  refused(llama + "train --expert 8", "experts", "0 by 8");
  refused("Mixtral-8x7B" + h100 + "train --expert 3 --data 3", "experts", "8 by 3");
  refused("Mixtral-8x7B" + h100 + "train --expert 8 --data 4", "ranks", "4 by 8");
  refused(llama + "train --sequence 4095 --context 2", "sequence", "4095 by 2");
  refused(llama + "train --data 4 --global-batch 6", "6 sequences", "by 4");
  refused(llama + "train --data 6 --zero 3 --shard-group 4", "shard group", "6 by 4");
  refused(llama + "train --data 1000000000 --context 1000000000", "more than", "1000000000");
  refused(llama + "train --micro-batch 0", "--micro-batch", "0");
  refused(llama + "train --zero 4", "--zero", "0|1|2|3");
  refused(llama + "train --recompute some", "--recompute", "full|none|selective");
  refused(llama + "train --gradient-bytes 3", "--gradient-bytes", "2|4");
  refused(llama + "train --optimizer adamax", "--optimizer", "adamw");
  refused(llama + "train --offload everything", "--offload", "everything");
  refused(llama + "train --overlap data", "--overlap", "GROUP=PERCENT");
  refused(llama + "train --overlap data=101", "--overlap", "101");
  refused(llama + "train --usable 101", "--usable", "101");
  refused(llama + "train --node dgx-a100", "dgx-a100", "h100-sxm5-80gb");
  refused(llama + "--recipe w4a16 train", "w4a16", "serving");
  refused(llama + "--batch 4 train", "--batch", "forward pass");
  refused(llama + "train --batch 4", "--batch", "forward pass");
  refused(llama + "train serve", "", "");
  refused("ViT-B/16" + h100 + "train", "images alone", "");
  refused("Llama-3.1-8B --device a30 train --data 16", "16 devices", "--network");
  CHECK(run("report Llama-3.1-8B --device a30 train --data 16 --network 100").status == 0);
}

TEST_CASE("report train: an impossible plan names the option") {
  const auto named = [](const std::string& arguments, const std::string& option) {
    const auto ran = run("report " + arguments);
    INFO(arguments << ": " << ran.err);
    CHECK(ran.status == 2);
    CHECK(ran.err.rfind("flopledger: " + option + ": impossible plan: ", 0) == 0);
  };
  const std::string llama = "Llama-3.1-8B" + h100;
  named(llama + "train --tensor 3", "--tensor");
  named(llama + "train --pipeline 3", "--pipeline");
  named(llama + "train --pipeline 2 --interleave 3", "--pipeline, --interleave");
  named(llama + "train --interleave 2", "--interleave");
  named(llama + "train --pipeline 2 --interleave 2 --global-batch 3", "--global-batch");
  named(llama + "train --expert 8", "--expert");
  named(llama + "train --sequence 4095 --context 2", "--context");
  named(llama + "train --data 6 --zero 3 --shard-group 4", "--shard-group");
  named(llama + "serve --tensor 3", "--tensor");
  named(llama + "--devices 3 serve", "--devices");
}

TEST_CASE("report train: images bring a tower's work to the step, and its activations to the first stage") {
  const std::string layout = "--sequence 1024 --pipeline 2 --data 2 --global-batch 8 ";
  const json blind = trained("Gemma-3-4B", layout), seeing = trained("Gemma-3-4B", layout + "--images 2");
  CHECK(seeing["plan"]["images"] == 2);
  CHECK_FALSE(blind["plan"].contains("images"));
  check_answer(seeing);
  CHECK(seeing["stages"][0]["activations_bytes"] > blind["stages"][0]["activations_bytes"]);
  CHECK(seeing["stages"][1] == blind["stages"][1]);
  CHECK(seeing["time"]["floor_seconds"] > blind["time"]["floor_seconds"]);

  const auto forward_macs = [](const std::string& images) {
    return run("count Gemma-3-4B --attention causal --json --batch 8 --sequence 1024 " + images)
        .json()["forward_macs"]
        .get<double>();
  };
  // The patches' gradient of the pixels is computed by nobody, and the tower's other products three times.
  const double once = 2 * (forward_macs("--images 2") - forward_macs("")),
               step = seeing["time"]["model_flops_per_step"].get<double>() -
                      blind["time"]["model_flops_per_step"].get<double>();
  CHECK(step < 3 * once);
  CHECK(step > 2.99 * once);
}

TEST_CASE("report train: an option that would change nothing is refused with what it needs") {
  const auto refused = [](const std::string& arguments, const std::string& line) {
    const auto ran = run("report " + arguments);
    INFO(arguments << ": " << ran.err);
    CHECK(ran.status == 2);
    CHECK(ran.err == "flopledger: " + line + '\n');
  };
  const std::string llama = "Llama-3.1-8B" + h100 + "train ";
  refused(llama + "--recompute-every 2", "--recompute-every: needs --recompute full");
  refused(llama + "--recompute selective --recompute-every 2", "--recompute-every: needs --recompute full");
  refused(llama + "--expert-wait 3", "--expert-wait: needs a model with experts, and this one has none");
  refused(llama + "--expert-tensor 1", "--expert-tensor: needs a model with experts, and this one has none");
  refused(llama + "--data 4 --shard-group 2", "--shard-group: needs --zero 1, 2 or 3, whose shards it holds");
  refused(llama + "--first-stage-layers 2", "--first-stage-layers: needs --pipeline above 1");
  refused(llama + "--last-stage-layers 2", "--last-stage-layers: needs --pipeline above 1");
  refused(llama + "--images 1", "--images: needs a model with a vision tower");
  refused(llama + "--schedule zero-bubble", "--schedule zero-bubble: needs --pipeline above 1");
  CHECK(trained("Mixtral-8x7B", "--expert-wait 3")["time"]["step_seconds"] >
        trained("Mixtral-8x7B", "")["time"]["step_seconds"]);
}

TEST_CASE("report train: one is not several, and numbers have their endings") {
  const auto said = [](const std::string& arguments) {
    return run("report Llama-3.1-8B" + h100 + "train " + arguments).out;
  };
  CHECK(said("").find("1 sequence of 4096 tokens a step: micro-batch 1, one on one data rank\n") != std::string::npos);
  CHECK(said("--sequence 262144").find("262144 tokens (beyond the model's context of 131072) a step") !=
        std::string::npos);
  CHECK(said("--data 2 --devices-a-node 1").find("dgx-h100: 1 device; inside") != std::string::npos);
  CHECK(run("report Llama-3.1-8B" + h100 + "--devices 1 train --data 2").err.find("--devices: 1 device, but data 2") !=
        std::string::npos);
  CHECK(said("--sequence 131072").find("(beyond") == std::string::npos);
  const std::string full = "--recompute full --recompute-every ";
  CHECK(said(full + "2").find("recompute full of every 2nd block,") != std::string::npos);
  CHECK(said(full + "3").find("recompute full of every 3rd block,") != std::string::npos);
  CHECK(said(full + "12").find("recompute full of every 12th block,") != std::string::npos);
  CHECK(said(full + "21").find("recompute full of every 21st block,") != std::string::npos);
}

TEST_CASE("report train: people see what decides, what would fit, and how sure it is") {
  const auto ran = run("report Llama-3.1-70B" + h100 + "train --sequence 8192 --data 8 --tensor 8 --gradient-bytes 2");
  REQUIRE(ran.status == 0);
  for (const char* text :
       {"Training Llama-3.1-70B on 64 × NVIDIA H100", "mixed-bf16", "8 data ranks", "ZeRO 0", "optimizer", "total",
        "it does not fit", "would fit: optimizer sharded (ZeRO-1)", "floor", "tensor communication", "MFU",
        "attention full", "HFU", "docs/accuracy.md", "docs/accuracy_time.md", "nvidia_nemo_bridge_training.csv"}) {
    INFO(text);
    CHECK(ran.out.find(text) != std::string::npos);
  }
  const auto remedied = trained("Llama-3.1-70B", "--sequence 8192 --data 8 --tensor 8 --gradient-bytes 2 --zero 1");
  CHECK(remedied["memory"]["fits"] == true);
  CHECK(remedied["memory"]["remedies"].empty());
  const auto tight = trained("Llama-3.1-70B", "--sequence 8192 --data 8 --tensor 8");
  CHECK(!tight["memory"]["remedies"].empty());
}

TEST_CASE("report train: more communication takes longer, hidden communication shorter") {
  const auto seconds = [](const std::string& arguments) {
    return trained("Llama-3.1-8B", arguments)["time"]["step_seconds"].get<double>();
  };
  const std::string plan = "--data 16 --zero 3 --micro-batch 1 ";
  CHECK(seconds(plan + "--overlap data=0") > seconds(plan + "--overlap data=90"));
  CHECK(seconds(plan + "--network 100") > seconds(plan));
  CHECK(seconds("--tensor 8 --scale-up 50") > seconds("--tensor 8"));
  CHECK(seconds("--tensor 8 --devices-a-node 4") > seconds("--tensor 8"));
  CHECK(seconds("--data-loading 100") > seconds("") + 0.09);
}

TEST_CASE("error bands are of runs under the framework, and of no other") {
  const auto bands = trained("Llama-3.1-8B", "--framework torchtitan_2024")["error_bands"];
  REQUIRE(bands.size() == 1);
  CHECK(bands[0]["table"] == "torchtitan.csv");
  CHECK(bands[0]["unseen"] == false);
  CHECK(bands[0]["lowest_percent"] < bands[0]["highest_percent"]);
  CHECK(bands[0]["page"] == "docs/accuracy_time.md");
  // On B200 no dense run was compared under Megatron-LM with its overlaps, but without.
  CHECK(run("report Llama-3.1-8B --device b200-sxm train --json").json()["error_bands"].empty());
  CHECK(trained("Mixtral-8x7B", "--framework llm_foundry")["error_bands"].empty());
  CHECK(run("report Llama-3.1-8B --device mi300x train --json").json()["error_bands"].empty());
}

TEST_CASE("report train --calibrate: measured steps set what they identify") {
  const program_test::scratch_folder scratch;
  const auto request_of = [](const std::string& plan, double seconds) {
    return R"({"model": "Llama-3.1-8B", "device": "h100-sxm5-80gb", "sequence": 4096, )" + plan + R"("step_time": )" +
           std::to_string(seconds) + "}\n";
  };
  const auto predicted = [](const std::string& arguments) {
    return trained("Llama-3.1-8B", "--sequence 4096 " + arguments)["time"]["step_seconds"].get<double>();
  };
  const double one = predicted(""), eight = predicted("--data 8 --zero 3");
  const std::string slow = scratch.file("slow.jsonl", request_of("", 1.2 * one));
  const auto alone = trained("Llama-3.1-8B", "--sequence 4096 --calibrate " + slow);
  CHECK_THAT(alone["time"]["step_seconds"].get<double>(), WithinRel(1.2 * one, 0.01));
  CHECK(alone["calibration"]["runs"] == 1);
  CHECK(alone["calibration"]["leave_one_out_percent"].is_null());
  CHECK(alone["calibration"]["factors"][0]["identified"] == true);
  CHECK(alone["calibration"]["factors"][1]["identified"] == false);
  CHECK(alone["error_bands"].empty());
  const std::string both = scratch.file(
      "both.jsonl", request_of("", 1.1 * one) + "\n" + request_of(R"("data": 8, "zero": 3, )", 1.1 * eight));
  const auto two = trained("Llama-3.1-8B", "--sequence 4096 --data 4 --zero 3 --calibrate " + both)["calibration"];
  CHECK(two["runs"] == 2);
  CHECK(two["leave_one_out_percent"][0] <= two["leave_one_out_percent"][1]);
  CHECK(trained("Llama-3.1-8B", "")["calibration"].is_null());

  const std::string h = "report Llama-3.1-8B" + h100 + "train --sequence 4096 --calibrate ";
  CHECK(run(h + "nowhere.jsonl").status == 1);  // the file failed, not the question
  check_refused(h + scratch.file("empty.jsonl", "\n"), "--calibrate", "has no run");
  check_refused(h + scratch.file("wrong.jsonl", request_of("", 1.2 * one) + request_of(R"("zero": 9, )", 1)), "line 2",
                "--zero");
}

TEST_CASE("report train: a framework by name, and what the user changes of it") {
  check_refused("report Llama-3.1-8B" + h100 + "train --framework megatron_cor", "megatron_cor", "megatron_core");
  const std::string plan = "--tensor 8 --sequence 8192 ";
  const auto seconds = [&](const std::string& arguments) {
    return trained("Llama-3.1-8B", plan + arguments)["time"]["step_seconds"].get<double>();
  };
  CHECK(seconds("--framework megatron_core_plain") > seconds("--framework megatron_core"));
  CHECK(seconds("--overlap tensor=0") > seconds("--overlap tensor=90"));
  CHECK(seconds("--attention-library flash-2") > seconds(""));
  CHECK(seconds("--power-limit 350") > seconds(""));
  CHECK(seconds("--memory-bandwidth 2000") > seconds(""));
  CHECK(seconds("--recompute alternate") > seconds("--recompute normalization,activation"));
  CHECK(trained("Llama-3.1-8B", "--memory 192")["memory"]["fits"] == true);
  const auto kinds = trained("Llama-3.1-8B", "--recompute normalization,activation")["plan"];
  CHECK(kinds["recompute"] == "kinds");
  CHECK(kinds["recomputed_kinds"] == json::array({"activation", "normalization"}));
}
