// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// A page with sections that programs write: each stands between two comments that bear its name, and what stands
/// outside them is written by hand.

#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

namespace published {

inline std::string read_file(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// `program` prints its section, `program --write PAGE` puts it into the page (at the end, where it was not yet), and
/// `program --check PAGE` fails unless the page has exactly this section.
inline int serve_section(int argc, char** argv, const std::string& name, const std::string& section) {
  if (argc != 3) {
    std::fputs(section.c_str(), stdout);
    return 0;
  }
  const std::string mode = argv[1], path = argv[2];
  const std::string begin = "<!-- generated: " + name + " -->\n", end = "<!-- end of " + name + " -->\n";
  std::string page = read_file(path);
  const auto first = page.find(begin), last = page.find(end);
  const bool found = first != std::string::npos && last != std::string::npos && first < last;
  const auto start = first + begin.size();
  if (mode == "--check") {
    if (found && page.substr(start, last - start) == section) return 0;
    std::fprintf(stderr,
                 "%s does not hold the section '%s' as this program generates it; write it with %s --write %s\n",
                 path.c_str(), name.c_str(), argv[0], path.c_str());
    return 1;
  }
  if (found)
    page.replace(start, last - start, section);
  else
    page += "\n" + begin + section + end;
  std::ofstream(path) << page;
  return 0;
}

}  // namespace published
