#include "render/parts/cause_words.h"

#include "render/parts/finding_words.h"
#include "render/parts/format.h"
#include "util/number_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace debrief::render {

namespace {

using result::Cause;
using result::FindingKind;

constexpr const char* kLaunchOverhead = "launch overhead";

/// Which of the model's troubles it is.
FindingKind kind_of_model(const result::Waste& waste) {
  for (const result::WastePart& part : waste.parts)
    if (is_about_model(part.kind)) return part.kind;
  return FindingKind::diverged;
}

FindingKind kind_of(Cause cause, const result::Waste& waste) {
  if (cause == Cause::model) return kind_of_model(waste);
  const FindingKind kind = result::kind_of(cause);
  return kind == FindingKind::underutilized && !waste.launch_bound ? FindingKind::idle : kind;
}

} // namespace

std::string kind_name(FindingKind kind) {
  return capitalized(spec_of(kind).name);
}

Meaning meaning_of(FindingKind kind) {
  return spec_of(kind).meaning;
}

std::string cause_name(Cause cause, const result::Waste& waste) {
  const FindingKind kind = kind_of(cause, waste);
  return kind == FindingKind::underutilized ? capitalized(kLaunchOverhead) : kind_name(kind);
}

std::string lost_to(FindingKind kind, const result::Waste& waste) {
  if (kind == FindingKind::idle) return "several causes";
  if (kind != FindingKind::underutilized) return spec_of(kind).name;
  return waste.launch_bound ? kLaunchOverhead : "unexplained idle time";
}

Meaning meaning_of(Cause cause, const result::Waste& waste) {
  return meaning_of(kind_of(cause, waste));
}

namespace {

/// Time of one name: a part of a share.
struct NamedTime {
  Meaning meaning = Meaning::idle;
  std::string name;
  double hours = 0;
};

void add_time(std::vector<NamedTime>& times, Meaning meaning, const std::string& name,
              double hours) {
  if (hours <= 0) return;
  const auto same = std::find_if(times.begin(), times.end(),
                                 [&](const NamedTime& time) { return time.name == name; });
  if (same == times.end())
    times.push_back({meaning, name, hours});
  else
    same->hours += hours;
}

/// Those of one meaning are one share, the largest named first.
std::vector<TimeShare> shares_of(std::vector<NamedTime> times, double paid) {
  const auto more = [](const auto& a, const auto& b) { return a.hours > b.hours; };
  std::stable_sort(times.begin(), times.end(), more);
  std::vector<TimeShare> shares;
  for (const NamedTime& time : times) {
    const std::string percent = percent_text(100 * time.hours / paid);
    const auto same = std::find_if(shares.begin(), shares.end(), [&](const TimeShare& share) {
      return share.meaning == time.meaning;
    });
    if (same == shares.end()) {
      shares.push_back(
          {time.meaning, time.name, time.hours, 0, fmt::format("{} {}", time.name, percent)});
      continue;
    }
    same->hours += time.hours;
    same->name += ", " + lowered(time.name);
    same->words += fmt::format(", {} {}", lowered(time.name), percent);
  }
  std::stable_sort(shares.begin(), shares.end(), more);
  for (TimeShare& share : shares)
    share.percent = 100 * share.hours / paid;
  return shares;
}

} // namespace

std::vector<TimeShare> time_shares(const result::Waste& waste) {
  return time_shares(std::span{&waste, 1});
}

std::vector<TimeShare> time_shares(std::span<const result::Waste> wastes) {
  double paid = 0;
  double busy = 0;
  double set_aside = 0;
  double unmeasured = 0;
  std::vector<NamedTime> lost;
  for (const result::Waste& waste : wastes) {
    paid += waste.paid.value_or(0);
    busy += waste.busy;
    set_aside += waste.set_aside;
    unmeasured += waste.unmeasured;
    for (const result::CauseCost& cost : waste.causes)
      add_time(lost, meaning_of(cost.cause, waste), cause_name(cost.cause, waste), cost.hours);
    if (!waste.causes.empty()) continue;
    for (const result::WastePart& part : waste.parts) // of a result that an older debrief wrote
      add_time(lost, meaning_of(part.kind), kind_name(part.kind), part.hours);
    add_time(lost, Meaning::idle, kind_name(FindingKind::idle), waste.other);
  }
  if (paid <= 0) return {};
  std::vector<TimeShare> out;
  const auto append = [&](std::vector<NamedTime> times) {
    const std::vector<TimeShare> shares = shares_of(std::move(times), paid);
    out.insert(out.end(), shares.begin(), shares.end());
  };
  if (busy > 0) append({{Meaning::compute, "Computing", busy}});
  append(std::move(lost));
  if (set_aside > 0) append({{Meaning::startup, kSetAsideName, set_aside}});
  if (unmeasured > 0) append({{Meaning::unmeasured, "Not measured", unmeasured}});
  return out;
}

ShareBar share_bar(const result::Waste& waste, std::string label) {
  ShareBar out{std::move(label), {}};
  for (const TimeShare& share : time_shares(waste)) {
    out.parts.push_back({fmt::format("{}: {}, {}", share.name, percent_text(share.percent),
                                     waste_time(waste, share.hours)),
                         share.percent / 100, chart::color_of(share.meaning), share.words});
    out.label += fmt::format("; {}", share.words);
  }
  return out;
}

} // namespace debrief::render
