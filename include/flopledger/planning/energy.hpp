// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Energy, carbon and water of device-time. Every share that lies between a device's watts and a site's megawatt-hours
/// has a name, and none has a default that adds something: who leaves one out gets what the devices draw.

#include <flopledger/errors.hpp>
#include <flopledger/units.hpp>

namespace flopledger::planning {

using kilograms_per_joule = decltype(kilograms{} / joules{});  ///< of a grid: 0.057 kg/kWh is `grid_factor(0.057)`
inline constexpr joules kilowatt_hour = joules::from_value(3.6e6);
constexpr kilograms_per_joule grid_factor(double kilograms_per_kilowatt_hour) {
  return kilograms_per_kilowatt_hour * unit::kilogram / kilowatt_hour;
}
constexpr double in_megawatt_hours(joules energy) { return energy / (1000.0 * kilowatt_hour); }
constexpr double in_tonnes(kilograms mass) { return mass.value() / 1000; }
/// Device-hours, as reports give them.
constexpr seconds device_hours(double hours) { return hours * 3600.0 * unit::second; }

/// What one device draws.
struct power_draw {
  watts idle{}, busy{};

  /// On average, where it is busy for a share of the time.
  constexpr watts at(double utilisation) const { return idle + utilisation * (busy - idle); }
};

/// What a site draws beside its devices, as shares of what they do; and what becomes of it.
struct site {
  double host = 0;     ///< processors, memory, fans of the nodes
  double network = 0;  ///< switches and cables
  double pue = 1;      ///< power usage effectiveness: of the whole site over that of its machines
  kilograms_per_joule carbon{};
  double litres_per_kilowatt_hour = 0;  ///< water, of machines' energy (water usage effectiveness)
};

/// Energy by where it goes.
struct energy_account {
  joules devices{}, host{}, network{};
  joules overhead{};  ///< cooling and power supply: what PUE adds
  kilograms carbon{};
  double litres = 0;

  constexpr joules machines() const { return devices + host + network; }
  constexpr joules total() const { return machines() + overhead; }
};

struct bad_site : error {
  using error::error;
};

/// Of device-time that draws so many watts on average. Throws `bad_site` where a share is negative or PUE below 1.
constexpr energy_account energy_of(seconds device_time, watts average, const site& at = {}) {
  if (!(at.host >= 0) || !(at.network >= 0))
    flopledger::detail::raise<bad_site>("the share of host or network is below 0");
  if (!(at.pue >= 1)) flopledger::detail::raise<bad_site>("power usage effectiveness is below 1");
  energy_account made;
  made.devices = average * device_time;
  made.host = at.host * made.devices;
  made.network = at.network * made.devices;
  made.overhead = (at.pue - 1) * made.machines();
  made.carbon = made.total() * at.carbon;
  made.litres = at.litres_per_kilowatt_hour * (made.machines() / kilowatt_hour);
  return made;
}
constexpr energy_account energy_of(seconds device_time, const power_draw& draw, double utilisation,
                                   const site& at = {}) {
  return energy_of(device_time, draw.at(utilisation), at);
}

}  // namespace flopledger::planning
