// What the result concludes: findings (what is wrong, what it costs, what to do), the verdict (the
// one to act on first) and the waste (where the GPU time that was paid for went).
#pragma once

#include "result/enum_names.h"
#include "result/finding_kinds.h"
#include "result/waste_over_time.h"
#include "util/time.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace debrief::result {

enum class Severity { info, warning, critical };

template <>
inline constexpr auto kNames<Severity> = std::to_array<const char*>({"info", "warning",
                                                                     "critical"});

/// How much data stands behind a conclusion.
enum class Confidence { low, medium, high };

template <>
inline constexpr auto kNames<Confidence> = std::to_array<const char*>({"low", "medium", "high"});

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

/// The line of the job's own Python code that took most of a finding's time.
struct CodeLine {
  std::string function;
  std::string file;      ///< relative to the working folder
  std::int64_t line = 0; ///< 0: not known
  double share = 0;      ///< of the sampled time that is the finding's, in its function; 0 to 1
};

struct Finding {
  FindingKind kind = FindingKind::unknown;
  Severity severity = Severity::info;
  double score = 0; ///< share of the GPU time (without GPUs: of node time) lost that was measured
                    ///< and not set aside; scores of a job's findings sum to at most 1
  Confidence confidence = Confidence::low;
  std::string ground; ///< what the confidence rests on: "1,310 samples, 1,921 steps"
  std::string title;  ///< "The GPU waits for data"
  std::string why;    ///< one or two sentences with the numbers
  std::string next;   ///< what to do, with the job's own numbers: the actions as one text
  std::vector<std::string> actions =
      {}; ///< one imperative sentence or two each, first things first
  /// How many times faster training could be without it, at most: bounded by what the next cause
  /// allows. Absent: not known, or nothing to speak of.
  std::optional<double> gain = {};
  std::vector<Evidence> evidence;
  std::vector<TimeSpan> windows; ///< in which it holds: disjoint, by time, the longest kMaxWindows
  std::int64_t window_count = 0;
  double window_seconds = 0;
  std::vector<Place> where; ///< most costly first; the first kMaxPlaces
  std::optional<CodeLine> line = {};
};

inline constexpr std::size_t kMaxWindows = 50;
inline constexpr std::size_t kMaxPlaces = 64;

/// What is said of a job that nothing is wrong with.
struct Healthy {
  Confidence confidence = Confidence::low;
  std::string title;
  std::string why;
  std::string next;
  std::vector<std::string> actions = {};
};

/// The finding to act on first, the one that says that there is too little data, or that the job is
/// healthy. Neither: the job was not diagnosed.
struct Verdict {
  std::optional<std::size_t> finding; ///< in Result::findings
  std::optional<Healthy> healthy;
  /// Enough of the loop was seen to say that what was not found is not there. A gate never passes
  /// on less.
  bool conclusive = true;
};

/// The verdict with what its finding says.
struct VerdictSummary {
  std::optional<FindingKind> kind; ///< absent: the job is healthy
  Severity severity = Severity::info;
  double score = 0;
  Confidence confidence = Confidence::low;
  std::string title;
  std::string why;
  std::string next;
  std::vector<std::string> actions = {};
};

inline constexpr const char* kHealthyName = "healthy";

/// "healthy", or the kind of its finding.
constexpr const char* name_of(const VerdictSummary& verdict) {
  return verdict.kind ? to_text(*verdict.kind) : kHealthyName;
}

/// Nothing where there is no verdict.
inline std::optional<VerdictSummary> summary_of(const Verdict& verdict,
                                                const std::vector<Finding>& findings) {
  if (verdict.finding && *verdict.finding < findings.size()) {
    const Finding& finding = findings[*verdict.finding];
    return VerdictSummary{finding.kind,  finding.severity, finding.score, finding.confidence,
                          finding.title, finding.why,      finding.next,  finding.actions};
  }
  if (!verdict.healthy) return std::nullopt;
  return VerdictSummary{{},
                        Severity::info,
                        0,
                        verdict.healthy->confidence,
                        verdict.healthy->title,
                        verdict.healthy->why,
                        verdict.healthy->next,
                        verdict.healthy->actions};
}

/// GPU time lost to one cause.
struct CauseCost {
  Cause cause = Cause::unexplained;
  double hours = 0;
  double percent = 0;              ///< of what was paid
  std::optional<FindingKind> kind; ///< the finding that it is part of; absent: of none
};

/// GPU time lost to one finding.
struct WastePart {
  FindingKind kind = FindingKind::unknown;
  double hours = 0;
  double percent = 0; ///< of what was paid
  std::optional<double> money;
};

enum class WasteUnit { gpu_hours, node_hours, unknown };

template <>
inline constexpr auto kNames<WasteUnit> = std::to_array<const char*>({"GPU-hours", "node-hours",
                                                                      ""});

/// Where the time that was paid for went: paid = busy + parts + other + set_aside + unmeasured.
struct Waste {
  WasteUnit unit = WasteUnit::unknown; ///< node-hours without GPUs
  std::string basis; ///< what busy was measured by: "GPU utilization samples", …
  std::optional<double> paid;
  double busy = 0;
  double busy_percent = 0; ///< of what was paid, as the next
  double lost_percent = 0; ///< of what was paid: `parts` and `other`
  double other = 0;        ///< idle, but too little of any one cause to be a finding
  /// Before and after a training loop that was too short to weigh its startup against: neither
  /// busy nor lost.
  double set_aside = 0;
  double unmeasured = 0;              ///< without a sample
  std::vector<WastePart> parts;       ///< most first; sums with `other` to all that was lost
  std::optional<double> price;        ///< of one GPU-hour, as given by --price
  std::vector<CauseCost> causes = {}; ///< all that was lost, most first; sums to parts and `other`
  WasteOverTime over_time = {};       ///< empty: moments are not known
  /// Traces show that what nothing else explains is the GPU waiting for launches.
  bool launch_bound = false;

  bool empty() const { return !paid; }
};

/// Hours that were measured and not busy: what findings take, and the rest.
inline double lost_hours(const Waste& waste) {
  double sum = waste.other;
  for (const WastePart& part : waste.parts)
    sum += part.hours;
  return sum;
}

/// Sets the percents from the hours.
inline void set_percents(Waste& waste) {
  if (!waste.paid) return;
  waste.busy_percent = 100 * waste.busy / *waste.paid;
  waste.lost_percent =
      100 * (*waste.paid - waste.busy - waste.set_aside - waste.unmeasured) / *waste.paid;
}

/// Below this share of what was paid, time without a sample is not spoken of: shares of what was
/// measured and shares of the whole look the same.
inline constexpr double kUnmeasuredSaid = 0.01;

} // namespace debrief::result
