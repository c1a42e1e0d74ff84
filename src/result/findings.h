// What the result concludes: findings (what is wrong, what it costs, what to do), the verdict (the
// one to act on first) and the waste (where the GPU time that was paid for went).
#pragma once

#include "util/time.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace debrief::result {

enum class Severity { info, warning, critical };

/// How much data stands behind a conclusion.
enum class Confidence { low, medium, high };

/// A figure that a finding rests on.
struct Evidence {
  std::string name; ///< "GPU utilization in training"
  double value = 0;
  std::string unit; ///< "%", "s", "B", "GPU-hours", "" for a count
};

/// Where a finding holds. Empty parts: all of them.
struct Place {
  std::string node;
  std::string device;  ///< "gpu0"
  std::string process; ///< "algo-1-27"
  double share = 0;    ///< of this place's own time that is lost, 0 to 1
};

struct Finding {
  std::string kind; ///< one of kFindingKinds
  Severity severity = Severity::info;
  double score = 0; ///< share of the measured GPU time (without GPUs: of node time) lost;
                    ///< scores of a job's findings sum to at most 1
  Confidence confidence = Confidence::low;
  std::string ground; ///< what the confidence rests on: "1,310 samples, 1,921 steps"
  std::string title;  ///< "The GPU waits for data"
  std::string why;    ///< one or two sentences with the numbers
  std::string next;   ///< what to do, with the job's own numbers
  std::vector<Evidence> evidence;
  std::vector<TimeSpan> windows; ///< in which it holds: disjoint, by time, the longest kMaxWindows
  std::int64_t window_count = 0;
  double window_seconds = 0;
  std::vector<Place> where; ///< most costly first; the first kMaxPlaces
};

inline constexpr std::size_t kMaxWindows = 50;
inline constexpr std::size_t kMaxPlaces = 64;

/// Every kind there is, as `--fail-on` takes them.
inline constexpr const char* kFindingKinds[] = {
    "input_bound",         "cpu_bound",        "io_bound",      "underutilized",
    "idle_gpus",           "load_imbalance",   "step_stalls",   "slow_start",
    "slow_finish",         "between_steps",    "memory_growth", "memory_pressure",
    "communication_bound", "insufficient_data"};

/// The one finding to act on first; or "healthy", or "insufficient_data".
struct Verdict {
  std::string kind;
  Severity severity = Severity::info;
  double score = 0;
  Confidence confidence = Confidence::low;
  std::string title;
  std::string why;
  std::string next;
};

/// GPU time lost to one finding.
struct WastePart {
  std::string kind;
  double hours = 0;
  double percent = 0; ///< of what was paid
  std::optional<double> money;
};

/// Where the time that was paid for went: paid = busy + parts + other + unmeasured.
struct Waste {
  std::string unit;  ///< "GPU-hours"; "node-hours" without GPUs; empty: not known
  std::string basis; ///< what busy was measured by: "GPU utilization samples", …
  std::optional<double> paid;
  double busy = 0;
  double other = 0;             ///< idle, but too little of any one cause to be a finding
  double unmeasured = 0;        ///< without a sample
  std::vector<WastePart> parts; ///< most first; sums with `other` to all that was lost
  std::optional<double> price;  ///< of one GPU-hour, as given by --price
};

} // namespace debrief::result
