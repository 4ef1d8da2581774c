// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Runs the built program as a user does, through a shell.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include "catch.hpp"

namespace program_test {

/// A folder that ends with the test; tests run side by side, so each process has its own.
class scratch_folder {
 public:
  scratch_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "flopledger-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder for the test");
    path_ = name;
  }
  ~scratch_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;

  std::string file(const std::string& name) const { return (path_ / name).string(); }
  std::string file(const std::string& name, std::string_view content) const {
    std::ofstream(file(name), std::ios::binary) << content;
    return file(name);
  }
 private:
  std::filesystem::path path_;
};

inline std::string content_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

struct result {
  int status = 0;
  std::string out, err;

  nlohmann::json json() const { return nlohmann::json::parse(out); }
};

/// Runs a line of shell, in which "flopledger" is the program.
inline result shell(const std::string& line) {
  const scratch_folder scratch;
  const std::string command = "flopledger() { '" FLOPLEDGER_PROGRAM "' \"$@\"; }; { " + line + "; } >'" +
                              scratch.file("out") + "' 2>'" + scratch.file("err") + "' </dev/null";
  const int ended = std::system(command.c_str());
  return {WIFEXITED(ended) ? WEXITSTATUS(ended) : -1, content_of(scratch.file("out")), content_of(scratch.file("err"))};
}

inline result run(const std::string& arguments) { return shell("flopledger " + arguments); }

/// Wrong use: nothing on standard output, and one line that holds both texts on standard error.
inline void check_refused(const std::string& arguments, const std::string& first, const std::string& second = "") {
  const auto ran = run(arguments);
  INFO(arguments << ": " << ran.err);
  CHECK(ran.status == 2);
  CHECK(ran.out.empty());
  CHECK(std::count(ran.err.begin(), ran.err.end(), '\n') == 1);
  CHECK(ran.err.find(first) != std::string::npos);
  CHECK(ran.err.find(second) != std::string::npos);
}

}  // namespace program_test
