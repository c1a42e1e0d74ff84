#include "render/overview/overview_page.h"

#include "chart/meaning.h"
#include "chart/spark.h"
#include "overview/entry.h"
#include "render/page/section_html.h"
#include "render/parts/cause_words.h"
#include "render/parts/cells.h"
#include "render/parts/finding_words.h"
#include "render/parts/format.h"
#include "render/parts/section.h"
#include "render/parts/status_badge.h"
#include "render/parts/waste.h"
#include "util/number_text.h"
#include "util/text.h"
#include "util/version.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace debrief::render {

namespace {

using nlohmann::json;
using overview::Entry;

constexpr const char* kJobsHowToRead = "The jobs that lost most come first. Click a name for its "
                                       "report. The verdict is the first thing to act on.";

constexpr const char* kJobsHowComputed =
    "Each row quotes the job's own report. Lost is measured time that was not busy; jobs without "
    "GPUs count node-hours. A dash means unknown, and comes last.";

/// How many jobs are seen before the rest is folded away.
constexpr std::size_t kJobsShown = 100;

constexpr std::array kWasteUnits = {result::WasteUnit::gpu_hours, result::WasteUnit::node_hours};

/// Gravest first.
struct Grade {
  const StatusBadge* badge;
  int gravity;
};

const std::array<Grade, 5>& grades() {
  const auto of_kind = [](std::optional<result::FindingKind> kind) {
    result::VerdictSummary verdict;
    verdict.kind = kind;
    return &badge_of(verdict);
  };
  static const std::array<Grade, 5> all = {{{&badge_of(result::Severity::critical), 4},
                                            {&badge_of(result::Severity::warning), 3},
                                            {&badge_of(result::Severity::info), 2},
                                            {of_kind(result::FindingKind::insufficient_data), 1},
                                            {of_kind({}), 0}}};
  return all;
}

Cell verdict_cell(const result::VerdictSummary& verdict) {
  const StatusBadge* badge = &badge_of(verdict);
  for (const Grade& grade : grades())
    if (grade.badge == badge) return {*badge, grade.gravity};
  return {*badge, 0};
}

bool has_report(const Entry& entry) {
  return entry.error.empty();
}

std::int64_t reports_in(const std::vector<Entry>& entries) {
  return std::count_if(entries.begin(), entries.end(), has_report);
}

std::int64_t count_of_grade(const std::vector<Entry>& entries, const StatusBadge* badge) {
  return std::count_if(entries.begin(), entries.end(), [&](const Entry& entry) {
    return has_report(entry) && &badge_of(entry.verdict) == badge;
  });
}

/// "2026-11-14 23:48", in UTC.
std::string overview_moment(const std::optional<Microseconds>& time) {
  if (!time) return std::string{kUnknown};
  std::string text = to_iso8601(*time).substr(0, 16);
  text[10] = ' ';
  return text;
}

Cell lost_cell(const std::optional<double>& hours, const WasteScale& scale) {
  if (!hours) return kUnknown;
  Cell cell{scale.number(*hours)};
  cell.raw = plain_number(scale.per_hour * *hours);
  return cell;
}

/// The page's name where the job's does not tell it: several jobs can have one name.
std::string page_words(const Entry& entry) {
  return entry.page == safe_file_name(entry.name, "job") + ".html" ? "" : entry.page;
}

Cell money_cell(const result::Waste& waste) {
  if (!waste.paid || !waste.price) return kUnknown;
  const double money = result::lost_hours(waste) * *waste.price;
  Cell cell{two_decimals(money)};
  cell.raw = plain_number(money);
  return cell;
}

/// The job's time by cause.
Cell causes_cell(const result::Waste& waste) {
  const ShareBar bar = share_bar(waste, "Where the time went");
  if (bar.parts.empty()) return kUnknown;
  return drawn_cell(bar.label, chart::spark_bar(bar.label, bar.parts),
                    plain_number(bar.parts.front().share));
}

/// Its busy share over time.
Cell busy_cell(const result::Waste& waste) {
  const result::WasteOverTime& bins = waste.over_time;
  std::vector<double> shares(bins.busy.size(), 0);
  double busy = 0;
  double all = 0;
  for (std::size_t at = 0; at < shares.size(); ++at) {
    double whole = bins.busy[at] + (at < bins.set_aside.size() ? bins.set_aside[at] : 0) +
                   (at < bins.unmeasured.size() ? bins.unmeasured[at] : 0);
    for (const result::CauseOverTime& lost : bins.lost)
      whole += at < lost.seconds.size() ? lost.seconds[at] : 0;
    shares[at] = whole > 0 ? bins.busy[at] / whole : 0;
    busy += bins.busy[at];
    all += whole;
  }
  if (!(all > 0)) return kUnknown;
  const std::string label =
      fmt::format("Busy over time: {} of all", percent_text(100 * busy / all));
  return drawn_cell(label, chart::spark_area(label, shares, chart::color_of(Meaning::compute)),
                    plain_number(busy / all));
}

/// What all jobs lost, in the unit that any of them has; GPU-hours where there are both.
result::Waste waste_of_all(const std::vector<Entry>& entries) {
  for (const result::WasteUnit unit : kWasteUnits)
    if (result::Waste sum = overview::sum_of_waste(entries, unit); sum.paid) return sum;
  return {};
}

std::optional<Section> waste_section(const result::Waste& sum, const std::vector<Entry>& entries) {
  if (!sum.paid || *sum.paid <= 0) return std::nullopt;
  Section section;
  section.say(lost_words(sum) + '.');
  std::vector<result::Waste> wastes;
  for (const Entry& entry : entries)
    if (entry.waste.paid && entry.waste.unit == sum.unit) wastes.push_back(entry.waste);
  add_waste_of_jobs(section, sum, wastes);
  return section;
}

json overview_keys_view(const std::vector<Entry>& entries, const result::Waste& waste) {
  json keys = json::array();
  const auto add = [&](const std::string& name, const std::string& value, const std::string& more) {
    keys.push_back(
        {{"name", name}, {"value", value}, {"more", more.empty() ? json(nullptr) : json(more)}});
  };
  const std::int64_t failed = std::ssize(entries) - reports_in(entries);
  add("Jobs", grouped(std::ssize(entries)),
      failed == 0 ? "" : fmt::format("{} without a report", grouped(failed)));
  for (const Grade& grade : grades())
    if (const std::int64_t count = count_of_grade(entries, grade.badge); count > 0)
      add(grade.badge->word, grouped(count), "");
  if (!waste.paid || *waste.paid <= 0) return keys;
  const double hours = result::lost_hours(waste);
  const WasteScale scale = scale_of(waste);
  add(scale.unit + " paid", scale.number(*waste.paid), "");
  add(scale.unit + " lost", scale.number(hours), share_words(hours / *waste.paid));
  if (waste.price)
    add("USD lost", two_decimals(hours * *waste.price),
        fmt::format("of {}", two_decimals(*waste.paid * *waste.price)));
  return keys;
}

} // namespace

Section jobs_section(const std::vector<Entry>& entries) {
  // In the unit of the sum above, and one for all rows.
  const WasteScale of_gpus = scale_of(overview::sum_of_waste(entries, kWasteUnits[0]));
  const WasteScale of_nodes = scale_of(overview::sum_of_waste(entries, kWasteUnits[1]));
  Table table("Jobs, most GPU time lost first",
              {{"Job", Kind::head},
               {"Verdict", Kind::badge},
               {"What", Kind::words},
               {"Where the time went", Kind::drawing},
               {"Busy over time", Kind::drawing},
               {"Lost (%)", Kind::number},
               {of_gpus.unit + " lost", Kind::number},
               {capitalized(of_nodes.unit) + " lost", Kind::number},
               {"Lost (USD)", Kind::number},
               {"Duration", Kind::number},
               {"GPUs", Kind::number, "", true},
               {"Start (UTC)", Kind::time, "", true},
               {"Page"},
               {"Input"}});
  table.all_rows();
  for (const Entry& entry : entries) {
    if (!has_report(entry)) continue;
    Cell head{printable(entry.name)};
    head.title = printable(entry.input);
    head.link = entry.page;
    const result::Waste& waste = entry.waste;
    const bool paid = waste.paid && *waste.paid > 0;
    const double percent = paid ? 100 * result::lost_hours(waste) / *waste.paid : 0;
    table.add({head, verdict_cell(entry.verdict), printable(entry.verdict.title),
               causes_cell(waste), busy_cell(waste),
               paid ? fmt::format("{:.1f}", percent) : std::string{kUnknown},
               lost_cell(overview::lost(entry, kWasteUnits[0]), of_gpus),
               lost_cell(overview::lost(entry, kWasteUnits[1]), of_nodes), money_cell(waste),
               duration_cell(entry.seconds), count_cell(entry.gpus), overview_moment(entry.start),
               page_words(entry), entry.complete ? "" : "incomplete"});
  }
  Section section;
  const std::int64_t reports = reports_in(entries);
  if (reports == 0) return missing("No job has a report.");
  section.say(fmt::format("{}: {}.", plural(reports, "job"), verdict_counts(entries)));
  const auto incomplete = std::count_if(entries.begin(), entries.end(), [](const Entry& entry) {
    return has_report(entry) && !entry.complete;
  });
  if (incomplete > 0)
    section.say(fmt::format("{} had incomplete input; see Data quality in each report.",
                            plural(incomplete, "job")));
  section.show(table.drop_unknown(), kJobsShown, "jobs");
  return section;
}

std::optional<Section> failures_section(const std::vector<Entry>& entries) {
  Table table("Jobs without a report", {{"Job", Kind::head}, {"Why", Kind::words}});
  table.all_rows();
  for (const Entry& entry : entries)
    if (!has_report(entry)) table.add({printable(entry.input), printable(entry.error)});
  if (table.size() == 0) return std::nullopt;
  Section section;
  const auto failed = static_cast<std::int64_t>(table.size());
  section.say(fmt::format("{} of {} {} no report.", grouped(failed),
                          plural(std::ssize(entries), "job"), failed == 1 ? "has" : "have"));
  section.show(table, kJobsShown, "jobs");
  return section;
}

std::string verdict_counts(const std::vector<Entry>& entries) {
  std::vector<std::string> parts;
  for (const Grade& grade : grades())
    if (const std::int64_t count = count_of_grade(entries, grade.badge); count > 0) {
      std::string word = grade.badge->word;
      std::transform(word.begin(), word.begin() + 1, word.begin(),
                     [](char c) { return static_cast<char>(c - 'A' + 'a'); });
      parts.push_back(fmt::format("{} {}", grouped(count), word));
    }
  return join_and(parts);
}

json overview_head(const std::vector<Entry>& entries) {
  const std::int64_t failed = std::ssize(entries) - reports_in(entries);
  return {{"title", fmt::format("Reports of {}", plural(std::ssize(entries), "job"))},
          {"version", kVersion},
          {"notice", failed == 0
                         ? json(nullptr)
                         : json(fmt::format("{} without a report.", plural(failed, "job")))},
          {"facts", {{{"name", "made by"}, {"value", fmt::format("debrief {}", kVersion)}}}},
          {"keys", overview_keys_view(entries, waste_of_all(entries))}};
}

std::string to_html(const std::vector<Entry>& entries) {
  const result::Waste waste = waste_of_all(entries);
  SectionList sections;
  SectionFrame jobs{.id = "jobs",
                    .heading = "Jobs",
                    .how_to_read = kJobsHowToRead,
                    .how_computed = kJobsHowComputed};
  sections.add(std::move(jobs), jobs_section(entries));
  if (auto failures = failures_section(entries))
    sections.add({.id = "without-report", .heading = "Without a report"}, *std::move(failures));
  if (auto lost = waste_section(waste, entries))
    sections.add({.id = "waste", .heading = "Where the time went, all jobs"}, *std::move(lost));
  return std::move(sections).page("overview.html", overview_head(entries), "Overview");
}

} // namespace debrief::render
