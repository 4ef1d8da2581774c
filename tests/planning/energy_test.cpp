// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include <flopledger/planning/energy.hpp>

#include "../published/csv.hpp"
#include "catch.hpp"

namespace {

using namespace flopledger;
using namespace flopledger::planning;
using Catch::Matchers::WithinRel;

std::map<std::string, published::record> runs() {
  std::map<std::string, published::record> found;
  for (const published::record& row : published::read_table(FLOPLEDGER_TEST_DATA "/published/training_energy.csv"))
    found[row.text("model")] = row;
  return found;
}

/// Device-hours at the watts that the report names.
energy_account reported(const published::record& row, const site& at) {
  return energy_of(device_hours(row.number("gpu_hours")), watts::from_value(row.number("power_w_per_gpu")), at);
}

}  // namespace

// GPU-hours at the peak power of the card. "Adjusted for power usage efficiency", with no PUE named: 1 makes the tonnes
// of all rows of a card agree on one grid factor, which no card prints.
TEST_CASE("the model cards of Llama 2, 3 and 3.1 are device-hours, the board's power and one grid factor each") {
  const auto rows = runs();
  const std::pair<const char*, const char*> cards[] = {
      {"Llama 2 7B", "Llama 2 70B"}, {"Llama 3 70B", "Llama 3 8B"}, {"Llama 3.1 405B", "Llama 3.1 70B"}};
  for (const auto& [one, other] : cards) {
    const published::record& first = rows.at(one);
    const double factor =
        1000 * first.number("tco2e") / (1000 * in_megawatt_hours(reported(first, {}).total()));  // kg/kWh
    CHECK(factor > 0.41);
    CHECK(factor < 0.43);
    const energy_account predicted = reported(rows.at(other), {.carbon = grid_factor(factor)});
    CHECK_THAT(in_tonnes(predicted.carbon), WithinRel(rows.at(other).number("tco2e"), 0.012));
  }
}

// Luccioni et al. 2022: 433,196 kWh is dynamic consumption, GPU-hours at the board's 400 W; infrastructure and idle
// nodes are another 256,646, and PUE 1.2 a third view.
TEST_CASE("BLOOM's 433 MWh are its GPU-hours at 400 W, and 24.7 t at France's grid") {
  const auto rows = runs();
  const published::record& dynamic = rows.at("BLOOM 176B (dynamic)");
  const double factor = dynamic.number("carbon_kg_per_kwh");
  const energy_account made = reported(dynamic, {.carbon = grid_factor(factor)});
  CHECK_THAT(in_megawatt_hours(made.total()), WithinRel(dynamic.number("energy_mwh"), 1e-4));
  CHECK_THAT(in_tonnes(made.carbon), WithinRel(dynamic.number("tco2e"), 0.002));
  const energy_account with_site = reported(dynamic, {.pue = 1.2, .carbon = grid_factor(factor)});
  CHECK_THAT(in_megawatt_hours(with_site.total()),
             WithinRel(rows.at("BLOOM 176B (dynamic x PUE)").number("energy_mwh"), 0.001));
  CHECK_THAT(in_tonnes(with_site.carbon), WithinRel(rows.at("BLOOM 176B (dynamic x PUE)").number("tco2e"), 0.015));
  // Idle power of nodes, network and storage was measured: as a share of what the devices draw it is 0.59.
  const published::record& idle = rows.at("BLOOM 176B (idle and infrastructure)");
  const energy_account all = reported(
      dynamic, {.host = idle.number("energy_mwh") / dynamic.number("energy_mwh"), .carbon = grid_factor(factor)});
  CHECK_THAT(in_tonnes(all.carbon), WithinRel(dynamic.number("tco2e") + idle.number("tco2e"), 0.002));
}

// Each report says whether its MWh hold PUE: LLaMA's and OPT's do, Gopher's and StarCoder's (as OLMo's paper lists
// them) do not.
TEST_CASE("tonnes of LLaMA, OPT, Gopher, StarCoder and GPT-3 follow from their energy, PUE and grid") {
  const auto rows = runs();
  const auto tonnes = [](const published::record& row, double pue) {
    const joules energy = 1000 * row.number("energy_mwh") * kilowatt_hour;
    return in_tonnes(energy_of(seconds::from_value(1), energy / seconds::from_value(1),
                               {.pue = pue, .carbon = grid_factor(row.number("carbon_kg_per_kwh"))})
                         .carbon);
  };
  for (const char* with_pue : {"LLaMA 65B", "OPT-175B", "GPT-3 175B"})
    CHECK_THAT(tonnes(rows.at(with_pue), 1), WithinRel(rows.at(with_pue).number("tco2e"), 0.01));
  for (const char* without : {"Gopher 280B", "StarCoderBase 15.5B"})
    CHECK_THAT(tonnes(rows.at(without), rows.at(without).number("pue")),
               WithinRel(rows.at(without).number("tco2e"), 0.01));
  const published::record& llama = rows.at("LLaMA 65B");
  CHECK_THAT(in_megawatt_hours(reported(llama, {.pue = llama.number("pue")}).total()),
             WithinRel(llama.number("energy_mwh"), 0.005));
  const published::record& coder = rows.at("StarCoderBase 15.5B");
  CHECK_THAT(in_megawatt_hours(reported(coder, {}).total()), WithinRel(coder.number("energy_mwh"), 0.001));
}

TEST_CASE("energy names its parts, and refuses shares that cannot be") {
  const energy_account made = energy_of(device_hours(10), {.idle = 100_W, .busy = 700_W}, 0.5,
                                        {.host = 0.2, .network = 0.05, .pue = 1.5, .litres_per_kilowatt_hour = 1.8});
  CHECK_THAT(made.devices / kilowatt_hour, WithinRel(4.0, 1e-12));
  CHECK_THAT(made.host / kilowatt_hour, WithinRel(0.8, 1e-12));
  CHECK_THAT(made.network / kilowatt_hour, WithinRel(0.2, 1e-12));
  CHECK_THAT(made.overhead / kilowatt_hour, WithinRel(2.5, 1e-12));
  CHECK_THAT(made.litres, WithinRel(9.0, 1e-12));
  CHECK_THROWS_AS(energy_of(device_hours(1), 100_W, {.pue = 0.9}), bad_site);
  CHECK_THROWS_AS(energy_of(device_hours(1), 100_W, {.host = -0.1}), bad_site);
}
