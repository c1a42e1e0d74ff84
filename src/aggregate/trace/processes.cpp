#include "aggregate/trace/processes.h"

#include "job/metrics.h"
#include "util/text.h"

#include <algorithm>

namespace debrief::aggregate {

std::vector<TracedProcess> by_process(std::span<const TraceIndex> traces) {
  std::vector<TracedProcess> processes;
  for (const TraceIndex& index : traces) {
    const auto same = [&](const TracedProcess& process) {
      return process.name == index.trace.process;
    };
    auto found = std::find_if(processes.begin(), processes.end(), same);
    if (found == processes.end())
      found = processes.insert(processes.end(), {index.trace.process, {}});
    found->cycles.push_back(&index);
  }
  const auto start = [](const TraceIndex* index) {
    return index->steps.empty() ? INT64_MAX : index->steps.front().start;
  };
  for (TracedProcess& process : processes)
    std::stable_sort(process.cycles.begin(), process.cycles.end(),
                     [&](const TraceIndex* a, const TraceIndex* b) { return start(a) < start(b); });
  std::stable_sort(
      processes.begin(), processes.end(),
      [](const TracedProcess& a, const TracedProcess& b) { return natural_less(a.name, b.name); });
  return processes;
}

} // namespace debrief::aggregate
