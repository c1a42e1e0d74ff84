// Cores wait for storage while GPUs idle.
#include "findings/detectors/detectors.h"
#include "findings/series.h"
#include "findings/words.h"

#include <fmt/format.h>

namespace debrief::findings {

namespace {

/// Cores in I/O wait while it held, mean over samples; nothing where windows are not known.
std::optional<double> waiting_cores(const Case& of) {
  SampleSum waiting;
  for (const result::NodeTimeline& node : of.result.timeline.nodes)
    if (const result::MetricTimeline* io = find_metric(node, "I/O"))
      add_within(*io, of.ledger.windows[index_of(Cause::io)],
                 static_cast<double>(std::max<std::size_t>(io->devices.size(), 1)) / 100, waiting);
  return waiting.samples > 0 ? std::optional{waiting.sum / waiting.samples} : std::nullopt;
}

} // namespace

std::optional<result::Finding> find_io_bound(const Case& of) {
  auto finding = cost_finding(of, Cause::io, "io_bound");
  if (!finding) return std::nullopt;
  const auto waiting = waiting_cores(of);
  finding->title = of.ledger.of_gpus() ? "The host waits for storage, and " +
                                             words::lower_gpus(of) + " for the host"
                                       : "The host waits for storage";
  finding->why = fmt::format("{}; {} was lost while cores waited for storage",
                             words::busy_in_loop(of), words::share_of_job(of, finding->score));
  finding->why += waiting ? fmt::format(" ({:.1f} cores at a time).", *waiting) : ".";
  finding->next = "Bring the data nearer or read it in larger pieces: copy it to local NVMe before "
                  "training, pack small files into shards, or cache it in memory.";
  if (const auto& workers = of.result.data_loading.num_workers; workers.value_or(0) > 0)
    finding->next += fmt::format(" More workers than {} hide the waiting, up to the storage's own "
                                 "limit.",
                                 *workers);
  finding->evidence.push_back({"time lost in I/O wait", 100 * finding->score, "%"});
  if (waiting) finding->evidence.push_back({"cores in I/O wait", *waiting, ""});
  return finding;
}

} // namespace debrief::findings
