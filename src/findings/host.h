// What a node's host did at a moment: whether its cores were saturated, waited for storage, loaded
// data, or sat in communication.
#pragma once

#include "findings/series.h"
#include "result/result.h"

#include <optional>

namespace debrief::findings {

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
  Host(const result::NodeTimeline& node, std::size_t nodes);

  HostState at(Microseconds time);

private:
  const result::MetricTimeline* cpu_;
  const result::MetricTimeline* io_;
  const result::MetricTimeline* network_;
  const std::vector<float>* receive_ = nullptr;
  const std::vector<float>* transmit_ = nullptr;
  Nearest cpu_at_;
  Nearest io_at_;
  Nearest network_at_;
};

} // namespace debrief::findings
