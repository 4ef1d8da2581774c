// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include "groups.hpp"

#include <algorithm>

namespace program {

std::string_view group::short_name(const flopledger::row& r) {
  const std::size_t dot = r.name.find('.');
  return dot == std::string_view::npos ? r.name : r.name.substr(dot + 1);
}

std::string group::full_name(const flopledger::row& r) {
  std::string name(r.part);
  if (!name.empty()) name += ' ';
  return name += r.name;
}

std::vector<group> groups_of(const std::vector<flopledger::entry>& operations) {
  std::vector<group> groups;
  for (const flopledger::entry& e : operations) {
    const std::string name = group::full_name(e.what);
    const std::string title = name.substr(0, name.find('.', e.what.part.size()));
    const auto known = std::find_if(groups.begin(), groups.end(), [&](const group& g) { return g.title == title; });
    if (known == groups.end())
      groups.push_back({title, {e}});
    else
      known->members.push_back(e);
  }
  return groups;
}

}  // namespace program
