// Two results side by side: what changed in the verdict, the findings, the figures, the
// operators and kernels, and the rules. All of it is data; words and pages are made elsewhere.
#pragma once

#include "compare/change.h"
#include "compare/figures.h"
#include "compare/settings.h"
#include "result/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace debrief::compare {

/// One of the two jobs. Texts may be of anybody's document: untrusted.
struct Side {
  std::string name;
  std::string input; ///< that was given to debrief when the document was made
  std::string version;
  std::optional<result::VerdictSummary> verdict;
  result::Waste waste; ///< where its time went; not in the JSON, which has it as figures

  /// "healthy", "input_bound"; empty: there is no verdict.
  std::string verdict_name() const { return verdict ? name_of(*verdict) : ""; }
};

struct FindingSide {
  result::Severity severity = result::Severity::info;
  std::string title;
  double score = 0; ///< share of the job's GPU time that is lost, 0 to 1
};

struct FindingChange {
  result::FindingKind kind = result::FindingKind::unknown;
  std::optional<FindingSide> before; ///< absent: it is new
  std::optional<FindingSide> after;  ///< absent: it is gone
  ChangeKind word = ChangeKind::no_change;
};

/// An operator or a kernel over all its calls.
struct WorkSide {
  double total_us = 0;
  std::optional<double> self_us; ///< without what ran inside of it; a kernel's total
  std::optional<double> calls;
  std::optional<double> percent; ///< of the self time of all
  std::optional<double> each_us; ///< self time per step or per call, which is compared
};

struct WorkChange {
  std::string name;
  std::optional<WorkSide> before;
  std::optional<WorkSide> after;
  std::optional<double> difference; ///< of each_us
  std::optional<double> relative;
  ChangeKind word = ChangeKind::incomparable;
  std::string reason;
};

struct Workload {
  std::string id; ///< "cpu_operators", "gpu_operators", "kernels"
  bool per_step = false;
  bool is_cut = false;          ///< a result lists some of them only
  std::vector<WorkChange> rows; ///< what is in both, largest change first; then what is in one
};

struct RuleSide {
  result::RuleStatus status = result::RuleStatus::not_evaluated;
  std::int64_t triggered = 0;
  std::int64_t violations = 0;
  std::int64_t datapoints = 0;
};

struct RuleChange {
  std::string rule;
  std::optional<RuleSide> before;
  std::optional<RuleSide> after;
  ChangeKind word = ChangeKind::incomparable;
  std::string reason;
};

/// How long steps of a mode took, of the slowest process of each job.
struct StepShape {
  std::string mode;
  result::Histogram before; ///< empty: not known
  result::Histogram after;
};

/// The loss of training or of evaluation that a job logged, with its values as documents have them.
struct LossCurve {
  bool is_before = false;
  result::Curve curve;
};

/// All in all.
struct Outcome {
  ChangeKind word = ChangeKind::incomparable; ///< `changed`: some is better, some worse
  std::vector<std::string> decided_by;        ///< names of figures; "verdict"
  std::optional<std::string> largest;         ///< the figure that improved or got worse the most
};

struct Diff {
  Side before;
  Side after;
  Outcome outcome;
  std::vector<SettingChange> settings; ///< what differs in what they were run with
  WorkPerStep work_per_step = WorkPerStep::unknown;
  std::vector<FindingChange> findings; ///< new, gone, then what stayed
  std::vector<Change> figures;         ///< that both have, in the catalog's order
  std::vector<Figure> only_before;
  std::vector<Figure> only_after;
  std::vector<StepShape> steps;
  std::vector<LossCurve> losses; ///< of both jobs; empty where one has none. Not in the JSON
  std::vector<Workload> workloads;
  std::vector<RuleChange> rules;
};

Diff make_diff(const result::Result& before, const result::Result& after);

inline constexpr const char* kDiffSchema = "debrief.diff/1";

/// The diff as JSON (docs/diff.md): text with a newline at the end; keys are sorted.
std::string to_json_text(const Diff& diff);

/// How far two values are apart: 0 for the same, 1 for what comes from 0 or goes to it.
double distance(double before, double after);

/// Sorts changes: what improved or got worse before what just changed, and both before what cannot
/// be compared; the largest first.
std::pair<int, double> rank_of(const Change& change);

/// The change of a figure, where both jobs have it.
const Change* find_change(const Diff& diff, std::string_view name);

/// What it says besides the figures.
std::vector<FindingChange> diff_findings(const result::Result& before, const result::Result& after);
std::vector<RuleChange> diff_rules(const result::Result& before, const result::Result& after);
std::vector<Workload> diff_workload(const result::Result& before, const result::Result& after);
std::vector<StepShape> step_shapes(const result::Result& before, const result::Result& after);
std::vector<LossCurve> loss_curves(const result::Result& before, const result::Result& after);
Outcome outcome_of(const Diff& diff);

} // namespace debrief::compare
