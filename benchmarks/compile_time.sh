#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# What including the library costs a compiler, as ratios measured in one run: the umbrella header against the Boost.Units
# headers it stands on, one more model with ten assertions, one config.json read in a constant expression, and guards
# that fail.
#
#   benchmarks/compile_time.sh [COMPILER ...]        (default: g++ clang++)
#
# CPU time (user + system) of the compiler, -O0 -c; the cases take turns, so that a machine that slows down slows all of
# them; medians of seven rounds.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rounds=${ROUNDS:-7}

cat >"$work/empty.cpp" <<'EOF'
EOF
# The bare kit: Boost's cheap headers and three own dimensions in a system.
cat >"$work/kit.cpp" <<'EOF'
#include <boost/units/base_dimension.hpp>
#include <boost/units/base_unit.hpp>
#include <boost/units/conversion.hpp>
#include <boost/units/derived_dimension.hpp>
#include <boost/units/make_scaled_unit.hpp>
#include <boost/units/make_system.hpp>
#include <boost/units/quantity.hpp>
#include <boost/units/systems/information/byte.hpp>
struct flop_dimension : boost::units::base_dimension<flop_dimension, 7101> {};
struct mac_dimension : boost::units::base_dimension<mac_dimension, 7102> {};
struct parameter_dimension : boost::units::base_dimension<parameter_dimension, 7103> {};
struct flop_unit : boost::units::base_unit<flop_unit, flop_dimension::dimension_type, 7101> {};
struct mac_unit : boost::units::base_unit<mac_unit, mac_dimension::dimension_type, 7102> {};
struct parameter_unit : boost::units::base_unit<parameter_unit, parameter_dimension::dimension_type, 7103> {};
using own_system = boost::units::make_system<flop_unit, mac_unit, parameter_unit>::type;
using flops = boost::units::quantity<boost::units::unit<flop_dimension::dimension_type, own_system>, double>;
using macs = boost::units::quantity<boost::units::unit<mac_dimension::dimension_type, own_system>, double>;
using parameters = boost::units::quantity<boost::units::unit<parameter_dimension::dimension_type, own_system>, double>;
constexpr flops one_flop = flops::from_value(1.0);
constexpr macs one_mac = macs::from_value(1.0);
constexpr parameters one_parameter = parameters::from_value(1.0);
EOF
echo '#include <flopledger/flopledger.hpp>' >"$work/umbrella.cpp"

models() { # COUNT
  cat <<'EOF'
#include <flopledger/flopledger.hpp>
using namespace flopledger;
EOF
  for ((i = 0; i < $1; ++i)); do
    cat <<EOF
struct model_$i {
  static constexpr transformer_config config =
      make_decoder("LlamaForCausalLM", {.layers = $((16 + i)), .hidden = 4096, .heads = 32, .kv_heads = 8,
                                        .intermediate = 14336, .vocabulary = 128256});
};
static_assert(parameter_count<model_$i> > 1e9 * unit::parameter);
static_assert(parameter_count<model_$i> < 1e11 * unit::parameter);
static_assert(active_parameter_count<model_$i> == parameter_count<model_$i>);
static_assert(forward_macs<model_$i, 1, 1> > 1e9 * unit::mac);
static_assert(forward_macs<model_$i, 1, 1> < 1e13 * unit::mac);
static_assert(flops_per_mac * forward_macs<model_$i, 1, 1> > 2e9 * unit::flop);
static_assert(parameter_count<model_$i> * storage<bf16> < 200_GB);
static_assert(parameter_count<model_$i> * storage<fp32> > 4_GB);
static_assert(parameter_count<model_$i> * storage<fp8_e4m3> < 100_GB);
static_assert(parameter_count<model_$i> * storage<mxfp4> < 54_GB);
EOF
  done
}
for count in 1 10 40; do models $count >"$work/models_$count.cpp"; done

echo '#include <flopledger/models/hugging_face.hpp>' >"$work/reader.cpp"
config() {
  echo '#include <flopledger/models/hugging_face.hpp>'
  echo 'using namespace flopledger;'
  printf 'constexpr config_reading reading = read_config(R"json(%s)json");\n' "$(cat "$here/examples/configs/Llama-3.1-8B/config.json")"
  echo 'static_assert(reading.ok());'
  echo 'static_assert(reading.value.config.stack.layers == 32);'
}
config >"$work/config.cpp"

guard() { # JOB
  echo '#include <flopledger/flopledger.hpp>'
  echo 'using namespace flopledger;'
  echo "using job = $1;"
  echo 'static_assert(fits<job, hardware::h100_sxm5_80gb>);'
}
guard 'weights_and_cache<models::llama2_70b, recipes::bf16, load{.sequences = 8, .context = 8192}>' >"$work/fails_1.cpp"
guard 'serving<models::llama3_1_8b, recipes::bf16, service{.sequences = 128, .context = 8192}>' >"$work/fails_2.cpp"
guard 'training<models::llama2_70b, recipes::mixed_bf16, optimizers::adamw,
                plan{.sequence = 4096, .data = 8, .sharding = zero::optimizer}>' >"$work/fails_3.cpp"

failing="fails_1 fails_2 fails_3"
cases="empty kit umbrella models_1 models_10 models_40 reader config"
cpu() { # COMPILER CASE
  local times
  times=$( { TIMEFORMAT='%U %S'; time "$1" -std=c++20 -O0 -c -I"$here/include" -o /dev/null "$work/$2.cpp" 2>/dev/null || true; } 2>&1)
  awk '{ printf "%.1f\n", 1000 * ($1 + $2) }' <<<"$times"
}
median() { sort -n "${1--}" | awk '{ a[NR] = $1 } END { print a[int((NR + 1) / 2)] }'; }

for compiler in "${@:-g++ clang++}"; do
  for one in $compiler; do
    command -v "$one" >/dev/null || continue
    for case in $cases; do "$one" -std=c++20 -O0 -c -I"$here/include" -o /dev/null "$work/$case.cpp"; done
    for case in $failing; do
      said=$("$one" -std=c++20 -O0 -c -I"$here/include" -o /dev/null "$work/$case.cpp" 2>&1) && exit 1
      grep -q 'exceeding_MiB<[0-9]' <<<"$said" || exit 1
    done
    for ((round = 0; round < rounds; ++round)); do
      for case in $cases $failing; do cpu "$one" "$case" >>"$work/$one.$case"; done
    done
    echo "$one:"
    for case in $cases $failing; do printf '  %-10s %7.1f ms\n' "$case" "$(median "$work/$one.$case")"; done
    kit=$(median "$work/$one.kit") umbrella=$(median "$work/$one.umbrella") config=$(median "$work/$one.config") reader=$(median "$work/$one.reader")
    m1=$(median "$work/$one.models_1") m40=$(median "$work/$one.models_40")
    # Of each round the difference, for a shared machine's rounds differ by more than a guard costs.
    worst=$(for case in $failing; do paste "$work/$one.$case" "$work/$one.umbrella" | awk '{ print $1 - $2 }' | median; done | sort -n | tail -1)
    awk -v k="$kit" -v w="$worst" -v u="$umbrella" -v c="$config" -v r="$reader" -v m1="$m1" -v m40="$m40" 'BEGIN {
      printf "  umbrella / kit              %.2f   (budget 1.25)\n", u / k
      printf "  one more model, ten asserts %.2f ms (budget 5 on g++)\n", (m40 - m1) / 39
      printf "  one config.json             %.1f ms (budget 60)\n", c - r
      printf "  one guard that fails        %.1f ms (budget 20)\n", w }'
  done
done
