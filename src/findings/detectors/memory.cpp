// GPU or host memory keeps growing. It has cost nothing yet, so its score is 0.
#include "findings/detectors/detectors.h"
#include "findings/memory_series.h"
#include "findings/thresholds.h"
#include "findings/words.h"
#include "result/batch_size.h"
#include "util/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace debrief::findings {

namespace {

using namespace thresholds;

std::string name_of(const MemorySeries& series) {
  return "memory of " + words::place(series.node, series.device);
}

} // namespace

std::optional<result::Finding> find_memory_growth(const DiagnosisContext& ctx) {
  std::vector<MemorySeries> growing;
  for (const MemorySeries& series : ctx.memory.gpus)
    if (series.occupied() && series.growth() >= kGrowth) growing.push_back(series);
  for (const MemorySeries& series : ctx.memory.hosts)
    if (series.growth() >= kGrowth) growing.push_back(series);
  if (growing.empty()) return std::nullopt;
  std::stable_sort(growing.begin(), growing.end(),
                   [](const auto& a, const auto& b) { return a.growth() > b.growth(); });
  const MemorySeries& first = growing.front();
  // Tenths: from the middle of the first to the middle of the last.
  const double per_hour = first.growth() / (0.9 * first.seconds) * 3600;
  const double left = (100 - first.last) / per_hour * 3600;

  result::Finding finding;
  finding.kind = result::FindingKind::memory_growth;
  // It would not survive a run as long as this one again.
  finding.severity = left < first.seconds ? result::Severity::critical : result::Severity::warning;
  finding.confidence = result::Confidence::medium;
  finding.ground = ground_of(ctx);
  finding.title = first.device.empty() ? "Host memory keeps growing" : "GPU memory keeps growing";
  finding.why = fmt::format("The {} climbs by {:.1f} points during training, to {}", name_of(first),
                            first.growth(), exact_percent_text(first.last));
  finding.why += growing.size() == 2  ? fmt::format(", and so does the {}.", name_of(growing[1]))
                 : growing.size() > 2 ? fmt::format(", and so do {} others.", growing.size() - 1)
                                      : ".";
  finding.why += fmt::format(" At this rate it runs out of memory in {}.", to_human_duration(left));
  if (first.device.empty())
    finding.actions = {"Look for what the loop or its workers keep: lists of losses, cached "
                       "samples, a copy of the dataset in each worker."};
  else
    finding.actions = {"Look for losses kept with their graph: use .item() or .detach().",
                       "Look for lists of outputs, and caches that grow with each shape."};
  for (const MemorySeries& series : growing)
    if (finding.where.size() < result::kMaxPlaces)
      finding.where.push_back({series.node, series.device, "", 0});
  finding.evidence.push_back({"growth over the loop (points of %)", first.growth(), ""});
  finding.evidence.push_back({"at the end", first.last, "%"});
  finding.evidence.push_back({"time until full", left, "s"});
  set_windows({ctx.loop.span}, finding);
  return finding;
}

// GPU or host memory is close to full. It has cost nothing yet, so its score is 0.

namespace {

/// A caching allocator fills a GPU on purpose, and is told when memory is short; a host is killed.
result::Severity severity_of(const MemorySeries& series) {
  return series.highest >= kPressureCritical ? result::Severity::critical
                                             : result::Severity::warning;
}

/// Processes of a node that were killed for lack of memory while it was recorded.
struct Kills {
  std::string node;
  std::int64_t count = 0;
  bool of_group = false; ///< of the job's control group; else anywhere on the machine
  std::vector<TimeSpan> windows;
};

std::optional<Kills> kills_of(const job::MetricSeries& series) {
  constexpr double kMostKills = 1e6; // beyond it is no count
  const std::string& type = series.recorded_as.type;
  if (series.recorded_as.name != "OOMKills" || (type != "cgroup" && type != "memory"))
    return std::nullopt;
  Kills kills{series.node, 0, type == "cgroup", {}};
  for (std::size_t at = 1; at < series.size(); ++at) {
    const double gained = series.values[at] - series.values[at - 1];
    if (!(gained >= 1) || gained > kMostKills) continue;
    kills.count += static_cast<std::int64_t>(gained);
    const Microseconds from = series.time_span()[at - 1];
    const Microseconds to = series.time_span()[at];
    if (!kills.windows.empty() && kills.windows.back().last == from)
      kills.windows.back().last = to;
    else
      kills.windows.push_back({from, to});
  }
  return kills.count > 0 ? std::optional{std::move(kills)} : std::nullopt;
}

/// Most first, one of a node: the control group's own where it has some.
std::vector<Kills> kills_of_nodes(const DiagnosisContext& ctx) {
  std::vector<Kills> found;
  for (const job::MetricSeries& series : ctx.metrics)
    if (auto kills = kills_of(series)) found.push_back(std::move(*kills));
  std::stable_sort(found.begin(), found.end(), [](const Kills& a, const Kills& b) {
    return a.of_group != b.of_group ? a.of_group : a.count > b.count;
  });
  std::set<std::string> seen;
  std::erase_if(found, [&](const Kills& kills) { return !seen.insert(kills.node).second; });
  return found;
}

result::Finding killed(const DiagnosisContext& ctx, const std::vector<Kills>& kills) {
  const Kills& first = kills.front();
  result::Finding finding;
  finding.kind = result::FindingKind::memory_pressure;
  finding.severity = first.of_group ? result::Severity::critical : result::Severity::warning;
  finding.confidence = first.of_group ? result::Confidence::high : result::Confidence::medium;
  finding.ground = ground_of(ctx);
  finding.title = "Processes were killed: out of memory";
  finding.why = fmt::format("The kernel killed {} on {}{}.",
                            first.count == 1 ? std::string{"1 process"}
                                             : count_text(first.count) + " processes",
                            words::place(first.node, ""),
                            first.of_group ? ", in the job's own control group"
                                           : ", of this job or of others on the machine");
  if (kills.size() > 1)
    finding.why += fmt::format(" {} lost processes, too.",
                               kills.size() == 2 ? "Another node"
                                                 : fmt::format("{} other nodes", kills.size() - 1));
  finding.actions = {"Ask for more memory.",
                     "Use fewer data-loader workers, a smaller prefetch_factor, or data that they "
                     "share or map from disk."};
  for (const Kills& it : kills)
    if (finding.where.size() < result::kMaxPlaces) finding.where.push_back({it.node, "", "", 0});
  finding.evidence.push_back({"processes killed", static_cast<double>(first.count), ""});
  set_windows(first.windows, finding);
  return finding;
}

/// The fuller one of a node's memory and its control group's.
void add_fuller(MemorySeries series, std::vector<MemorySeries>& into) {
  for (MemorySeries& it : into)
    if (it.node == series.node && it.device.empty()) {
      if (series.highest > it.highest) it = std::move(series);
      return;
    }
  into.push_back(std::move(series));
}

} // namespace

std::optional<result::Finding> find_memory_pressure(const DiagnosisContext& ctx) {
  if (const auto kills = kills_of_nodes(ctx); !kills.empty()) return killed(ctx, kills);
  std::vector<MemorySeries> full;
  for (const MemorySeries& series : ctx.memory.gpus)
    if (series.occupied() && series.highest >= kPressure) full.push_back(series);
  for (const MemorySeries& series : ctx.memory.hosts)
    if (series.highest >= kPressure) full.push_back(series);
  for (MemorySeries& series : limited_memory(ctx.metrics, ctx.loop.span))
    if (series.highest >= kPressure) add_fuller(std::move(series), full);
  if (full.empty()) return std::nullopt;
  std::stable_sort(full.begin(), full.end(),
                   [](const auto& a, const auto& b) { return a.highest > b.highest; });
  const MemorySeries& first = full.front();
  const bool host = first.device.empty();
  result::Finding finding;
  finding.kind = result::FindingKind::memory_pressure;
  finding.severity = severity_of(first);
  finding.confidence = result::Confidence::medium;
  finding.ground = ground_of(ctx);
  finding.title = host ? "Host memory is nearly full" : "GPU memory is nearly full";
  finding.why =
      fmt::format("The memory of {} is at {}{} (p99 over the training loop).",
                  words::place(first.node, first.device), exact_percent_text(first.highest),
                  first.of_limit ? " of its control group's limit" : "");
  if (full.size() > 1)
    finding.why += fmt::format(" {} {:.0f}% or more as well.",
                               full.size() == 2 ? "Another one is at"
                                                : fmt::format("{} others are at", full.size() - 1),
                               kPressure);
  const auto batch = result::batch_size(ctx.result);
  const auto& workers = ctx.result.data_loading.num_workers;
  if (host)
    finding.actions = {
        fmt::format("Free host memory before the kernel kills the job: {} keep copies of the data. "
                    "Use fewer, share the data, or map it from disk.",
                    workers && *workers > 0 ? words::counted(*workers, "worker") : "processes")};
  else
    finding.actions = {
        fmt::format("Leave {:.0f}% headroom{}: one longer sample or some fragmentation ends the "
                    "job.",
                    100 - kPressure,
                    batch ? fmt::format(" with a smaller batch (now {})", batch->value) : ""),
        "Checkpoint activations, or set PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True."};
  for (const MemorySeries& series : full)
    if (finding.where.size() < result::kMaxPlaces)
      finding.where.push_back({series.node, series.device, "", 0});
  finding.evidence.push_back({"highest memory", first.highest, "%"});
  set_windows({ctx.loop.span}, finding);
  return finding;
}

} // namespace debrief::findings
