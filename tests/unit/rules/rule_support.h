// What tests of rules need: jobs with regular samples and events, and a rule's row as the report
// has it.
//
// Samples are half a second apart from at(0), which lies 20 s into a minute: scan windows begin at
// samples 80, 200, 320, ..., and sample 1000 (the 1001st) lies in the window from at(460) to
// at(520).
#pragma once

#include "pipeline/analyze.h"
#include "support.h"

#include <cmath>
#include <map>
#include <optional>

namespace debrief::test {

inline job::MetricName gpu_memory(int device) {
  return {"gpu", "gpu" + std::to_string(device), "GPUMemoryUtilization"};
}

inline job::MetricName io_wait(int core) {
  return {"cpu", "cpu" + std::to_string(core), "I/OWaitPercentage"};
}

/// `count` samples of one value.
inline std::vector<double> flat(std::size_t count, double value) {
  return std::vector<double>(count, value);
}

/// `count` samples that repeat `pattern`.
inline std::vector<double> cycle(std::size_t count, const std::vector<double>& pattern) {
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i)
    values.push_back(pattern[i % pattern.size()]);
  return values;
}

inline std::vector<double> operator+(std::vector<double> first, const std::vector<double>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

/// Adds a series with a sample every half second, `later` seconds after at(0).
inline void add(job::Job& job, const std::string& node, const job::MetricName& name,
                std::vector<double> values, double later = 0) {
  std::vector<double> seconds;
  for (std::size_t i = 0; i < values.size(); ++i)
    seconds.push_back(later + static_cast<double>(i) / 2);
  job.metrics.push_back(series(node, name, seconds, std::move(values)));
  std::sort(job.metrics.begin(), job.metrics.end(), job::series_less);
}

inline void add(job::Job& job, const job::MetricName& name, std::vector<double> values,
                double later = 0) {
  add(job, "algo-1", name, std::move(values), later);
}

/// A framework event, in seconds after at(0).
struct Recorded {
  std::string phase;
  double start = 0;
  double duration = 0;
  std::string name = "";
  std::string process = "algo-1-27";
  std::optional<std::int64_t> pid = std::nullopt;
  std::optional<std::int64_t> step = std::nullopt;
  bool clock_known = true;
  job::EventDetails details = {};
};

inline job::EventTable recorded(const std::vector<Recorded>& list) {
  job::EventTableBuilder columns;
  for (const Recorded& given : list) {
    job::Timeline timeline;
    timeline.kind = job::TimelineKind::python;
    timeline.process = given.process;
    timeline.node = given.process.substr(0, given.process.rfind('-'));
    timeline.clock_known = given.clock_known;
    job::Track track;
    track.timeline = columns.timeline(timeline);
    track.pid = given.pid;
    job::EventTableBuilder::Event event;
    event.start = at(given.start);
    event.duration = static_cast<Microseconds>(given.duration * 1e6);
    event.name = columns.names.intern(given.name.empty() ? given.phase : given.name);
    event.phase = columns.phases.intern(given.phase);
    event.track = columns.track(track);
    event.step = given.step.value_or(job::kNoStep);
    columns.add(event);
    if (!given.details.empty()) columns.add_details(given.details);
  }
  return std::move(columns).finish();
}

using Parameters = std::map<std::string, std::string>;

/// Everything the report says about the job, with a rule's parameters set to `parameters`.
inline result::Result analyzed(const job::Job& job, const std::string& rule = "",
                               const Parameters& parameters = {}) {
  pipeline::AnalyzeOptions options;
  for (const auto& [name, value] : parameters)
    options.rules.set(rule, name, value, "the test");
  pipeline::StageClock clock;
  return pipeline::analyze(job, options, clock);
}

inline result::RuleRow row_of(const std::vector<result::RuleRow>& rows, const std::string& rule) {
  return *std::find_if(rows.begin(), rows.end(),
                       [&](const result::RuleRow& row) { return row.rule == rule; });
}

/// What the report says of one rule.
inline result::RuleRow outcome(const job::Job& job, const std::string& rule,
                               const Parameters& parameters = {}) {
  return row_of(analyzed(job, rule, parameters).rules, rule);
}

inline std::vector<std::string> keys(const nlohmann::ordered_json& object) {
  std::vector<std::string> list;
  for (const auto& [key, value] : object.items())
    list.push_back(key);
  return list;
}

} // namespace debrief::test
