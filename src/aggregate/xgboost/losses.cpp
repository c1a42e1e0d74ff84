#include "aggregate/xgboost/losses.h"

#include "job/eval_name.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace debrief::aggregate {

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 16> kLossOfObjective = {{
    {"binary:logistic", "logloss"},
    {"binary:logitraw", "logloss"},
    {"binary:hinge", "error"},
    {"multi:softmax", "mlogloss"},
    {"multi:softprob", "mlogloss"},
    {"reg:squarederror", "rmse"},
    {"reg:linear", "rmse"},
    {"reg:logistic", "rmse"},
    {"reg:squaredlogerror", "rmsle"},
    {"reg:pseudohubererror", "mphe"},
    {"reg:absoluteerror", "mae"},
    {"reg:gamma", "gamma-nloglik"},
    {"reg:tweedie", "tweedie-nloglik"},
    {"count:poisson", "poisson-nloglik"},
    {"survival:cox", "cox-nloglik"},
    {"survival:aft", "aft-nloglik"},
}};

struct LoggedMetric {
  job::EvalName name;
  const job::ScalarSeries* series = nullptr;
};

/// The loss of the objective where it was logged, else the first that is one.
std::string_view chosen_loss(const std::vector<LoggedMetric>& logged, std::string_view objective) {
  const auto was_logged = [&](std::string_view metric) {
    return std::find_if(logged.begin(), logged.end(), [&](const LoggedMetric& one) {
      return job::without_parameter(one.name.metric) == metric;
    });
  };
  const auto own = std::find_if(kLossOfObjective.begin(), kLossOfObjective.end(),
                                [&](const auto& row) { return row.first == objective; });
  if (own != kLossOfObjective.end())
    if (const auto found = was_logged(own->second); found != logged.end())
      return found->name.metric;
  for (const std::string_view metric : job::kLossMetrics)
    if (const auto found = was_logged(metric); found != logged.end()) return found->name.metric;
  return {};
}

result::EvalLoss loss_of(const LoggedMetric& logged) {
  result::EvalLoss out;
  out.set = logged.name.set;
  out.scalar = logged.series->name;
  for (std::size_t i = 0; i < logged.series->size(); ++i) {
    const double value = logged.series->values[i];
    if (!std::isfinite(value)) continue;
    if (!out.first) out.first = value;
    out.last = value;
    out.last_round = logged.series->steps[i];
    if (out.best && value >= *out.best) continue;
    out.best = value;
    out.best_round = logged.series->steps[i];
  }
  return out;
}

} // namespace

void add_losses(std::span<const job::ScalarSeries> scalars, result::Xgboost& report) {
  std::vector<LoggedMetric> logged;
  for (const job::ScalarSeries& series : scalars)
    if (const auto name = job::eval_name(series.name)) logged.push_back({*name, &series});
  const std::string_view loss = chosen_loss(logged, report.objective);
  if (loss.empty()) {
    report.gaps.push_back(result::XgboostGap::no_loss);
    return;
  }
  report.loss = loss;
  for (const LoggedMetric& one : logged)
    if (one.name.metric == loss) report.losses.push_back(loss_of(one));
  std::stable_sort(report.losses.begin(), report.losses.end(), [](const auto& a, const auto& b) {
    return a.set.starts_with("train") && !b.set.starts_with("train");
  });
}

} // namespace debrief::aggregate
