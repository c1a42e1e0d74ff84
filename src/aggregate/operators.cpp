#include "aggregate/operators.h"

#include "aggregate/self_time.h"
#include "util/parallel.h"
#include "util/sort_runs.h"

#include <algorithm>
#include <map>

namespace debrief::aggregate {

namespace {

using Rows = std::vector<std::int32_t>; // no job has two thousand million events

/// Calls `visit(line, row)` for the rows of this kind; lines are those they nest on, a track and a
/// phase of it, counted from 0 by their first rows.
template <typename Visit>
void each_row(const job::EventTable& events, const WorkKinds& kinds, Work kind,
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
std::vector<Rows> lines_of(const job::EventTable& events, const WorkKinds& kinds, Work kind) {
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

OperatorTimes operator_times(const job::EventTable& events, const WorkKinds& kinds, Work kind) {
  std::vector<Rows> lines = lines_of(events, kinds, kind);
  parallel_for(lines.size(), [&](std::size_t line) { sort_by_nesting(events, lines[line]); });

  std::vector<OperatorsSums> sums(events.names.size());
  std::map<std::string_view, OperatorsSums> by_phase;
  for (const Rows& line : lines) {
    OperatorsSums& of_phase = by_phase[events.phase_of(static_cast<std::size_t>(line.front()))];
    SelfTimes<job::StringTable::Id> self;
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

} // namespace debrief::aggregate
