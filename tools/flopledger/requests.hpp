// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// One request, one answer: docs/requests.md. Look-ups are kept by thread, and threads share nothing.

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "program.hpp"

namespace program {

struct command;

/// What a request says under one key.
struct field {
  enum class kind { text, number, truth, nothing, list };
  std::string key;
  kind what = kind::text;
  std::string text{};               ///< "true" or "false" of a truth
  std::vector<std::string> list{};  ///< items of an array; "key=value" of an object
  std::string object{};             ///< the text of an object
  bool nested = false;              ///< a list or an object holds another
};
using request = std::vector<field>;

/// The fields of a JSON object. Throws `usage_error` where the text is none, or nests deeper than options do.
request read_request(std::string_view text);

/// The same as the text of an object, for a request that holds another.
std::string object_of(const request& asked);

/// The command that a request names. Throws `usage_error` where there is none.
command& command_of(const request& asked);

/// The answer. Throws `usage_error` where the question cannot be asked so, and `failure` where the machine failed.
reply answer(const request& asked, output how);
json answer(std::string_view request_text);

/// `{"error": {"message", "field", "value"}}`: the line that the command line prints, and the key that it is about.
json error_of(const std::exception& problem, const request& asked);

/// The answer or the error in one line that ends; `refused` says which. Throws nothing but for want of memory.
std::string answer_line(std::string_view request_text, bool& refused);

/// Answers each line of `in` by one on `out`, in order, and writes what it has before it waits for more.
/// Returns 0; 2 where a request was refused; 1 where `out` cannot be written.
int answer_lines(std::istream& in, std::ostream& out);

/// Every command with its keys, as the page has them.
reply schema(output how);

}  // namespace program
