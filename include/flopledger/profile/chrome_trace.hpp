// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// The trace that PyTorch's profiler exports for Chrome: with Kineto (an object with `traceEvents`), and without it (an
/// array). Read event by event: a trace of any length in the memory of its different names, and of a window of events.

#include <flopledger/profile/recording.hpp>
#include <flopledger/profile/rules.hpp>
#include <flopledger/profile/text_source.hpp>
#include <flopledger/profile/timeline.hpp>
#include <flopledger/text/json.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace flopledger::profile {

/// How much of a trace is held at a time.
struct trace_limits {
  std::size_t window = std::size_t{1} << 15U;    ///< by how many events of its thread one may come too late
  std::size_t event = std::size_t{1} << 20U;     ///< bytes of one event
  std::size_t launches = std::size_t{1} << 20U;  ///< of the latest products, those that a kernel may name
  std::size_t threads = 1024;                    ///< of host and devices together
};

namespace detail {

class chrome_trace_reader {
 public:
  chrome_trace_reader(text_source& in, const rules& names, const trace_limits& limits)
      : in_(in), names_(names), limits_(limits) {}

  recording read() {
    switch (token()) {
      case '[':
        in_.get();
        read_events();
        break;
      case '{':
        in_.get();
        read_object();
        break;
      case text_source::end:
        in_.refuse("empty");
      default:
        in_.fail("not a trace: JSON begins with { or [");
    }
    if (token() != text_source::end) in_.fail("something follows the end of the trace");
    if (!found_events_) in_.refuse("JSON, but no trace: it has no traceEvents");
    return finished();
  }
 private:
  // The document around the events
  // -------------------------------------------------------------------------------------------------

  int token() {
    int c = in_.peek();
    while (c == ' ' || c == '\n' || c == '\r' || c == '\t') {
      in_.get();
      c = in_.peek();
    }
    return c;
  }
  [[noreturn]] void cut_short() {
    in_.fail("the trace ends here, in the middle: cut short (" + std::to_string(events_) + " events were whole)");
  }
  void expect(char wanted) {
    const int c = token();
    if (c == text_source::end) cut_short();
    if (c != wanted) in_.fail(std::string("'") + wanted + "' is missing");
    in_.get();
  }

  void read_object() {
    bool first = true;
    for (;;) {
      int c = token();
      if (c == '}') {
        in_.get();
        return;
      }
      if (!first) {
        expect(',');
        c = token();
      }
      first = false;
      if (c == text_source::end) cut_short();
      if (c != '"') in_.fail("a key is missing");
      take_value();
      const bool events = text_ == "\"traceEvents\"";
      expect(':');
      c = token();
      if (events) {
        if (found_events_) in_.fail("traceEvents stands twice");
        if (c == text_source::end) cut_short();
        if (c != '[') in_.fail("traceEvents is no array");
        in_.get();
        read_events();
      } else {
        skip_value();
      }
    }
  }

  void read_events() {
    found_events_ = true;
    if (token() == ']') {
      in_.get();
      return;
    }
    for (;;) {
      token();
      const std::uint64_t line = in_.line();
      take_value();
      read_event(line);
      ++events_;
      const int c = token();
      if (c == text_source::end) cut_short();
      in_.get();
      if (c == ']') return;
      if (c != ',') in_.fail("a comma is missing between two events");
    }
  }

  /// The text of the value that comes next, in `text_`.
  void take_value() {
    text_.clear();
    walk_value([&](char c) {
      if (text_.size() >= limits_.event) in_.fail("an event longer than 1 MiB");
      text_ += c;
    });
  }
  void skip_value() {
    walk_value([](char) {});
  }
  /// Passes over one value by its brackets and strings alone; what is inside an event is parsed afterwards.
  template <class Put>
  void walk_value(Put&& put) {
    int depth = 0;
    if (token() == text_source::end) cut_short();
    for (;;) {
      const int c = in_.peek();
      if (c == text_source::end) cut_short();
      if (depth == 0 && (c == ',' || c == '}' || c == ']' || c == ':')) in_.fail("a value is missing");
      in_.get();
      put(static_cast<char>(c));
      if (c == '"') {
        for (int s = in_.get(); s != '"'; s = in_.get()) {
          if (s == text_source::end) cut_short();
          put(static_cast<char>(s));
          if (s == '\\') {
            s = in_.get();
            if (s == text_source::end) cut_short();
            put(static_cast<char>(s));
          }
        }
        put('"');
      } else if (c == '{' || c == '[') {
        ++depth;
      } else if (c == '}' || c == ']') {
        --depth;
      } else if (depth == 0) {  // a number or a literal
        for (int s = in_.peek(); s != ',' && s != '}' && s != ']' && s > ' '; s = in_.peek())
          put(static_cast<char>(in_.get()));
      }
      if (depth == 0) return;
    }
  }

  // One event
  // ------------------------------------------------------------------------------------------------------------------

  struct event {
    std::string name, category, process, thread;
    bool complete = false, has_start = false, has_length = false, has_category = false;
    double start = 0, length = 0, device = -1;
    std::uint64_t id = 0;
    std::vector<std::vector<double>> inputs;
  };

  static void decode_into(std::string& text, const json::value& v) {
    text.clear();
    if (v.type != json::kind::string) {
      text.assign(v.text.raw);
      return;
    }
    json::decode(v.text, [&](char c) {
      text += c;
      return true;
    });
  }
  static bool is_number(const json::value& v) { return v.type == json::kind::integer || v.type == json::kind::real; }

  void read_arguments(const json::value& arguments) {
    json::for_each_member(arguments, [&](const json::slice& key, const json::value& v) {
      if (key == "External id" || key == "external id") {
        const json::exact_integer id = json::as_integer(v);
        if (id.ok && id.value > 0) now_.id = static_cast<std::uint64_t>(id.value);
      } else if (key == "device" && is_number(v)) {
        now_.device = v.real;
      } else if (key == "Input Dims" && v.type == json::kind::array) {
        json::for_each_element(v, [&](const json::value& one) {
          std::vector<double> sizes;
          if (one.type == json::kind::array)
            json::for_each_element(one, [&](const json::value& size) {
              if (is_number(size)) sizes.push_back(size.real);
            });
          now_.inputs.push_back(std::move(sizes));
        });
      }
    });
  }

  void read_event(std::uint64_t line) {
    now_.complete = now_.has_start = now_.has_length = now_.has_category = false;
    now_.name.clear();
    now_.process.clear();
    now_.thread.clear();
    now_.category.clear();
    now_.id = 0;
    now_.device = -1;
    now_.inputs.clear();
    const json::outcome parsed = json::for_each_member(text_, [&](const json::slice& key, const json::value& v) {
      if (key == "ph") {
        now_.complete = v.text == "X";
      } else if (key == "name") {
        decode_into(now_.name, v);
      } else if (key == "cat") {
        decode_into(now_.category, v);
        now_.has_category = true;
      } else if (key == "ts" && is_number(v)) {
        now_.start = v.real;
        now_.has_start = true;
      } else if (key == "dur" && is_number(v)) {
        now_.length = v.real;
        now_.has_length = true;
      } else if (key == "pid") {
        decode_into(now_.process, v);
      } else if (key == "tid") {
        decode_into(now_.thread, v);
      } else if (key == "args" && v.type == json::kind::object) {
        read_arguments(v);
      }
    });
    if (!parsed.ok()) in_.fail_at(line + parsed.line - 1, json::describe(parsed.what));
    if (now_.complete) take_event(line);
  }

  static bool same(std::string_view a, std::string_view b) { return fits(b, a); }

  void take_event(std::uint64_t line) {
    const bool plain = !now_.has_category;  // exported without Kineto
    const std::string& cat = now_.category;
    const bool annotation = same(cat, "user_annotation");
    const bool host =
        annotation || (plain ? same(now_.process, "CPU functions") : same(cat, "cpu_op") || same(cat, "Operator"));
    const bool device = plain ? same(now_.process, "CUDA functions")
                              : same(cat, "kernel") || same(cat, "gpu_memcpy") || same(cat, "gpu_memset") ||
                                    same(cat, "Memcpy") || same(cat, "Memset");
    if (!host && !device) return;
    if (!now_.has_start || !now_.has_length) in_.fail_at(line, "an event without ts or dur");
    if (!(now_.length >= 0)) in_.fail_at(line, "an event with a negative dur");
    const double end = now_.start + now_.length;
    if (host && now_.name.starts_with("ProfilerStep")) {
      ++steps_;
      first_step_ = std::min(first_step_, now_.start);
      last_step_ = std::max(last_step_, end);
      return;
    }
    if (annotation && !now_.name.starts_with("Optimizer.")) return;
    first_ = std::min(first_, now_.start);
    last_ = std::max(last_, end);
    if (device)
      take_device(line, end);
    else
      take_host(line, end);
  }

  void take_host(std::uint64_t line, double end) {
    host_event e{.start = now_.start, .end = end, .name = numbers_.number_of(now_.name), .id = now_.id};
    if (!now_.inputs.empty()) e.shape = product_of(now_.name, now_.inputs);
    if (e.id != 0 && e.shape.batch > 0) remember(e.id, e.shape);
    thread& on = thread_of(threads_, now_.process + '\n' + now_.thread);
    const bool kept = on.waiting.add(e, [&](const host_event& next) { open(on, next); });
    if (!kept) out_of_order(line);
  }
  void take_device(std::uint64_t line, double end) {
    last_device_ = std::max(last_device_, end);
    const std::uint32_t name = numbers_.number_of(now_.name);
    const activity what = activity_of(name);
    product shape{};
    phase when = phase::unknown;
    double calls = 1;
    if (const auto from = launches_.find(now_.id);
        what == activity::product && now_.id != 0 && from != launches_.end()) {
      shape = shapes_[from->second.shape];
      when = from->second.when;
      // A second kernel of the same operator (a sum after a split of k) adds time, and no product.
      if (from->second.counted) calls = 0;
      from->second.counted = true;
    }
    numbers_.add(name, measured_on::device, when, shape, calls, now_.length * 1e-6);
    const std::string key = now_.device >= 0 ? std::to_string(now_.device) : now_.process;
    card& on = thread_of(cards_, key);
    const bool kept = on.waiting.add({now_.start, end, what == activity::communication},
                                     [&](const device_event& next) { on.used.take(next); });
    if (!kept) out_of_order(line);
  }
  [[noreturn]] void out_of_order(std::uint64_t line) {
    in_.fail_at(line, "an event that starts before " + std::to_string(limits_.window) +
                          " others that stand before it: sort the trace by ts");
  }

  struct thread {
    explicit thread(std::size_t size) : waiting(size) {}
    window<host_event> waiting;
    nest inside;
  };
  struct card {
    explicit card(std::size_t size) : waiting(size) {}
    window<device_event> waiting;
    occupancy used;
  };
  struct launch {
    std::uint32_t shape = 0;
    phase when = phase::unknown;
    bool counted = false;
  };

  /// The oldest product is forgotten for the newest.
  void remember(std::uint64_t id, const product& shape) {
    const auto [known, fresh] = shape_numbers_.try_emplace({shape.batch, shape.m, shape.n, shape.k}, shapes_.size());
    if (fresh) {
      if (shapes_.size() >= recorder::most_samples) in_.fail("more than a million different shapes");
      shapes_.push_back(shape);
    }
    if (!launches_.try_emplace(id, launch{static_cast<std::uint32_t>(known->second)}).second) return;
    order_.push_back(id);
    if (order_.size() > limits_.launches) {
      launches_.erase(order_.front());
      order_.pop_front();
    }
  }

  template <class Map>
  typename Map::mapped_type& thread_of(Map& all, const std::string& key) {
    const auto known = all.find(key);
    if (known != all.end()) return known->second;
    if (threads_.size() + cards_.size() >= limits_.threads) in_.fail("more than 1024 threads and devices");
    return all.emplace(key, typename Map::mapped_type(limits_.window)).first->second;
  }

  activity activity_of(std::uint32_t name) {
    while (activities_.size() <= name)
      activities_.push_back(names_.of(numbers_.name(static_cast<std::uint32_t>(activities_.size()))));
    return activities_[name];
  }

  void open(thread& on, const host_event& e) {
    const std::string& name = numbers_.name(e.name);
    phase own = phase::unknown;
    if (name.starts_with("autograd::engine::evaluate_function")) own = phase::backward;
    if (name.starts_with("Optimizer.")) own = phase::optimizer;
    on.inside.open(e, own, activity_of(e.name) == activity::product && name != "aten::linear", close_);
  }
  void closed(const host_event& e, double self, phase when, bool holds_product) {
    if (when == phase::backward) has_backward_ = true;
    // A linear layer that calls a product is not one more.
    const product shape = holds_product ? product{} : e.shape;
    numbers_.add(e.name, measured_on::host, when, shape, 1, self * 1e-6);
    if (e.id == 0 || shape.batch <= 0) return;
    if (const auto known = launches_.find(e.id); known != launches_.end()) known->second.when = when;
  }

  recording finished() {
    for (auto& [key, on] : threads_) {
      thread& one = on;
      one.waiting.finish([&](const host_event& e) { open(one, e); });
      one.inside.finish(close_);
    }
    recording all;
    all.tool = "PyTorch Profiler, chrome trace";
    all.samples = numbers_.take();
    if (all.samples.empty())
      in_.refuse("a trace, but none of PyTorch: of its " + std::to_string(events_) +
                 " events none is an operator (cpu_op) or a kernel");
    // Where the engine of the backward pass shows, what is outside of it is forward.
    if (has_backward_)
      for (sample& s : all.samples)
        if (s.when == phase::unknown && s.where == measured_on::host) s.when = phase::forward;
    all.steps = static_cast<double>(steps_);
    const double start = steps_ > 0 ? first_step_ : first_;
    const double stop = steps_ > 0 ? std::max(last_step_, last_device_) : last_;
    all.elapsed = (stop - start) * 1e-6;
    if (!cards_.empty()) {
      double busy = 0, communicating = 0, exposed = 0;
      for (auto& [key, one] : cards_) {
        card& on = one;
        on.waiting.finish([&](const device_event& e) { on.used.take(e); });
        busy += on.used.busy();
        communicating += on.used.communicating();
        exposed += on.used.exposed();
      }
      all.devices = static_cast<double>(cards_.size());
      all.busy = busy * 1e-6;
      all.communicating = communicating * 1e-6;
      all.exposed = exposed * 1e-6;
    }
    return all;
  }

  struct closing {
    chrome_trace_reader& reader;
    void operator()(const host_event& e, double self, phase when, bool holds_product) const {
      reader.closed(e, self, when, holds_product);
    }
  };

  text_source& in_;
  const rules& names_;
  trace_limits limits_;
  closing close_{*this};
  recorder numbers_;
  std::vector<activity> activities_;
  std::map<std::string, thread> threads_;
  std::map<std::string, card> cards_;
  std::unordered_map<std::uint64_t, launch> launches_;
  std::deque<std::uint64_t> order_;
  std::vector<product> shapes_;
  std::map<std::array<double, 4>, std::size_t> shape_numbers_;
  std::string text_;
  event now_;
  bool found_events_ = false, has_backward_ = false;
  std::uint64_t events_ = 0, steps_ = 0;
  double first_ = 1e300, last_ = -1e300, first_step_ = 1e300, last_step_ = -1e300, last_device_ = -1e300;
};

}  // namespace detail

/// Reads a chrome trace. `names` tells communication from the rest, and products from what launches them.
inline recording read_chrome_trace(text_source& in, const rules& names = {}, const trace_limits& limits = {}) {
  return detail::chrome_trace_reader(in, names, limits).read();
}

}  // namespace flopledger::profile
