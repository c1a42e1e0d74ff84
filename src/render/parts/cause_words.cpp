#include "render/parts/cause_words.h"

#include "render/parts/finding_words.h"
#include "render/parts/format.h"
#include "util/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace debrief::render {

namespace {

using chart::Meaning;
using result::Cause;
using result::FindingKind;

constexpr const char* kLaunchOverhead = "Launch overhead";

} // namespace

std::string kind_name(FindingKind kind) {
  switch (kind) {
  case FindingKind::diverged:
    return "Training after divergence";
  case FindingKind::loss_not_decreasing:
    return "Training without learning";
  case FindingKind::overfitting:
    return "Overfitting";
  case FindingKind::overtraining:
    return "Overtraining";
  case FindingKind::vanishing_gradients:
    return "Vanishing gradients";
  case FindingKind::dead_units:
    return "Dead or saturated units";
  case FindingKind::class_imbalance:
    return "Class imbalance";
  case FindingKind::input_bound:
    return "Waiting on data";
  case FindingKind::cpu_bound:
    return "CPU saturated";
  case FindingKind::io_bound:
    return "Waiting on disk";
  case FindingKind::underutilized:
    return "Underused GPU";
  case FindingKind::idle_gpus:
    return "Unused GPUs";
  case FindingKind::load_imbalance:
    return "Uneven work";
  case FindingKind::step_stalls:
    return "Stalled steps";
  case FindingKind::slow_start:
    return "Startup";
  case FindingKind::slow_finish:
    return "Shutdown";
  case FindingKind::between_steps:
    return "Between steps";
  case FindingKind::communication_bound:
    return "Exposed communication";
  case FindingKind::host_sync:
    return "Blocking syncs";
  case FindingKind::idle:
  case FindingKind::memory_growth:
  case FindingKind::memory_pressure:
  case FindingKind::gpu_throttled:
  case FindingKind::cpu_throttled:
  case FindingKind::insufficient_data:
  case FindingKind::unknown:
    break;
  }
  return "Other idle";
}

Meaning meaning_of(FindingKind kind) {
  switch (kind) {
  case FindingKind::diverged:
  case FindingKind::loss_not_decreasing:
  case FindingKind::overfitting:
  case FindingKind::overtraining:
  case FindingKind::vanishing_gradients:
  case FindingKind::dead_units:
  case FindingKind::class_imbalance:
    return Meaning::model;
  case FindingKind::input_bound:
    return Meaning::data;
  case FindingKind::io_bound:
    return Meaning::disk;
  case FindingKind::cpu_bound:
  case FindingKind::underutilized:
  case FindingKind::host_sync:
    return Meaning::launch;
  case FindingKind::step_stalls:
  case FindingKind::between_steps:
    return Meaning::between;
  case FindingKind::slow_start:
  case FindingKind::slow_finish:
    return Meaning::startup;
  case FindingKind::communication_bound:
    return Meaning::communication;
  default:
    return Meaning::idle;
  }
}

namespace {

/// Which of the model's troubles it is.
FindingKind kind_of_model(const result::Waste& waste) {
  for (const result::WastePart& part : waste.parts)
    if (meaning_of(part.kind) == Meaning::model) return part.kind;
  return FindingKind::diverged;
}

FindingKind kind_of(Cause cause, const result::Waste& waste) {
  if (cause == Cause::model) return kind_of_model(waste);
  constexpr std::array<FindingKind, result::kCauses> kKinds = {FindingKind::diverged,
                                                               FindingKind::idle_gpus,
                                                               FindingKind::slow_start,
                                                               FindingKind::slow_finish,
                                                               FindingKind::io_bound,
                                                               FindingKind::cpu_bound,
                                                               FindingKind::input_bound,
                                                               FindingKind::step_stalls,
                                                               FindingKind::between_steps,
                                                               FindingKind::host_sync,
                                                               FindingKind::communication_bound,
                                                               FindingKind::load_imbalance,
                                                               FindingKind::underutilized};
  const FindingKind kind = kKinds[result::index_of(cause)];
  return kind == FindingKind::underutilized && !waste.launch_bound ? FindingKind::idle : kind;
}

} // namespace

std::string cause_name(Cause cause, const result::Waste& waste) {
  const FindingKind kind = kind_of(cause, waste);
  return kind == FindingKind::underutilized ? kLaunchOverhead : kind_name(kind);
}

std::string lost_to(FindingKind kind, const result::Waste& waste) {
  if (kind != FindingKind::underutilized) return lowered(kind_name(kind));
  return waste.launch_bound ? lowered(kLaunchOverhead) : "unexplained idle time";
}

Meaning meaning_of(Cause cause, const result::Waste& waste) {
  return meaning_of(kind_of(cause, waste));
}

namespace {

/// Adds to the share of the same meaning, or a new one.
void add_share(std::vector<TimeShare>& shares, Meaning meaning, const std::string& name,
               double hours) {
  if (hours <= 0) return;
  const auto same = std::find_if(shares.begin(), shares.end(),
                                 [&](const TimeShare& share) { return share.meaning == meaning; });
  if (same == shares.end()) {
    shares.push_back({meaning, name, hours, 0});
    return;
  }
  same->hours += hours;
  if (same->name.find(name) == std::string::npos &&
      same->name.find(lowered(name)) == std::string::npos)
    same->name += ", " + lowered(name); // "Startup, shutdown"
}

} // namespace

std::vector<TimeShare> time_shares(const result::Waste& waste) {
  if (!waste.paid || *waste.paid <= 0) return {};
  std::vector<TimeShare> lost;
  for (const result::CauseCost& cost : waste.causes)
    add_share(lost, meaning_of(cost.cause, waste), cause_name(cost.cause, waste), cost.hours);
  if (waste.causes.empty()) { // of several jobs, or of a result that an older debrief wrote
    for (const result::WastePart& part : waste.parts)
      add_share(lost, meaning_of(part.kind), kind_name(part.kind), part.hours);
    add_share(lost, Meaning::idle, kind_name(FindingKind::idle), waste.other);
  }
  std::stable_sort(lost.begin(), lost.end(),
                   [](const auto& a, const auto& b) { return a.hours > b.hours; });
  std::vector<TimeShare> out;
  add_share(out, Meaning::compute, "Computing", waste.busy);
  out.insert(out.end(), lost.begin(), lost.end());
  add_share(out, Meaning::unmeasured, "Not measured", waste.unmeasured);
  for (TimeShare& share : out)
    share.percent = 100 * share.hours / *waste.paid;
  return out;
}

ShareBar share_bar(const result::Waste& waste, std::string label) {
  ShareBar out{std::move(label), {}};
  for (const TimeShare& share : time_shares(waste)) {
    const std::string percent = percent_text(share.percent);
    out.parts.push_back(
        {fmt::format("{}: {}, {}", share.name, percent, waste_time(waste, share.hours)),
         share.percent / 100, color_of(share.meaning), fmt::format("{} {}", share.name, percent)});
    out.label += fmt::format("; {} {}", share.name, percent);
  }
  return out;
}

} // namespace debrief::render
