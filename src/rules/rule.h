// A rule: what it is called, what it looks for, what to do about it, its parameters, and its
// evaluation over a job. One file per rule; registry.cpp lists them. Rules on the model itself
// (model/) look at saved tensors and logged losses, the others at how the job ran.
#pragma once

#include "aggregate/event_kind.h"
#include "aggregate/node_series.h"
#include "aggregate/steps.h"
#include "job/job.h"
#include "result/result.h"

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace debrief::rules {

// Parameters are declared once, with default, range, unit and meaning; they are set as text from
// the command line, a config file or the job itself, through one validation.

/// What values a parameter takes.
enum class ParameterType {
  number,           ///< any number in the range
  integer,          ///< whole numbers in the range
  mode,             ///< TRAIN, EVAL or None, which is both
  loss_mode,        ///< EVAL, TRAIN or GLOBAL, which is both
  optional_number,  ///< a number, or None
  optional_integer, ///< a whole number, or None
  boolean,          ///< True or False
  text,             ///< anything; None where there is none
  patterns,         ///< regular expressions, separated by commas, or None
};

struct Parameter {
  std::string name;
  ParameterType type = ParameterType::number;
  std::string default_value; ///< as SageMaker writes it: "70", "0.2", "None"
  double min = 0;
  double max = 0;
  std::string unit; ///< "%", "samples"; empty where there is none
  std::string meaning;
};

/// "0 to 100", "at least 1", "TRAIN, EVAL or None".
std::string range_text(const Parameter& parameter);

/// The value as SageMaker writes it ("80" for "80.0"); throws Error, which begins with `where`, for
/// a value of the wrong type or out of range.
std::string checked_value(const Parameter& parameter, const std::string& value,
                          const std::string& where);

/// The values that a rule runs with.
class ParameterValues {
public:
  explicit ParameterValues(std::span<const Parameter> parameters);

  /// `value` is checked.
  void set(const std::string& name, std::string value) { values_[name] = std::move(value); }

  double number(const std::string& name) const;

  /// For counts of samples.
  std::size_t count(const std::string& name) const {
    return static_cast<std::size_t>(number(name));
  }

  const std::string& text(const std::string& name) const { return values_.at(name); }

  /// Nothing for None.
  std::optional<double> optional_number(const std::string& name) const;

  bool flag(const std::string& name) const { return values_.at(name) == "True"; }

  /// What commas separate, without blanks around it; empty for None.
  std::vector<std::string> list(const std::string& name) const;

private:
  std::map<std::string, std::string> values_;
};

/// Declarations that several rules share.
Parameter percent_parameter(std::string name, std::string default_value, std::string meaning);
Parameter patience_parameter(std::string default_value = "1000");
Parameter window_parameter(std::string default_value, std::string meaning);
Parameter scan_interval_parameter();
Parameter flag_parameter(std::string name, std::string default_value, std::string meaning);
Parameter text_parameter(std::string name, std::string default_value, std::string meaning);
Parameter patterns_parameter(std::string name, std::string default_value, std::string meaning);

/// What a rule looks at. Where a job has no such data, SageMaker's own outcome is shown if there is
/// one. The last three are of custom rules only.
enum class RuleInputKind {
  system_metrics,
  framework_events,
  tensors,
  tensors_or_losses,
  metrics, ///< of the whole job, as checks have them
  scalars,
  tables,
};

/// What rules are about, in the order in which they are listed. Rules from `model` to `xgboost`
/// look at the model; those of deep learning do not apply to XGBoost, nor XGBoost's to others.
/// Custom rules are those of the config file (custom_rules/).
enum class RuleGroup { profiler, model, deep_learning, applications, xgboost, custom };

struct RuleDeclaration {
  std::string name; ///< "LowGPUUtilization"
  RuleGroup group = RuleGroup::profiler;
  RuleInputKind looks_at = RuleInputKind::system_metrics;
  std::string description;
  std::string recommendation;
  /// In the order of SageMaker's "RuleParameters"; scan_interval_us, which every rule has, is added
  /// by the registry.
  std::vector<Parameter> parameters;
  /// Whether the figures of the result are enough, so that the rule can be evaluated on SageMaker's
  /// where a job has nothing else.
  bool needs_figures_only = false;
  /// Whether noise alone triggers it on losses that were logged every few steps. Its defaults are
  /// made for losses that SageMaker saves every 500 steps.
  bool triggers_on_noise = false;
  /// What the config file says of a custom rule: "when", "program", "timeout", "severity".
  std::vector<std::pair<std::string, std::string>> settings = {};
  /// Whether the page shows what it compares, layer by layer.
  bool shows_layers = false;
};

/// A job with what was found out about it before the rules run.
struct RuleInput {
  const job::Job& job;
  const aggregate::EventKinds& kinds;
  std::span<const aggregate::StepSeries> steps;
  std::span<const aggregate::NodeSeries> series;
  const result::Result& result;                    ///< all but rules
  const job::TensorTable* other_tensors = nullptr; ///< of another job, for SimilarAcrossRuns
  job::Troubles* lost = nullptr; ///< counts tensors that could not be read; may be null
  /// Whether the logged losses have a trouble that is more than noise (findings::ModelTrouble).
  bool has_model_trouble = false;
  result::Model* model = nullptr; ///< gets what was seen of a network's layers; may be null
};

/// What a rule found. The runner adds name, texts and parameters.
using RuleOutcome = result::RuleRow;

namespace model {
class Firings;
class TensorWatch;
struct LossLog;
struct WatchScope;
} // namespace model

struct Rule {
  RuleDeclaration declaration;
  /// Of rules of the group profiler; null for rules on the model.
  RuleOutcome (*evaluate)(const RuleInput& input, const ParameterValues& parameters) = nullptr;
  /// Of rules on the model: what looks at one worker's tensors.
  std::unique_ptr<model::TensorWatch> (*watch)(const model::WatchScope& scope,
                                               const ParameterValues& parameters,
                                               model::Firings& firings) = nullptr;
  /// Of rules on the model that logged losses are enough for; else null.
  void (*judge_losses)(const model::LossLog& log, const ParameterValues& parameters,
                       model::Firings& firings) = nullptr;
};

/// Every rule, by group and name.
std::span<const Rule> all_rules();

/// Null where there is none of this name.
const Rule* find_rule(std::string_view name);

/// An outcome that says why there is none.
RuleOutcome not_evaluated(std::string reason);

// The rules' makers.

Rule batch_size_rule();
Rule cpu_bottleneck_rule();
Rule dataloader_rule();
Rule gpu_memory_increase_rule();
Rule io_bottleneck_rule();
Rule load_balancing_rule();
Rule low_gpu_utilization_rule();
Rule max_initialization_time_rule();
Rule overall_framework_metrics_rule();
Rule overall_system_usage_rule();
Rule step_outlier_rule();

} // namespace debrief::rules
