// What the name and place of a timeline file say: which recorder wrote it, on which node, for which
// process.
#pragma once

#include "job/events.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace debrief::ingest {

/// Splits a framework node id: "27-algo-1" -> node "algo-1", process "algo-1-27", rank 27;
/// "905-b88ab1bb8259" -> node "b88ab1bb8259", process as it is, rank 905; "0001" -> process "0001"
/// only.
job::Timeline timeline_of_node_id(std::string_view node_id);

/// From a path such as
/// ".../pevents/2020071317/1594662614815222_905-b88ab1bb8259_model_timeline.json".
job::Timeline timeline_of_path(std::string_view path);

/// What a TensorFlow trace's ".metadata" neighbor says by its name, "<nodeid>_<start us>_<end
/// us>.metadata".
struct TraceOrigin {
  std::string_view node_id;
  Microseconds start = 0; ///< the trace's times count from here
};

/// Looks for it in the folder that holds the trace's "plugins/".
std::optional<TraceOrigin> find_trace_origin(std::string_view trace_path,
                                             std::span<const std::string> all_paths);

} // namespace debrief::ingest
