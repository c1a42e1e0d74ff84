#include "findings/model_log.h"

#include "aggregate/curves.h"
#include "findings/thresholds.h"
#include "util/loss_name.h"
#include "util/median.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace debrief::findings {

namespace {

using namespace thresholds;
using job::ScalarSeries;
using result::CurveSplit;
using result::CurveTopic;

using RunKey = std::pair<job::ScalarSource, std::string>;

/// Who logged a scalar, and the run's folder without the part that says what data it is about:
/// Keras logs "run/train" beside "run/validation".
RunKey run_of(const ScalarSeries& series) {
  std::string run = series.run;
  if (aggregate::meaning_of_scalar("", run).split != CurveSplit::unknown)
    run.resize(run.find('/') == run.npos ? 0 : run.rfind('/'));
  return {series.source, run};
}

void prefer_longer(const ScalarSeries*& best, const ScalarSeries& series) {
  if (best == nullptr || series.size() > best->size()) best = &series;
}

/// By its name, and by values that have a logarithm.
bool is_perplexity(const ScalarSeries& series) {
  const std::vector<std::string> words = name_words(series.name);
  return std::any_of(
             words.begin(), words.end(),
             [](const std::string& word) { return word == "ppl" || word == "perplexity"; }) &&
         std::none_of(series.values.begin(), series.values.end(),
                      [](double value) { return value <= 0; });
}

/// What is known of one part of a run, its training or its evaluation, while its series come.
struct PartLog {
  LossChoice<ScalarSeries> loss;
  bool has_loss = false; ///< of any kind
  const ScalarSeries* perplexity = nullptr;
  const ScalarSeries* accuracy = nullptr;

  Judged judged() const {
    if (has_loss) return {loss.best(), Measure::loss};
    return perplexity != nullptr ? Judged{perplexity, Measure::perplexity}
                                 : Judged{accuracy, Measure::accuracy};
  }
};

/// What is known of a run while its series come.
struct RunLog {
  PartLog train;
  PartLog evaluation;
  ModelLog log;

  void add(const ScalarSeries& series) {
    const auto [topic, split] = aggregate::meaning_of_scalar(series.name, series.run);
    const bool evaluated = split == CurveSplit::evaluation;
    // Lightning's evaluation by the batch: noise, of which the epoch's is the mean.
    if (evaluated && series.name.ends_with("_step")) return;
    PartLog& part = evaluated ? evaluation : train;
    switch (topic) {
    case CurveTopic::loss:
      part.has_loss = true;
      part.loss.add(series, series.name, series.size());
      break;
    case CurveTopic::loss_part:
      train.has_loss = evaluation.has_loss = true; // there is one, though it was not logged
      part.loss.add_part();
      break;
    case CurveTopic::accuracy:
      prefer_longer(part.accuracy, series);
      break;
    case CurveTopic::reward:
      log.is_rewarded = true;
      break;
    case CurveTopic::learning_rate:
      prefer_longer(log.learning_rate, series);
      break;
    case CurveTopic::gradient_norm:
      prefer_longer(log.gradient, series);
      break;
    default:
      if (is_perplexity(series)) prefer_longer(part.perplexity, series);
      break;
    }
  }

  ModelLog finished() {
    log.train = train.judged();
    log.evaluation = evaluation.judged();
    log.accuracies = {evaluation.accuracy, train.accuracy};
    // An accuracy tells by what it does while training goes on, and nothing alone.
    if (!log.evaluation && !log.train.is_loss()) log.train = {};
    if (!log.train && !log.evaluation.is_loss()) log.evaluation = {};
    return log;
  }
};

/// Between two logged steps in proportion. Nothing where the series has no times, or does not reach
/// to the step.
std::optional<Microseconds> time_in(const ScalarSeries& series, std::int64_t step) {
  if (!series.has_times() || series.steps.front() > step || series.steps.back() < step)
    return std::nullopt;
  const auto after = std::lower_bound(series.steps.begin(), series.steps.end(), step);
  const auto row = static_cast<std::size_t>(after - series.steps.begin());
  if (*after == step || row == 0) return series.times[row];
  const double share = static_cast<double>(step - series.steps[row - 1]) /
                       static_cast<double>(series.steps[row] - series.steps[row - 1]);
  return series.times[row - 1] +
         static_cast<Microseconds>(share *
                                   static_cast<double>(series.times[row] - series.times[row - 1]));
}

} // namespace

Course Course::without_last() const {
  Course out = *this;
  if (size() == 0) return out;
  out.steps.pop_back();
  out.values.pop_back();
  return out;
}

std::vector<ModelLog> model_logs(std::span<const ScalarSeries> scalars,
                                 std::span<const ScalarSeries> repeated) {
  std::map<RunKey, RunLog> by_run;
  for (const auto all : {scalars, repeated})
    for (const ScalarSeries& series : all)
      by_run[run_of(series)].add(series);
  std::vector<ModelLog> trained;
  std::vector<ModelLog> evaluated;
  for (auto& [run, logged] : by_run) {
    const ModelLog log = logged.finished();
    if (log.train)
      trained.push_back(log);
    else if (log.evaluation)
      evaluated.push_back(log);
  }
  if (trained.size() == 1 && !trained.front().evaluation) {
    Judged& evaluation = trained.front().evaluation;
    for (const ModelLog& log : evaluated)
      if (!evaluation || log.evaluation.series->size() > evaluation.series->size())
        evaluation = log.evaluation;
    return trained;
  }
  trained.insert(trained.end(), evaluated.begin(), evaluated.end());
  return trained;
}

double as_loss(Measure measure, double logged) {
  if (measure == Measure::perplexity) return std::log(logged);
  return measure == Measure::accuracy ? -logged : logged;
}

double as_logged(Measure measure, double loss) {
  if (measure == Measure::perplexity) return std::exp(loss);
  return measure == Measure::accuracy ? -loss : loss;
}

Course course_of(const ScalarSeries& series, std::span<const double> values) {
  Course out;
  for (std::size_t row = 0; row < values.size(); ++row)
    if (std::isfinite(values[row])) {
      out.steps.push_back(series.steps[row]);
      out.values.push_back(values[row]);
    }
  return out;
}

namespace {

Course converted(Course course, Measure measure) {
  for (double& value : course.values)
    value = as_loss(measure, value);
  return course;
}

/// Without those that are 0 only because nothing was evaluated.
Course without_gaps(Course all) {
  Course some;
  for (std::size_t row = 0; row < all.size(); ++row)
    if (all.values[row] != 0) {
      some.steps.push_back(all.steps[row]);
      some.values.push_back(all.values[row]);
    }
  if (some.size() == 0 || some.size() == all.size()) return all;
  // A loss that comes near to 0 may be 0.
  const double least = *std::min_element(some.values.begin(), some.values.end());
  return least >= kFarFromZero * median(some.values) ? some : all;
}

} // namespace

Course as_losses(const Judged& judged) {
  return converted(course_of(*judged.series, judged.series->values), judged.measure);
}

Course evaluations_of(const Judged& evaluation) {
  const ScalarSeries& series = *evaluation.series;
  return converted(without_gaps(course_of(series, series.values)), evaluation.measure);
}

std::optional<Microseconds> time_of(std::int64_t step, const ModelLog& log,
                                    std::span<const ScalarSeries> scalars) {
  for (const ScalarSeries* series : {log.train.series, log.evaluation.series, log.gradient})
    if (const auto time = series == nullptr ? std::nullopt : time_in(*series, step)) return time;
  for (const ScalarSeries& series : scalars)
    if (const auto time = time_in(series, step)) return time;
  return std::nullopt;
}

std::string shown_name(const ScalarSeries& series, std::span<const ScalarSeries> scalars) {
  const auto same = std::count_if(scalars.begin(), scalars.end(), [&](const ScalarSeries& other) {
    return other.name == series.name;
  });
  const bool is_shown = std::any_of(scalars.begin(), scalars.end(),
                                    [&](const ScalarSeries& other) { return &other == &series; });
  if (!is_shown) return fmt::format("{} ({})", series.name, to_string(series.source));
  return same > 1 && !series.run.empty() ? series.run + "/" + series.name : series.name;
}

} // namespace debrief::findings
