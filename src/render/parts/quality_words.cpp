#include "render/parts/quality_words.h"

#include "render/parts/format.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace debrief::render {

namespace {

/// "1, 2, 3 and 97 more" of `count`, of which `names` has the first.
std::string first_of(const std::vector<std::string>& names, std::size_t count) {
  constexpr std::size_t kNamed = 8;
  const std::size_t named = std::min(names.size(), kNamed);
  std::string out = fmt::format(
      "{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(named), ", "));
  if (count > named) out += fmt::format(" and {} more", count - named);
  return out;
}

std::string number(std::uint64_t count) {
  return grouped(static_cast<std::int64_t>(count));
}

/// "data of another job in the same folder left out"; empty where all of the folder is the job's.
std::string left_out(const result::DataQuality& quality) {
  if (const std::size_t others = quality.other_jobs.size(); others > 0)
    return fmt::format("data of {} in the same folder skipped",
                       others == 1 ? "another job" : count_of(others, "other job"));
  const bool files = std::any_of(
      quality.ignored.begin(), quality.ignored.end(),
      [](const result::IgnoredRow& row) { return row.reason.starts_with("another job's"); });
  return files ? "files of another job in the same folder skipped" : "";
}

/// "6 records skipped; 1 damaged file; 2 gaps in the samples; no samples of algo-3".
std::string losses(const result::DataQuality& quality) {
  const auto total = [](const std::vector<result::TroubleRow>& rows) {
    std::uint64_t count = 0;
    for (const result::TroubleRow& row : rows)
      count += row.count;
    return count;
  };
  std::vector<std::string> parts;
  if (const auto count = total(quality.skipped); count > 0)
    parts.push_back(count_of(count, "record") + " skipped");
  if (const auto count = total(quality.damaged_files); count > 0)
    parts.push_back(count_of(count, "damaged file"));
  if (std::string missing = missing_words(quality); !missing.empty())
    parts.push_back(std::move(missing));
  if (std::string others = left_out(quality); !others.empty()) parts.push_back(std::move(others));
  return fmt::format("{}", fmt::join(parts, "; "));
}

} // namespace

std::string missing_words(const result::DataQuality& quality) {
  std::int64_t gaps = 0;
  std::int64_t in_part_count = 0;
  std::vector<std::string> late;
  std::vector<std::string> early;
  std::vector<std::string> in_part;
  std::vector<std::string> never = quality.missing_nodes;
  for (const result::NodeSampling& node : quality.nodes) {
    const std::string name = truncate(node.node);
    gaps += node.gap_count;
    if (node.unsampled_at_start > 0) late.push_back(name);
    if (node.unsampled_at_end > 0) early.push_back(name);
    in_part_count += node.less_sampled_count;
    for (const result::DeviceSampling& device : node.less_sampled)
      in_part.push_back(fmt::format("{} {}", name, truncate(device.device)));
    for (const std::string& device : node.missing_devices)
      never.push_back(fmt::format("{} {}", name, device));
  }
  std::vector<std::string> parts;
  const auto add = [&](const char* what, const std::vector<std::string>& names, std::size_t count) {
    if (!names.empty()) parts.push_back(fmt::format("{} {}", what, first_of(names, count)));
  };
  if (gaps > 0)
    parts.push_back(count_of(static_cast<std::size_t>(gaps), "gap") + " in the samples");
  add("no samples at the job's start on", late, late.size());
  add("no samples at the job's end on", early, early.size());
  add("sampled only part of the time:", in_part, static_cast<std::size_t>(in_part_count));
  add("no samples from", never, never.size());
  add("no events from rank", quality.missing_ranks, quality.missing_ranks.size());
  return fmt::format("{}", fmt::join(parts, "; "));
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
      fmt::format("Read {} {}: {} samples, {} events", number(files), files == 1 ? "file" : "files",
                  number(samples), number(events));
  return read +
         (quality.complete ? ". Nothing was skipped." : ". Incomplete: " + losses(quality) + ".");
}

std::string quality_notice(const result::DataQuality& quality) {
  std::vector<std::string> parts;
  if (const std::string lost = losses(quality); !quality.complete && !lost.empty())
    parts.push_back(lost);
  double unsampled = 0;
  for (const result::NodeSampling& node : quality.nodes)
    unsampled =
        std::max(unsampled, node.gap_seconds + node.unsampled_at_start + node.unsampled_at_end);
  if (unsampled > 0)
    parts.push_back(
        fmt::format("up to {} without samples on a node", to_human_duration(unsampled)));
  if (std::string others = left_out(quality); quality.complete && !others.empty())
    parts.push_back(std::move(others));
  for (const result::ClockSkew& skew : quality.clock_skew)
    parts.push_back(fmt::format("the clock of {} is probably {} {}", truncate(skew.node),
                                to_human_duration(std::abs(skew.seconds)),
                                skew.seconds > 0 ? "ahead" : "behind"));
  if (parts.empty()) return "";
  return capitalized(fmt::format("{}.", fmt::join(parts, "; ")));
}

} // namespace debrief::render
