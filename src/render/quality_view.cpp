#include "render/quality_view.h"

#include "render/cells.h"
#include "render/format.h"
#include "render/section.h"
#include "render/trace/file_tables.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace debrief::render {

namespace {

/// "1, 2, 3 and 97 more".
std::string first_of(const std::vector<std::string>& names) {
  constexpr std::size_t kNamed = 8;
  const std::size_t named = std::min(names.size(), kNamed);
  std::string out = fmt::format(
      "{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(named), ", "));
  if (names.size() > named) out += fmt::format(" and {} more", names.size() - named);
  return out;
}

using nlohmann::json;

std::string number(std::uint64_t count) {
  return grouped(static_cast<std::int64_t>(count));
}

Cell number_cell(std::uint64_t count) {
  return count_cell(static_cast<std::int64_t>(count));
}

void show_troubles(Section& section, const char* caption,
                   const std::vector<result::TroubleRow>& rows) {
  if (rows.empty()) return;
  Table table(caption, {{"Reason", Kind::head}, {"Count", Kind::number}, {"First seen"}});
  for (const result::TroubleRow& row : rows)
    table.add({printable(row.reason), number_cell(row.count), printable(row.first_seen)});
  section.show(table.plain());
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
    parts.push_back("no samples of " + first_of(quality.missing_nodes));
  if (!quality.missing_ranks.empty())
    parts.push_back("no events of rank " + first_of(quality.missing_ranks));
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
  const std::string read =
      fmt::format("{} {} gave {} samples and {} events", number(files),
                  files == 1 ? "file" : "files", number(samples), number(events));
  return read +
         (quality.complete ? "; nothing was lost." : ". What was lost: " + losses(quality) + ".");
}

void add_notes(Section& section, const result::DataQuality& quality) {
  constexpr std::size_t kMostOthers = 10;
  const std::size_t others = quality.other_jobs.size();
  for (std::size_t i = 0; i < std::min(others, kMostOthers); ++i) {
    const result::OtherJobRow& other = quality.other_jobs[i];
    section.note(fmt::format(
        "Another job's data is in the same folder and was left out: {} to {}, {} samples, "
        "{} events. Choose it with --job-start {}.",
        to_iso8601(other.span.first), to_iso8601(other.span.last),
        grouped(static_cast<std::int64_t>(other.samples)),
        grouped(static_cast<std::int64_t>(other.events)), to_iso8601(other.span.first)));
  }
  if (others > kMostOthers)
    section.note(fmt::format("The data of {} was left out as well.",
                             count_of(others - kMostOthers, "further job")));
  for (const result::ClockSkew& skew : quality.clock_skew)
    section.note(
        fmt::format("{}'s samples begin and end {} {} the other nodes': its clock is probably {}.",
                    printable(skew.node), to_human_duration(std::abs(skew.seconds)),
                    skew.seconds > 0 ? "after" : "before", skew.seconds > 0 ? "ahead" : "behind"));
  if (quality.described_interval)
    section.note(fmt::format("The profiler was set to sample every {}.",
                             to_human_duration(*quality.described_interval)));
}

void show_sources(Section& section, const std::vector<result::SourceRow>& sources) {
  Table table("What was read", {{"Source", Kind::head},
                                {"Files", Kind::number},
                                {"Size", Kind::number},
                                {"Records", Kind::number},
                                {"Samples", Kind::number},
                                {"Events", Kind::number}});
  for (const result::SourceRow& row : sources)
    table.add({row.source, number_cell(row.files), bytes_cell(static_cast<double>(row.bytes)),
               number_cell(row.records), number_cell(row.samples), number_cell(row.events)});
  section.show(table);
}

void show_nodes(Section& section, const std::vector<result::NodeSampling>& nodes) {
  if (nodes.empty()) return;
  Table table("How each node was sampled", {{"Node", Kind::head},
                                            {"First sample", Kind::time},
                                            {"Last sample", Kind::time},
                                            {"Samples", Kind::number},
                                            {"Usual interval", Kind::number},
                                            {"Longest", Kind::number},
                                            {"Gaps", Kind::number},
                                            {"In gaps", Kind::number}});
  for (const result::NodeSampling& node : nodes)
    table.add({printable(node.node), to_iso8601(node.span.first), to_iso8601(node.span.last),
               count_cell(node.samples), duration_cell(node.interval_p50),
               duration_cell(node.interval_max), count_cell(node.gap_count),
               duration_cell(node.gap_seconds)});
  section.show(table);
}

void show_ignored(Section& section, const result::DataQuality& quality) {
  if (quality.ignored.empty()) return;
  Table table(quality.ignored_count > quality.ignored.size()
                  ? fmt::format("Files that were not read (the first {})", quality.ignored.size())
                  : "Files that were not read",
              {{"File", Kind::head}, {"Why"}});
  for (const result::IgnoredRow& row : quality.ignored)
    table.add({printable(row.path), printable(row.reason)});
  section.show(table.plain().folded_away("Files that were found and not read: " +
                                         number(quality.ignored_count)));
}

} // namespace

std::string quality_notice(const result::DataQuality& quality) {
  std::vector<std::string> parts;
  if (const std::string lost = losses(quality); !quality.complete && !lost.empty())
    parts.push_back(lost);
  double unsampled = 0;
  for (const result::NodeSampling& node : quality.nodes)
    unsampled = std::max(unsampled, node.gap_seconds);
  if (unsampled > 0)
    parts.push_back(
        fmt::format("up to {} of a node without samples", to_human_duration(unsampled)));
  if (const std::size_t others = quality.other_jobs.size(); others > 0)
    parts.push_back(fmt::format("data of {} in the same folder left out",
                                others == 1 ? "another job" : count_of(others, "other job")));
  for (const result::ClockSkew& skew : quality.clock_skew)
    parts.push_back(fmt::format("the clock of {} is probably {} {}", brief(skew.node),
                                to_human_duration(std::abs(skew.seconds)),
                                skew.seconds > 0 ? "ahead" : "behind"));
  if (parts.empty()) return "";
  return capitalized(fmt::format("{}.", fmt::join(parts, "; ")));
}

json quality_view(const result::Result& result) {
  const result::DataQuality& quality = result.data_quality;
  Section section;
  section.say(quality_sentence(quality));
  add_notes(section, quality);
  show_troubles(section, "Records that were skipped", quality.skipped);
  show_troubles(section, "Files that could be read in part, or not at all", quality.damaged_files);
  show_troubles(section, "Records that were mended and kept", quality.mended);
  show_sources(section, quality.sources);
  show_nodes(section, quality.nodes);
  show_trace_files(section, result.traces.files);
  show_ignored(section, quality);
  return section.view();
}

} // namespace debrief::render
