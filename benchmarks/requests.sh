#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# How many answers a second `flopledger batch` gives on one core: memory and time of training jobs, each another plan.
#
#   benchmarks/requests.sh [PROGRAM [REQUESTS]]      (default: build/release/bin/flopledger 50000)
#
# Reports the program's own CPU time (user + system), so that a busy machine does not count, best of three runs.
set -euo pipefail
program=${1:-build/release/bin/flopledger}
requests=${2:-50000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

awk -v n="$requests" 'BEGIN {
  split("Llama-3.1-8B Llama-3.1-70B Llama-3.1-405B Qwen2.5-72B", models, " ")
  split("h100-sxm5-80gb a100-sxm4-80gb b200-sxm", devices, " ")
  split("none selective full", recomputes, " ")
  for (i = 0; i < n; ++i) {
    tensor = 2 ^ (i % 4); pipeline = 2 ^ (int(i / 4) % 3); data = 2 ^ (int(i / 12) % 6)
    printf "{\"command\": \"report\", \"job\": \"train\", \"model\": \"%s\", \"device\": \"%s\", ", \
      models[i % 4 + 1], devices[int(i / 7) % 3 + 1]
    printf "\"sequence\": %d, \"micro_batch\": %d, \"global_batch\": %d, \"data\": %d, \"tensor\": %d, ", \
      2048 * 2 ^ (int(i / 5) % 3), 1 + i % 2, (1 + i % 2) * data * (8 + 8 * (int(i / 11) % 8)), data, tensor
    printf "\"pipeline\": %d, \"zero\": %d, \"recompute\": \"%s\"}\n", pipeline, int(i / 3) % 2, \
      recomputes[int(i / 9) % 3 + 1]
  }
}' >"$work/requests.jsonl"

best=0
TIMEFORMAT='%U %S'
for _ in 1 2 3; do
  spent=$( { time "$program" batch <"$work/requests.jsonl" >"$work/answers.jsonl" || true; } 2>&1 | tail -1)
  rate=$(awk -v n="$requests" -v spent="$spent" 'BEGIN { split(spent, s, " "); printf "%.0f", n / (s[1] + s[2]) }')
  if ((rate > best)); then best=$rate; fi
done
answered=$(grep -c '"time"' "$work/answers.jsonl" || true)
echo "$best answers a second; $answered of $requests requests answered, the rest refused"
