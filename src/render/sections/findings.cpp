// A card for each finding, and where the time that was paid for went.
#include "embed/bundle.h"
#include "render/parts/finding_words.h"
#include "render/parts/format.h"
#include "render/parts/section.h"
#include "render/parts/status_badge.h"
#include "render/parts/waste.h"
#include "render/sections/sections.h"
#include "util/text.h"
#include "util/time.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace debrief::render {

namespace {

using nlohmann::json;

constexpr std::size_t kPlacesShown = 6;
constexpr std::size_t kWindowsShown = 3;

std::string where_sentence(const result::Finding& finding) {
  std::vector<std::string> places;
  for (const result::Place& place : finding.where) {
    if (places.size() == kPlacesShown) {
      places.push_back(fmt::format("{} more", finding.where.size() - kPlacesShown));
      break;
    }
    places.push_back(truncate(place_words(place)));
  }
  return places.empty() ? "" : fmt::format("Where: {}.", join_and(places));
}

/// Milliseconds after the timeline's start, as the script takes them.
std::string window_text(const TimeSpan& window, const result::Timeline& timeline) {
  const Microseconds start = embed::start_of(timeline);
  const auto after = [&](Microseconds time) { return std::max<Microseconds>(0, time - start); };
  return fmt::format("{}..{}", after(window.first) / 1000, (after(window.last) + 999) / 1000);
}

/// The longest windows, in their order.
std::vector<TimeSpan> longest_windows(const result::Finding& finding) {
  std::vector<TimeSpan> out = finding.windows;
  std::stable_sort(out.begin(), out.end(),
                   [](const auto& a, const auto& b) { return a.length() > b.length(); });
  out.resize(std::min(out.size(), kWindowsShown));
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return out;
}

/// The node of all places, where it is one.
std::string only_node(const result::Finding& finding) {
  std::string out = finding.where.empty() ? "" : finding.where.front().node;
  for (const result::Place& place : finding.where)
    if (place.node != out) return "";
  return out;
}

/// Of a job that lasts less than a day the clock's time is enough.
std::string findings_moment(Microseconds time, const result::Timeline& timeline) {
  constexpr std::size_t kDate = 11; // "2026-11-14 "
  const std::string text = to_readable_time(time);
  return timeline.span.length() < 24 * kHour ? text.substr(kDate) : text;
}

json windows(const result::Finding& finding, const result::Timeline& timeline) {
  json out = json::array();
  if (timeline.empty()) return out;
  for (const TimeSpan& window : longest_windows(finding))
    out.push_back({{"span", window_text(window, timeline)},
                   {"text", fmt::format("{}, for {}", findings_moment(window.first, timeline),
                                        to_human_duration(in_seconds(window.length())))}});
  return out;
}

/// What stands before the windows.
std::string when_words(const result::Finding& finding) {
  if (finding.window_count < 2) return "Show on timeline:";
  return fmt::format("{}, {} total. Show {}on timeline:", plural(finding.window_count, "time"),
                     to_human_duration(finding.window_seconds),
                     finding.windows.size() > kWindowsShown ? "the longest " : "");
}

/// `told`: the summary has what, why and what to do.
SectionItem card(const result::Finding& finding, const result::Result& result, bool told) {
  const StatusBadge& badge = badge_of(finding.severity);
  json evidence = json::array();
  for (const result::Evidence& row : finding.evidence)
    evidence.push_back(
        {{"name", printable(row.name)}, {"value", keep_units_together(evidence_words(row))}});
  const auto text_or_null = [](const std::string& text) {
    return text.empty() ? json(nullptr) : json(keep_units_together(text));
  };
  return {{{"id", std::string{"finding-"} + to_text(finding.kind)},
           {"word", badge.word},
           {"class", badge.css},
           {"path", badge.path},
           {"fill", badge.color.light},
           {"small", finding.severity == result::Severity::info},
           {"title", keep_units_together(printable(finding.title))},
           {"cost", keep_units_together(capitalized(cost_words(finding, result.waste)))},
           {"confidence", keep_units_together(capitalized(confidence_words(finding)))},
           {"why", told ? json(nullptr) : json(keep_units_together(printable(finding.why)))},
           {"next", told ? json(nullptr) : json(keep_units_together(printable(finding.next)))},
           {"evidence", std::move(evidence)},
           {"where", text_or_null(where_sentence(finding))},
           {"see", spec_of(finding.kind).section},
           {"when", capitalized(when_words(finding))},
           {"windows", windows(finding, result.timeline)},
           {"node", printable(only_node(finding))},
           {"band", result::kind_words(finding.kind)}},
          {}};
}

std::string take_away(const result::Result& result) {
  std::array<std::int64_t, 3> counts{};
  for (const result::Finding& finding : result.findings)
    ++counts[static_cast<std::size_t>(finding.severity)];
  std::vector<std::string> parts;
  if (counts[2] > 0) parts.push_back(plural(counts[2], "critical finding"));
  if (counts[1] > 0) parts.push_back(plural(counts[1], "warning"));
  if (counts[0] > 0) parts.push_back(plural(counts[0], "note"));
  if (parts.empty()) return "No findings.";
  const std::vector<std::size_t> order = reading_order(result);
  const bool by_severity = std::is_sorted(order.begin(), order.end(), [&](auto a, auto b) {
    return result.findings[a].severity > result.findings[b].severity;
  });
  return capitalized(join_and(parts)) +
         (order.size() > 1 && by_severity ? ", most severe first." : ".");
}

std::optional<Section> make_findings(const result::Result& result) {
  Section section;
  section.say(take_away(result));
  for (const std::size_t at : reading_order(result)) {
    const result::Finding& finding = result.findings[at];
    section.add(card(finding, result, result.verdict.finding == at));
    if (finding.severity != result::Severity::info)
      section.flag_issue(badge_of(finding.severity).css);
  }
  add_waste(section, result.waste);
  return section;
}

} // namespace

const SectionSpec kFindingsSection = {
    .id = "findings",
    .heading = "Findings",
    .chapter = Chapter::findings,
    .how_to_read =
        "Start with the first card: it costs most. A finding is a cause, not a symptom: a GPU that "
        "waits for data counts under data only. Notes cost little or are uncertain.",
    .how_computed = "Each moment of each GPU counts once: as computing, under one cause, as other "
                    "idle, or as not measured. Startup includes slow first steps. The parts sum to "
                    "the total. Confidence reflects how much data supports a finding.",
    .make = make_findings,
    .body = "sections/findings.html",
};

} // namespace debrief::render
