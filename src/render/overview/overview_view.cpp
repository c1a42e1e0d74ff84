#include "overview/totals.h"
#include "render/overview/overview_page.h"
#include "render/parts/cells.h"
#include "render/parts/finding_words.h"
#include "render/parts/format.h"
#include "render/parts/section.h"
#include "render/parts/waste.h"
#include "result/lost.h"
#include "util/text.h"
#include "util/version.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace debrief::render {

namespace {

using nlohmann::json;
using overview::Entry;

/// How many jobs are seen before the rest is folded away.
constexpr std::size_t kJobsShown = 100;

constexpr std::array kUnits = {"GPU-hours", "node-hours"};

/// Gravest first.
struct Grade {
  const Standing* standing;
  int gravity;
};

const std::array<Grade, 5>& grades() {
  const auto of_kind = [](const char* kind) {
    result::Verdict verdict;
    verdict.kind = kind;
    return &standing_of(verdict);
  };
  static const std::array<Grade, 5> all = {{{&standing_of(result::Severity::critical), 4},
                                            {&standing_of(result::Severity::warning), 3},
                                            {&standing_of(result::Severity::info), 2},
                                            {of_kind("insufficient_data"), 1},
                                            {of_kind("healthy"), 0}}};
  return all;
}

Cell verdict_cell(const result::Verdict& verdict) {
  const Standing* standing = &standing_of(verdict);
  for (const Grade& grade : grades())
    if (grade.standing == standing) return {*standing, grade.gravity};
  return {*standing, 0};
}

bool has_report(const Entry& entry) {
  return entry.error.empty();
}

std::int64_t reports_in(const std::vector<Entry>& entries) {
  return std::count_if(entries.begin(), entries.end(), has_report);
}

std::int64_t count_of_grade(const std::vector<Entry>& entries, const Standing* standing) {
  return std::count_if(entries.begin(), entries.end(), [&](const Entry& entry) {
    return has_report(entry) && &standing_of(entry.verdict) == standing;
  });
}

/// "2026-11-14 23:48", in UTC.
std::string overview_moment(const std::optional<Microseconds>& time) {
  if (!time) return std::string{kUnknown};
  std::string text = to_iso8601(*time).substr(0, 16);
  text[10] = ' ';
  return text;
}

Cell hours_cell(const std::optional<double>& hours) {
  if (!hours) return kUnknown;
  Cell cell{short_number(*hours)};
  cell.raw = plain_number(*hours);
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

json jobs_view(const std::vector<Entry>& entries) {
  Table table("Jobs, most GPU-hours lost first", {{"Job", Kind::head},
                                                  {"Verdict", Kind::standing},
                                                  {"What", Kind::words},
                                                  {"Start (UTC)", Kind::time},
                                                  {"Duration", Kind::number},
                                                  {"GPUs", Kind::number},
                                                  {"GPU-hours lost", Kind::number},
                                                  {"Node-hours lost", Kind::number},
                                                  {"Lost (%)", Kind::number},
                                                  {"Lost (USD)", Kind::number},
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
               overview_moment(entry.start), duration_cell(entry.seconds), count_cell(entry.gpus),
               hours_cell(overview::lost(entry, kUnits[0])),
               hours_cell(overview::lost(entry, kUnits[1])),
               paid ? fmt::format("{:.1f}", percent) : std::string{kUnknown}, money_cell(waste),
               page_words(entry), entry.complete ? "" : "incomplete"});
  }
  Section section;
  const std::int64_t reports = reports_in(entries);
  if (reports == 0) return missing("No job has a report.");
  section.say(fmt::format("{}: {}.", counted(reports, "job"), verdict_counts(entries)));
  const auto incomplete = std::count_if(entries.begin(), entries.end(), [](const Entry& entry) {
    return has_report(entry) && !entry.complete;
  });
  if (incomplete > 0)
    section.say(fmt::format("Of {} something of the input was lost; data quality in the report "
                            "says what.",
                            counted(incomplete, "job")));
  section.show(table.drop_unknown(), kJobsShown, "jobs");
  return section.view();
}

json failures_view(const std::vector<Entry>& entries) {
  Table table("Jobs without a report", {{"Job", Kind::head}, {"Why", Kind::words}});
  table.all_rows();
  for (const Entry& entry : entries)
    if (!has_report(entry)) table.add({printable(entry.input), printable(entry.error)});
  if (table.size() == 0) return nullptr;
  Section section;
  const auto failed = static_cast<std::int64_t>(table.size());
  section.say(fmt::format("{} of {} {} no report.", grouped(failed),
                          counted(std::ssize(entries), "job"), failed == 1 ? "has" : "have"));
  section.show(table, kJobsShown, "jobs");
  return section.view();
}

/// What all jobs lost, in the unit that any of them has; GPU-hours where there are both.
result::Waste waste_of_all(const std::vector<Entry>& entries) {
  for (const char* unit : kUnits)
    if (result::Waste sum = overview::sum_of_waste(entries, unit); sum.paid) return sum;
  return {};
}

json waste_view(const result::Waste& waste) {
  if (!waste.paid || *waste.paid <= 0) return nullptr;
  Section section;
  section.say(lost_words(waste) + '.');
  add_waste(section, waste);
  return section.view();
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
    if (const std::int64_t count = count_of_grade(entries, grade.standing); count > 0)
      add(grade.standing->word, grouped(count), "");
  if (!waste.paid || *waste.paid <= 0) return keys;
  const double hours = result::lost_hours(waste);
  add(waste.unit + " paid", short_number(*waste.paid), "");
  add(waste.unit + " lost", short_number(hours), share_words(hours / *waste.paid));
  if (waste.price)
    add("USD lost", two_decimals(hours * *waste.price),
        fmt::format("of {}", two_decimals(*waste.paid * *waste.price)));
  return keys;
}

} // namespace

std::string verdict_counts(const std::vector<Entry>& entries) {
  std::vector<std::string> parts;
  for (const Grade& grade : grades())
    if (const std::int64_t count = count_of_grade(entries, grade.standing); count > 0) {
      std::string word = grade.standing->word;
      std::transform(word.begin(), word.begin() + 1, word.begin(),
                     [](char c) { return static_cast<char>(c - 'A' + 'a'); });
      parts.push_back(fmt::format("{} {}", grouped(count), word));
    }
  return listed(parts);
}

json make_overview_view(const std::vector<Entry>& entries) {
  const result::Waste waste = waste_of_all(entries);
  json sections = json::array();
  const auto add = [&](const char* id, const char* heading, json part) {
    if (!part.is_null())
      sections.push_back({{"id", id}, {"heading", heading}, {"part", std::move(part)}});
  };
  add("jobs", "Jobs", jobs_view(entries));
  add("without-report", "Without a report", failures_view(entries));
  add("waste", "Where the time of all jobs went", waste_view(waste));
  const std::int64_t failed = std::ssize(entries) - reports_in(entries);
  return {{"title", fmt::format("Reports of {}", counted(std::ssize(entries), "job"))},
          {"version", kVersion},
          {"notice", failed == 0
                         ? json(nullptr)
                         : json(fmt::format("{} without a report.", counted(failed, "job")))},
          {"facts", {{{"name", "made by"}, {"value", fmt::format("debrief {}", kVersion)}}}},
          {"keys", overview_keys_view(entries, waste)},
          {"sections", std::move(sections)}};
}

} // namespace debrief::render
