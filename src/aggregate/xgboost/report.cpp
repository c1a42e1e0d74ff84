#include "aggregate/xgboost/report.h"

#include "aggregate/xgboost/classification.h"
#include "aggregate/xgboost/importance.h"
#include "aggregate/xgboost/losses.h"
#include "aggregate/xgboost/regression.h"
#include "aggregate/xgboost/roc.h"
#include "aggregate/xgboost/rounds.h"
#include "util/parallel.h"

#include <algorithm>
#include <charconv>
#include <functional>

namespace debrief::aggregate {

namespace {

using result::ProblemType;
using result::XgboostGap;

constexpr std::size_t kMostGuessedClasses = 50; ///< of labels that nothing calls classes

/// A parameter of training that the hook saved, as text.
std::string saved_parameter(const job::TensorTable& table, std::string_view parameter,
                            job::Troubles& lost) {
  const std::string wanted_name = "hyperparameters/" + std::string{parameter};
  const auto found = std::lower_bound(table.names.begin(), table.names.end(), wanted_name);
  if (found == table.names.end() || *found != wanted_name) return {};
  const auto tensor = static_cast<std::uint32_t>(found - table.names.begin());
  std::string out;
  for (const job::TensorStep& step : table.steps) {
    for (const job::TensorRecord& record : table.records_of(step)) {
      if (record.tensor != tensor || record.kind() != job::Reduction::none) continue;
      const job::TensorSource::Wanted wanted{record, wanted_name};
      table.source->load(
          step, {&wanted, 1},
          [&](std::size_t, const job::TensorData& data) {
            if (data.texts.size() == 1) out = data.texts.front();
            if (data.numeric && data.values.size() == 1 && are_classes(data.values))
              out = std::to_string(static_cast<std::int64_t>(data.values.front()));
          },
          lost);
      if (!out.empty()) return out;
    }
  }
  return out;
}

/// Of the model, else of what the hook saved, else of the job's description.
std::string parameter_of(const job::Job& job, const std::string& parameter, job::Troubles& lost) {
  std::string saved = saved_parameter(job.tensors, parameter, lost);
  if (!saved.empty()) return saved;
  const auto described = job.description.hyperparameters.find(parameter);
  return described == job.description.hyperparameters.end() ? std::string{} : described->second;
}

std::optional<std::int64_t> class_count(const job::Job& job, job::Troubles& lost) {
  if (job.tree_model && job.tree_model->classes) return job.tree_model->classes;
  const std::string text = parameter_of(job, "num_class", lost);
  std::int64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc{} || end != text.data() + text.size() || count < 2) return std::nullopt;
  return count;
}

ProblemType problem_of_objective(std::string_view objective) {
  if (objective.starts_with("binary:")) return ProblemType::binary;
  if (objective.starts_with("multi:")) return ProblemType::multiclass;
  if (objective.starts_with("rank:")) return ProblemType::ranking;
  for (const std::string_view prefix : {"reg:", "count:", "survival:"})
    if (objective.starts_with(prefix)) return ProblemType::regression;
  return ProblemType::unknown;
}

bool are_zero_or_one(std::span<const double> labels) {
  return std::all_of(labels.begin(), labels.end(),
                     [](double label) { return label == 0 || label == 1; });
}

ProblemType problem_of_values(const ValidationRows& rows) {
  if (rows.columns > 2) return ProblemType::multiclass;
  if (rows.columns == 2) return ProblemType::binary;
  if (rows.labels.empty()) return ProblemType::unknown;
  if (are_zero_or_one(rows.labels)) return ProblemType::binary;
  const bool whole = are_classes(rows.labels) && are_classes(rows.predictions);
  return whole && distinct_classes(rows.labels, kMostGuessedClasses) ? ProblemType::multiclass
                                                                     : ProblemType::regression;
}

ProblemType problem_of(std::string_view objective, const ValidationRows& rows) {
  const ProblemType by_name = problem_of_objective(objective);
  // Logistic regression of labels that are classes is a classifier.
  if (objective == "reg:logistic" && !rows.labels.empty() && are_zero_or_one(rows.labels))
    return ProblemType::binary;
  return by_name == ProblemType::unknown ? problem_of_values(rows) : by_name;
}

/// How predictions become classes.
struct Decision {
  ProblemType problem = ProblemType::unknown;
  double threshold = 0.5;

  std::vector<std::int64_t> classes(const ValidationRows& rows) const {
    if (rows.columns > 1) return most_likely(rows.predictions, rows.columns);
    return problem == ProblemType::binary ? above_threshold(rows.predictions, threshold)
                                          : as_classes(rows.predictions);
  }
};

/// An even choice of at most `most`, the first and the last among them.
std::vector<std::int64_t> even_choice(const std::vector<std::int64_t>& all, std::size_t most) {
  if (all.size() <= most) return all;
  std::vector<std::int64_t> out;
  for (std::size_t i = 0; i < most; ++i)
    out.push_back(all[i * (all.size() - 1) / (most - 1)]);
  return out;
}

class ReportMaker {
public:
  ReportMaker(const job::Job& job, result::Xgboost& report, job::Troubles& lost)
      : report_(report)
      , lost_(lost)
      , rounds_(job.tensors, class_count(job, lost), lost) {}

  void make() {
    if (rounds_.rounds().empty()) {
      report_.problem = problem_of_objective(report_.objective);
      gap(XgboostGap::no_labels);
      gap(XgboostGap::no_predictions);
      return;
    }
    report_.saved_rounds =
        rounds_.has_predictions() ? static_cast<std::int64_t>(rounds_.rounds().size()) : 0;
    report_.round = rounds_.rounds().back();
    rows_ = rounds_.load(*report_.round, lost_);
    note_rows();
    report_.problem = problem_of(report_.objective, rows_);
    if (rows_.labels.empty()) return;
    const bool classifies =
        report_.problem == ProblemType::binary || report_.problem == ProblemType::multiclass;
    if (classifies && has_classes()) {
      classify();
    } else {
      report_.labels = distribution(rows_.labels, kValueBins);
      if (report_.problem != ProblemType::ranking && !rows_.predictions.empty() &&
          rows_.columns == 1)
        regress();
    }
  }

private:
  void gap(XgboostGap what) { report_.gaps.push_back(what); }

  void note_rows() {
    report_.workers = rows_.workers;
    report_.rows_left_out = rows_.left_out;
    report_.rows = static_cast<std::int64_t>(
        rows_.labels.empty() ? rows_.predictions.size() / rows_.columns : rows_.labels.size());
    if (rows_.labels.empty() && rows_.left_out == 0) gap(XgboostGap::no_labels);
    if (rows_.rows_differ)
      gap(XgboostGap::rows_differ);
    else if (!rounds_.has_predictions())
      gap(XgboostGap::no_predictions);
    if (rows_.left_out > 0) gap(XgboostGap::not_finite);
    if (rows_.labels_reused) gap(XgboostGap::labels_reused);
    if (rows_.workers_joined) gap(XgboostGap::workers_joined);
    if (rows_.workers_alike) gap(XgboostGap::workers_alike);
  }

  /// Whether labels and predictions can be counted class by class.
  bool has_classes() {
    if (!are_classes(rows_.labels)) {
      gap(XgboostGap::labels_not_whole);
      return false;
    }
    const bool counted = report_.problem == ProblemType::binary || rows_.columns > 1;
    if (!counted && !are_classes(rows_.predictions)) {
      gap(XgboostGap::predictions_not_classes);
      return false;
    }
    std::vector<double> all = rows_.labels;
    if (!counted) all.insert(all.end(), rows_.predictions.begin(), rows_.predictions.end());
    constexpr std::size_t kMost = result::kMaxClasses / 2; // of labels, and of predictions
    if (rows_.columns > kMost || !distinct_classes(all, kMost)) {
      gap(XgboostGap::too_many_classes);
      return false;
    }
    return true;
  }

  void classify() {
    const std::vector<std::int64_t> labels = as_classes(rows_.labels);
    if (rows_.predictions.empty()) {
      report_.classification = label_counts(labels);
      return;
    }
    Decision decision{report_.problem};
    if (report_.problem == ProblemType::binary && rows_.columns == 1) {
      const auto [low, high] =
          std::minmax_element(rows_.predictions.begin(), rows_.predictions.end());
      if (report_.objective == "binary:logitraw" || *low < 0 || *high > 1) {
        gap(XgboostGap::margins);
        decision.threshold = 0;
      }
    }
    report_.classification = classification(labels, decision.classes(rows_));
    if (report_.problem == ProblemType::binary) add_roc(labels, decision.threshold);
    add_accuracy(decision);
  }

  void add_roc(const std::vector<std::int64_t>& labels, double threshold) {
    std::vector<double> scores;
    for (std::size_t at = rows_.columns - 1; at < rows_.predictions.size(); at += rows_.columns)
      scores.push_back(rows_.predictions[at]);
    if (auto roc = roc_curve(labels, scores, threshold))
      report_.roc = std::move(*roc);
    else
      gap(XgboostGap::one_class);
  }

  /// The classes that are found least, over the rounds.
  void add_accuracy(const Decision& decision) {
    std::vector<const result::ClassRow*> rows;
    for (const result::ClassRow& row : report_.classification.classes)
      if (row.recall) rows.push_back(&row);
    std::stable_sort(rows.begin(), rows.end(),
                     [](const auto* a, const auto* b) { return *a->recall < *b->recall; });
    if (rows.size() > result::kMaxMatrix) rows.resize(result::kMaxMatrix);
    std::vector<std::int64_t> classes;
    for (const result::ClassRow* row : rows)
      classes.push_back(row->label);
    std::sort(classes.begin(), classes.end());
    const auto values = over_rounds(classes.size(), [&](const ValidationRows& round) {
      return recalls(classes, as_classes(round.labels), decision.classes(round));
    });
    for (std::size_t i = 0; i < classes.size(); ++i) {
      result::ClassAccuracy accuracy{classes[i], {}};
      for (const auto& of_round : values)
        accuracy.values.push_back(of_round[i]);
      report_.classification.over_rounds.push_back(std::move(accuracy));
    }
  }

  void regress() {
    report_.regression = regression(rows_.labels, rows_.predictions);
    std::vector<result::LabelBin>& bins = report_.regression.bins;
    const auto values = over_rounds(bins.size(), [&](const ValidationRows& round) {
      return errors_by_bin(bins, round.labels, round.predictions);
    });
    for (const auto& of_round : values)
      for (std::size_t i = 0; i < bins.size(); ++i)
        bins[i].errors.push_back(of_round[i]);
  }

  using Values = std::vector<std::optional<double>>;

  /// `count` values of each of an even choice of rounds; absent where a round cannot be read.
  std::vector<Values> over_rounds(std::size_t count,
                                  const std::function<Values(const ValidationRows&)>& evaluate) {
    report_.rounds = even_choice(rounds_.rounds(), result::kMaxRounds);
    if (report_.rounds.size() < rounds_.rounds().size()) gap(XgboostGap::rounds_left_out);
    std::vector<Values> out(report_.rounds.size(), Values(count));
    std::vector<job::Troubles> lost(out.size());
    parallel_for(out.size(), [&](std::size_t i) {
      const ValidationRows rows = rounds_.load(report_.rounds[i], lost[i]);
      if (!rows.labels.empty() && rows.columns == rows_.columns &&
          rows.predictions.size() == rows.labels.size() * rows.columns &&
          (report_.classification.empty() || are_classes(rows.labels)) && can_decide(rows))
        out[i] = evaluate(rows);
    });
    for (const job::Troubles& of_round : lost)
      for (const auto& [reason, trouble] : of_round)
        job::ReadingReport::count(lost_, reason, trouble.first_seen, trouble.count);
    return out;
  }

  /// Classes of an earlier round could be numbers that are none.
  bool can_decide(const ValidationRows& rows) const {
    return report_.problem != ProblemType::multiclass || rows.columns > 1 ||
           report_.classification.empty() || are_classes(rows.predictions);
  }

  result::Xgboost& report_;
  job::Troubles& lost_;
  ValidationRounds rounds_;
  ValidationRows rows_;
};

result::SavedModel saved_model(const job::TreeModel& model) {
  result::SavedModel out;
  out.file = model.path;
  out.version = model.version;
  out.booster = model.booster;
  out.trees = model.trees;
  out.rounds = model.rounds;
  out.best_round = model.best_round;
  out.features = model.features;
  out.classes = model.classes;
  out.splits = model.splits;
  out.leaves = model.leaves;
  out.trees_by_depth = model.trees_by_depth;
  return out;
}

} // namespace

result::Xgboost xgboost_report(const job::Job& job, job::Troubles& lost) {
  result::Xgboost report;
  const bool logged =
      std::any_of(job.scalars.begin(), job.scalars.end(), [](const job::ScalarSeries& series) {
        return series.source == job::ScalarSource::xgboost;
      });
  if (!job.tree_model && !logged && !are_of_xgboost(job.tensors)) return report;
  if (job.tree_model) report.model = saved_model(*job.tree_model);
  report.objective = job.tree_model && !job.tree_model->objective.empty()
                         ? job.tree_model->objective
                         : parameter_of(job, "objective", lost);
  add_losses(job.scalars, report);
  add_importance(job, report, lost);
  ReportMaker(job, report, lost).make();
  std::sort(report.gaps.begin(), report.gaps.end());
  return report;
}

} // namespace debrief::aggregate
