// StalledTrainingRule: did nothing new come for a long time?
#include "rules/model/losses.h"
#include "rules/model/model_rules.h"
#include "util/time.h"

#include <optional>

namespace debrief::rules::model {

namespace {

constexpr const char* kPause = "seconds without a new value";

class StalledTrainingWatch final : public RuleWatch {
public:
  StalledTrainingWatch(const WatchScope& scope, double threshold, Firings& firings)
      : RuleWatch({}, firings)
      , table_(scope.names.table())
      , worker_(scope.worker)
      , threshold_(threshold) {}

  void see(const SeenTensor& /*tensor*/) override {}

  /// Only times are read, no values.
  void finish() override {
    std::optional<Microseconds> last;
    for (const job::TensorStep& step : table_.steps) {
      if (step.worker != worker_) continue;
      const auto written = table_.source->written(step, table_.records_of(step));
      if (!written) continue;
      if (last) {
        firings().looked();
        const double pause = in_seconds(written->first - *last);
        if (pause > threshold_)
          firings().add("saved tensors", step.step, {kPause, "above", pause, threshold_});
      }
      last = written->last;
    }
    firings().explain("the job saved tensors at fewer than two steps");
  }

private:
  const job::TensorTable& table_;
  std::uint32_t worker_;
  double threshold_;
};

std::unique_ptr<TensorWatch> watch_stalled_training(const WatchScope& scope,
                                                    const ParameterValues& parameters,
                                                    Firings& firings) {
  return std::make_unique<StalledTrainingWatch>(scope, parameters.number("threshold"), firings);
}

void judge_pauses(const LossLog& log, const ParameterValues& parameters, Firings& firings) {
  const double threshold = parameters.number("threshold");
  for (std::size_t i = 1; i < log.times.size(); ++i) {
    firings.looked();
    const double pause = in_seconds(log.times[i].time - log.times[i - 1].time);
    if (pause > threshold)
      firings.add("logged values", log.times[i].step, {kPause, "above", pause, threshold});
  }
  firings.explain("the log has no times");
}

} // namespace

Rule stalled_training_rule() {
  return {{.name = "StalledTrainingRule",
           .group = RuleGroup::model,
           .looks_at = RuleInputKind::tensors_or_losses,
           .description = "Finds long pauses in which the job saved or logged nothing.",
           .recommendation = "Look at what the job did in the pause: a hanging data loader, a "
                             "collective that waits for a rank, a slow checkpoint.",
           .parameters = {{"threshold", ParameterType::integer, "1800", 1, 1e9, "s",
                           "Pause above which the rule triggers"},
                          flag_parameter("stop_training_on_fire", "False",
                                         "SageMaker stops the job; use 'debrief record --on' for "
                                         "that"),
                          text_parameter("training_job_name_prefix", "None",
                                         "Job that SageMaker stops; not used here")}},
          nullptr,
          watch_stalled_training,
          judge_pauses};
}

} // namespace debrief::rules::model
