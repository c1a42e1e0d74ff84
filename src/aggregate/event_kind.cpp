#include "aggregate/event_kind.h"

#include <algorithm>
#include <cctype>

namespace debrief::aggregate {

namespace {

bool contains_lower(std::string_view text, std::string_view lower_part) {
  const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  return std::search(text.begin(), text.end(), lower_part.begin(), lower_part.end(), same) !=
         text.end();
}

EventKind kind_of_phase(std::string_view phase) {
  if (phase.starts_with("Step:ModeKeys")) return EventKind::step;
  if (phase == "Forward") return EventKind::forward;
  if (phase.starts_with("Backward(post-forward)")) return EventKind::backward;
  if (phase == "Forward-SubModuleInternal") return EventKind::forward_submodule;
  if (phase == "Backward-SubModuleInternal") return EventKind::backward_submodule;
  if (phase == "DataLoaderIterInitialize") return EventKind::loader_setup;
  if (phase == "DataLoaderIter" || phase == "DataIterator") return EventKind::loader_next;
  if (phase == "DataLoaderWorker") return EventKind::loader_worker;
  if (phase == "NcclManager") return EventKind::collective;
  if (phase == "Checkpoint") return EventKind::checkpoint;
  if (phase == "Compile") return EventKind::compilation;
  if (phase == "GarbageCollection") return EventKind::collection;
  if (contains_lower(phase, "cpu")) return EventKind::cpu_operator;
  if (contains_lower(phase, "gpu")) return EventKind::gpu_operator;
  return EventKind::general;
}

} // namespace

EventKinds::EventKinds(const job::EventTable& events) {
  std::vector<EventKind> by_phase;
  by_phase.reserve(events.phases.size());
  for (std::size_t id = 0; id < events.phases.size(); ++id)
    by_phase.push_back(kind_of_phase(events.phases[static_cast<job::StringTable::Id>(id)]));
  std::vector<bool> all_collective; // by track, of recorders of nothing else
  for (const job::Track& track : events.tracks) {
    const job::TimelineKind kind = events.timelines[static_cast<std::size_t>(track.timeline)].kind;
    all_collective.push_back(kind == job::TimelineKind::horovod ||
                             kind == job::TimelineKind::smdataparallel);
  }
  by_row_.reserve(events.size());
  for (std::size_t row = 0; row < events.size(); ++row)
    by_row_.push_back(all_collective[static_cast<std::size_t>(events.track[row])]
                          ? EventKind::collective
                          : by_phase[static_cast<std::size_t>(events.phase[row])]);
}

bool has_timelines(const job::EventTable& events) {
  for (std::size_t row = 0; row < events.size(); ++row)
    if (events.timeline_of(row).kind != job::TimelineKind::pytorch_profiler) return true;
  return false;
}

std::string process_name(const job::Timeline& timeline) {
  if (!timeline.process.empty()) return timeline.process;
  return timeline.node.empty() ? "unknown process" : timeline.node;
}

} // namespace debrief::aggregate
