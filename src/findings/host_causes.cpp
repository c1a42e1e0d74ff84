#include "findings/host_causes.h"

#include "aggregate/quantiles.h"
#include "findings/host.h"
#include "findings/pauses.h"
#include "findings/series.h"
#include "findings/thresholds.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace debrief::findings {

namespace {

using namespace thresholds;

/// Mean of the used GPUs at a sample, in percent; nothing where none has a value.
std::optional<double> mean_use(const result::MetricTimeline& gpu, std::span<const GpuUse> uses,
                               std::size_t i) {
  double sum = 0;
  double count = 0;
  for (std::size_t device = 0; device < uses.size(); ++device) {
    if (!uses[device].used || std::isnan(gpu.values[device][i])) continue;
    sum += static_cast<double>(gpu.values[device][i]);
    ++count;
  }
  return count > 0 ? std::optional{sum / count} : std::nullopt;
}

/// What two nodes exchange while they do nothing else, B/s: clearly more than while GPUs work, when
/// gradients go out behind the compute, and near the most that is seen.
double much_exchange(const Uses& use, const std::vector<HostState>& states) {
  std::vector<double> all;
  std::vector<double> working;
  for (std::size_t i = 0; i < use.size(); ++i) {
    if (!use[i]) continue;
    all.push_back(states[i].exchange);
    if (*use[i] >= kWaitingGpu) working.push_back(states[i].exchange);
  }
  constexpr std::array<double, 1> kHigh = {0.99};
  constexpr std::array<double, 1> kUsual = {0.5};
  const double high = all.empty() ? 0 : aggregate::quantiles(all, kHigh).front();
  const double usual = working.empty() ? 0 : aggregate::quantiles(working, kUsual).front();
  return std::max(kNetworkHigh * high, kNetworkMore * usual);
}

using Causes = std::vector<std::optional<Cause>>;

/// Cores that work beyond those that training takes: a process that waits takes none, one that
/// trains takes one for each GPU, at most.
bool loads_data(const HostState& state, bool paused, double gpus) {
  const double training = paused ? 1 : gpus;
  return state.working_cores && *state.working_cores >= training + kLoaderCores - 1;
}

void add_hints(const HostCausesInput& input, const Uses& use, const std::vector<HostState>& states,
               Causes& causes) {
  const auto gpus = static_cast<double>(std::count_if(input.uses.begin(), input.uses.end(),
                                                      [](const GpuUse& one) { return one.used; }));
  const double much = much_exchange(use, states);
  const auto add = [&](std::size_t i, bool paused) {
    if (causes[i]) return;
    if (states[i].exchange > 0 && states[i].exchange >= much)
      causes[i] = Cause::communication;
    else if (loads_data(states[i], paused, gpus))
      causes[i] = Cause::input;
  };
  const std::vector<Pause> pauses = pauses_in(use, Intervals{input.gpu.times});
  const bool stalls = are_stalls(pauses, input.loop);
  for (const Pause& pause : pauses)
    for (std::size_t i = pause.begin; i < pause.end; ++i) {
      add(i, true);
      if (!causes[i])
        causes[i] = stalls && pause.length >= kLongPause ? Cause::stall : Cause::between;
    }
  for (std::size_t i = 0; i < use.size(); ++i)
    if (use[i] && *use[i] < kWaitingGpu) add(i, *use[i] <= kPausedGpu);
}

/// A sample in which a cause began or ended shows half of it: it takes over what its neighbor
/// shows in full.
void spread_to_edges(const Uses& use, Causes& causes) {
  const Causes sure = causes;
  for (std::size_t i = 0; i < causes.size(); ++i) {
    if (!use[i] || *use[i] <= kPausedGpu) continue;
    if (sure[i] && *sure[i] != Cause::input) continue; // half a cause looks like a few cores
    if (i > 0 && sure[i - 1])
      causes[i] = sure[i - 1];
    else if (i + 1 < sure.size() && sure[i + 1])
      causes[i] = sure[i + 1];
  }
}

} // namespace

std::vector<std::optional<Cause>> host_causes(const HostCausesInput& input) {
  const std::vector<Microseconds>& times = input.gpu.times;
  Causes causes(times.size());
  Uses use(times.size());
  std::vector<HostState> states;
  states.reserve(times.size());
  Host host{input.node, input.nodes};
  for (std::size_t i = 0; i < times.size(); ++i) {
    states.push_back(host.at(times[i]));
    if (input.loop.contains(times[i])) use[i] = mean_use(input.gpu, input.uses, i);
    if (!use[i] || *use[i] >= kWaitingGpu) continue;
    if (states[i].waits_for_storage())
      causes[i] = Cause::io;
    else if (states[i].saturated())
      causes[i] = Cause::cpu;
  }
  if (input.with_hints) add_hints(input, use, states, causes);
  spread_to_edges(use, causes);
  return causes;
}

} // namespace debrief::findings
