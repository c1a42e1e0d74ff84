// Dataloader: do the data-loader workers fit the cores?
//
// The median number of loading processes over all seconds so far, at the end of each scan window,
// against the node's cores.
#include "aggregate/data_loading.h"
#include "rules/details.h"
#include "rules/rule.h"

#include <fmt/format.h>

namespace debrief::rules {

namespace {

using nlohmann::ordered_json;
using result::RuleStatus;

/// Seconds with a loader that must have been seen, as SageMaker has it.
constexpr std::int64_t kPatience = 10;

ordered_json details_of(const result::DataLoading& loading) {
  ordered_json details = ordered_json::object();
  if (loading.pin_memory) details["pin_memory"] = *loading.pin_memory;
  if (loading.num_workers) details["num_workers"] = *loading.num_workers;
  if (loading.cores) details["cores"] = *loading.cores;
  if (loading.loaders) details["dataloaders"] = *loading.loaders;
  for (const result::LoadTimes& times : loading.times)
    if (times.what == result::LoadKind::load)
      details["dataloading_time"] = {{"p25", times.p25},
                                     {"p50", times.p50},
                                     {"p95", times.p95},
                                     {"probs", times.histogram.counts},
                                     {"binedges", times.histogram.edges}};
  return details;
}

RuleOutcome evaluate_dataloader(const RuleInput& input, const ParameterValues& parameters) {
  const result::DataLoading& loading = input.result.data_loading;
  RuleOutcome outcome;
  outcome.details = details_of(loading);
  for (const result::LoadTimes& times : loading.times)
    if (times.what == result::LoadKind::load) outcome.datapoints = times.count;
  const auto runs = aggregate::loaders_per_second(input.job.events, input.kinds);
  const auto skip = [&](std::string reason) {
    outcome.status = RuleStatus::not_evaluated;
    outcome.reason = std::move(reason);
    return outcome;
  };
  if (runs.empty() && loading.source == result::kFromTraces)
    return skip("PyTorch traces record waits for data, not data-loader workers");
  if (runs.empty())
    return skip(outcome.datapoints > 0 ? "the times of data loading are unknown"
                                       : "no data-loader event was recorded");
  if (!loading.cores) return skip("the number of cores is unknown");

  const auto cores = static_cast<double>(*loading.cores);
  const double fewest = parameters.number("min_threshold") / 100 * cores;
  const double most = parameters.number("max_threshold") / 100 * cores;
  const auto interval =
      std::max<std::int64_t>(1, static_cast<Microseconds>(parameters.number("scan_interval_us")) /
                                    kSecond); // loaders are counted by the second
  aggregate::SecondsByLoaders seconds;
  std::int64_t seen = 0;
  IncidentList incidents;
  const auto look = [&](std::int64_t window) {
    if (seen <= kPatience) return;
    const auto loaders = static_cast<double>(*aggregate::median_loaders(seconds));
    if (loaders >= fewest && loaders <= most) return;
    ++outcome.violations;
    TimeSpan span{std::max(window * interval, runs.front().first) * kSecond,
                  std::min((window + 1) * interval, runs.back().last + 1) * kSecond};
    // Loaders are counted by whole seconds, which may begin before the job or end after it.
    if (const auto& job = input.result.job.span)
      span = {std::max(span.first, job->first), std::min(span.last, job->last)};
    if (span.first > span.last) return; // loading that went on when nothing else was recorded
    incidents.add("", "", span, loaders < fewest ? "too few" : "too many");
  };
  std::optional<std::int64_t> current;
  for (const aggregate::LoadersRun& run : runs) {
    for (std::int64_t second = run.first; second <= run.last;) {
      const std::int64_t window = second / interval;
      if (current && *current != window) look(*current);
      current = window;
      const std::int64_t end = std::min(run.last, (window + 1) * interval - 1);
      seconds[run.loaders] += end - second + 1;
      seen += end - second + 1;
      second = end + 1;
    }
  }
  look(*current);
  if (seen <= kPatience)
    return skip(
        fmt::format("needs more than {1} seconds of data loading (found {0})", seen, kPatience));
  outcome.triggered = outcome.violations > 0 ? 1 : 0; // as SageMaker has it
  outcome.status = outcome.triggered > 0 ? RuleStatus::issue_found : RuleStatus::no_issue;
  std::move(incidents).move_to(outcome);
  return outcome;
}

} // namespace

Rule dataloader_rule() {
  return {{"Dataloader",
           RuleGroup::profiler,
           RuleInputKind::framework_events,
           "Compares the number of data-loader workers with the number of cores. Too few leave "
           "cores idle while the GPU waits; too many compete for cores.",
           "Set num_workers close to the number of cores, and turn on pin_memory if batches are "
           "copied to a GPU.",
           {{"min_threshold", ParameterType::number, "70", 0, 100'000, "% of cores",
             "Fewer workers than this share of the cores are too few"},
            {"max_threshold", ParameterType::number, "200", 0, 100'000, "% of cores",
             "More workers than this share of the cores are too many"}}},
          evaluate_dataloader};
}

} // namespace debrief::rules
