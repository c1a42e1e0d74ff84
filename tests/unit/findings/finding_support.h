// What tests of the diagnosis need: jobs of 200 s that lose a known share of their GPU time in one
// way, and a finding as the report has it.
//
// Samples are half a second apart; the first stands for nothing and each of the other 400 for half
// a second, so one lost sample is 0.25 % of the job's GPU time.
#pragma once

#include "findings/diagnose.h"
#include "findings/loop.h"
#include "findings/make_ledger.h"
#include "findings/process_time.h"
#include "rules/rule_support.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace debrief::test {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinAbs;
using result::Confidence;
using result::Finding;
using result::Severity;

inline constexpr std::size_t kSamples = 401;

/// `high`, but `low` at `lost` samples after at(50): these stand for at(50) to at(50 + lost / 2).
inline std::vector<double> dip(std::size_t lost, double low = 0, double high = 100) {
  std::vector<double> values = flat(kSamples, high);
  for (std::size_t i = 0; i < lost; ++i)
    values[101 + i] = low;
  return values;
}

/// The same share of each core.
inline void add_cores(job::Job& job, int cores, const std::vector<double>& values,
                      const std::string& node = "algo-1") {
  for (int core = 0; core < cores; ++core)
    add(job, node, cpu(core), values);
}

inline void add_io_wait(job::Job& job, int cores, const std::vector<double>& values,
                        const std::string& node = "algo-1") {
  for (int core = 0; core < cores; ++core)
    add(job, node, io_wait(core), values);
}

inline const job::MetricName kHostMemory = {"memory", "MemoryUsedPercent", ""};
inline const job::MetricName kReceive = {"network", "ReceiveBytesPerSecond", "Algorithm"};
inline const job::MetricName kTransmit = {"network", "TransmitBytesPerSecond", "Algorithm"};

/// Steps of `each` seconds, one right after the other.
inline void add_steps(std::vector<Event>& list, double from, double to, double each = 0.5) {
  const auto count = std::llround((to - from) / each);
  for (std::int64_t i = 0; i < count; ++i)
    list.push_back({.phase = "Step:ModeKeys.TRAIN",
                    .start = from + static_cast<double>(i) * each,
                    .duration = each});
}

/// The events of a loop from at(0) to at(200) that spends `lost` seconds of each second outside of
/// steps, from the second's middle on: in `phase` where one is given. Collectives are within steps.
/// 201 steps, of which all but the first and the last take 1 - `lost`; 200 pauses.
inline std::vector<Event> paced_events(double lost, const std::string& phase) {
  const double pause = phase == "NcclManager" ? 0 : lost;
  std::vector<Event> list;
  list.push_back({.phase = "Step:ModeKeys.TRAIN", .start = 0, .duration = 0.5});
  for (int second = 0; second < 200; ++second) {
    const double middle = second + 0.5;
    if (!phase.empty()) list.push_back({.phase = phase, .start = middle, .duration = lost});
    list.push_back({.phase = "Step:ModeKeys.TRAIN",
                    .start = middle + pause,
                    .duration = std::min(middle + 1, 200.0) - middle - pause});
  }
  return list;
}

/// With a GPU that works all the time but for the pauses: the samples of seconds' second halves
/// show them.
inline job::Job paced(double lost, const std::string& phase) {
  job::Job job;
  add(job, gpu(0), cycle(kSamples, {100 * (1 - 2 * lost), 100}));
  job.events = events(paced_events(lost, phase));
  return job;
}

inline const Finding* find(const result::Result& result, const std::string& kind) {
  for (const Finding& finding : result.findings)
    if (to_text(finding.kind) == kind) return &finding;
  return nullptr;
}

inline bool finds(const job::Job& job, const std::string& kind) {
  return find(analyzed(job), kind) != nullptr;
}

/// The finding of a kind that the job must have.
inline Finding found(const result::Result& result, const std::string& kind) {
  const Finding* finding = find(result, kind);
  INFO("no " << kind << " among " << result.findings.size() << " findings");
  REQUIRE(finding != nullptr);
  return *finding;
}

inline Finding found(const job::Job& job, const std::string& kind) {
  return found(analyzed(job), kind);
}

/// NaN where the finding does not rest on it.
inline double evidence(const Finding& finding, const std::string& name) {
  for (const result::Evidence& figure : finding.evidence)
    if (figure.name == name) return figure.value;
  return NAN;
}

/// Fills findings, verdict and waste of a result that was made by hand.
inline result::Result diagnosed(result::Result result, const job::Job& job,
                                const std::vector<aggregate::NodeSeries>& series) {
  const aggregate::EventKinds kinds{job.events};
  const std::vector<aggregate::StepSeries> steps = aggregate::step_series(job.events, kinds);
  const std::vector<findings::ProcessTime> processes =
      findings::process_times(job.events, kinds, steps);
  findings::diagnose({job, processes, steps, series, findings::find_model_trouble(job.scalars)}, {},
                     result);
  return result;
}

inline result::Result diagnosed(result::Result result, const job::Job& job = {}) {
  return diagnosed(std::move(result), job, aggregate::node_series(job));
}

/// A result of which nothing is known but when the job ran, in seconds.
inline result::Result bare_result(double from, double to) {
  result::Result result;
  result.job.span = TimeSpan{at(from), at(to)};
  result.timeline.span = *result.job.span;
  return result;
}

inline std::vector<findings::ProcessTime> times_of(const job::Job& job) {
  const aggregate::EventKinds kinds{job.events};
  return findings::process_times(job.events, kinds, aggregate::step_series(job.events, kinds));
}

inline findings::Ledger ledger_of(const result::Result& result,
                                  const std::vector<aggregate::NodeSeries>& series,
                                  const std::vector<findings::ProcessTime>& processes = {}) {
  return findings::make_ledger(result, series, findings::find_loop(result, series), processes);
}

inline findings::Ledger ledger_of(const job::Job& job) {
  return ledger_of(analyzed(job), aggregate::node_series(job), times_of(job));
}

inline double lost(const findings::Account& account, findings::Cause cause) {
  return account.lost[findings::index_of(cause)];
}

/// paid - busy - lost - unmeasured, which must be nothing.
inline double left_over(const findings::Account& account) {
  double left = account.paid - account.busy - account.unmeasured;
  for (const double seconds : account.lost)
    left -= seconds;
  return left;
}

inline constexpr double kClose = 1e-5; ///< samples are floats

} // namespace debrief::test
