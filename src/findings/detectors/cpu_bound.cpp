// The host's cores are saturated while GPUs idle.
#include "findings/detectors/detectors.h"
#include "findings/thresholds.h"
#include "findings/words.h"

#include <fmt/format.h>

namespace debrief::findings {

std::optional<result::Finding> find_cpu_bound(const Case& of) {
  auto finding = cost_finding(of, Cause::cpu, "cpu_bound");
  if (!finding) return std::nullopt;
  const auto host = words::host_use(of, Cause::cpu);
  finding->title = "The host's cores are saturated, and " + words::lower_gpus(of) + " for them";
  finding->why = fmt::format("{}; {} was lost while the host's cores were at {:.0f} % or more.",
                             words::busy_in_loop(of), words::share_of_job(of, finding->score),
                             thresholds::kSaturatedCpu);
  if (host)
    finding->why += fmt::format(" {:.1f} of {:.0f} cores worked then.", host->working, host->cores);
  const result::DataLoading& loading = of.result.data_loading;
  finding->next = "Take work off the host: prepare the data once, move transforms to the GPU, or "
                  "use an instance with more cores per GPU";
  if (host)
    finding->next += fmt::format(" (here {:.0f} for {})", host->cores,
                                 words::counted(std::ssize(of.ledger.accounts), "GPU"));
  finding->next += ".";
  if (loading.num_workers && loading.cores && *loading.num_workers > *loading.cores)
    finding->next +=
        fmt::format(" {} workers compete for {}: lower num_workers to {}.", *loading.num_workers,
                    words::counted(*loading.cores, "core"), *loading.cores);
  else if (loading.num_workers.value_or(0) > 0)
    finding->next += fmt::format(" More workers than {} will not help.", *loading.num_workers);
  finding->evidence.push_back({"time lost with saturated cores", 100 * finding->score, "%"});
  finding->evidence.push_back(
      {"GPU busy in the training loop", 100 * of.ledger.busy_share_in_loop(), "%"});
  if (host) finding->evidence.push_back({"cores", host->cores, ""});
  return finding;
}

} // namespace debrief::findings
