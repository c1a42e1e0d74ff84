#include "render/sections/xgboost_charts.h"

#include "chart/axis.h"
#include "chart/bars.h"
#include "chart/confusion_matrix.h"
#include "chart/curve_lines.h"
#include "chart/heat_grid.h"
#include "chart/histogram.h"
#include "chart/roc.h"
#include "render/parts/format.h"
#include "util/number_text.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace debrief::render {

namespace {

using result::Xgboost;

constexpr std::size_t kMaxClassBars = 25;
constexpr std::size_t kMaxFeatureBars = 12;

double percent_of(double part, double whole) {
  return whole > 0 ? 100 * part / whole : 0;
}

/// Values as bars, with a line at 0 where they lie on both sides of it.
std::optional<Chart> value_histogram(std::string caption, const result::Distribution& values,
                                     std::string noun, bool mark_zero) {
  chart::HistogramSeries series{std::string{},
                                chart::color_of(Meaning::compute),
                                values.histogram.edges,
                                {values.histogram.counts.begin(), values.histogram.counts.end()},
                                std::nullopt};
  if (!chart::is_drawable(series)) return std::nullopt;
  chart::HistogramChart drawing;
  drawing.unit = chart::HistogramUnit::plain;
  drawing.noun = std::move(noun);
  if (mark_zero && series.edges.front() < 0 && series.edges.back() > 0) series.threshold = 0;
  drawing.label = fmt::format("{}. Middle half {}", caption,
                              chart::half_words(series, chart::HistogramUnit::plain));
  drawing.series.push_back(std::move(series));
  return drawn_chart(std::move(caption), [&] { return chart::draw(drawing); }, {});
}

/// The classes with the most labels, or all, in the order of labels.
std::optional<Chart> class_bars(const Xgboost& report) {
  std::vector<const result::ClassRow*> rows;
  for (const result::ClassRow& row : report.classification.classes)
    if (row.rows > 0) rows.push_back(&row);
  if (rows.empty()) return std::nullopt;
  std::string caption = "Validation labels by class";
  if (rows.size() > kMaxClassBars) {
    caption += fmt::format(", {} largest of {}", kMaxClassBars, grouped(std::ssize(rows)));
    std::stable_sort(rows.begin(), rows.end(),
                     [](const auto* a, const auto* b) { return a->rows > b->rows; });
    rows.resize(kMaxClassBars);
  }
  chart::ValueBars drawing;
  drawing.label = caption;
  for (const result::ClassRow* row : rows) {
    const double percent =
        percent_of(static_cast<double>(row->rows), static_cast<double>(report.rows));
    drawing.rows.push_back(
        {fmt::format("Class {}", row->label), percent,
         fmt::format("{} ({})", grouped(row->rows), exact_percent_text(percent))});
  }
  return drawn_chart(std::move(caption), [&] { return chart::draw(drawing); }, {});
}

struct ImportanceKind {
  const char* caption;
  std::optional<double> result::FeatureImportance::*value;
};

constexpr ImportanceKind kImportanceKinds[] = {
    {"Feature importance by total gain", &result::FeatureImportance::total_gain},
    {"Feature importance by weight", &result::FeatureImportance::weight},
    {"Feature importance by gain", &result::FeatureImportance::gain},
    {"Feature importance by cover", &result::FeatureImportance::cover},
};

std::optional<Chart> importance_chart(const Xgboost& report, const ImportanceKind& kind) {
  std::vector<const result::FeatureImportance*> features;
  double all = 0;
  for (const result::FeatureImportance& feature : report.importance) {
    const std::optional<double>& value = feature.*kind.value;
    if (!value || !std::isfinite(*value) || *value < 0) continue;
    features.push_back(&feature);
    all += *value;
  }
  if (features.empty() || !(all > 0) || !std::isfinite(all)) return std::nullopt;
  std::stable_sort(features.begin(), features.end(), [&](const auto* a, const auto* b) {
    return *(a->*kind.value) > *(b->*kind.value);
  });
  std::string caption = kind.caption;
  if (features.size() > kMaxFeatureBars) {
    caption += fmt::format(", top {} of {}", kMaxFeatureBars,
                           grouped(std::ssize(features) + report.features_left_out));
    features.resize(kMaxFeatureBars);
  }
  chart::ValueBars drawing;
  drawing.label = caption;
  for (const result::FeatureImportance* feature : features) {
    const double percent = percent_of(*(feature->*kind.value), all);
    drawing.rows.push_back({printable(feature->name), percent, exact_percent_text(percent)});
  }
  return drawn_chart(std::move(caption), [&] { return chart::draw(drawing); }, {});
}

/// Indices of at most as many rounds as a grid has columns.
std::vector<std::size_t> grid_rounds(std::size_t rounds) {
  std::vector<std::size_t> out;
  const std::size_t most = std::min(rounds, chart::kMaxGridColumns);
  for (std::size_t i = 0; i < most; ++i)
    out.push_back(most > 1 ? i * (rounds - 1) / (most - 1) : 0);
  return out;
}

void add_grid_row(chart::HeatGrid& grid, std::string name,
                  const std::vector<std::optional<double>>& values,
                  const std::vector<std::size_t>& rounds) {
  grid.rows.push_back(std::move(name));
  grid.values.emplace_back();
  for (const std::size_t round : rounds) {
    const std::optional<double> value = round < values.size() ? values[round] : std::nullopt;
    grid.values.back().push_back(value && std::isfinite(*value) ? value : std::nullopt);
  }
}

Chart grid_chart(std::string caption, const chart::HeatGrid& grid) {
  return drawn_chart(std::move(caption), [&] { return chart::draw(grid); }, {});
}

chart::HeatGrid empty_grid(const Xgboost& report, const std::vector<std::size_t>& rounds) {
  chart::HeatGrid grid;
  for (const std::size_t round : rounds)
    grid.columns.push_back(grouped(report.rounds[round]));
  return grid;
}

} // namespace

std::string bin_words(const result::LabelBin& bin) {
  if (!bin.from || !bin.to) return std::string{kUnknown};
  return fmt::format("{} to {}", chart::value_text(*bin.from), chart::value_text(*bin.to));
}

std::optional<Chart> label_chart(const Xgboost& report) {
  if (!report.classification.empty()) return class_bars(report);
  return value_histogram("Validation labels", report.labels, "row", false);
}

std::optional<Chart> eval_loss_chart(const Xgboost& report, const result::Curves& curves) {
  chart::CurveChart drawing;
  std::vector<LegendEntry> legend;
  for (const result::EvalLoss& loss : report.losses) {
    const auto curve =
        std::find_if(curves.curves.begin(), curves.curves.end(),
                     [&](const result::Curve& one) { return one.name == loss.scalar; });
    if (curve == curves.curves.end() || curve->values.size() < 2) continue;
    if (drawing.lines.size() == chart::kSeries) break;
    const std::string name = printable(loss.set);
    chart::CurveLine line{name, {}, curve->values};
    line.steps.assign(curve->steps.begin(), curve->steps.end());
    legend.push_back(
        {std::to_string(drawing.lines.size()), name, chart::series(drawing.lines.size())});
    drawing.lines.push_back(std::move(line));
  }
  if (drawing.lines.empty()) return std::nullopt;
  drawing.axis = "round";
  drawing.logarithmic = chart::spans_decades(drawing.lines);
  drawing.label = fmt::format("Loss by boosting round: {}", truncate(report.loss));
  return drawn_chart(
      drawing.label, [&] { return chart::draw(drawing); }, std::move(legend));
}

std::vector<Chart> importance_charts(const Xgboost& report) {
  std::vector<Chart> out;
  for (const ImportanceKind& kind : kImportanceKinds)
    if (auto chart = importance_chart(report, kind)) out.push_back(std::move(*chart));
  return out;
}

std::optional<Chart> confusion_chart(const Xgboost& report) {
  const result::Classification& classes = report.classification;
  if (classes.matrix.empty()) return std::nullopt;
  chart::ConfusionMatrix drawing;
  for (const result::ClassRow& row : classes.classes)
    drawing.classes.push_back(std::to_string(row.label));
  drawing.counts = classes.matrix;
  std::string caption = "Confusion matrix";
  drawing.label = fmt::format("{}: rows by label and predicted class", caption);
  return drawn_chart(std::move(caption), [&] { return chart::draw(drawing); },
                     {{"0", "Right", chart::kRightCell}, {"1", "Wrong", chart::kWrongCell}});
}

std::optional<Chart> accuracy_chart(const Xgboost& report) {
  const auto& classes = report.classification.over_rounds;
  if (classes.empty() || report.rounds.size() < 2) return std::nullopt;
  std::string caption = "Accuracy by class over rounds";
  if (classes.size() < report.classification.classes.size() && classes.size() == result::kMaxMatrix)
    caption += fmt::format(", {} lowest", classes.size());
  if (classes.size() > chart::kSeries) {
    const std::vector<std::size_t> rounds = grid_rounds(report.rounds.size());
    chart::HeatGrid grid = empty_grid(report, rounds);
    grid.label = caption;
    grid.words = [](double value) { return exact_percent_text(100 * value); };
    for (const result::ClassAccuracy& one : classes)
      add_grid_row(grid, fmt::format("Class {}", one.label), one.values, rounds);
    return grid_chart(std::move(caption), grid);
  }
  chart::CurveChart drawing;
  std::vector<LegendEntry> legend;
  for (const result::ClassAccuracy& one : classes) {
    chart::CurveLine line{fmt::format("Class {}", one.label), {}, {}};
    for (std::size_t i = 0; i < std::min(report.rounds.size(), one.values.size()); ++i) {
      if (!one.values[i]) continue;
      line.steps.push_back(static_cast<double>(report.rounds[i]));
      line.values.emplace_back(100 * *one.values[i]);
    }
    legend.push_back(
        {std::to_string(drawing.lines.size()), line.name, chart::series(drawing.lines.size())});
    drawing.lines.push_back(std::move(line));
  }
  drawing.axis = "round";
  drawing.label = caption + " (%)";
  return drawn_chart(
      drawing.label, [&] { return chart::draw(drawing); }, std::move(legend));
}

std::optional<Chart> roc_chart(const Xgboost& report) {
  const result::Roc& roc = report.roc;
  if (roc.points.size() < 2) return std::nullopt;
  chart::RocChart drawing;
  for (const result::RocPoint& point : roc.points)
    drawing.points.push_back({point.false_positives, point.true_positives});
  drawing.words = fmt::format("AUC {:.3f}", roc.auc);
  std::string caption = "ROC curve";
  drawing.label = fmt::format("{}, {}", caption, drawing.words);
  std::vector<LegendEntry> legend = {{"0", "Any threshold", chart::series(0)}};
  const auto mark = [&](const char* name, const result::RocPoint& point, chart::Color color) {
    if (!point.threshold) return;
    const std::string words =
        fmt::format("{} {}: finds {}, false alarms {}", name, chart::value_text(*point.threshold),
                    exact_percent_text(100 * point.true_positives),
                    exact_percent_text(100 * point.false_positives));
    drawing.marks.push_back({{point.false_positives, point.true_positives}, words, color});
    legend.push_back({std::to_string(drawing.marks.size()), words, color});
  };
  mark("Threshold used,", roc.used, chart::kInk);
  mark("Best threshold,", roc.best, chart::series(1));
  return drawn_chart(
      std::move(caption), [&] { return chart::draw(drawing); }, std::move(legend));
}

std::optional<Chart> residual_chart(const Xgboost& report) {
  return value_histogram("Residuals: label minus prediction", report.regression.residuals, "row",
                         true);
}

std::optional<Chart> label_bin_chart(const Xgboost& report) {
  if (report.regression.bins.empty() || report.rounds.size() < 2) return std::nullopt;
  const std::vector<std::size_t> rounds = grid_rounds(report.rounds.size());
  chart::HeatGrid grid = empty_grid(report, rounds);
  grid.words = [](double value) { return chart::value_text(value); };
  for (const result::LabelBin& bin : report.regression.bins)
    add_grid_row(grid, bin_words(bin), bin.errors, rounds);
  std::reverse(grid.rows.begin(), grid.rows.end()); // large labels on top, as on an axis
  std::reverse(grid.values.begin(), grid.values.end());
  std::string caption = "Mean absolute error by label over rounds";
  grid.label = caption;
  return grid_chart(std::move(caption), grid);
}

} // namespace debrief::render
