#include "aggregate/operators.h"

#include "aggregate/self_time.h"
#include "util/parallel.h"

#include <arrow/array/array_primitive.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace debrief {

namespace {

using Rows = std::vector<std::size_t>;

/// The rows of this kind by the line they nest on: a track, and a phase of it.
std::vector<Rows> lines_of(const EventTable& events, const WorkKinds& kinds, Work kind) {
  std::map<std::pair<std::int32_t, std::int32_t>, std::size_t> ids;
  std::vector<Rows> lines;
  std::pair<std::int32_t, std::int32_t> last{-1, -1};
  std::size_t last_id = 0;
  for (std::size_t row = 0; row < events.size(); ++row) {
    if (kinds.of(row) != kind) continue;
    const std::pair key{events.track->raw_values()[row], events.phase->raw_values()[row]};
    if (key != last) {
      last = key;
      last_id = ids.try_emplace(key, lines.size()).first->second;
      if (last_id == lines.size()) lines.emplace_back();
    }
    lines[last_id].push_back(row);
  }
  return lines;
}

struct Sums {
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
  if (rows.size() > result::kMostOperators) rows.resize(result::kMostOperators);
  table.rows = std::move(rows);
  return table;
}

} // namespace

std::vector<Microseconds> self_times(const std::vector<Interval>& intervals) {
  std::vector<std::size_t> order(intervals.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const Interval& left = intervals[a];
    const Interval& right = intervals[b];
    if (left.start != right.start) return left.start < right.start;
    return left.end != right.end ? left.end > right.end : a < b;
  });
  std::vector<Microseconds> self(intervals.size());
  SelfTimes<std::size_t> times;
  for (const std::size_t index : order)
    times.take(intervals[index].start, intervals[index].end, index,
               [&](std::size_t id, Microseconds amount) { self[id] += amount; });
  return self;
}

OperatorTimes operator_times(const EventTable& events, const WorkKinds& kinds, Work kind) {
  const std::vector<Rows> lines = lines_of(events, kinds, kind);
  std::vector<std::vector<Microseconds>> self(lines.size());
  parallel_for(lines.size(), [&](std::size_t line) {
    std::vector<Interval> intervals;
    intervals.reserve(lines[line].size());
    for (const std::size_t row : lines[line]) {
      const Microseconds start = events.start->raw_values()[row];
      intervals.push_back({start, start + events.duration->raw_values()[row]});
    }
    self[line] = self_times(intervals);
  });

  std::vector<Sums> sums(events.names.size());
  std::map<std::string_view, Sums> by_phase;
  for (std::size_t line = 0; line < lines.size(); ++line) {
    Sums& of_phase = by_phase[events.phase_of(lines[line].front())];
    for (std::size_t i = 0; i < lines[line].size(); ++i) {
      const std::size_t row = lines[line][i];
      of_phase.self += self[line][i];
      ++of_phase.calls;
      Sums& sum = sums[static_cast<std::size_t>(events.name->raw_values()[row])];
      sum.total += events.duration->raw_values()[row];
      sum.self += self[line][i];
      ++sum.calls;
    }
  }
  std::vector<result::OperatorRow> rows;
  for (std::size_t id = 0; id < sums.size(); ++id) {
    if (sums[id].calls == 0) continue;
    result::OperatorRow row;
    row.name = events.names[static_cast<StringTable::Id>(id)];
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

} // namespace debrief
