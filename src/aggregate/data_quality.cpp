#include "aggregate/data_quality.h"

#include "aggregate/sampling.h"
#include "aggregate/trace/figures.h"
#include "util/numbered_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

namespace debrief::aggregate {

namespace {

std::vector<result::TroubleRow> rows_of(const job::Troubles& troubles) {
  std::vector<result::TroubleRow> rows;
  for (const auto& [reason, trouble] : troubles)
    rows.push_back({reason, trouble.count, trouble.first_seen});
  return rows;
}

/// Nodes are numbered from 1 without holes, and the description says how many there are. A hole
/// that would be longer than kMaxNodes is a strange name, not a thousand missing machines.
std::vector<std::string> missing_nodes(const std::vector<result::NodeSampling>& nodes,
                                       std::optional<std::int64_t> described_count) {
  constexpr std::int64_t kMaxNodes = 1000;
  std::set<std::int64_t> seen;
  for (const auto& node : nodes) {
    const auto number = number_after_prefix("algo-", node.node);
    if (!number) return {};
    seen.insert(*number);
  }
  if (seen.empty()) return {};
  const std::int64_t last = std::max(*seen.rbegin(), described_count.value_or(0));
  if (last > kMaxNodes) return {};
  std::vector<std::string> missing;
  for (std::int64_t number = 1; number <= last; ++number)
    if (!seen.contains(number)) missing.push_back(fmt::format("algo-{}", number));
  return missing;
}

/// Processes are known by rank or by process id. Numbers that start at 0 are ranks, and ranks have
/// no holes.
std::vector<std::string> missing_ranks(const job::EventTable& events) {
  constexpr std::int64_t kMaxRanks = 100'000;
  std::set<std::int64_t> seen;
  for (const job::Timeline& timeline : events.timelines)
    if (timeline.rank) seen.insert(*timeline.rank);
  if (seen.empty() || *seen.begin() != 0 || *seen.rbegin() > kMaxRanks) return {};
  std::vector<std::string> missing;
  for (std::int64_t rank = 0; rank <= *seen.rbegin(); ++rank)
    if (!seen.contains(rank)) missing.push_back(std::to_string(rank));
  return missing;
}

/// Ranks of the world of which no PyTorch trace is there, where there are traces of others.
std::vector<std::string> untraced_ranks(const std::vector<job::Trace>& traces) {
  std::vector<const job::Trace*> all;
  all.reserve(traces.size());
  for (const job::Trace& trace : traces)
    all.push_back(&trace);
  result::Communication found;
  find_missing_ranks(all, found);
  std::vector<std::string> missing;
  for (const std::int64_t rank : found.missing_ranks)
    missing.push_back(std::to_string(rank));
  return missing;
}

/// Data of another stretch of time, rule outputs of another folder: whether they are another job's
/// nobody but the user knows.
bool leaves_data_out(const job::ReadingReport& reading) {
  return !reading.other_jobs.empty() ||
         std::any_of(
             reading.ignored.begin(), reading.ignored.end(),
             [](const job::IgnoredFile& file) { return file.reason.starts_with("another job's"); });
}

} // namespace

result::DataQuality data_quality(const job::Job& job, const std::optional<TimeSpan>& span,
                                 bool job_was_chosen) {
  const job::ReadingReport& reading = job.reading;
  result::DataQuality quality;
  for (const auto& [name, counts] : reading.sources)
    quality.sources.push_back({name, counts.files, counts.bytes, counts.decoded_bytes,
                               counts.records, counts.samples, counts.events});
  quality.skipped = rows_of(reading.skipped);
  quality.repaired = rows_of(reading.repaired);
  quality.damaged_files = rows_of(reading.damaged_files);
  quality.ignored_count = reading.ignored.size();
  for (const job::IgnoredFile& file : reading.ignored) {
    if (quality.ignored.size() == result::kMaxIgnored) break;
    quality.ignored.push_back({file.path, file.reason});
  }
  for (const job::OtherJob& other : reading.other_jobs)
    quality.other_jobs.push_back({other.span, other.samples, other.events});
  quality.nodes = node_sampling(job);
  find_less_sampled(job, quality.nodes);
  quality.clock_skew = clock_skew(quality.nodes);
  find_unsampled_ends(span, quality.clock_skew, quality.nodes);
  quality.missing_nodes = missing_nodes(quality.nodes, job.description.instance_count);
  quality.missing_ranks = untraced_ranks(job.traces); // these say how many there are
  if (quality.missing_ranks.empty()) quality.missing_ranks = missing_ranks(job.events);
  if (job.description.sampling_interval_ms)
    quality.described_interval = *job.description.sampling_interval_ms / 1000;
  quality.recorder_notes = job.description.recorder_notes;

  const bool gaps =
      std::any_of(quality.nodes.begin(), quality.nodes.end(), [](const result::NodeSampling& node) {
        return node.gap_count > 0 || node.unsampled_at_start > 0 || node.unsampled_at_end > 0 ||
               node.less_sampled_count > 0 || !node.missing_devices.empty();
      });
  quality.complete = quality.skipped.empty() && quality.damaged_files.empty() && !gaps &&
                     quality.missing_nodes.empty() && quality.missing_ranks.empty() &&
                     (job_was_chosen || !leaves_data_out(reading));
  return quality;
}

} // namespace debrief::aggregate
