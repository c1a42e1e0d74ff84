#include "export/timeline_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace debrief::exports {

namespace {

/// "CPUUtilization cpu0", "MemoryUsedPercent".
std::string counter_name(const job::MetricName& name) {
  if (name.dimension.empty() || name.name.empty()) {
    const std::string& known = name.name.empty() ? name.dimension : name.name;
    return known.empty() ? name.type : known;
  }
  return name.dimension + " " + name.name;
}

} // namespace

void write_metrics(const job::Job& job, const TimeRanges& ranges, ChromeTrace& out) {
  std::string node;
  std::int64_t process = 0;
  std::set<std::string> used; // of this node
  std::string args;
  for (const job::MetricSeries& series : job.metrics) { // by node
    if (process == 0 || series.node != node) {
      node = series.node;
      process = out.add_process(fmt::format("{} system metrics", node));
      used.clear();
    }
    std::string name = counter_name(series.recorded_as);
    if (!used.insert(name).second)
      used.insert(name = fmt::format("{} ({})", name, series.recorded_as.type));
    const std::string shown = json_text(name);
    const std::string key =
        json_text(series.unit == job::Unit::unknown ? "value" : job::to_string(series.unit));

    const auto times = series.time_span();
    const auto values = series.value_span();
    auto next = times.begin(); // what is before it was written
    for (const auto& [first, last] : ranges.spans()) {
      auto from = std::partition_point(
          next, times.end(), [first = first](Microseconds time) { return to_nanoseconds(time) < first; });
      if (from != next) --from;
      auto until = std::partition_point(
          from, times.end(), [last = last](Microseconds time) { return to_nanoseconds(time) < last; });
      if (until != times.end()) ++until;
      for (; from != until; ++from) {
        args.clear();
        fmt::format_to(std::back_inserter(args), "{}:{}", key,
                       values[static_cast<std::size_t>(from - times.begin())]);
        out.counter(process, shown, to_nanoseconds(*from), args);
      }
      next = until;
    }
  }
}

} // namespace debrief::exports
