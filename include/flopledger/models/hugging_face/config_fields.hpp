// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The fields of a config.json as a family's reader asks for them.

#include <flopledger/models/config_document.hpp>
#include <flopledger/models/pattern.hpp>

namespace flopledger::hugging_face {

using field = config_field;

/// The fields of one object of the document, with what to do where they are absent.
class config_fields {
 public:
  constexpr config_fields(detail::config_document& document, config_scope scope) : document_(document), scope_(scope) {}

  constexpr config_fields in(config_scope scope) const { return {document_, scope}; }
  constexpr bool present() const { return document_.present[static_cast<int>(scope_)]; }
  constexpr bool nested() const { return scope_ == config_scope::text; }
  constexpr bool failed() const { return document_.error.problem != config_problem::none; }
  constexpr bool has(field f) const { return find(f) != nullptr; }
  /// The first of the names that is there, for fields that models name differently.
  template <class... Fields>
  constexpr field which(field first, Fields... others) const {
    field found = field::none;
    for (const field f : {first, others...})
      if (has(f) && found == field::none) found = f;
    return found == field::none ? first : found;
  }

  constexpr void fail(config_problem problem, field f) const {
    if (failed()) return;
    const json::value* v = find(f);
    document_.fail(problem, f, v != nullptr ? v->line : 0);
    if (v == nullptr) return;
    document_.error.text = v->text.raw;
    document_.error.is_string = v->type == json::kind::string;
  }
  /// Of a list, the element at fault is what a message shows.
  constexpr void fail(config_problem problem, field f, json::slice element) const {
    if (failed()) return;
    fail(problem, f);
    document_.error.text = element.raw;
  }
  constexpr void contradict(field f, std::int64_t value, field other, std::int64_t other_value) const {
    if (failed()) return;
    fail(config_problem::contradictory, f);
    document_.error.other = other;
    document_.error.value = value;
    document_.error.other_value = other_value;
  }

  /// A number of something: an integer from `least` to 2^24 (no width, vocabulary or count of a model comes near).
  constexpr std::int64_t count_or(field f, std::int64_t fallback, std::int64_t least = 1,
                                  std::int64_t most = largest) const {
    const json::value* v = find(f);
    if (v == nullptr) return fallback;
    if (v->type != json::kind::integer && v->type != json::kind::real) {
      fail(config_problem::wrong_type, f);
      return fallback;
    }
    const json::exact_integer n = json::as_integer(*v);
    if (!n.ok || n.value < least || n.value > most) {
      if (!failed()) {
        fail(config_problem::out_of_range, f);
        document_.error.value = n.value;
      }
      return fallback;
    }
    return n.value;
  }
  constexpr std::int64_t count(field f) const {
    if (!has(f)) document_.fail(config_problem::missing, f, 0);
    return count_or(f, 1);
  }
  /// Of several names for one thing: whichever is there. Two that disagree contradict each other.
  template <class... Fields>
  constexpr std::int64_t count_of(field first, Fields... others) const {
    const field named = which(first, others...);
    const std::int64_t value = count(named);
    for (const field f : {first, others...})
      if (f != named && has(f) && count_or(f, value) != value) contradict(f, count_or(f, value), named, value);
    return value;
  }
  /// Layers. More than a `layer_set` holds are refused at once, before anything walks over them.
  template <class... Fields>
  constexpr std::int64_t layers(field first, Fields... others) const {
    return limited_layers(count_of(first, others...), which(first, others...));
  }
  constexpr std::int64_t limited_layers(std::int64_t n, field f) const {
    if (n <= layer_set::capacity) return n;
    fail(config_problem::too_large, f);
    return 1;
  }
  /// A share of something: from `least` to 1.
  constexpr double share_or(field f, double fallback, double least = 0) const {
    const json::value* v = find(f);
    if (v == nullptr) return fallback;
    if (v->type != json::kind::integer && v->type != json::kind::real) {
      fail(config_problem::wrong_type, f);
      return fallback;
    }
    if (v->real < least || v->real > 1) {
      fail(config_problem::out_of_range, f);
      return fallback;
    }
    return v->real;
  }
  constexpr bool flag_or(field f, bool fallback) const {
    const json::value* v = find(f);
    if (v == nullptr) return fallback;
    if (v->type != json::kind::boolean) fail(config_problem::wrong_type, f);
    return v->truth;
  }
  constexpr json::slice text(field f) const {
    const json::value* v = find(f);
    if (v == nullptr) return {};
    if (v->type != json::kind::string) {
      fail(config_problem::wrong_type, f);
      return {};
    }
    return v->text;
  }
  /// Calls `visit(value, index)` for each element of an array; how many there were.
  constexpr std::int64_t each(field f, auto&& visit) const {
    const json::value* v = find(f);
    if (v == nullptr) return 0;
    if (v->type != json::kind::array) {
      fail(config_problem::wrong_type, f);
      return 0;
    }
    std::int64_t index = 0;
    json::for_each_element(*v, [&](const json::value& element) { visit(element, index++); });
    return index;
  }
  constexpr const json::value* find(field f) const {
    const int place = document_.index[static_cast<int>(scope_)][static_cast<int>(f)];
    if (place == 0 || place == detail::config_document::null_place) return nullptr;
    document_.asked[place] = true;
    return &document_.values[place];
  }
  /// Refuses what stands in the file and no reader asked for: a tower beside a language model, and every field that is
  /// not switched off where nothing but the class is known, for its namesakes read it otherwise.
  constexpr void refuse_unread(bool all) const {
    for (int i = 1; i < document_.size; ++i) {
      const json::value& v = document_.values[i];
      const field_kind kind = field_kind_of(document_.fields[i]);
      if (document_.asked[i] || kind == field_kind::labels || (!all && kind != field_kind::tower)) continue;
      const bool off = (v.type == json::kind::boolean && !v.truth) || (v.type == json::kind::integer && v.integer == 0);
      if (off || failed()) continue;
      document_.fail(config_problem::unknown, document_.fields[i], v.line);
      document_.error.text = v.text.raw;
      document_.error.is_string = v.type == json::kind::string;
    }
  }
  /// Calls `visit(key)` with each key of quantization_config that is no field and says something.
  constexpr void for_each_other_quantization_key(auto&& visit) const {
    for (int i = 0; i < document_.other_keys; ++i) visit(document_.other_quantization_keys[i]);
  }
  constexpr bool has_null(field f) const {
    return document_.index[static_cast<int>(scope_)][static_cast<int>(f)] == detail::config_document::null_place;
  }
 private:
  static constexpr std::int64_t largest = 16777216;
  detail::config_document& document_;
  config_scope scope_;
};

}  // namespace flopledger::hugging_face
