#include "aggregate/trace/critical_path.h"

#include <algorithm>
#include <map>
#include <utility>

namespace debrief::aggregate {

namespace {

std::size_t number_of(PathPartKind part) {
  return static_cast<std::size_t>(part);
}

std::vector<PathSegment> walk_back(const StepGraph& graph) {
  std::vector<PathSegment> path;
  for (std::int32_t at = graph.end; at != StepGraph::kNone;) {
    const StepGraph::Node& node = graph.nodes[static_cast<std::size_t>(at)];
    if (node.after != StepGraph::kNone) {
      const Nanoseconds since = graph.nodes[static_cast<std::size_t>(node.after)].time;
      if (since < node.time) path.push_back({since, node.time, node.part, node.slice});
    }
    at = node.after;
  }
  std::reverse(path.begin(), path.end());
  return path;
}

/// From the beginning to the end, if `part` took no time wherever it is.
Nanoseconds length_without(const StepGraph& graph, PathPartKind part) {
  if (graph.end == StepGraph::kNone) return {};
  std::vector<Nanoseconds> reached(graph.nodes.size());
  std::size_t next = 0; // of in_time, which is in the order of `order`
  for (const std::int32_t at : graph.order) {
    const StepGraph::Node& node = graph.nodes[static_cast<std::size_t>(at)];
    Nanoseconds& time = reached[static_cast<std::size_t>(at)];
    if (node.after != StepGraph::kNone) {
      const auto after = static_cast<std::size_t>(node.after);
      time = reached[after];
      if (node.part != part) time += node.time - graph.nodes[after].time;
    }
    for (; next < graph.in_time.size() && graph.in_time[next].second == at; ++next)
      time = std::max(time, reached[static_cast<std::size_t>(graph.in_time[next].first)]);
  }
  return reached[static_cast<std::size_t>(graph.end)];
}

} // namespace

StepPath critical_path(const TraceIndex& index, const TraceStep& step) {
  const StepGraph graph = step_graph(index, step, step.start, step.end);
  StepPath path;
  path.segments = walk_back(graph);
  std::array<bool, kPathPartCount> seen{};
  for (const PathSegment& segment : path.segments)
    seen[number_of(segment.part)] = true;
  // A host that runs ahead of the GPU is on no path, but no step can be shorter than it takes.
  const bool ahead = step.start != step.host_start || step.end != step.host_end;
  const StepGraph host =
      ahead ? step_graph(index, step, step.host_start, step.host_end) : StepGraph{};
  for (std::size_t part = 0; part < kPathPartCount; ++part) {
    if (!seen[part]) continue;
    const auto kind = static_cast<PathPartKind>(part);
    const Nanoseconds rest = std::max(length_without(graph, kind), length_without(host, kind));
    path.gains[part] = std::max(step.length() - rest, Nanoseconds{});
  }
  return path;
}

result::CriticalPath path_figures(const TraceIndex& index, const TraceStep& step,
                                  const StepPath& path, std::string which) {
  result::CriticalPath out;
  out.which = std::move(which);
  out.process = index.trace.process;
  out.number = step.number;
  out.us = in_microseconds(step.length());

  struct Sum {
    std::int64_t count = 0;
    Nanoseconds time{};
  };

  std::map<std::pair<job::StringTable::Id, std::size_t>, Sum> items; // by name (-1: none) and part
  std::array<Nanoseconds, kPathPartCount> parts{};
  for (const PathSegment& segment : path.segments) {
    const Nanoseconds time = segment.end - segment.start;
    const std::size_t part = number_of(segment.part);
    parts[part] += time;
    Sum& sum =
        items[{segment.slice == StepGraph::kNone ? -1 : slice_at(index, segment.slice).name, part}];
    ++sum.count;
    sum.time += time;
  }
  const auto percent = [&](double us) { return out.us > 0 ? 100 * us / out.us : 0; };
  for (std::size_t part = 0; part < kPathPartCount; ++part) {
    const double us = in_microseconds(parts[part]);
    out.parts.push_back(
        {result::kPathParts[part], us, percent(us), in_microseconds(path.gains[part])});
  }
  for (const auto& [key, sum] : items) {
    const double us = in_microseconds(sum.time);
    out.items.push_back({key.first < 0 ? std::string{} : std::string{index.trace.names[key.first]},
                         result::kPathParts[key.second], sum.count, us, percent(us)});
  }
  std::stable_sort(
      out.items.begin(), out.items.end(),
      [](const result::PathItem& a, const result::PathItem& b) { return a.us > b.us; });
  if (out.items.size() > result::kMaxPathItems) out.items.resize(result::kMaxPathItems);
  return out;
}

} // namespace debrief::aggregate
