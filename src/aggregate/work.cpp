#include "aggregate/work.h"

#include <algorithm>
#include <cctype>

namespace debrief::aggregate {

namespace {

bool contains_lower(std::string_view text, std::string_view lower_part) {
  const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  return std::search(text.begin(), text.end(), lower_part.begin(), lower_part.end(), same) !=
         text.end();
}

Work classify_phase(std::string_view phase) {
  if (phase.starts_with("Step:ModeKeys")) return Work::step;
  if (phase == "Forward") return Work::forward;
  if (phase.starts_with("Backward(post-forward)")) return Work::backward;
  if (phase == "Forward-SubModuleInternal") return Work::forward_submodule;
  if (phase == "Backward-SubModuleInternal") return Work::backward_submodule;
  if (phase == "DataLoaderIterInitialize") return Work::loader_setup;
  if (phase == "DataLoaderIter" || phase == "DataIterator") return Work::loader_next;
  if (phase == "DataLoaderWorker") return Work::loader_worker;
  if (phase == "NcclManager") return Work::collective;
  if (contains_lower(phase, "cpu")) return Work::cpu_operator;
  if (contains_lower(phase, "gpu")) return Work::gpu_operator;
  return Work::general;
}

} // namespace

WorkKinds::WorkKinds(const job::EventTable& events) {
  std::vector<Work> by_phase;
  by_phase.reserve(events.phases.size());
  for (std::size_t id = 0; id < events.phases.size(); ++id)
    by_phase.push_back(classify_phase(events.phases[static_cast<job::StringTable::Id>(id)]));
  std::vector<bool> all_collective; // by track, of recorders of nothing else
  for (const job::Track& track : events.tracks) {
    const job::TimelineKind kind = events.timelines[static_cast<std::size_t>(track.timeline)].kind;
    all_collective.push_back(kind == job::TimelineKind::horovod ||
                             kind == job::TimelineKind::smdataparallel);
  }
  by_row_.reserve(events.size());
  for (std::size_t row = 0; row < events.size(); ++row)
    by_row_.push_back(all_collective[static_cast<std::size_t>(events.track[row])]
                          ? Work::collective
                          : by_phase[static_cast<std::size_t>(events.phase[row])]);
}

bool has_timelines(const job::EventTable& events) {
  for (std::size_t row = 0; row < events.size(); ++row)
    if (events.timeline_of(row).kind != job::TimelineKind::pytorch_profiler) return true;
  return false;
}

std::string_view mode_of(std::string_view phase) {
  const std::size_t dot = phase.find('.');
  return dot == phase.npos ? phase : phase.substr(dot + 1);
}

std::string process_name(const job::Timeline& timeline) {
  if (!timeline.process.empty()) return timeline.process;
  return timeline.node.empty() ? "unknown process" : timeline.node;
}

} // namespace debrief::aggregate
