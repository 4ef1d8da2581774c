// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// What a training meter says, written down: a line for people, JSON a line, OpenMetrics text, and counters of a Chrome
/// trace. Beside every share of a peak stands the peak.

#include <flopledger/meter.hpp>
#include <flopledger/text/number.hpp>

#include <charconv>
#include <string>
#include <string_view>

namespace flopledger {

namespace detail {
/// The shortest digits that read back as the same number.
inline std::string exact_text(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

/// Members of a JSON object, one after another.
class json_members {
 public:
  json_members& put(std::string_view name, double value) { return put_text(name, exact_text(value)); }
  json_members& put(std::string_view name, const std::optional<double>& value) {
    return put_text(name, value ? exact_text(*value) : "null");
  }
  json_members& put(std::string_view name, bool value) { return put_text(name, value ? "true" : "false"); }
  json_members& put_text(std::string_view name, std::string_view json) {
    if (!text_.empty()) text_ += ", ";
    ((((text_ += '"') += name) += "\": ") += json);
    return *this;
  }
  std::string object() const { return '{' + text_ + '}'; }
 private:
  std::string text_;
};

/// The peak of one device, or nothing.
inline std::optional<double> peak_of(const meter_report& now) {
  if (!now.peak.is_known()) return std::nullopt;
  return now.peak.value().value();
}
}  // namespace detail

/// One line for people: "step 120: 1.52 s, 345 ktokens/s, MFU 38.2 % of 989 TFLOP/s a device; last 50: …; run of 110:
/// …", and then what gives cause to look. HFU is said where it is not MFU.
inline std::string as_line(const meter_report& now) {
  const auto rates = [](const metered_rates& r) {
    std::string text = report::scaled(r.step) + ", " + report::scaled(r.throughput.value(), "tokens/s");
    if (r.mfu) text += ", MFU " + report::percent(*r.mfu) + " %";
    if (r.hfu > r.mfu) text += " (HFU " + report::percent(*r.hfu) + " %)";
    return text;
  };
  std::string text = "step " + std::to_string(now.last.number) + ": ";
  if (now.last.flag == step_flag::no_time) return text + "its time is not above zero, so it counts nowhere";
  text += rates(now.last.rates);
  text +=
      now.peak.is_known() ? " of " + report::scaled(now.peak.value()) + " a device" : ", no MFU without a known peak";
  if (now.last.warm_up) text += "; warm-up";
  if (now.window_steps > 0)
    text += "; last " + std::to_string(now.window_steps) + ": " + rates(now.window) + ", P99 " +
            report::scaled(now.step_seconds.p99, "s") + "; run of " + std::to_string(now.run_steps) + ": " +
            rates(now.run);
  if (now.last.flag == step_flag::above_peak) text += "; ABOVE THE PEAK: work, time or peak is of something else";
  if (now.alarms.utilisation_fell)
    text += "; the window is " + report::percent(*now.alarms.utilisation_fell) + " % slower than the best one";
  if (now.alarms.memory_grows)
    text += "; memory grows by " + report::scaled_binary(*now.alarms.memory_grows) + " a step";
  return text;
}

/// One JSON object without a line break. What is not known is null.
inline std::string as_json(const meter_report& now) {
  detail::json_members members;
  const auto rates = [&](const char* of, const metered_rates& r) {
    const std::string prefix = of;
    members.put(prefix + "step_seconds", r.step.value())
        .put(prefix + "tokens_per_second", r.throughput.value())
        .put(prefix + "mfu", r.mfu)
        .put(prefix + "hfu", r.hfu);
  };
  members.put_text("step", std::to_string(now.last.number))
      .put("warm_up", now.last.warm_up)
      .put_text("flag", '"' + std::string(name_of(now.last.flag)) + '"');
  rates("", now.last.rates);
  rates("window_", now.window);
  rates("run_", now.run);
  members.put("step_seconds_p50", now.step_seconds.p50)
      .put("step_seconds_p95", now.step_seconds.p95)
      .put("step_seconds_p99", now.step_seconds.p99)
      .put("peak_flop_per_second_per_device", detail::peak_of(now))
      .put("devices", now.devices)
      .put("seconds_beyond_prediction", now.last.beyond_prediction.value())
      .put("utilisation_fell", now.alarms.utilisation_fell)
      .put("memory_growth_bytes_per_step",
           now.alarms.memory_grows ? std::optional(now.alarms.memory_grows->value()) : std::nullopt);
  return members.object();
}

/// OpenMetrics 1.0 text, whole with its end: what a scraper reads. Shares are left out where no peak is known.
inline std::string as_openmetrics(const meter_report& now) {
  std::string text;
  const auto begin = [&](std::string_view name, std::string_view type, std::string_view unit, std::string_view help) {
    ((((text += "# TYPE ") += name) += ' ') += type) += '\n';
    if (!unit.empty()) ((((text += "# UNIT ") += name) += ' ') += unit) += '\n';
    ((((text += "# HELP ") += name) += ' ') += help) += '\n';
  };
  const auto sample = [&](std::string_view name, double value) {
    (((text += name) += ' ') += detail::exact_text(value)) += '\n';
  };
  const auto by_span = [&](std::string_view name, auto&& value_of) {
    const struct {
      const char* over;
      const metered_rates& rates;
    } spans[] = {{"step", now.last.rates}, {"window", now.window}, {"run", now.run}};
    for (const auto& span : spans)
      if (const std::optional<double> value = value_of(span.rates))
        sample(std::string(name) + "{over=\"" + span.over + "\"}", *value);
  };
  begin("flopledger_steps", "counter", "", "Steps of the run, warm-up included.");
  sample("flopledger_steps_total", static_cast<double>(now.last.number));
  begin("flopledger_step_seconds", "gauge", "seconds", "Mean time of a step.");
  by_span("flopledger_step_seconds", [](const metered_rates& r) { return std::optional(r.step.value()); });
  begin("flopledger_tokens_per_second", "gauge", "", "Tokens a second on all devices together.");
  by_span("flopledger_tokens_per_second", [](const metered_rates& r) { return std::optional(r.throughput.value()); });
  if (const std::optional<double> peak = detail::peak_of(now)) {
    begin("flopledger_mfu_ratio", "gauge", "ratio", "Model FLOPs utilisation.");
    by_span("flopledger_mfu_ratio", [](const metered_rates& r) { return r.mfu; });
    begin("flopledger_hfu_ratio", "gauge", "ratio", "Hardware FLOPs utilisation: recompute counts.");
    by_span("flopledger_hfu_ratio", [](const metered_rates& r) { return r.hfu; });
    begin("flopledger_peak_flop_per_second", "gauge", "", "Dense peak of one device, which both are shares of.");
    sample("flopledger_peak_flop_per_second", *peak);
  }
  return text += "# EOF\n";
}

/// One counter event of Chrome's trace format, followed by a comma: the track that a trace viewer draws under the
/// profile of the same run. A file of them begins with '['; viewers ask for no closing bracket.
inline std::string as_chrome_counter(const meter_report& now, seconds since_the_trace_began) {
  detail::json_members values;
  values.put("tokens_per_second", now.last.rates.throughput.value());
  if (now.last.rates.mfu) values.put("mfu_percent", 100 * *now.last.rates.mfu);
  detail::json_members event;
  event.put_text("name", "\"training step\"")
      .put_text("ph", "\"C\"")
      .put("ts", 1e6 * since_the_trace_began.value())
      .put("pid", 0.0)
      .put_text("args", values.object());
  return event.object() + ",\n";
}

}  // namespace flopledger
