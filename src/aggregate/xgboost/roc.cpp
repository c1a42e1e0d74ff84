#include "aggregate/xgboost/roc.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace debrief::aggregate {

namespace {

/// Points of the curve that are kept are at least so far apart in one direction: at most 402.
constexpr double kPointsApart = 1.0 / 200;

struct ScoreStep {
  double score = 0;
  std::int64_t false_positives = 0; ///< of all rows with at least this score
  std::int64_t true_positives = 0;
};

/// A step for each distinct score, highest first.
std::vector<ScoreStep> steps_of_scores(std::span<const std::int64_t> labels,
                                       std::span<const double> scores) {
  std::vector<std::pair<double, bool>> rows;
  rows.reserve(scores.size());
  for (std::size_t row = 0; row < scores.size(); ++row)
    rows.emplace_back(scores[row], labels[row] > 0);
  std::sort(rows.begin(), rows.end(),
            [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<ScoreStep> steps;
  for (const auto& [score, positive] : rows) {
    if (steps.empty() || steps.back().score != score) {
      const ScoreStep before = steps.empty() ? ScoreStep{} : steps.back();
      steps.push_back({score, before.false_positives, before.true_positives});
    }
    ++(positive ? steps.back().true_positives : steps.back().false_positives);
  }
  return steps;
}

/// By whole numbers, so that no order of rows changes it.
double area_below(const std::vector<ScoreStep>& steps) {
  double twice = 0;
  ScoreStep before;
  for (const ScoreStep& step : steps) {
    twice += static_cast<double>(step.false_positives - before.false_positives) *
             static_cast<double>(step.true_positives + before.true_positives);
    before = step;
  }
  return twice / 2;
}

/// Whether b lies on the line from a to c.
bool is_between(const result::RocPoint& a, const result::RocPoint& b, const result::RocPoint& c) {
  const double cross =
      (b.false_positives - a.false_positives) * (c.true_positives - a.true_positives) -
      (b.true_positives - a.true_positives) * (c.false_positives - a.false_positives);
  return std::abs(cross) < 1e-12;
}

void add_point(std::vector<result::RocPoint>& points, const result::RocPoint& point) {
  if (points.size() > 1 && is_between(points[points.size() - 2], points.back(), point))
    points.back() = point;
  else
    points.push_back(point);
}

} // namespace

std::optional<result::Roc> roc_curve(std::span<const std::int64_t> labels,
                                     std::span<const double> scores, double threshold) {
  const std::vector<ScoreStep> steps = steps_of_scores(labels, scores);
  if (steps.empty() || steps.back().true_positives == 0 || steps.back().false_positives == 0)
    return std::nullopt;
  result::Roc roc;
  roc.positives = steps.back().true_positives;
  roc.negatives = steps.back().false_positives;
  const auto positives = static_cast<double>(roc.positives);
  const auto negatives = static_cast<double>(roc.negatives);
  roc.auc = area_below(steps) / (positives * negatives);
  const auto point_of = [&](const ScoreStep& step) {
    return result::RocPoint{step.score, static_cast<double>(step.false_positives) / negatives,
                            static_cast<double>(step.true_positives) / positives};
  };
  const result::RocPoint nothing{std::nullopt, 0, 0};
  roc.used = nothing;
  roc.best = nothing;
  roc.points = {nothing};
  const auto gain = [](const result::RocPoint& point) {
    return point.true_positives - point.false_positives;
  };
  result::RocPoint kept = nothing; // the last that was far enough
  for (const ScoreStep& step : steps) {
    const result::RocPoint point = point_of(step);
    if (step.score > threshold) roc.used = point;
    if (gain(point) > gain(roc.best)) roc.best = point;
    const bool last = &step == &steps.back();
    if (last || point.false_positives - kept.false_positives >= kPointsApart ||
        point.true_positives - kept.true_positives >= kPointsApart) {
      add_point(roc.points, point);
      kept = point;
    }
  }
  roc.used.threshold = threshold;
  return roc;
}

} // namespace debrief::aggregate
