// Finalization takes a large share of the job.
#include "findings/detectors/detectors.h"
#include "findings/detectors/phase.h"
#include "findings/words.h"

#include <fmt/format.h>

namespace debrief::findings {

std::optional<result::Finding> find_slow_finish(const Case& of) {
  auto finding = phase_finding(of, Cause::finish, "slow_finish");
  if (!finding) return std::nullopt;
  const double seconds = phase_seconds(of, Cause::finish);
  finding->title = "The job takes long to end";
  finding->why = fmt::format("{} passed after {}, {}.", to_human_duration(seconds),
                             of.loop.end_known ? "the last step" : "the GPUs last worked",
                             words::share_of_job(of, finding->score));
  finding->next =
      fmt::format("Give the GPUs back before these {}: upload the model and evaluate in "
                  "a job without GPUs, or while the last steps run.",
                  to_human_duration(seconds));
  finding->evidence.push_back({"time after the last step", seconds, "s"});
  finding->evidence.push_back({"share of the job", 100 * finding->score, "%"});
  return finding;
}

} // namespace debrief::findings
