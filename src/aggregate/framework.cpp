#include "aggregate/framework.h"

#include "aggregate/self_time.h"
#include "util/interval_set.h"
#include "util/parallel.h"
#include "util/sort_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace debrief::aggregate {

namespace {

using result::ShareRow;

/// The modes of one process and "others", the time between its first and last step that is in none.
/// Of steps with a clock, where there are any: others have no place among those. Profiled steps
/// have no part in it: what is between them was mostly not recorded.
void add_phases(std::span<const StepSeries> of_process, std::vector<ShareRow>& rows) {
  const bool placed =
      std::any_of(of_process.begin(), of_process.end(),
                  [](const StepSeries& series) { return series.steps.front().clock_known; });
  std::vector<ShareRow> own;
  std::vector<TimeSpan> covered;
  for (const StepSeries& series : of_process) {
    if (series.mode == result::kProfiledMode) continue;
    const Microseconds before = total_length(covered);
    std::int64_t calls = 0;
    for (const Step& step : series.steps) {
      if (step.clock_known != placed) continue;
      covered.push_back(step.span);
      ++calls;
    }
    if (calls == 0) continue;
    covered = merged(std::move(covered));
    own.push_back({series.process, "Step:ModeKeys." + series.mode, 0,
                   in_seconds(total_length(covered) - before), calls});
  }
  if (covered.empty()) return;
  const Microseconds loop = covered.back().last - covered.front().first;
  if (loop <= 0) return; // no time that could have parts
  own.push_back({of_process.front().process, "others", 0, in_seconds(loop - total_length(covered)),
                 std::nullopt});
  set_percents(own);
  std::move(own.begin(), own.end(), std::back_inserter(rows));
}

std::vector<ShareRow> phases(std::span<const StepSeries> steps) {
  std::vector<ShareRow> rows;
  for (auto first = steps.begin(); first != steps.end();) {
    const auto last = std::find_if(first, steps.end(), [&](const StepSeries& series) {
      return series.process != first->process;
    });
    add_phases({first, last}, rows);
    first = last;
  }
  return rows;
}

/// Sums by the id of a name or a phase.
class SumsById {
public:
  explicit SumsById(const job::StringTable& texts)
      : texts_(texts) {}

  void add(job::StringTable::Id id, Microseconds duration) {
    if (sums_.empty()) sums_.resize(texts_.size());
    ShareSum& sum = sums_[static_cast<std::size_t>(id)];
    sum.duration += duration;
    ++sum.calls;
  }

  ShareSums by_text() const {
    ShareSums named;
    for (std::size_t id = 0; id < sums_.size(); ++id)
      if (sums_[id].calls > 0)
        named.emplace(texts_[static_cast<job::StringTable::Id>(id)], sums_[id]);
    return named;
  }

private:
  const job::StringTable& texts_;
  std::vector<ShareSum> sums_;
};

/// Forward against backward: of whole passes, or of their parts where nothing else was recorded.
std::vector<ShareRow> passes(const ShareSums& whole, const ShareSums& parts) {
  ShareSums sums;
  const auto collect = [&](const ShareSums& phases) {
    for (const auto& [phase, sum] : phases) {
      const bool forward = phase.starts_with("Forward");
      if (!forward && !phase.starts_with("Backward")) continue;
      ShareSum& into = sums[forward ? "Forward pass" : "Backward pass"];
      into.duration += sum.duration;
      into.calls += sum.calls;
    }
  };
  collect(whole);
  if (sums.empty()) collect(parts);
  return shares(sums);
}

} // namespace

result::Framework framework_metrics(const job::EventTable& events, const EventKinds& kinds,
                                    std::span<const StepSeries> steps) {
  result::Framework framework;
  framework.phase = phases(steps);
  SumsById general{events.phases};
  SumsById parts_of_passes{events.phases};
  SumsById collectives{events.names};
  for (std::size_t row = 0; row < events.size(); ++row) {
    const EventKind work = kinds.of(row);
    const Microseconds duration = events.duration[row];
    if (work == EventKind::collective)
      collectives.add(events.name[row], duration);
    else if (work == EventKind::forward_submodule || work == EventKind::backward_submodule)
      parts_of_passes.add(events.phase[row], duration);
    else if (work != EventKind::step && work != EventKind::cpu_operator &&
             work != EventKind::gpu_operator)
      general.add(events.phase[row], duration);
  }
  framework.general = shares(general.by_text());
  framework.collectives = shares(collectives.by_text());
  framework.forward_backward = passes(general.by_text(), parts_of_passes.by_text());
  OperatorTimes cpu = operator_times(events, kinds, EventKind::cpu_operator);
  OperatorTimes gpu = operator_times(events, kinds, EventKind::gpu_operator);
  framework.cpu_operators = std::move(cpu.table);
  framework.gpu_operators = std::move(gpu.table);
  // By the time that threads and streams were busy with them.
  framework.ratio = std::move(gpu.busy);
  std::move(cpu.busy.begin(), cpu.busy.end(), std::back_inserter(framework.ratio));
  set_percents(framework.ratio);
  if (!framework.cpu_operators.rows.empty() || !framework.gpu_operators.rows.empty())
    framework.operator_source = result::kFromTimelines;
  return framework;
}

namespace {

using Rows = std::vector<std::int32_t>; // no job has two thousand million events

/// Calls `visit(line, row)` for the rows of this kind; lines are those they nest on, a track and a
/// phase of it, counted from 0 by their first rows.
template <typename Visit>
void each_row(const job::EventTable& events, const EventKinds& kinds, EventKind kind,
              const Visit& visit) {
  std::map<std::pair<std::int32_t, std::int32_t>, std::size_t> lines;
  std::pair<std::int32_t, std::int32_t> last{-1, -1};
  std::size_t line = 0;
  for (std::size_t row = 0; row < events.size(); ++row) {
    if (kinds.of(row) != kind) continue;
    const std::pair key{events.track[row], events.phase[row]};
    if (key != last) line = lines.try_emplace(key, lines.size()).first->second;
    last = key;
    visit(line, row);
  }
}

/// Counted before they are kept: lists that grow would take twice the memory for a moment.
std::vector<Rows> lines_of(const job::EventTable& events, const EventKinds& kinds, EventKind kind) {
  std::vector<std::size_t> sizes;
  each_row(events, kinds, kind, [&](std::size_t line, std::size_t) {
    if (line == sizes.size()) sizes.push_back(0);
    ++sizes[line];
  });
  std::vector<Rows> lines(sizes.size());
  for (std::size_t line = 0; line < lines.size(); ++line)
    lines[line].reserve(sizes[line]);
  each_row(events, kinds, kind, [&](std::size_t line, std::size_t row) {
    lines[line].push_back(static_cast<std::int32_t>(row));
  });
  return lines;
}

struct OperatorsSums {
  std::int64_t total = 0;
  std::int64_t self = 0;
  std::int64_t calls = 0;
};

/// Percents of the sums of all rows, and the rows that are listed.
result::OperatorTable make_table(std::vector<result::OperatorRow> rows) {
  double total = 0;
  double self = 0;
  for (const result::OperatorRow& row : rows) {
    total += static_cast<double>(row.total_us);
    self += static_cast<double>(*row.self_us);
  }
  for (result::OperatorRow& row : rows) {
    row.percent = total > 0 ? 100 * static_cast<double>(row.total_us) / total : 0;
    row.self_percent = self > 0 ? 100 * static_cast<double>(*row.self_us) / self : 0;
  }
  std::sort(rows.begin(), rows.end(),
            [](const result::OperatorRow& a, const result::OperatorRow& b) {
              if (a.self_us != b.self_us) return *a.self_us > *b.self_us;
              return a.total_us != b.total_us ? a.total_us > b.total_us : a.name < b.name;
            });
  result::OperatorTable table;
  table.count = static_cast<std::int64_t>(rows.size());
  if (rows.size() > result::kMaxOperators) rows.resize(result::kMaxOperators);
  table.rows = std::move(rows);
  return table;
}

/// By start, the longest first among those that start together.
void sort_by_nesting(const job::EventTable& events, Rows& rows) {
  const Microseconds* const start = events.start.data();
  const Microseconds* const duration = events.duration.data();
  sort_runs(rows.begin(), rows.end(), [&](std::int32_t a, std::int32_t b) {
    return start[a] != start[b] ? start[a] < start[b] : duration[a] > duration[b];
  });
}

} // namespace

OperatorTimes operator_times(const job::EventTable& events, const EventKinds& kinds,
                             EventKind kind) {
  std::vector<Rows> lines = lines_of(events, kinds, kind);
  parallel_for(lines.size(), [&](std::size_t line) { sort_by_nesting(events, lines[line]); });

  std::vector<OperatorsSums> sums(events.names.size());
  std::map<std::string_view, OperatorsSums> by_phase;
  for (const Rows& line : lines) {
    OperatorsSums& of_phase = by_phase[events.phase_of(static_cast<std::size_t>(line.front()))];
    SelfTimes<Microseconds, job::StringTable::Id> self;
    for (const std::int32_t of_line : line) {
      const auto row = static_cast<std::size_t>(of_line);
      const Microseconds start = events.start[row];
      const Microseconds duration = events.duration[row];
      const job::StringTable::Id name = events.name[row];
      OperatorsSums& sum = sums[static_cast<std::size_t>(name)];
      sum.total += duration;
      ++sum.calls;
      ++of_phase.calls;
      self.take(start, start + duration, name, [&](job::StringTable::Id id, Microseconds amount) {
        sums[static_cast<std::size_t>(id)].self += amount;
        of_phase.self += amount;
      });
    }
  }
  std::vector<result::OperatorRow> rows;
  for (std::size_t id = 0; id < sums.size(); ++id) {
    if (sums[id].calls == 0) continue;
    result::OperatorRow row;
    row.name = events.names[static_cast<job::StringTable::Id>(id)];
    row.total_us = sums[id].total;
    row.self_us = sums[id].self;
    row.calls = sums[id].calls;
    rows.push_back(std::move(row));
  }
  OperatorTimes times;
  times.table = make_table(std::move(rows));
  for (const auto& [phase, sum] : by_phase)
    times.busy.push_back({"", std::string{phase}, 0, in_seconds(sum.self), sum.calls});
  return times;
}

namespace {

using result::ShareRow;

void sum_up_rest(std::vector<ShareRow>& rows) {
  if (rows.size() <= kMaxShares) return;
  ShareRow rest{"", "", 0, 0.0, 0, static_cast<std::int64_t>(rows.size() - kMaxShares + 1)};
  for (std::size_t i = kMaxShares - 1; i < rows.size(); ++i) {
    rest.percent += rows[i].percent;
    *rest.seconds += *rows[i].seconds;
    *rest.calls += *rows[i].calls;
  }
  rows.resize(kMaxShares - 1);
  rows.push_back(std::move(rest));
}

} // namespace

void set_percents(std::vector<ShareRow>& rows) {
  double sum = 0;
  for (const ShareRow& row : rows)
    sum += *row.seconds;
  for (ShareRow& row : rows)
    row.percent = sum > 0 ? 100 * *row.seconds / sum : 0;
}

std::vector<ShareRow> shares(const ShareSums& sums) {
  std::vector<ShareRow> rows;
  for (const auto& [name, sum] : sums)
    if (sum.duration > 0) rows.push_back({"", name, 0, in_seconds(sum.duration), sum.calls});
  set_percents(rows);
  std::stable_sort(rows.begin(), rows.end(),
                   [](const ShareRow& a, const ShareRow& b) { return a.percent > b.percent; });
  sum_up_rest(rows);
  return rows;
}

} // namespace debrief::aggregate
