#include "findings/process_time.h"

#include "findings/thresholds.h"
#include "util/median.h"
#include "util/parallel.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <utility>

namespace debrief::findings {

namespace {

using namespace thresholds;

Microseconds median_length(const std::vector<aggregate::Step>& steps) {
  std::vector<Microseconds> lengths;
  lengths.reserve(steps.size());
  for (const aggregate::Step& step : steps)
    lengths.push_back(step.span.length());
  return median(std::move(lengths));
}

/// What of a step goes beyond a usual one; empty where it is usual itself.
TimeSpan excess(const aggregate::Step& step, Microseconds usual) {
  const Microseconds length = step.span.length();
  const bool stalls = static_cast<double>(length) > kStallFactor * static_cast<double>(usual) &&
                      length - usual > kMinStall;
  return {stalls ? step.span.first + usual : step.span.last, step.span.last};
}

struct Raw {
  std::string node;
  bool profiled = true;
  const aggregate::StepSeries* training = nullptr; ///< null: none, or started again in between
  Microseconds usual = 0;                          ///< training step, where there are enough
  std::vector<TimeSpan> steps;
  std::vector<TimeSpan> warm_up;
  std::vector<TimeSpan> stalls;
  std::vector<TimeSpan> compiling;
  std::vector<TimeSpan> saving;
  std::vector<TimeSpan> collecting;
  std::vector<TimeSpan> loading;
  bool loading_profiled = false;
  std::vector<TimeSpan> collectives;
};

void add_steps(const aggregate::StepSeries& series, Raw& raw) {
  raw.node = series.node;
  if (series.mode != result::kProfiledMode) raw.profiled = false;
  const bool enough = series.steps.size() >= kMinStepsForMedian;
  const Microseconds usual = enough ? median_length(series.steps) : INT64_MAX / 4;
  if (enough && series.mode == result::kTrainMode) {
    raw.training = &series;
    raw.usual = usual;
  }
  for (std::size_t i = 0; i < series.steps.size(); ++i) {
    const aggregate::Step& step = series.steps[i];
    if (!step.clock_known) continue;
    raw.steps.push_back(step.span);
    const TimeSpan more = excess(step, usual);
    if (more.length() > 0) (i == 0 ? raw.warm_up : raw.stalls).push_back(more);
  }
}

/// Processes have nothing to do with each other: each is looked at by itself.
std::map<std::string, Raw> with_steps(std::span<const aggregate::StepSeries> steps) {
  std::map<std::string, std::pair<Raw, std::vector<const aggregate::StepSeries*>>> processes;
  for (const aggregate::StepSeries& series : steps)
    processes[series.process].second.push_back(&series);
  std::vector<std::pair<Raw, std::vector<const aggregate::StepSeries*>>*> all;
  for (auto& [name, process] : processes)
    all.push_back(&process);
  parallel_for(all.size(), [&](std::size_t i) {
    for (const aggregate::StepSeries* const series : all[i]->second)
      add_steps(*series, all[i]->first);
  });
  std::map<std::string, Raw> out;
  for (auto& [name, process] : processes)
    out.emplace(name, std::move(process.first));
  return out;
}

/// The set of a process that events of this kind belong to; null: of other kinds.
std::vector<TimeSpan> Raw::*set_of(aggregate::EventKind kind) {
  switch (kind) {
  case aggregate::EventKind::loader_next:
    return &Raw::loading;
  case aggregate::EventKind::collective:
    return &Raw::collectives;
  case aggregate::EventKind::compilation:
    return &Raw::compiling;
  case aggregate::EventKind::checkpoint:
    return &Raw::saving;
  case aggregate::EventKind::collection:
    return &Raw::collecting;
  default:
    return nullptr;
  }
}

void add_events(const job::EventTable& events, const aggregate::EventKinds& kinds,
                std::map<std::string, Raw>& processes) {
  for (std::size_t row = 0; row < events.size(); ++row) {
    const auto set = set_of(kinds.of(row));
    if (set == nullptr) continue;
    const job::Timeline& timeline = events.timeline_of(row);
    const auto process = processes.find(aggregate::process_name(timeline));
    if (process == processes.end() || !timeline.clock_known) continue;
    const Microseconds start = events.start[row];
    (process->second.*set).push_back({start, start + events.duration[row]});
    if (set == &Raw::loading && timeline.kind == job::TimelineKind::pytorch_profiler)
      process->second.loading_profiled = true;
  }
}

void append(std::vector<TimeSpan>& to, const std::vector<TimeSpan>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

void append(Raw& to, const Raw& more) {
  to.training = nullptr;
  append(to.steps, more.steps);
  append(to.warm_up, more.warm_up);
  append(to.stalls, more.stalls);
  append(to.compiling, more.compiling);
  append(to.saving, more.saving);
  append(to.collecting, more.collecting);
  append(to.loading, more.loading);
  append(to.collectives, more.collectives);
  to.loading_profiled |= more.loading_profiled;
}

Microseconds first_of(const Raw& raw) {
  return std::min_element(raw.steps.begin(), raw.steps.end(),
                          [](const auto& a, const auto& b) { return a.first < b.first; })
      ->first;
}

Microseconds last_of(const Raw& raw) {
  return std::max_element(raw.steps.begin(), raw.steps.end(),
                          [](const auto& a, const auto& b) { return a.last < b.last; })
      ->last;
}

/// Processes of a node that come one after the other are one that was started again: a node's time
/// is the mean over those that ran side by side. Goes by the name of the first.
std::map<std::string, Raw> join_restarted(std::map<std::string, Raw> processes) {
  std::vector<std::pair<Microseconds, std::string>> by_start;
  for (const auto& [name, raw] : processes)
    by_start.emplace_back(first_of(raw), name);
  std::sort(by_start.begin(), by_start.end());
  std::map<std::string, Raw> joined;
  std::map<std::string, std::multimap<Microseconds, std::string>> ended; // of each node, by when
  for (const auto& [start, name] : by_start) {
    Raw& raw = processes[name];
    const Microseconds last = last_of(raw);
    auto& before = ended[raw.node];
    auto previous = before.upper_bound(start);
    std::string worker = name;
    if (!raw.profiled && previous != before.begin()) {
      worker = (--previous)->second;
      before.erase(previous);
      append(joined[worker], raw);
    } else {
      joined[name] = std::move(raw);
    }
    if (!joined[worker].profiled) before.emplace(last, worker);
  }
  return joined;
}

/// Whether two processes train one model together: their steps end together, since each waits for
/// the other's gradients. Those of processes that know nothing of each other drift apart.
bool in_step(const aggregate::StepSeries& a, const aggregate::StepSeries& b) {
  const std::size_t count = std::min(a.steps.size(), b.steps.size());
  if (count < kMinStepsForMedian || std::max(a.steps.size(), b.steps.size()) > count + 1)
    return false;
  std::vector<Microseconds> apart;
  for (std::size_t i = 0; i < count; ++i)
    if (a.steps[i].clock_known && b.steps[i].clock_known)
      apart.push_back(std::abs(a.steps[i].span.last - b.steps[i].span.last));
  if (apart.size() < kMinStepsForMedian) return false;
  const Microseconds iteration =
      (a.steps[count - 1].span.last - a.steps[0].span.last) / static_cast<std::int64_t>(count - 1);
  return static_cast<double>(median(std::move(apart))) <
         kMaxApartInStep * static_cast<double>(iteration);
}

/// Of each iteration, how long at least one of the ranks waited for data before its step began.
std::vector<Microseconds> longest_waits(const std::vector<Raw*>& ranks) {
  std::vector<std::vector<Microseconds>> waits(ranks.size());
  parallel_for(ranks.size(), [&](std::size_t rank) {
    const Coverage<Microseconds> loading{merged(ranks[rank]->loading)};
    const std::vector<aggregate::Step>& steps = ranks[rank]->training->steps;
    waits[rank].resize(steps.size());
    for (std::size_t i = 1; i < steps.size(); ++i)
      waits[rank][i] = loading.within({steps[i - 1].span.last, steps[i].span.first});
  });
  std::vector<Microseconds> longest;
  for (const std::vector<Microseconds>& of_rank : waits) {
    longest.resize(std::max(longest.size(), of_rank.size()));
    for (std::size_t i = 0; i < of_rank.size(); ++i)
      longest[i] = std::max(longest[i], of_rank[i]);
  }
  return longest;
}

/// Who waits for a rank that waits for its data, waits for data too: that part of its step is
/// loading. Looks only at steps that take a multiple of what the quickest rank's usually take.
void share_waits(std::map<std::string, Raw>& processes) {
  std::vector<Raw*> ranks;
  Microseconds quick = INT64_MAX / 4;
  for (auto& [name, raw] : processes) {
    if (raw.profiled || raw.loading_profiled || raw.training == nullptr) continue;
    ranks.push_back(&raw);
    quick = std::min(quick, raw.usual);
  }
  if (ranks.size() < 2) return;
  std::atomic<bool> together{true};
  parallel_for(ranks.size() - 1, [&](std::size_t i) {
    if (!in_step(*ranks.front()->training, *ranks[i + 1]->training)) together = false;
  });
  if (!together) return;
  const std::vector<Microseconds> waits = longest_waits(ranks);
  parallel_for(ranks.size(), [&](std::size_t at) {
    Raw& rank = *ranks[at];
    for (std::size_t i = 1; i < rank.training->steps.size(); ++i) {
      const TimeSpan& step = rank.training->steps[i].span;
      if (static_cast<double>(step.length()) <= kStallFactor * static_cast<double>(quick)) continue;
      const Microseconds wait = std::min(step.length() - quick, waits[i]);
      if (wait > 0) rank.loading.push_back({step.first + quick, step.first + quick + wait});
    }
  });
}

/// Each set without those that come before it, so that a moment counts once.
ProcessTime to_process_time(const std::string& name, Raw raw) {
  ProcessTime out;
  out.process = name;
  out.node = raw.node;
  out.profiled = raw.profiled;
  const std::vector<TimeSpan> steps = merged(std::move(raw.steps));
  const std::vector<TimeSpan> all =
      raw.profiled ? steps : std::vector<TimeSpan>{{steps.front().first, steps.back().last}};
  out.known = total_length(all);
  std::vector<TimeSpan> told;
  const auto take = [&](std::vector<TimeSpan>& to, const std::vector<TimeSpan>& set) {
    to = difference(set, told);
    told = set_union(told, to);
  };
  take(out.warm_up, difference(merged(std::move(raw.warm_up)), merged(raw.loading)));
  take(out.compiling, merged(std::move(raw.compiling)));
  take(out.saving, merged(std::move(raw.saving)));
  // Waits that a trace of a few steps knows say nothing of the others.
  if (!raw.loading_profiled || raw.profiled) take(out.input, merged(std::move(raw.loading)));
  take(out.collecting, merged(std::move(raw.collecting)));
  take(out.stall, merged(std::move(raw.stalls)));
  take(out.between, difference(all, steps));
  take(out.collective, merged(std::move(raw.collectives)));
  return out;
}

} // namespace

std::vector<ProcessTime> process_times(const job::EventTable& events,
                                       const aggregate::EventKinds& kinds,
                                       std::span<const aggregate::StepSeries> steps) {
  std::map<std::string, Raw> processes = with_steps(steps);
  std::erase_if(processes, [](const auto& process) { return process.second.steps.empty(); });
  add_events(events, kinds, processes);
  std::map<std::string, Raw> joined = join_restarted(std::move(processes));
  share_waits(joined);
  std::vector<std::pair<const std::string, Raw>*> in_order;
  for (auto& process : joined)
    in_order.push_back(&process);
  std::vector<ProcessTime> out(in_order.size());
  parallel_for(out.size(), [&](std::size_t i) {
    out[i] = to_process_time(in_order[i]->first, std::move(in_order[i]->second));
  });
  return out;
}

NodeActivity::NodeActivity(std::span<const ProcessTime> processes, const std::string& node) {
  for (const ProcessTime& process : processes) {
    if (!process.node.empty() && process.node != node) continue;
    if (process.known <= 0 || process.profiled) continue;
    std::vector<Coverage<Microseconds>>& sets = processes_.emplace_back();
    for (const Activity& activity : kActivities)
      sets.emplace_back(process.*activity.set);
  }
}

ActivityShares NodeActivity::within(const TimeSpan& span) const {
  ActivityShares shares;
  if (processes_.empty() || span.length() <= 0) return shares;
  const double whole = static_cast<double>(span.length()) * static_cast<double>(processes_.size());
  for (std::size_t at = 0; at < kActivities.size(); ++at) {
    double within = 0;
    for (const std::vector<Coverage<Microseconds>>& sets : processes_)
      within += static_cast<double>(sets[at].within(span));
    shares.*kActivities[at].share = std::min(within / whole, 1.0);
  }
  return shares;
}

} // namespace debrief::findings
