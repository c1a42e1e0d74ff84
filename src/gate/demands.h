// What is demanded of a job: by options of `debrief check`, by a config file, or both. Each kind of
// demand is parsed and tested in a file of its own.
#pragma once

#include "compare/change.h"
#include "compare/figures.h"
#include "gate/comparison.h"
#include "gate/quantity.h"
#include "result/result.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace debrief::gate {

// `--fail-on`: what must not be found in a job. A kind of finding ("step_stalls"), a rule
// ("LowGPUUtilization", or the name of a custom one), or every finding and every custom rule from a
// severity on ("severity>=critical").

struct FailOn {
  enum class What { finding, rule, severity };

  std::string text; ///< as written
  What what = What::finding;
  std::string name;                             ///< of the finding's kind or of the rule
  std::optional<result::FindingKind> kind = {}; ///< of findings
  result::Severity least = result::Severity::critical;
};

/// Throws Error, a sentence that begins with `where`, for what is none of these. `custom_rules` are
/// the names that the config file adds to the rules'.
FailOn parse_fail_on(const std::string& text, const std::string& where,
                     std::span<const std::string> custom_rules = {});

/// Throws Error where the job does not let it be told: a rule that was not evaluated, findings that
/// could not be made. That is no pass.
result::Assertion evaluate(const FailOn& demand, const result::Result& result);

// `--require`: what a figure must be, "gpu.p50 >= 70" or "steps.train.p95 < 80ms".

struct Require {
  std::string text; ///< as written
  std::string figure;
  Operator op = Operator::at_least;
  Quantity value;
};

/// Throws Error, a sentence that begins with `where`, for what is no such condition and for a
/// figure that no job can have.
Require parse_require(const std::string& text, const std::string& where);

/// Throws Error where a figure of this name is one that no job can have.
void check_figure_name(const std::string& name, const std::string& where);

/// The figure of this name; null where the job has none.
const compare::Figure* find_figure(std::span<const compare::Figure> figures,
                                   const std::string& name);

/// Throws Error where the job lacks the figure, or the unit is not of its kind.
result::Assertion evaluate(const Require& demand, std::span<const compare::Figure> figures);

// `--tolerance`: how far a figure may be from the baseline's. "5%" is a share of the baseline's
// value and holds for all figures, "steps.train.p50=3%" for one; "=2ms" and "=3pp" (percentage
// points) are amounts in the figure's own unit.

class Tolerances {
public:
  /// Sets "5%" or "NAME=3%"; a later one goes over an earlier one. Throws Error, which begins with
  /// `where`.
  void set(const std::string& text, const std::string& where);

  /// The same for the general one and for that of one figure.
  void set_general(const std::string& amount, const std::string& where);
  void set_figure(const std::string& name, const std::string& amount, const std::string& where);

  /// The figure's own; else the general share, and at least the default amount of its unit
  /// (compare::default_tolerance): of a percentage near zero, a share says nothing. Throws Error
  /// where the amount's unit does not fit the figure's.
  compare::Tolerance of(const compare::Figure& figure) const;

  /// What holds beside this figure of the baseline: "5 %", "1 percentage points", "0.002 s".
  std::string text_of(const compare::Figure& figure) const;

  const std::map<std::string, Quantity>& figures() const { return figures_; }

private:
  std::optional<double> general_; ///< relative
  std::map<std::string, Quantity> figures_;
};

// `--baseline`: figures of a job against those of an earlier one. A figure fails where it is worse
// by more than its tolerance and, for durations of steps, by more than the noise of the steps
// themselves (compare/change.h).

/// Whether a figure is compared without being asked for: what says how fast steps are, how well
/// GPUs are used and how much memory is left. Not the job's duration, nor counts: they tell how
/// much was done, not how well.
bool is_compared_by_default(std::string_view name);

/// The name of the baseline's job.
std::string baseline_name(const result::Result& baseline);

/// One assertion for every default figure of the baseline, and for every figure with a tolerance of
/// its own. A figure that the baseline has and the job lacks fails: it cannot be told to be as
/// good. Where steps of the two differ in size, samples per second stand for how long steps take.
/// Throws Error where the baseline has none of the figures.
std::vector<result::Assertion> compare_with_baseline(const result::Result& baseline,
                                                     const result::Result& job,
                                                     const Tolerances& tolerances);

/// What holds where nothing is demanded.
inline constexpr const char* kDefaultDemand = "severity>=critical";

struct Demands {
  std::vector<FailOn> fail_on;
  std::vector<Require> require;
  std::string baseline; ///< a result document or a job; empty: none
  Tolerances tolerances;
  std::vector<std::string> custom_rules; ///< names that `fail_on` may have beside those of rules

  bool empty() const { return fail_on.empty() && require.empty() && baseline.empty(); }

  /// Adds what `text` demands, once. Throws Error, which begins with `where`.
  void add_fail_on(const std::string& text, const std::string& where);
  void add_require(const std::string& text, const std::string& where);
};

/// Tests everything that is demanded, failed assertions first. `baseline` is the result to
/// compare with; null: none. Throws Error for what cannot be told of this job: that
/// is never a pass.
result::Gate evaluate(const Demands& demands, const result::Result& result,
                      const result::Result* baseline);

} // namespace debrief::gate
