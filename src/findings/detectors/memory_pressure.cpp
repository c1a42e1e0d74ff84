// GPU or host memory is close to full. It has cost nothing yet, so its score is 0.
#include "findings/detectors/detectors.h"
#include "findings/memory_series.h"
#include "findings/thresholds.h"
#include "findings/words.h"

#include <fmt/format.h>

#include <algorithm>

namespace debrief::findings {

namespace {

using namespace thresholds;

/// A caching allocator fills a GPU on purpose, and is told when memory is short; a host is killed.
result::Severity severity_of(const MemorySeries& series) {
  return series.highest >= kPressureCritical ? result::Severity::critical
                                             : result::Severity::warning;
}

} // namespace

std::optional<result::Finding> find_memory_pressure(const Case& of) {
  std::vector<MemorySeries> full;
  for (MemorySeries& series : gpu_memory(of.result, of.loop.span))
    if (series.occupied() && series.highest >= kPressure) full.push_back(std::move(series));
  for (MemorySeries& series : host_memory(of.result, of.loop.span))
    if (series.highest >= kPressure) full.push_back(std::move(series));
  if (full.empty()) return std::nullopt;
  std::stable_sort(full.begin(), full.end(),
                   [](const auto& a, const auto& b) { return a.highest > b.highest; });
  const MemorySeries& first = full.front();
  const bool host = first.device.empty();
  result::Finding finding;
  finding.kind = "memory_pressure";
  finding.severity = severity_of(first);
  finding.confidence = result::Confidence::medium;
  finding.ground = ground_of(of);
  finding.title = host ? "Host memory is nearly full" : "GPU memory is nearly full";
  finding.why = fmt::format("The memory of {} is at {:.1f} % (p99 over the training loop).",
                            words::place(first.node, first.device), first.highest);
  if (full.size() > 1)
    finding.why += fmt::format(" {} {:.0f} % or more as well.",
                               full.size() == 2 ? "Another one is at"
                                                : fmt::format("{} others are at", full.size() - 1),
                               kPressure);
  const auto batch = words::batch_size(of.result.job);
  const auto& workers = of.result.data_loading.num_workers;
  if (host)
    finding.next =
        fmt::format("Leave the host room before it kills the job: {} keep copies of the "
                    "data, so use fewer of them, share it between them, or map it "
                    "from disk.",
                    workers && *workers > 0 ? words::counted(*workers, "worker") : "processes");
  else
    finding.next = fmt::format(
        "Leave {:.0f} points of room: a longer sample or a fragmented "
        "allocator ends the job{}. Checkpoint activations, or set "
        "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True.",
        100 - kPressure, batch ? fmt::format("; lower the batch size from {}", batch->value) : "");
  for (const MemorySeries& series : full)
    if (finding.where.size() < result::kMaxPlaces)
      finding.where.push_back({series.node, series.device, "", 0});
  finding.evidence.push_back({"highest memory", first.highest, "%"});
  set_windows({of.loop.span}, finding);
  return finding;
}

} // namespace debrief::findings
