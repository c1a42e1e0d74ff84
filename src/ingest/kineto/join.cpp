#include "ingest/kineto/join.h"

#include "job/annotation_names.h"
#include "util/parallel.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace debrief::ingest::kineto {

namespace {

/// The process whose CPU threads have most slices.
std::optional<std::int64_t> pid_of(const job::Trace& trace) {
  if (trace.pid) return trace.pid;
  std::vector<std::size_t> of_track(trace.tracks.size());
  for (const job::Slice& slice : trace.slices)
    ++of_track[static_cast<std::size_t>(slice.track)];
  std::map<std::int64_t, std::size_t> slices;
  for (std::size_t track = 0; track < of_track.size(); ++track)
    if (!trace.tracks[track].gpu && of_track[track] > 0)
      slices[trace.tracks[track].process] += of_track[track];
  const auto most =
      std::max_element(slices.begin(), slices.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == slices.end() ? std::nullopt : std::optional{most->first};
}

/// Whether some thread of the trace is of this process.
bool has_process(const job::Trace& trace, std::int64_t id) {
  return std::any_of(trace.tracks.begin(), trace.tracks.end(), [&](const job::TraceTrack& track) {
    return !track.gpu && track.process == id;
  });
}

/// A file name says what its writer liked: "worker0_step_12" is no host with a process 12, and 840
/// of "rank_840" is no rank where the trace is of process 840.
void doubt_file_name(job::Trace& trace) {
  const bool has_threads = std::any_of(trace.tracks.begin(), trace.tracks.end(),
                                       [](const job::TraceTrack& track) { return !track.gpu; });
  if (trace.pid && has_threads && !has_process(trace, *trace.pid)) {
    trace.node.clear();
    trace.pid.reset();
  }
  if (trace.rank && *trace.rank > 1 && !trace.world_size && has_process(trace, *trace.rank)) {
    trace.pid = trace.rank;
    trace.rank.reset();
  }
}

std::string fallback_name(const job::Trace& trace) {
  if (trace.rank) return "rank " + std::to_string(*trace.rank);
  if (!trace.node.empty() && trace.pid) return trace.node + "-" + std::to_string(*trace.pid);
  if (!trace.node.empty()) return trace.node;
  const std::string name = trace.path.substr(trace.path.rfind('/') + 1);
  return name.substr(0, name.find(".json"));
}

bool any_phase(const job::EventTableBuilder& events, bool (*is)(std::string_view)) {
  std::vector<bool> wanted;
  for (std::size_t id = 0; id < events.phases.size(); ++id)
    wanted.push_back(is(events.phases[static_cast<job::StringTable::Id>(id)]));
  if (std::find(wanted.begin(), wanted.end(), true) == wanted.end()) return false;
  return events.any([&](const job::EventTableBuilder::Event& event) {
    return wanted[static_cast<std::size_t>(event.phase)];
  });
}

} // namespace

void name_nodes(std::vector<job::Trace>& traces, const std::vector<job::MetricSeries>& metrics) {
  std::set<std::string_view> machines;
  std::set<std::string_view> gpus;
  for (const job::MetricSeries& series : metrics) {
    machines.insert(series.node);
    if (series.metric == job::Metric::gpu_utilization) gpus.insert(series.device);
  }
  std::set<std::string_view> hosts;
  std::int64_t ranks = 0;
  for (const job::Trace& trace : traces) {
    if (!trace.node.empty()) hosts.insert(trace.node);
    ranks = std::max(ranks, trace.world_size.value_or(0));
  }
  if (machines.size() != 1 || hosts.size() != 1) return;
  // More ranks than one machine's GPUs, or than there are traces, may be on machines that left no
  // metrics.
  if (ranks > std::max(std::ssize(gpus), std::ssize(traces))) return;
  const std::string name{*machines.begin()};
  for (job::Trace& trace : traces)
    if (!trace.node.empty()) trace.node = name;
}

void name_processes(std::vector<job::Trace>& traces, const job::EventTableBuilder& events) {
  // The first timeline of each process id, and of each on its node.
  std::map<std::int64_t, const job::Timeline*> by_id;
  std::map<std::pair<std::int64_t, std::string_view>, const job::Timeline*> by_node;
  for (const job::Timeline& timeline : events.timelines()) {
    if (!timeline.rank || timeline.process.empty()) continue;
    by_id.try_emplace(*timeline.rank, &timeline);
    by_node.try_emplace({*timeline.rank, timeline.node}, &timeline);
  }
  const auto find = [](const auto& among, const auto& key) {
    const auto found = among.find(key);
    return found == among.end() ? nullptr : found->second;
  };
  parallel_for(traces.size(), [&](std::size_t i) {
    doubt_file_name(traces[i]);
    traces[i].pid = pid_of(traces[i]);
  });
  for (job::Trace& trace : traces) {
    const job::Timeline* found = nullptr;
    if (trace.pid)
      found = trace.node.empty()
                  ? find(by_id, *trace.pid)
                  : find(by_node, std::pair{*trace.pid, std::string_view{trace.node}});
    trace.process = found == nullptr ? fallback_name(trace) : found->process;
    if (trace.node.empty() && found != nullptr) trace.node = found->node;
  }
}

void add_events(const std::vector<job::Trace>& traces, job::EventTableBuilder& events) {
  const bool steps =
      !any_phase(events, [](std::string_view phase) { return phase.starts_with("Step:ModeKeys"); });
  const bool loading =
      !any_phase(events, [](std::string_view phase) { return phase.starts_with("DataLoader"); });
  const auto is_event = [&](std::string_view name) {
    return (steps && job::is_profiler_step(name)) || (loading && job::is_data_loader(name));
  };
  const auto found = parallel_map(traces, [&](const job::Trace& trace) {
    std::vector<const job::Slice*> of_trace;
    for (const job::Slice& slice : trace.slices)
      if (slice.kind == job::SliceKind::annotation && is_event(trace.names[slice.name]))
        of_trace.push_back(&slice);
    return of_trace;
  });
  for (std::size_t i = 0; i < traces.size(); ++i) {
    const job::Trace& trace = traces[i];
    std::optional<std::int32_t> timeline;
    for (const job::Slice* const at : found[i]) {
      const job::Slice& slice = *at;
      const std::string_view name = trace.names[slice.name];
      const bool is_step = steps && job::is_profiler_step(name);
      if (!timeline)
        timeline = events.timeline({job::TimelineKind::pytorch_profiler, trace.node, trace.process,
                                    trace.rank, trace.clock_known});
      job::EventTableBuilder::Event event;
      event.start = to_microseconds(slice.start);
      event.duration = to_microseconds(slice.end()) - event.start;
      event.name = events.names.intern(is_step ? "ProfilerStep" : name);
      event.phase = events.phases.intern(is_step ? "Step:ModeKeys.PROFILED" : "DataLoaderIter");
      event.track = events.track({*timeline, trace.pid, std::nullopt});
      if (is_step) event.step = job::profiler_step_number(name).value_or(job::kNoStep);
      events.add(event);
    }
  }
}

} // namespace debrief::ingest::kineto
