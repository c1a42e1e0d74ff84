#include "ingest/timeline_name.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace debrief::ingest {

namespace {

std::optional<std::int64_t> parse_integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string_view file_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

job::TimelineKind kind_of_name(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, job::TimelineKind>, 5> kKinds = {{
      {"pythontimeline", job::TimelineKind::python},
      {"model_timeline", job::TimelineKind::model},
      {"horovod_timeline", job::TimelineKind::horovod},
      {"smdataparallel_timeline", job::TimelineKind::smdataparallel},
      {".trace.json", job::TimelineKind::tensorflow_profiler},
  }};
  for (const auto& [part, kind] : kKinds)
    if (name.find(part) != name.npos) return kind;
  return job::TimelineKind::other;
}

} // namespace

job::Timeline timeline_of_node_id(std::string_view node_id) {
  job::Timeline timeline;
  timeline.process = node_id;
  const std::size_t dash = node_id.find('-');
  if (dash == node_id.npos) return timeline;
  timeline.rank = parse_integer(node_id.substr(0, dash));
  if (!timeline.rank) return timeline;
  timeline.node = node_id.substr(dash + 1);
  // SageMaker's rules turn "27-algo-1" around, other hosts' ids stay as they are.
  if (timeline.node.starts_with("algo"))
    timeline.process = timeline.node + "-" + std::string{node_id.substr(0, dash)};
  return timeline;
}

job::Timeline timeline_of_path(std::string_view path) {
  const std::string_view name = file_name(path);
  job::Timeline timeline;
  // "<time>_<node id>_<recorder>.json", where some recorders' names hold an underscore themselves.
  const std::size_t first = name.find('_');
  const std::size_t second = first == name.npos ? name.npos : name.find('_', first + 1);
  if (second != name.npos && parse_integer(name.substr(0, first)))
    timeline = timeline_of_node_id(name.substr(first + 1, second - first - 1));
  timeline.kind = kind_of_name(name);
  return timeline;
}

std::optional<TraceOrigin> find_trace_origin(std::string_view trace_path,
                                             std::span<const std::string> all_paths) {
  const std::size_t plugins = trace_path.rfind("plugins/");
  if (plugins == trace_path.npos) return std::nullopt;
  const std::string_view folder = trace_path.substr(0, plugins);
  auto candidate = std::lower_bound(all_paths.begin(), all_paths.end(), folder);
  for (; candidate != all_paths.end() && candidate->starts_with(folder); ++candidate) {
    std::string_view name = std::string_view{*candidate}.substr(folder.size());
    if (name.find('/') != name.npos || !name.ends_with(".metadata")) continue;
    name.remove_suffix(std::string_view{".metadata"}.size());
    const std::size_t last = name.rfind('_');
    const std::size_t middle =
        last == name.npos || last == 0 ? name.npos : name.rfind('_', last - 1);
    if (middle == name.npos) continue;
    const auto start = parse_integer(name.substr(middle + 1, last - middle - 1));
    if (start && is_plausible(*start)) return TraceOrigin{name.substr(0, middle), *start};
  }
  return std::nullopt;
}

} // namespace debrief::ingest
