// What a node's host tells of why its GPUs do not work, sample by sample.
//
// Saturated cores and waiting for storage are causes at any time. Where no event tells what
// processes did, the host gives hints as well: cores at work beyond those that training takes load
// data; traffic that goes out as much as it comes in is communication; a pause with neither is code
// between steps, or, where pauses are few and long, a step that stalls.
#pragma once

#include "aggregate/node_series.h"
#include "findings/ledger.h"
#include "findings/series.h"
#include "result/result.h"
#include "util/time.h"

#include <optional>
#include <span>
#include <vector>

namespace debrief::findings {

struct HostCausesInput {
  const aggregate::NodeSeries& node;
  const aggregate::NodeMetricSeries& gpu; ///< of that node
  std::span<const GpuUse> uses;           ///< of its GPUs
  TimeSpan loop;
  std::size_t nodes = 1; ///< of the job
  bool with_hints = false;
};

/// By sample of the node's metric "GPU"; nothing where the GPUs work (but for a
/// sample at the edge of a cause), where nothing is seen, and outside the loop.
std::vector<std::optional<Cause>> host_causes(const HostCausesInput& input);

// What a node's host did at a moment: whether its cores were saturated, waited for storage, loaded
// data, or sat in communication.

/// Absent: not recorded at that moment.
struct HostState {
  std::optional<double> cpu;           ///< percent, mean over cores
  std::optional<double> working_cores; ///< cores at work, as if each were used whole
  std::optional<double> waiting_cores; ///< cores in I/O wait, the same
  double exchange = 0; ///< B/s that goes both ways, as collectives do; 0 of what goes one way

  bool saturated() const;
  bool waits_for_storage() const;
};

/// The host of one node, asked for moments that rise.
class Host {
public:
  /// `nodes` is how many the job has: a single one has nobody to exchange with.
  Host(const aggregate::NodeSeries& node, std::size_t nodes);

  HostState at(Microseconds time);

private:
  const aggregate::NodeMetricSeries* cpu_;
  const aggregate::NodeMetricSeries* io_;
  const aggregate::NodeMetricSeries* network_;
  const std::vector<float>* receive_ = nullptr;
  const std::vector<float>* transmit_ = nullptr;
  NearestSample cpu_at_;
  NearestSample io_at_;
  NearestSample network_at_;
};

} // namespace debrief::findings
