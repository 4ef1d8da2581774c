// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include "terminal_bars.hpp"

#include <flopledger/text/table.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

namespace program {
namespace {

using flopledger::report::width_of;

constexpr std::string_view fills[] = {"█", "▓", "▒", "░", "#", "=", "+", ":", "·"};  // told apart without colours
constexpr std::string_view colours[] = {"34", "33", "32", "31", "35", "36", "37", "90"};

std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

std::string filled(std::size_t series, std::size_t cells, const terminal& on) {
  if (cells == 0) return {};
  if (!on.colours) return repeated(fills[series % std::size(fills)], cells);
  return "\x1b[" + std::string(colours[series % std::size(colours)]) + 'm' + repeated("█", cells) + "\x1b[0m";
}

std::string bars_of(const drawn_bars& what, const terminal& on) {
  double most = 0;
  std::size_t label_width = 0, text_width = 0;
  for (const drawn_bar& bar : what.bars) {
    most = std::max(most, bar.end());
    label_width = std::max(label_width, width_of(bar.label));
    text_width = std::max(text_width, width_of(bar.text));
  }
  for (const drawn_mark& mark : what.marks) most = std::max(most, mark.at);
  const std::size_t beside = label_width + text_width + 4;
  constexpr std::size_t fewest = 10;
  const std::size_t cells = on.columns > beside + fewest ? on.columns - beside : fewest;
  const auto cell_of = [&](double value) {
    return most > 0 ? static_cast<std::size_t>(std::lround(static_cast<double>(cells) * value / most)) : 0;
  };
  std::string text = '\n' + what.title + '\n';
  for (const drawn_bar& bar : what.bars) {
    text += "  " + bar.label + repeated(" ", label_width - width_of(bar.label) + 1);
    double end = bar.begins;
    std::size_t at = cell_of(end);
    text += repeated(" ", at);
    for (std::size_t i = 0; i < bar.parts.size(); ++i) {
      end += bar.parts[i];
      text += filled(i, cell_of(end) - at, on);
      at = cell_of(end);
    }
    text += repeated(" ", cells - at + 1 + text_width - width_of(bar.text)) + bar.text + '\n';
  }
  std::string names;
  for (std::size_t i = 0; i < what.series.size(); ++i) names += "  " + filled(i, 1, on) + ' ' + what.series[i];
  text += names + '\n';
  for (const drawn_mark& mark : what.marks) text += "  " + mark.label + '\n';
  return text;
}

}  // namespace

std::string bars_of(const document& made, const terminal& on) {
  std::string text;
  for (const section& one : made.sections)
    for (const drawn_bars& bars : one.bars) text += bars_of(bars, on);
  return text;
}

}  // namespace program
