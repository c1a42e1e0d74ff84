// The host's cores are saturated while GPUs idle.
#include "findings/detectors/detectors.h"
#include "findings/series.h"
#include "findings/thresholds.h"
#include "findings/words.h"

#include <fmt/format.h>

namespace debrief::findings {

std::optional<result::Finding> find_cpu_bound(const DiagnosisContext& ctx) {
  auto finding = cost_finding(ctx, result::FindingKind::cpu_bound);
  if (!finding) return std::nullopt;
  const auto host = host_use(ctx, Cause::cpu);
  finding->title = "The CPU cores are saturated, and " + gpus_wait(ctx) + " for them";
  finding->why =
      fmt::format("{}. {} was lost while CPU cores were at {:.0f}% or more.", busy_in_loop(ctx),
                  share_of_job(ctx, finding->score), thresholds::kSaturatedCpu);
  if (host)
    finding->why +=
        fmt::format(" {:.1f} of {:.0f} cores were busy then.", host->working, host->cores);
  const result::DataLoading& loading = ctx.result.data_loading;
  finding->actions.emplace_back("Take work off the CPU: preprocess the data once, or move "
                                "transforms to the GPU.");
  finding->actions.push_back(
      "Or use an instance with more cores per GPU" +
      (host ? fmt::format(" (here {:.0f} for {}).", host->cores,
                          words::counted(std::ssize(ctx.ledger.accounts), "GPU"))
            : "."));
  if (loading.num_workers && loading.cores && *loading.num_workers > *loading.cores)
    finding->actions.push_back(fmt::format("Set num_workers={} (now {}): they compete for {}.",
                                           *loading.cores, *loading.num_workers,
                                           words::counted(*loading.cores, "core")));
  else if (loading.num_workers.value_or(0) > 0)
    finding->actions.push_back(
        fmt::format("More workers than {} will not help.", *loading.num_workers));
  finding->evidence.push_back({"time lost with saturated cores", 100 * finding->score, "%"});
  finding->evidence.push_back(
      {"GPU busy in the training loop", 100 * ctx.ledger.busy_share_in_loop(), "%"});
  if (host) finding->evidence.push_back({"cores", host->cores, ""});
  return finding;
}

// Cores wait for storage while GPUs idle.

namespace {

/// Cores in I/O wait while it held, mean over samples; nothing where windows are not known.
std::optional<double> waiting_cores(const DiagnosisContext& ctx) {
  SampleSum waiting;
  for (const aggregate::NodeSeries& node : ctx.series)
    if (const aggregate::NodeMetricSeries* io = node.find(result::Metric::io))
      add_within(*io, ctx.ledger.windows[index_of(Cause::io)],
                 static_cast<double>(std::max<std::size_t>(io->devices.size(), 1)) / 100, waiting);
  return waiting.samples > 0 ? std::optional{waiting.sum / waiting.samples} : std::nullopt;
}

} // namespace

std::optional<result::Finding> find_io_bound(const DiagnosisContext& ctx) {
  auto finding = cost_finding(ctx, result::FindingKind::io_bound);
  if (!finding) return std::nullopt;
  const auto waiting = waiting_cores(ctx);
  finding->title = ctx.ledger.of_gpus()
                       ? "The CPU waits for storage, and " + gpus_wait(ctx) + " for the CPU"
                       : "The CPU waits for storage";
  finding->why = fmt::format("{}. {} was lost while CPU cores waited for storage",
                             busy_in_loop(ctx), share_of_job(ctx, finding->score));
  finding->why += waiting ? fmt::format(" ({:.1f} cores at a time).", *waiting) : ".";
  finding->actions = {"Copy the data to local NVMe before training, or cache it in memory.",
                      "Pack small files into shards, so that reads are larger."};
  if (const auto& workers = ctx.result.data_loading.num_workers; workers.value_or(0) > 0)
    finding->actions.push_back(fmt::format(
        "Raise num_workers above {} to hide the wait, up to the storage's own limit.", *workers));
  finding->evidence.push_back({"time lost in I/O wait", 100 * finding->score, "%"});
  if (waiting) finding->evidence.push_back({"cores in I/O wait", *waiting, ""});
  return finding;
}

} // namespace debrief::findings
