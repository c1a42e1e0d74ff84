#include "render/quality_view.h"

#include "render/format.h"
#include "util/text.h"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

namespace debrief::render {

namespace {

using nlohmann::json;

json troubles_view(const std::vector<result::TroubleRow>& rows) {
  json out = json::array();
  for (const result::TroubleRow& row : rows)
    out.push_back({{"reason", printable(row.reason)},
                   {"count", grouped(static_cast<std::int64_t>(row.count))},
                   {"first_seen", printable(row.first_seen)}});
  return out;
}

/// "6 records skipped, 1 damaged file, 2 gaps, no samples of algo-3".
std::string losses(const result::DataQuality& quality) {
  const auto total = [](const std::vector<result::TroubleRow>& rows) {
    std::uint64_t count = 0;
    for (const result::TroubleRow& row : rows)
      count += row.count;
    return count;
  };
  std::int64_t gaps = 0;
  for (const result::NodeSampling& node : quality.nodes)
    gaps += node.gap_count;
  std::vector<std::string> parts;
  if (const auto count = total(quality.skipped); count > 0)
    parts.push_back(count_of(count, "record") + " skipped");
  if (const auto count = total(quality.damaged_files); count > 0)
    parts.push_back(count_of(count, "damaged file"));
  if (gaps > 0)
    parts.push_back(count_of(static_cast<std::size_t>(gaps), "gap") + " in the samples");
  if (!quality.missing_nodes.empty())
    parts.push_back(fmt::format("no samples of {}", fmt::join(quality.missing_nodes, ", ")));
  if (!quality.missing_ranks.empty())
    parts.push_back(fmt::format("no events of rank {}", fmt::join(quality.missing_ranks, ", ")));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string quality_sentence(const result::DataQuality& quality) {
  std::uint64_t files = 0;
  std::uint64_t samples = 0;
  std::uint64_t events = 0;
  for (const result::SourceRow& row : quality.sources) {
    files += row.files;
    samples += row.samples;
    events += row.events;
  }
  const auto number = [](std::uint64_t count) { return grouped(static_cast<std::int64_t>(count)); };
  const std::string read =
      fmt::format("{} {} gave {} samples and {} events", number(files),
                  files == 1 ? "file" : "files", number(samples), number(events));
  return read +
         (quality.complete ? "; nothing was lost." : ". What was lost: " + losses(quality) + ".");
}

json notes_view(const result::DataQuality& quality) {
  json notes = json::array();
  for (const result::OtherJobRow& other : quality.other_jobs)
    notes.push_back(fmt::format(
        "Another job's data is in the same folder and was left out: {} to {}, {} samples, "
        "{} events. Choose it with --job-start {}.",
        to_iso8601(other.span.first), to_iso8601(other.span.last),
        grouped(static_cast<std::int64_t>(other.samples)),
        grouped(static_cast<std::int64_t>(other.events)), to_iso8601(other.span.first)));
  for (const result::ClockSkew& skew : quality.clock_skew)
    notes.push_back(
        fmt::format("{}'s samples begin and end {} {} the other nodes': its clock is probably {}.",
                    printable(skew.node), to_human_duration(std::abs(skew.seconds)),
                    skew.seconds > 0 ? "after" : "before", skew.seconds > 0 ? "ahead" : "behind"));
  if (quality.described_interval)
    notes.push_back(fmt::format("The profiler was set to sample every {}.",
                                to_human_duration(*quality.described_interval)));
  return notes;
}

} // namespace

json quality_view(const result::DataQuality& quality) {
  json view;
  view["sentence"] = quality_sentence(quality);
  view["sources"] = json::array();
  for (const result::SourceRow& row : quality.sources)
    view["sources"].push_back({{"source", row.source},
                               {"files", grouped(static_cast<std::int64_t>(row.files))},
                               {"bytes", to_human_bytes(static_cast<double>(row.bytes))},
                               {"records", grouped(static_cast<std::int64_t>(row.records))},
                               {"samples", grouped(static_cast<std::int64_t>(row.samples))},
                               {"events", grouped(static_cast<std::int64_t>(row.events))}});
  view["skipped"] = troubles_view(quality.skipped);
  view["mended"] = troubles_view(quality.mended);
  view["damaged"] = troubles_view(quality.damaged_files);
  view["nodes"] = json::array();
  for (const result::NodeSampling& node : quality.nodes)
    view["nodes"].push_back({{"node", printable(node.node)},
                             {"samples", grouped(node.samples)},
                             {"first", to_iso8601(node.span.first)},
                             {"last", to_iso8601(node.span.last)},
                             {"interval", node.interval_p50 ? to_human_duration(*node.interval_p50)
                                                            : std::string{kUnknown}},
                             {"longest", node.interval_max ? to_human_duration(*node.interval_max)
                                                           : std::string{kUnknown}},
                             {"gaps", grouped(node.gap_count)},
                             {"gap_time", to_human_duration(node.gap_seconds)}});
  view["ignored"] = json::array();
  for (const result::IgnoredRow& row : quality.ignored)
    view["ignored"].push_back({{"path", printable(row.path)}, {"reason", printable(row.reason)}});
  view["ignored_count"] = grouped(static_cast<std::int64_t>(quality.ignored_count));
  view["ignored_caption"] =
      quality.ignored_count > quality.ignored.size()
          ? fmt::format("Files that were not read (the first {})", quality.ignored.size())
          : "Files that were not read";
  view["notes"] = notes_view(quality);
  return view;
}

} // namespace debrief::render
