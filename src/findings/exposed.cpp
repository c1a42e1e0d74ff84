#include "findings/exposed.h"

#include <algorithm>
#include <map>
#include <string>

namespace debrief {

Exposed exposed_communication(const result::Traces& traces) {
  std::map<std::string, double> on_gpu_us;
  std::map<std::string, double> on_host_us;
  for (const result::CollectiveRow& row : traces.communication.collectives)
    (row.where == "GPU" ? on_gpu_us : on_host_us)[row.process] += row.total_us;
  std::map<std::string, double> busy_us;
  for (const result::GpuActivity& gpu : traces.gpus)
    busy_us[gpu.process] += gpu.busy_us;

  Exposed exposed;
  double processes = 0;
  for (const result::OverlapRow& row : traces.communication.overlap) {
    if (row.profiled_us <= 0) continue;
    ++processes;
    const double share = std::min(row.exposed_us / row.profiled_us, 1.0);
    if (on_gpu_us[row.process] <= on_host_us[row.process])
      exposed.on_host += share;
    else if (busy_us[row.process] > 0)
      exposed.on_gpu_of_busy += std::min(row.exposed_us / busy_us[row.process], 1.0);
  }
  if (processes == 0) return exposed;
  exposed.on_host /= processes;
  exposed.on_gpu_of_busy /= processes;
  return exposed;
}

} // namespace debrief
