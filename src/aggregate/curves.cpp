#include "aggregate/curves.h"

#include "aggregate/event_kind.h"
#include "aggregate/gpu_peaks.h"
#include "util/loss_name.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace debrief::aggregate {

namespace {

using job::ScalarSeries;
using result::Curve;
using result::CurveSplit;
using result::CurveTopic;

template <std::size_t kCount>
bool has_any(const std::vector<std::string>& words,
             const std::array<std::string_view, kCount>& wanted) {
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return std::find(wanted.begin(), wanted.end(), word) != wanted.end();
  });
}

bool has(const std::vector<std::string>& words, std::string_view wanted) {
  return std::find(words.begin(), words.end(), wanted) != words.end();
}

constexpr std::array<std::string_view, 8> kEvaluation = {
    "eval", "evaluation", "val", "valid", "validation", "test", "dev", "heldout"};
constexpr std::array<std::string_view, 2> kTraining = {"train", "training"};
constexpr std::array<std::string_view, 15> kAccuracy = {
    "acc", "accuracy", "accuracies", "f1",   "auc",    "auroc",  "iou", "miou",
    "map", "top1",     "top5",       "bleu", "rouge1", "rougel", "dice"};
constexpr std::array<std::string_view, 5> kReward = {"reward", "rewards", "rew", "return",
                                                     "returns"};
/// What a preference model is trained on is no reward that it earns.
constexpr std::array<std::string_view, 4> kPreference = {"chosen", "rejected", "margin", "margins"};
constexpr std::array<std::string_view, 6> kThroughput = {"throughput", "fps",     "runtime",
                                                         "tps",        "samples", "tokens"};

CurveTopic topic_of(std::string_view name) {
  const std::vector<std::string> words = name_words(name);
  if (const LossName loss = loss_name(name); loss != LossName::none)
    return loss == LossName::part ? CurveTopic::loss_part : CurveTopic::loss;
  if (has(words, "lr") || (has(words, "learning") && has(words, "rate")))
    return CurveTopic::learning_rate;
  if ((has(words, "grad") || has(words, "gradient")) && has(words, "norm"))
    return CurveTopic::gradient_norm;
  if (has_any(words, kAccuracy)) return CurveTopic::accuracy;
  if (has_any(words, kReward) && !has(words, "std") && !has_any(words, kPreference))
    return CurveTopic::reward;
  if (has(words, "per") || has_any(words, kThroughput)) return CurveTopic::throughput;
  return CurveTopic::other;
}

CurveSplit split_of(const std::vector<std::string>& words) {
  if (has_any(words, kEvaluation)) return CurveSplit::evaluation;
  return has_any(words, kTraining) ? CurveSplit::train : CurveSplit::unknown;
}

/// Indices of at most about `most` rows: of each stretch of equally many rows the least and the
/// most, and what is not finite, so that no extreme and no gap is lost.
std::vector<std::size_t> thinned(const ScalarSeries& series, std::size_t most) {
  std::vector<std::size_t> rows;
  const std::size_t count = series.size();
  if (count <= most) {
    for (std::size_t row = 0; row < count; ++row)
      rows.push_back(row);
    return rows;
  }
  const std::size_t parts = most / 2;
  for (std::size_t part = 0; part < parts; ++part) {
    const std::size_t begin = count * part / parts;
    const std::size_t end = count * (part + 1) / parts;
    std::size_t least = end;
    std::size_t largest = end;
    std::size_t broken = end;
    for (std::size_t row = begin; row < end; ++row) {
      const double value = series.values[row];
      if (!std::isfinite(value)) {
        if (broken == end) broken = row;
        continue;
      }
      if (least == end || value < series.values[least]) least = row;
      if (largest == end || value > series.values[largest]) largest = row;
    }
    std::array<std::size_t, 3> found = {least, largest, broken};
    std::sort(found.begin(), found.end());
    for (const std::size_t row : found)
      if (row != end && (rows.empty() || rows.back() != row)) rows.push_back(row);
  }
  if (rows.empty() || rows.back() != count - 1) rows.push_back(count - 1);
  if (rows.front() != 0) rows.insert(rows.begin(), 0);
  return rows;
}

void summarize(const ScalarSeries& series, Curve& curve) {
  curve.count = static_cast<std::int64_t>(series.size());
  curve.first_step = series.steps.front();
  curve.last_step = series.steps.back();
  for (std::size_t row = 0; row < series.size(); ++row) {
    const double value = series.values[row];
    if (!std::isfinite(value)) {
      if (curve.not_finite++ == 0) curve.first_not_finite = series.steps[row];
      continue;
    }
    if (!curve.first) curve.first = value;
    curve.last = value;
    if (!curve.min || value < *curve.min) {
      curve.min = value;
      curve.min_step = series.steps[row];
    }
    if (!curve.max || value > *curve.max) {
      curve.max = value;
      curve.max_step = series.steps[row];
    }
  }
}

Curve curve_of(const ScalarSeries& series, const std::string& name,
               const std::optional<Microseconds>& start) {
  Curve curve;
  curve.name = name;
  curve.source = to_string(series.source);
  const ScalarMeaning meaning = meaning_of_scalar(series.name, series.run);
  curve.topic = meaning.topic;
  curve.split = meaning.split;
  summarize(series, curve);
  // XGBoost's losses are called rmse and the like.
  const bool few = curve.topic == CurveTopic::other &&
                   series.source != job::ScalarSource::xgboost &&
                   series.source != job::ScalarSource::debugger;
  const std::size_t most = few ? result::kMaxOtherCurvePoints : result::kMaxCurvePoints;
  for (const std::size_t row : thinned(series, most)) {
    curve.steps.push_back(series.steps[row]);
    if (series.has_times() && start)
      curve.seconds.push_back(in_seconds(series.times[row] - *start));
    const double value = series.values[row];
    curve.values.push_back(std::isfinite(value) ? std::optional{value} : std::nullopt);
  }
  return curve;
}

/// Of each run the gradient's norm, of several the one with the most values.
std::map<std::string, const ScalarSeries*>
gradients_by_run(const std::vector<ScalarSeries>& scalars) {
  std::map<std::string, const ScalarSeries*> out;
  for (const ScalarSeries& series : scalars) {
    if (meaning_of_scalar(series.name, series.run).topic != CurveTopic::gradient_norm) continue;
    const ScalarSeries*& best = out[series.run];
    if (best == nullptr || series.size() > best->size()) best = &series;
  }
  return out;
}

/// As it was logged, but for a loss of training that was NaN and logged as 0.
ScalarSeries corrected(ScalarSeries series, const ScalarSeries* gradient) {
  const ScalarMeaning meaning = meaning_of_scalar(series.name, series.run);
  if (meaning.topic == CurveTopic::loss && meaning.split != CurveSplit::evaluation)
    series.values = true_losses(series, gradient);
  return series;
}

/// The series that says best how fast steps went: of training, with times, and most of them.
const ScalarSeries* pace_of(const std::vector<ScalarSeries>& scalars) {
  const ScalarSeries* best = nullptr;
  for (const ScalarSeries& series : scalars) {
    const ScalarMeaning meaning = meaning_of_scalar(series.name, series.run);
    if (meaning.split == CurveSplit::evaluation || !series.has_times() || series.size() < 2)
      continue;
    if (best == nullptr || series.size() > best->size()) best = &series;
  }
  return best;
}

/// The GPU's name where the description has one ("1x NVIDIA H200, 16 vCPU"), or a trace.
const GpuPeak* peak_of(const job::Job& job) {
  for (const job::Trace& trace : job.traces)
    for (const job::GpuProperties& gpu : trace.gpus)
      if (const GpuPeak* peak = find_gpu_peak(gpu.name, gpu.memory)) return peak;
  if (!job.description.instance_type) return nullptr;
  std::string_view name = *job.description.instance_type;
  name = name.substr(0, name.find(','));
  if (const std::size_t times = name.find("x "); times != name.npos) name.remove_prefix(times + 2);
  return find_gpu_peak(name, std::nullopt);
}

/// How often and how long the job waited for its checkpoints.
struct CheckpointTime {
  std::int64_t count = 0;
  double seconds = 0;
};

/// What `debrief record` marked, of the process that waited longest: ranks save side by side.
std::optional<CheckpointTime> marked_checkpoints(const job::EventTable& events) {
  std::optional<job::StringTable::Id> phase; // most jobs have none: their events are not looked at
  for (std::size_t id = 0; id < events.phases.size(); ++id)
    if (events.phases[static_cast<job::StringTable::Id>(id)] == job::kCheckpointPhase)
      phase = static_cast<job::StringTable::Id>(id);
  if (!phase) return std::nullopt;
  std::map<std::string, CheckpointTime> by_process;
  for (std::size_t row = 0; row < events.size(); ++row) {
    if (events.phase[row] != *phase) continue;
    CheckpointTime& sum = by_process[process_name(events.timeline_of(row))];
    ++sum.count;
    sum.seconds += in_seconds(events.duration[row]);
  }
  std::optional<CheckpointTime> longest;
  for (const auto& [process, sum] : by_process)
    if (!longest || sum.seconds > longest->seconds) longest = sum;
  return longest;
}

constexpr std::array<std::string_view, 2> kCheckpoint = {"checkpoint", "ckpt"};
constexpr std::array<std::string_view, 5> kLength = {"time", "seconds", "duration", "runtime",
                                                     "sec"};
/// A timer's other figures are no lengths of single checkpoints.
constexpr std::array<std::string_view, 6> kNoLength = {"total", "avg",   "mean",
                                                       "per",   "since", "load"};

/// A scalar that the script logs at each checkpoint: "save-checkpoint-time" (Megatron).
std::optional<CheckpointTime> logged_checkpoints(const std::vector<ScalarSeries>& scalars) {
  for (const ScalarSeries& series : scalars) {
    const auto words = name_words(series.name);
    if (!has_any(words, kCheckpoint) || !has_any(words, kLength) || has_any(words, kNoLength))
      continue;
    CheckpointTime sum;
    for (const double value : series.values) {
      if (!std::isfinite(value) || value < 0) continue;
      ++sum.count;
      sum.seconds += value;
    }
    if (sum.count > 0) return sum;
  }
  return std::nullopt;
}

void add_checkpoints(const job::Job& job, const result::JobSummary& summary,
                     result::TrainingSpeed& speed) {
  auto found = marked_checkpoints(job.events);
  if (!found) found = logged_checkpoints(job.scalars);
  if (!found) return;
  speed.checkpoints = found->count;
  speed.checkpoint_seconds = found->seconds;
  std::optional<double> whole = speed.runtime;
  if (!whole && summary.span) whole = in_seconds(summary.span->last - summary.span->first);
  if (whole && *whole > 0 && found->seconds <= *whole)
    speed.checkpoint_percent = 100 * found->seconds / *whole;
}

result::TrainingSpeed speed_of(const job::Job& job, const result::JobSummary& summary) {
  result::TrainingSpeed speed;
  const job::TrainingTotals& totals = job.training;
  speed.steps = totals.steps;
  if (const ScalarSeries* pace = pace_of(job.scalars)) {
    const double seconds = in_seconds(pace->times.back() - pace->times.front());
    const auto steps = static_cast<double>(pace->steps.back() - pace->steps.front());
    if (seconds > 0 && steps > 0) speed.steps_per_second = steps / seconds;
    if (!speed.steps) speed.steps = pace->steps.back();
  }
  speed.runtime = totals.runtime;
  if (!speed.steps_per_second && totals.steps && totals.runtime)
    speed.steps_per_second = static_cast<double>(*totals.steps) / *totals.runtime;
  speed.samples_per_second = totals.samples_per_second;
  speed.tokens_per_second = totals.tokens_per_second;
  speed.evaluation_seconds = totals.evaluation_runtime;
  speed.evaluations = totals.evaluations;
  if (totals.evaluation_runtime && totals.runtime && *totals.evaluation_runtime <= *totals.runtime)
    speed.evaluation_percent = 100 * *totals.evaluation_runtime / *totals.runtime;
  add_checkpoints(job, summary, speed);
  speed.flops = totals.total_flos;
  if (totals.total_flos && totals.runtime) {
    speed.tflops_rate = *totals.total_flos / *totals.runtime / 1e12;
    std::int64_t gpus = 0;
    for (const result::Node& node : summary.nodes)
      gpus += node.gpus.value_or(0);
    constexpr std::string_view kPrecision = "bf16"; // what transformers are trained in
    const GpuPeak* peak = peak_of(job);
    const auto most = peak != nullptr ? peak->of(kPrecision) : std::nullopt;
    if (most && gpus > 0) {
      const double percent = 100 * *speed.tflops_rate / (*most * static_cast<double>(gpus));
      if (percent <= 100) { // else the estimate of FLOPs, or the GPU, is not what it seems
        speed.mfu_percent = percent;
        speed.mfu_precision = kPrecision;
      }
    }
  }
  return speed;
}

} // namespace

std::vector<double> true_losses(const ScalarSeries& loss, const ScalarSeries* gradient) {
  std::vector<double> out = loss.values;
  if (gradient == nullptr) return out;
  std::size_t at = 0;
  for (std::size_t row = 0; row < out.size(); ++row) {
    while (at < gradient->size() && gradient->steps[at] < loss.steps[row])
      ++at;
    if (out[row] == 0 && at < gradient->size() && gradient->steps[at] == loss.steps[row] &&
        !std::isfinite(gradient->values[at]))
      out[row] = std::nan("");
  }
  return out;
}

ScalarMeaning meaning_of_scalar(std::string_view name, std::string_view run) {
  // scalar_key() takes "train/" away, which says what it is about.
  ScalarMeaning meaning{topic_of(name), split_of(name_words(name))};
  // TensorBoard's add_scalars() has a folder for each: "Loss_D", "Loss_G".
  if (meaning.topic == CurveTopic::loss &&
      loss_name(run.substr(run.rfind('/') + 1)) == LossName::part)
    meaning.topic = CurveTopic::loss_part;
  if (meaning.split == CurveSplit::unknown && name.starts_with("train/"))
    meaning.split = CurveSplit::train;
  if (meaning.split == CurveSplit::unknown)
    meaning.split = split_of(name_words(run.substr(run.rfind('/') + 1)));
  return meaning;
}

result::Curves curves(const job::Job& job, const result::JobSummary& summary) {
  result::Curves out;
  out.speed = speed_of(job, summary);
  if (job.scalars.empty()) return out;
  std::optional<Microseconds> start;
  if (summary.span) start = summary.span->first;
  const auto gradients = gradients_by_run(job.scalars);
  std::map<std::string, int> runs_with; // name -> how many runs have it
  for (const ScalarSeries& series : job.scalars)
    ++runs_with[series.name];
  for (const ScalarSeries& series : job.scalars) {
    const bool shared = runs_with[series.name] > 1 && !series.run.empty();
    const std::string name = shared ? series.run + "/" + series.name : series.name;
    const auto gradient = gradients.find(series.run);
    out.curves.push_back(gradient == gradients.end()
                             ? curve_of(series, name, start)
                             : curve_of(corrected(series, gradient->second), name, start));
  }
  std::stable_sort(out.curves.begin(), out.curves.end(), [](const Curve& a, const Curve& b) {
    return std::tie(a.topic, a.split, a.name) < std::tie(b.topic, b.split, b.name);
  });
  if (out.curves.size() > result::kMaxCurves) {
    out.left_out = static_cast<std::int64_t>(out.curves.size() - result::kMaxCurves);
    out.curves.resize(result::kMaxCurves);
  }
  return out;
}

} // namespace debrief::aggregate
