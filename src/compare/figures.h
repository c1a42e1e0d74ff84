// The figures of a result that a gate can demand and two jobs can be compared by: each has a dotted
// name ("gpu.p50", "steps.train.p95"), a value, a unit, and a better direction. Every figure is
// declared once, and collected from the result in the same file of figures/.
//
// A result that was just made and the same one out of a saved document have the same figures:
// values are rounded as documents round them.
#pragma once

#include "result/result.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace debrief::compare {

enum class Better { higher, lower, neither };

struct Figure {
  std::string name;  ///< "steps.train.p50", "gpu[algo-1].p50"
  std::string label; ///< "Median step, TRAIN"
  std::string unit;  ///< "%", "s", "B", "GPU-hours", "" for a count
  Better better = Better::neither;
  double value = 0;
  /// How much it varies within the job: medians of consecutive blocks of steps, or the steps
  /// themselves where they are few. Empty: not known.
  std::vector<double> blocks;
  /// Its changes can be told from noise by blocks only: a duration of steps.
  bool needs_blocks = false;
  /// Each block is one step.
  bool few_steps = false;
  /// What a share is of, where that is not the same of all jobs: "GPU-hours", "node-hours".
  std::string of = {};
};

/// All figures that the result has, in a fixed order, names unique. A figure of several nodes, GPUs
/// or processes is that of the worst; each one's own has its name in brackets.
std::vector<Figure> figures_of(const result::Result& result);

/// What figures are listed by where there are many.
enum class Group { utilization, steps, time, waste, data_loading, traces, memory, curves, counts };

struct Declaration {
  std::string name;  ///< "gpu.p50"
  std::string label; ///< "GPU utilization, median"
  std::string unit;  ///< as Figure has it
  Better better = Better::neither;
  Group group = Group::counts;
};

/// All of them, in the order in which figures are listed.
const std::vector<Declaration>& catalog();

/// Nothing where no figure has this name; brackets are left out of account. All scalars share one,
/// which has neither label nor direction.
const Declaration* find_declaration(std::string_view name);

/// Whether some job can have a figure of this name, for telling a misspelled name from a figure
/// that this job lacks.
bool is_known_name(std::string_view name);

/// The nearest known name, as did_you_mean() words it.
std::string nearest_name(std::string_view name);

/// "gpu[algo-1].p50" -> "gpu.p50".
std::string without_place(std::string_view name);

/// "algo-1" of "gpu[algo-1].p50"; empty: of none in particular.
std::string_view place_of(std::string_view name);

/// "gpu.p50", "algo-1" -> "gpu[algo-1].p50".
std::string with_place(std::string_view name, std::string_view place);

/// Scalars of the training script are figures as well, by names that only the job knows:
/// "scalar.eval_loss.min". The name between the dots is the scalar's, in lower case, with '_' for
/// all that is no letter or digit, and without "train/" before it. "scalar.eval/loss.min" ->
/// "scalar.eval_loss.min"; other figures keep their name.
std::string canonical_name(std::string_view name);

/// The name between the dots: "Eval/loss" -> "eval_loss".
std::string scalar_part(std::string_view name);

/// Whether it is "scalar.NAME.first", ".last", ".min" or ".max".
bool is_scalar_name(std::string_view name);

/// What the training script logged, in the result's order. The last value is absent where it was
/// NaN or infinite.
std::vector<Figure> scalar_figures(const result::Result& result);

/// Gathers what a result says about each figure, place by place, and takes the worst of the places.
class Collector {
public:
  /// The figure's value, where it is a number. `place` is a node, a process or a GPU; empty: there
  /// is only one.
  void add(std::string_view name, const std::optional<double>& value, std::string_view place = "");

  /// The same for what is computed from fields of the result, which are rounded already.
  void add_derived(std::string_view name, const std::optional<double>& value,
                   std::string_view place = "");

  /// The same for a duration of steps; `blocks` is how it varies.
  void add_noisy(std::string_view name, const std::optional<double>& value, std::string_view place,
                 std::vector<double> blocks, bool few_steps);

  /// For figures whose unit the result says.
  void set_unit(std::string_view name, std::string_view unit);

  /// A share of something that not all results have: Figure::of.
  void add_share(std::string_view name, const std::optional<double>& value, std::string_view of);

  /// In the order of the catalog: the worst of each figure, then its places by name.
  std::vector<Figure> take();

private:
  void put(std::string_view name, std::string_view place, Figure figure);

  std::map<std::string, std::map<std::string, Figure, std::less<>>, std::less<>> by_name_;
  std::map<std::string, std::string, std::less<>> units_;
};

/// part / whole, fields of a result, in percent; nothing where either is no number or the whole
/// is 0.
std::optional<double> percent_of(double part, double whole);

// By concern: which figures there are, and how a result says them.
void declare_usage(std::vector<Declaration>& out);
void collect_usage(const result::Result& result, Collector& out);
void declare_loading(std::vector<Declaration>& out);
void collect_loading(const result::Result& result, Collector& out);
void declare_steps(std::vector<Declaration>& out);
void collect_steps(const result::Result& result, Collector& out);
void declare_times(std::vector<Declaration>& out);
void collect_times(const result::Result& result, Collector& out);
void declare_waste(std::vector<Declaration>& out);
void collect_waste(const result::Result& result, Collector& out);
void declare_counts(std::vector<Declaration>& out);
void collect_counts(const result::Result& result, Collector& out);
void declare_traces(std::vector<Declaration>& out);
void collect_traces(const result::Result& result, Collector& out);

/// Whether it is a share of profiled time: a job whose profiler took much of that time has none
/// (result::is_profile_distorted).
bool is_share_of_profiled_time(std::string_view name);

} // namespace debrief::compare
