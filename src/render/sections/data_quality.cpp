// What was read, what was lost, and how well the job was sampled.
#include "render/parts/cells.h"
#include "render/parts/format.h"
#include "render/parts/quality_words.h"
#include "render/parts/section.h"
#include "render/parts/trace_words.h"
#include "render/sections/sections.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace debrief::render {

namespace {

std::string gpu_words(const std::vector<result::TracedGpu>& gpus) {
  std::map<std::string, std::int64_t> counts;
  for (const result::TracedGpu& gpu : gpus)
    ++counts[gpu.name.empty() ? "unnamed" : printable(gpu.name)];
  std::vector<std::string> words;
  for (const auto& [name, count] : counts)
    words.push_back(fmt::format("{} × {}", count, name));
  return words.empty() ? std::string{kUnknown} : fmt::format("{}", fmt::join(words, ", "));
}

std::string list_words(const std::vector<std::string>& words) {
  return words.empty() ? "nothing" : printable(fmt::format("{}", fmt::join(words, ", ")));
}

void show_trace_files(Section& section, const std::vector<result::TraceFile>& files) {
  if (files.empty()) return;
  Table table("PyTorch traces", {{"File", Kind::head},
                                 {"Process"},
                                 {"Rank", Kind::number},
                                 {"Ranks", Kind::number},
                                 {"Backend"},
                                 {"Begin", Kind::time},
                                 {"Duration", Kind::number},
                                 {"Steps", Kind::number},
                                 {"Events", Kind::number},
                                 {"GPUs"},
                                 {"Not recorded"}});
  Table events("Events of PyTorch traces",
               {{"File", Kind::head}, {"Phase and category"}, {"Events", Kind::number}});
  for (const result::TraceFile& file : files) {
    std::int64_t count = 0;
    for (const result::CategoryCount& row : file.categories) {
      count += row.count;
      events.add({printable(file.path), printable(row.category), count_cell(row.count)});
    }
    table.add({printable(file.path), printable(file.process), count_cell(file.rank),
               count_cell(file.world_size), name_or_unknown(file.backend),
               file.span ? to_iso8601(file.span->first) : std::string{kUnknown},
               micros_cell(file.duration_us), count_cell(file.steps), count_cell(count),
               gpu_words(file.gpus), list_words(file.not_recorded)});
  }
  section.show(table.drop_unknown().details({"Ranks", "Backend", "Events"}), kRowsShown, "traces");
  if (events.size() > 0)
    section.show_folded(events,
                        fmt::format("Events by category: {}", plural(std::ssize(files), "trace")));
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

void add_notes(Section& section, const result::DataQuality& quality) {
  constexpr std::size_t kMaxOthers = 10;
  const std::size_t others = quality.other_jobs.size();
  for (std::size_t i = 0; i < std::min(others, kMaxOthers); ++i) {
    const result::OtherJobRow& other = quality.other_jobs[i];
    section.note(fmt::format("Skipped another job's data in the same folder: {} to {}, {} samples, "
                             "{} events. Choose it with --job-start {}.",
                             to_iso8601(other.span.first), to_iso8601(other.span.last),
                             grouped(static_cast<std::int64_t>(other.samples)),
                             grouped(static_cast<std::int64_t>(other.events)),
                             to_iso8601(other.span.first)));
  }
  if (others > kMaxOthers)
    section.note(
        fmt::format("Skipped the data of {}, too.", count_of(others - kMaxOthers, "more job")));
  for (const result::ClockSkew& skew : quality.clock_skew)
    section.note(
        fmt::format("{} samples begin and end {} {} the other nodes'; its clock is probably {}.",
                    printable(skew.node), to_human_duration(std::abs(skew.seconds)),
                    skew.seconds > 0 ? "after" : "before", skew.seconds > 0 ? "ahead" : "behind"));
  for (const std::string& note : quality.recorder_notes)
    section.note(printable(note));
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
  Table table("Sampling by node", {{"Node", Kind::head},
                                   {"First sample", Kind::time},
                                   {"Last sample", Kind::time},
                                   {"Samples", Kind::number},
                                   {"Typical interval", Kind::number},
                                   {"Longest", Kind::number},
                                   {"Gaps", Kind::number},
                                   {"Time in gaps", Kind::number},
                                   {"Starts late", Kind::number},
                                   {"Ends early", Kind::number}});
  for (const result::NodeSampling& node : nodes)
    table.add({printable(node.node), to_iso8601(node.span.first), to_iso8601(node.span.last),
               count_cell(node.samples), duration_cell(node.interval_p50),
               duration_cell(node.interval_max), count_cell(node.gap_count),
               duration_cell(node.gap_seconds), duration_cell(node.unsampled_at_start),
               duration_cell(node.unsampled_at_end)});
  section.show(table.details({"Longest", "Starts late", "Ends early"}));
}

void show_less_sampled(Section& section, const std::vector<result::NodeSampling>& nodes) {
  std::size_t shown = 0;
  std::int64_t count = 0;
  for (const result::NodeSampling& node : nodes) {
    shown += node.less_sampled.size();
    count += node.less_sampled_count;
  }
  std::string caption = "Devices sampled for only part of the time";
  if (static_cast<std::size_t>(count) > shown)
    caption += fmt::format(" ({} total, one per node shown)", count);
  Table table(caption, {{"Node", Kind::head},
                        {"Device"},
                        {"Samples", Kind::number},
                        {"Without samples", Kind::number}});
  for (const result::NodeSampling& node : nodes)
    for (const result::DeviceSampling& device : node.less_sampled)
      table.add({printable(node.node), printable(device.device), count_cell(device.samples),
                 duration_cell(device.unsampled_seconds)});
  if (table.size() > 0) section.show(table, kRowsShown, "devices");
}

void show_ignored(Section& section, const result::DataQuality& quality) {
  if (quality.ignored.empty()) return;
  Table table(quality.ignored_count > quality.ignored.size()
                  ? fmt::format("Files not read ({} shown)", quality.ignored.size())
                  : "Files not read",
              {{"File", Kind::head}, {"Why"}});
  for (const result::IgnoredRow& row : quality.ignored)
    table.add({printable(row.path), printable(row.reason)});
  section.show_folded(table.plain(), "Files found but not read: " +
                                         grouped(static_cast<std::int64_t>(quality.ignored_count)));
}

std::optional<Section> make_data_quality(const result::Result& result) {
  const result::DataQuality& quality = result.data_quality;
  Section section;
  section.say(quality_sentence(quality));
  add_notes(section, quality);
  show_troubles(section, "Skipped records", quality.skipped);
  show_troubles(section, "Damaged files", quality.damaged_files);
  show_troubles(section, "Repaired records", quality.repaired);
  show_sources(section, quality.sources);
  show_nodes(section, quality.nodes);
  show_less_sampled(section, quality.nodes);
  show_trace_files(section, result.traces.files);
  show_ignored(section, quality);
  return section;
}

} // namespace

const SectionSpec kDataQualitySection = {
    .id = "data-quality",
    .heading = "Data quality",
    .chapter = Chapter::data,
    .how_to_read = "This is what debrief read, what it skipped, and how well the job was sampled. "
                   "Every number in the report comes from what was read. A gap or a missing node "
                   "means the numbers cover less than the whole job.",
    .how_computed = "Every file in the folder is listed with its format, or with the reason it was "
                    "not read. A gap is much longer than the typical sampling interval. Nodes and "
                    "devices count as partly sampled when at least 5 s and five intervals are "
                    "missing. Clock skew follows from when nodes begin and end.",
    .make = make_data_quality,
};

} // namespace debrief::render
