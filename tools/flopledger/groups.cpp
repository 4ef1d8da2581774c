// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors

#include "groups.hpp"

#include <algorithm>
#include <string_view>

namespace program {

namespace {

std::string with_window(std::string name, const listed_operation& o) {
  if (o.window > 0) name += ", window " + std::to_string(o.window);
  return name;
}

std::string with_part(const flopledger::row& r) {
  std::string name(name_of(r.part));
  if (!name.empty()) name += ' ';
  return name += r.name;
}

}  // namespace

std::string group::short_name(const listed_operation& o) {
  const std::string_view name = o.what.name;
  const std::size_t dot = name.find('.');
  return with_window(std::string(dot == std::string_view::npos ? name : name.substr(dot + 1)), o);
}

std::string group::full_name(const listed_operation& o) { return with_window(with_part(o.what), o); }

std::vector<group> groups_of(const std::vector<listed_operation>& operations) {
  std::vector<group> groups;
  for (const listed_operation& o : operations) {
    const std::string name = with_part(o.what);
    const std::string title = name.substr(0, name.find('.', name_of(o.what.part).size()));
    const auto known = std::find_if(groups.begin(), groups.end(), [&](const group& g) { return g.title == title; });
    if (known == groups.end())
      groups.push_back({title, {o}});
    else
      known->members.push_back(o);
  }
  return groups;
}

}  // namespace program
