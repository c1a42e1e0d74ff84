#include "rules/model/losses.h"

#include "aggregate/curves.h"
#include "result/curves.h"
#include "util/loss_name.h"

#include <algorithm>
#include <array>
#include <deque>
#include <iterator>
#include <map>
#include <numeric>
#include <tuple>

namespace debrief::rules::model {

namespace {

using result::CurveSplit;
using result::CurveTopic;

/// Keras saves the validation loss as "val_loss", XGBoost as "validation-logloss" beside
/// "train-logloss"; PyTorch under the same name, in steps of mode EVAL.
std::string validation_name(const std::string& name) {
  if (name.starts_with("train-")) return "validation-" + name.substr(6);
  return "val_" + name;
}

class LossWatch final : public RuleWatch {
public:
  LossWatch(const WatchScope& scope, TensorIds losses, TensorIds wanted, Firings& firings,
            std::function<void(const LossLog&)> judge)
      : RuleWatch(std::move(wanted), firings)
      , names_(scope.names)
      , evaluates_(scope.evaluates)
      , losses_(std::move(losses))
      , judge_(std::move(judge)) {}

  void see(const SeenTensor& tensor) override {
    if (!tensor.has_numbers() || tensor.data->values.empty()) return;
    const std::vector<double>& values = tensor.data->values;
    const double mean =
        std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    Seen& seen = seen_[tensor.tensor];
    seen.points.push_back({tensor.step.step, mean, tensor.step.mode});
    seen.single.push_back(values.size() == 1);
  }

  void finish() override {
    LossLog log;
    log.of_tensors = true;
    for (const std::uint32_t tensor : losses_) {
      const auto found = seen_.find(tensor);
      if (found == seen_.end()) continue;
      LossSeries series{names_[tensor], {}};
      for (std::size_t i = 0; i < found->second.points.size(); ++i)
        if (found->second.single[i]) series.points.push_back(found->second.points[i]);
      if (!series.points.empty()) log.losses.push_back(std::move(series));
      add_pair(tensor, log);
    }
    judge_(log);
  }

private:
  struct Seen {
    std::vector<LossPoint> points;
    std::vector<bool> single; ///< one number, not several
  };

  std::vector<LossPoint> points_of(std::uint32_t tensor, std::optional<job::TensorMode> mode) {
    std::vector<LossPoint> out;
    if (const auto found = seen_.find(tensor); found != seen_.end())
      std::copy_if(found->second.points.begin(), found->second.points.end(),
                   std::back_inserter(out),
                   [&](const LossPoint& point) { return !mode || point.mode == *mode; });
    return out;
  }

  void add_pair(std::uint32_t tensor, LossLog& log) {
    const std::string& name = names_[tensor];
    const auto other = names_.find(validation_name(name));
    LossPair pair{name, {}, {}};
    if (name.starts_with("train-") && other) {
      pair.train = points_of(tensor, std::nullopt);
      pair.validation = points_of(*other, std::nullopt);
    } else if (evaluates_) {
      if (name.starts_with("val_") && names_.find(name.substr(4))) return;
      pair.train = points_of(tensor, job::TensorMode::train);
      pair.validation = points_of(other.value_or(tensor), job::TensorMode::eval);
    }
    if (!pair.train.empty() && !pair.validation.empty()) log.pairs.push_back(std::move(pair));
  }

  const TensorNames& names_;
  bool evaluates_;
  TensorIds losses_;
  std::function<void(const LossLog&)> judge_;
  std::map<std::uint32_t, Seen> seen_;
};

std::vector<LossPoint> points_of_series(const job::ScalarSeries& series,
                                        const std::vector<double>& values, job::TensorMode mode) {
  std::vector<LossPoint> out;
  for (std::size_t i = 0; i < values.size(); ++i)
    out.push_back({series.steps[i], values[i], mode});
  return out;
}

} // namespace

LossLog losses_of(std::span<const job::ScalarSeries> scalars) {
  LossLog log;
  const job::ScalarSeries* gradient = nullptr;
  for (const job::ScalarSeries& series : scalars)
    if (aggregate::meaning_of_scalar(series.name, series.run).topic == CurveTopic::gradient_norm)
      gradient = &series;

  struct Placed {
    std::size_t at;
  };

  std::deque<Placed> places; // in log.losses; they stay where they are
  LossChoice<Placed> train_at;
  LossChoice<Placed> validation_at;
  for (const job::ScalarSeries& series : scalars) {
    const auto [topic, split] = aggregate::meaning_of_scalar(series.name, series.run);
    if (topic != CurveTopic::loss) continue;
    const bool evaluation = split == CurveSplit::evaluation;
    // Lightning's evaluation by the batch is noise, of which the epoch's is the mean.
    if (evaluation && series.name.ends_with("_step")) continue;
    LossSeries loss{series.run.empty() ? series.name : series.run + "/" + series.name, {}};
    loss.points = evaluation ? points_of_series(series, series.values, job::TensorMode::eval)
                             : points_of_series(series, aggregate::true_losses(series, gradient),
                                                job::TensorMode::train);
    (evaluation ? validation_at : train_at)
        .add(places.emplace_back(Placed{log.losses.size()}), series.name, loss.points.size());
    log.losses.push_back(std::move(loss));
  }
  // Which loss of evaluation belongs to which of training is not known where there are several:
  // the main one of each, as findings have it.
  if (train_at.best() != nullptr && validation_at.best() != nullptr) {
    const LossSeries& train = log.losses[train_at.best()->at];
    log.pairs.push_back({train.name, train.points, log.losses[validation_at.best()->at].points});
  }
  for (const job::ScalarSeries& series : scalars)
    for (std::size_t i = 0; i < series.times.size(); ++i)
      log.times.push_back({series.steps[i], series.times[i]});
  std::sort(log.times.begin(), log.times.end(), [](const LoggedTime& a, const LoggedTime& b) {
    return std::tie(a.time, a.step) < std::tie(b.time, b.step);
  });
  return log;
}

std::unique_ptr<TensorWatch> watch_losses(const WatchScope& scope, const TensorIds& also,
                                          bool losses_too, Firings& firings,
                                          std::function<void(const LossLog&)> judge) {
  const std::array<std::string, 1> collection = {"losses"};
  const TensorIds losses = losses_too ? scope.names.in_collections(collection) : TensorIds{};
  TensorIds judged;
  std::set_union(losses.begin(), losses.end(), also.begin(), also.end(),
                 std::back_inserter(judged));
  TensorIds wanted = judged;
  for (const std::uint32_t tensor : judged)
    if (const auto other = scope.names.find(validation_name(scope.names[tensor])))
      wanted.push_back(*other);
  std::sort(wanted.begin(), wanted.end());
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  if (judged.empty()) firings.explain("the job saved no losses");
  return std::make_unique<LossWatch>(scope, std::move(judged), std::move(wanted), firings,
                                     std::move(judge));
}

} // namespace debrief::rules::model
