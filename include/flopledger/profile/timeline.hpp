// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Events of a timeline as they are read: nested ones lose what runs inside them, overlapping ones are not busy twice.
///
/// Exporters write events nearly in the order of their start. Each thread and each device therefore keeps a window of
/// events that wait to be sorted; one that comes later than a whole window is a complaint, not a guess.

#include <flopledger/profile/recording.hpp>
#include <flopledger/stable_order.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace flopledger::profile::detail {

/// Events of one thread or device that wait to be sorted.
template <class Event>
class window {
 public:
  explicit window(std::size_t size) : size_(size) {}
  /// Hands the earliest half on, in order, once twice the size has gathered.
  template <class Use>
  bool add(const Event& e, Use&& use) {
    if (e.start < passed_) return false;
    waiting_.push_back(e);
    if (waiting_.size() >= 2 * size_) flush(size_, use);
    return true;
  }
  template <class Use>
  void finish(Use&& use) {
    flush(0, use);
  }
 private:
  template <class Use>
  void flush(std::size_t keep, Use&& use) {
    flopledger::detail::order_stably(waiting_, [](const Event& a, const Event& b) {
      return a.start != b.start ? a.start < b.start : a.end > b.end;
    });
    const std::size_t out = waiting_.size() - keep;
    for (std::size_t i = 0; i < out; ++i) use(waiting_[i]);
    if (out > 0) passed_ = waiting_[out - 1].start;
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(out));
  }
  std::size_t size_;
  std::vector<Event> waiting_;
  double passed_ = -1e300;
};

/// An operator of the host; microseconds.
struct host_event {
  double start = 0, end = 0;
  std::uint32_t name = 0;
  std::uint64_t id = 0;  ///< that kernels name as the operator that launched them; 0: none
  product shape{};
};

/// The operators of one thread, one inside another.
class nest {
 public:
  /// `close(event, self, phase, holds_product)` for each event once its end is passed.
  template <class Close>
  void open(const host_event& e, phase own, bool is_product, Close&& close) {
    pop(e.start, close);
    host_event inside = e;
    // Clocks of whole microseconds let an event end after the one around it, or begin before its neighbour's end. It
    // is a neighbour where more of it is outside than inside.
    while (!frames_.empty() && e.end - frames_.back().event.end > frames_.back().event.end - inside.start) {
      inside.start = frames_.back().event.end;
      pop(inside.start, close);
    }
    if (!frames_.empty()) {
      frame& around = frames_.back();
      inside.start = std::max(inside.start, around.event.start);
      inside.end = std::max(inside.start, std::min(e.end, around.event.end));
      around.self -= inside.end - inside.start;
    }
    if (is_product)
      for (frame& f : frames_) f.holds_product = true;
    const phase when = own != phase::unknown ? own : frames_.empty() ? phase::unknown : frames_.back().when;
    frames_.push_back({inside, inside.end - inside.start, when, false});
  }
  template <class Close>
  void finish(Close&& close) {
    pop(1e300, close);
  }
 private:
  struct frame {
    host_event event;
    double self = 0;
    phase when = phase::unknown;
    bool holds_product = false;
  };
  template <class Close>
  void pop(double until, Close& close) {
    // An event that starts where the one before ends, and lasts, is no part of it.
    while (!frames_.empty() && frames_.back().event.end <= until) {
      const frame& f = frames_.back();
      close(f.event, f.self, f.when, f.holds_product);
      frames_.pop_back();
    }
  }
  std::vector<frame> frames_;
};

/// Something that a device did; microseconds.
struct device_event {
  double start = 0, end = 0;
  bool communicates = false;
};

/// How long one device was busy, whichever of its streams it was.
class occupancy {
 public:
  void take(const device_event& e) {
    add(all_, e);
    add(e.communicates ? communication_ : rest_, e);
  }
  double busy() const { return all_.sum; }
  double communicating() const { return communication_.sum; }
  double exposed() const { return all_.sum - rest_.sum; }
 private:
  struct stretch {
    double until = -1e300, sum = 0;
  };
  static void add(stretch& s, const device_event& e) {
    if (e.end <= s.until) return;
    s.sum += e.end - std::max(e.start, s.until);
    s.until = e.end;
  }
  stretch all_, communication_, rest_;
};

}  // namespace flopledger::profile::detail
