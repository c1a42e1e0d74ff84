#include "render/sections/xgboost_tables.h"

#include "render/parts/cells.h"
#include "render/parts/format.h"
#include "render/sections/xgboost_charts.h"
#include "util/number_text.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace debrief::render {

namespace {

using result::Xgboost;

const char* problem_words(result::ProblemType problem) {
  switch (problem) {
  case result::ProblemType::binary:
    return "Binary classification";
  case result::ProblemType::multiclass:
    return "Multiclass classification";
  case result::ProblemType::regression:
    return "Regression";
  case result::ProblemType::ranking:
    return "Ranking";
  case result::ProblemType::unknown:
    break;
  }
  return "";
}

/// A share from 0 to 1, as a percentage with the plain share behind it.
Cell share_cell(const std::optional<double>& share) {
  if (!share || !std::isfinite(*share)) return kUnknown;
  Cell cell(exact_percent_text(100 * *share));
  cell.raw = plain_number(*share);
  return cell;
}

double part_of_all(std::int64_t part, std::int64_t all) {
  return all > 0 ? 100 * static_cast<double>(part) / static_cast<double>(all) : 0;
}

/// "median 4, max 6".
std::string depth_words(const std::vector<std::int64_t>& trees_by_depth) {
  const std::int64_t all =
      std::accumulate(trees_by_depth.begin(), trees_by_depth.end(), std::int64_t{0});
  std::int64_t before = 0;
  for (std::size_t depth = 0; depth < trees_by_depth.size(); ++depth) {
    before += trees_by_depth[depth];
    if (2 * before >= all)
      return fmt::format("median {}, max {}", depth, trees_by_depth.size() - 1);
  }
  return std::string{kUnknown};
}

void add_model_facts(Table& table, const result::SavedModel& model) {
  table.add({"Model file", printable(model.file)});
  if (!model.version.empty()) table.add({"XGBoost version", printable(model.version)});
  if (!model.booster.empty()) table.add({"Booster", printable(model.booster)});
  table.add({"Trees", count_cell(model.trees)});
  if (model.rounds) table.add({"Boosting rounds", count_cell(model.rounds)});
  if (model.best_round) table.add({"Best round", count_cell(model.best_round)});
  if (!model.trees_by_depth.empty()) table.add({"Tree depth", depth_words(model.trees_by_depth)});
  if (model.trees > 0) {
    table.add({"Splits", count_cell(model.splits)});
    table.add({"Leaves", count_cell(model.leaves)});
  }
  if (model.features) table.add({"Features in the data", count_cell(model.features)});
}

} // namespace

Table xgboost_facts(const Xgboost& report) {
  Table table("Model and validation data", {{"What", Kind::head}, {"Value", Kind::number}});
  if (*problem_words(report.problem) != 0) table.add({"Problem", problem_words(report.problem)});
  if (!report.objective.empty()) table.add({"Objective", printable(report.objective)});
  if (report.model) add_model_facts(table, *report.model);
  if (!report.importance.empty())
    table.add(
        {"Features used", count_cell(std::ssize(report.importance) + report.features_left_out)});
  if (report.round) {
    table.add({"Validation rows", count_cell(report.rows)});
    table.add({"Saved in round", count_cell(report.round)});
  }
  if (report.saved_rounds > 0)
    table.add({"Rounds with predictions", count_cell(report.saved_rounds)});
  return table.narrow();
}

Table eval_loss_table(const Xgboost& report) {
  Table table(fmt::format("Loss by data set ({})", truncate(report.loss)),
              {{"Data set", Kind::head},
               {"Last", Kind::number},
               {"Best", Kind::number},
               {"Best in round", Kind::number}});
  for (const result::EvalLoss& loss : report.losses)
    table.add({printable(loss.set), scalar_cell(loss.last), scalar_cell(loss.best),
               count_cell(loss.best_round)});
  return table;
}

Table importance_table(const Xgboost& report) {
  Table table("Feature importance", {{"Feature", Kind::head},
                                     {"Weight", Kind::number},
                                     {"Gain", Kind::number},
                                     {"Cover", Kind::number},
                                     {"Total gain", Kind::number},
                                     {"Total cover", Kind::number, "", true},
                                     {"Share of total gain", Kind::bar}});
  double all = 0;
  for (const result::FeatureImportance& feature : report.importance)
    all += feature.total_gain.value_or(0);
  for (const result::FeatureImportance& feature : report.importance)
    table.add({printable(feature.name), scalar_cell(feature.weight), scalar_cell(feature.gain),
               scalar_cell(feature.cover), scalar_cell(feature.total_gain),
               scalar_cell(feature.total_cover),
               feature.total_gain && all > 0 && std::isfinite(all)
                   ? share_bar(std::clamp(100 * *feature.total_gain / all, 0.0, 100.0))
                   : Cell(kUnknown)});
  return table.drop_unknown();
}

Table class_table(const Xgboost& report) {
  Table table("Precision and recall by class", {{"Class", Kind::head},
                                                {"Labels", Kind::number},
                                                {"Share", Kind::number},
                                                {"Predicted", Kind::number},
                                                {"Right", Kind::number, "", true},
                                                {"Precision", Kind::number},
                                                {"Recall", Kind::number},
                                                {"F1", Kind::number}});
  for (const result::ClassRow& row : report.classification.classes)
    table.add({std::to_string(row.label), count_cell(row.rows),
               exact_percent_text(part_of_all(row.rows, report.rows)), count_cell(row.predicted),
               count_cell(row.right), share_cell(row.precision), share_cell(row.recall),
               share_cell(row.f1)});
  return table.drop_unknown();
}

Table average_table(const Xgboost& report) {
  Table table("Precision, recall and F1 over all classes", {{"Average", Kind::head},
                                                            {"Precision", Kind::number},
                                                            {"Recall", Kind::number},
                                                            {"F1", Kind::number}});
  const result::Classification& classes = report.classification;
  const auto add = [&](const char* name, const result::ClassAverage& average) {
    table.add(
        {name, share_cell(average.precision), share_cell(average.recall), share_cell(average.f1)});
  };
  add("Micro", classes.micro);
  add("Macro", classes.macro);
  add("Weighted", classes.weighted);
  return table.plain();
}

Table mistake_table(const Xgboost& report) {
  Table table("Mistakes, most frequent first", {{"Label", Kind::head},
                                                {"Predicted", Kind::number},
                                                {"Rows", Kind::number},
                                                {"Share of the label", Kind::bar}});
  const auto& classes = report.classification.classes;
  for (const result::Mistake& mistake : report.classification.mistakes) {
    const auto row = std::find_if(classes.begin(), classes.end(),
                                  [&](const auto& one) { return one.label == mistake.label; });
    const std::int64_t all = row == classes.end() ? 0 : row->rows;
    table.add({std::to_string(mistake.label), std::to_string(mistake.predicted),
               count_cell(mistake.rows), share_bar(part_of_all(mistake.rows, all))});
  }
  return table;
}

Table class_accuracy_table(const Xgboost& report) {
  std::vector<Column> columns = {{"Round", Kind::head}};
  constexpr std::size_t kMaxColumns = 12;
  const auto& classes = report.classification.over_rounds;
  const std::size_t shown = std::min(classes.size(), kMaxColumns);
  for (std::size_t i = 0; i < shown; ++i)
    columns.push_back({fmt::format("Class {}", classes[i].label), Kind::number});
  std::string caption = "Accuracy by class and round";
  if (shown < classes.size()) caption += fmt::format(", {} of {} classes", shown, classes.size());
  Table table(std::move(caption), std::move(columns));
  for (std::size_t round = 0; round < report.rounds.size(); ++round) {
    std::vector<Cell> cells = {std::to_string(report.rounds[round])};
    for (std::size_t i = 0; i < shown; ++i)
      cells.push_back(round < classes[i].values.size() ? share_cell(classes[i].values[round])
                                                       : Cell(kUnknown));
    table.add(std::move(cells));
  }
  return table;
}

Table threshold_table(const Xgboost& report) {
  Table table("Classification thresholds", {{"Threshold", Kind::head},
                                            {"Value", Kind::number},
                                            {"True positives", Kind::number},
                                            {"False positives", Kind::number}});
  const auto add = [&](const char* name, const result::RocPoint& point) {
    if (point.threshold)
      table.add({name, scalar_cell(point.threshold), share_cell(point.true_positives),
                 share_cell(point.false_positives)});
  };
  add("In use", report.roc.used);
  add("Best", report.roc.best);
  return table.plain();
}

Table roc_table(const Xgboost& report) {
  Table table("Points of the ROC curve", {{"Threshold", Kind::head},
                                          {"False positives", Kind::number},
                                          {"True positives", Kind::number}});
  for (const result::RocPoint& point : report.roc.points)
    table.add({point.threshold ? scalar_text(*point.threshold) : "above all",
               share_cell(point.false_positives), share_cell(point.true_positives)});
  return table;
}

Table residual_table(const Xgboost& report) {
  Table table("Prediction error", {{"Metric", Kind::head}, {"Value", Kind::number}});
  const result::Regression& regression = report.regression;
  const auto add = [&](const char* name, const std::optional<double>& value) {
    table.add({name, scalar_cell(value)});
  };
  add("RMSE", regression.rmse);
  add("MAE", regression.mae);
  add("R²", regression.r2);
  add("Mean residual", regression.residuals.mean);
  add("Standard deviation", regression.residuals.stddev);
  add("Skewness", regression.residuals.skewness);
  add("p5", regression.residuals.p05);
  add("Median", regression.residuals.p50);
  add("p95", regression.residuals.p95);
  return table.narrow();
}

Table label_bin_table(const Xgboost& report) {
  Table table("Mean absolute error by label", {{"Label", Kind::head},
                                               {"Rows", Kind::number},
                                               {"First round", Kind::number},
                                               {"Last round", Kind::number}});
  for (const result::LabelBin& bin : report.regression.bins) {
    const bool any = !bin.errors.empty();
    table.add({bin_words(bin), count_cell(bin.rows),
               any ? scalar_cell(bin.errors.front()) : Cell(kUnknown),
               any ? scalar_cell(bin.errors.back()) : Cell(kUnknown)});
  }
  return table.plain();
}

Table bin_table(std::string caption, const result::Histogram& histogram) {
  Table table(std::move(caption),
              {{"From", Kind::head}, {"To", Kind::number}, {"Rows", Kind::number}});
  for (std::size_t i = 0; i < histogram.counts.size() && i + 1 < histogram.edges.size(); ++i)
    table.add({scalar_text(histogram.edges[i]), scalar_cell(histogram.edges[i + 1]),
               count_cell(histogram.counts[i])});
  return table.plain();
}

} // namespace debrief::render
