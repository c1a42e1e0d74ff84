// What a node's host tells of why its GPUs do not work, sample by sample.
//
// Saturated cores and waiting for storage are causes at any time. Where no event tells what
// processes did, the host gives hints as well: cores at work beyond those that training takes load
// data; traffic that goes out as much as it comes in is communication; a pause with neither is code
// between steps, or, where pauses are few and long, a step that stalls.
#pragma once

#include "findings/cause.h"
#include "findings/gpu_use.h"
#include "result/timeline.h"
#include "util/time.h"

#include <optional>
#include <span>
#include <vector>

namespace debrief::findings {

struct HostCausesInput {
  const result::NodeTimeline& node;
  const result::MetricTimeline& gpu; ///< of that node
  std::span<const GpuUse> uses;      ///< of its GPUs
  TimeSpan loop;
  std::size_t nodes = 1; ///< of the job
  bool with_hints = false;
};

/// By sample of the node's metric "GPU"; nothing where the GPUs work (but for a
/// sample at the edge of a cause), where nothing is seen, and outside the loop.
std::vector<std::optional<Cause>> host_causes(const HostCausesInput& input);

} // namespace debrief::findings
