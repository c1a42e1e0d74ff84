// GPU or host memory keeps growing. It has cost nothing yet, so its score is 0.
#include "findings/detectors/detectors.h"
#include "findings/memory_series.h"
#include "findings/thresholds.h"
#include "findings/words.h"

#include <fmt/format.h>

#include <algorithm>

namespace debrief::findings {

namespace {

using namespace thresholds;

std::string name_of(const MemorySeries& series) {
  return "memory of " + words::place(series.node, series.device);
}

} // namespace

std::optional<result::Finding> find_memory_growth(const Case& of) {
  std::vector<MemorySeries> growing;
  for (MemorySeries& series : gpu_memory(of.result, of.loop.span))
    if (series.occupied() && series.growth() >= kGrowth) growing.push_back(std::move(series));
  for (MemorySeries& series : host_memory(of.result, of.loop.span))
    if (series.growth() >= kGrowth) growing.push_back(std::move(series));
  if (growing.empty()) return std::nullopt;
  std::stable_sort(growing.begin(), growing.end(),
                   [](const auto& a, const auto& b) { return a.growth() > b.growth(); });
  const MemorySeries& first = growing.front();
  // Tenths: from the middle of the first to the middle of the last.
  const double per_hour = first.growth() / (0.9 * first.seconds) * 3600;
  const double left = (100 - first.last) / per_hour * 3600;

  result::Finding finding;
  finding.kind = "memory_growth";
  // It would not survive a run as long as this one again.
  finding.severity = left < first.seconds ? result::Severity::critical : result::Severity::warning;
  finding.confidence = result::Confidence::medium;
  finding.ground = ground_of(of);
  finding.title = first.device.empty() ? "Host memory keeps growing" : "GPU memory keeps growing";
  finding.why =
      fmt::format("The {} rises steadily by {:.1f} points over the training loop, to {:.1f} %",
                  name_of(first), first.growth(), first.last);
  finding.why += growing.size() == 2  ? fmt::format(", and so does the {}.", name_of(growing[1]))
                 : growing.size() > 2 ? fmt::format(", and so do {} others.", growing.size() - 1)
                                      : ".";
  finding.next = fmt::format(
      "At this rate it is full in {}. {}", to_human_duration(left),
      first.device.empty() ? "Look for what the loop or its data-loader workers keep: lists of "
                             "losses, cached samples, "
                             "copies of a Python dataset in each worker."
                           : "Look for tensors that outlive their step: losses kept with their "
                             "graph (use .item() or "
                             ".detach()), lists of outputs, caches that grow with each shape.");
  for (const MemorySeries& series : growing)
    if (finding.where.size() < result::kMaxPlaces)
      finding.where.push_back({series.node, series.device, "", 0});
  finding.evidence.push_back({"growth over the loop (points of %)", first.growth(), ""});
  finding.evidence.push_back({"at the end", first.last, "%"});
  finding.evidence.push_back({"time until full", left, "s"});
  set_windows({of.loop.span}, finding);
  return finding;
}

} // namespace debrief::findings
