// Initialization takes a large share of the job.
#include "findings/detectors/detectors.h"
#include "findings/detectors/phase.h"
#include "findings/words.h"

#include <fmt/format.h>

namespace debrief::findings {

std::optional<result::Finding> find_slow_start(const Case& of) {
  auto finding = phase_finding(of, Cause::start, "slow_start");
  if (!finding) return std::nullopt;
  const double seconds = phase_seconds(of, Cause::start);
  finding->title = "The job takes long to start";
  finding->why = fmt::format("{} passed before {}, {}.", to_human_duration(seconds),
                             of.loop.start_known ? "training had begun" : "the GPUs first worked",
                             words::share_of_job(of, finding->score));
  finding->next =
      fmt::format("Shorten these {}: download and prepare data in an earlier job or in "
                  "the background, and cache compiled kernels{}.",
                  to_human_duration(seconds),
                  of.ledger.of_gpus() ? "; ask for GPUs only when they are needed" : "");
  if (const auto host = words::host_use(of, Cause::start))
    finding->next += fmt::format(
        " {:.1f} of {:.0f} cores worked meanwhile, so {}.", host->working, host->cores,
        host->working < 0.5 * host->cores ? "it can be done side by side"
                                          : "it is computing on the host that takes the time");
  finding->evidence.push_back({"time until the first step", seconds, "s"});
  finding->evidence.push_back({"share of the job", 100 * finding->score, "%"});
  return finding;
}

} // namespace debrief::findings
