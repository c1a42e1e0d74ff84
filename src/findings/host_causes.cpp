#include "findings/host_causes.h"

#include "aggregate/statistics.h"
#include "findings/series.h"
#include "findings/thresholds.h"
#include "job/all_cores.h"
#include "util/sample_times.h"
#include "util/time.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

namespace debrief::findings {

namespace {

// Pauses of a node's GPUs within the training loop: stretches in which none of them works, though
// they work well around it.

/// Mean use of a node's GPUs by sample, percent; nothing outside the loop and where not sampled.
using GpuLoad = std::vector<std::optional<double>>;

/// Samples next to each other.
struct Pause {
  std::size_t begin = 0;
  std::size_t end = 0;
  Microseconds length = 0; ///< how long the GPUs did not work
};

using namespace thresholds;

bool works_well_between(const GpuLoad& use) {
  double sum = 0;
  double count = 0;
  for (const auto& value : use) {
    if (!value || *value <= kPausedGpu) continue;
    sum += *value;
    ++count;
  }
  return count > 0 && sum / count >= kWorkingGpu;
}

bool works(const GpuLoad& use, std::size_t i) {
  return i < use.size() && use[i] && *use[i] >= kWaitingGpu;
}

Microseconds idle(const GpuLoad& use, const SampleIntervals& intervals, std::size_t i) {
  return static_cast<Microseconds>(static_cast<double>(intervals.before(i).length()) *
                                   (1 - std::clamp(*use[i] / 100, 0.0, 1.0)));
}

/// A pause shorter than two samples, between samples at which GPUs work.
std::optional<Pause> dip_at(const GpuLoad& use, const SampleIntervals& intervals,
                            std::size_t begin) {
  constexpr std::size_t kMaxLength = 3; // samples that so short a pause can touch
  if (begin == 0 || !works(use, begin - 1)) return std::nullopt;
  Pause dip{begin, begin, 0};
  while (dip.end < use.size() && dip.end - begin <= kMaxLength && use[dip.end] &&
         *use[dip.end] < kWaitingGpu)
    dip.length += idle(use, intervals, dip.end++);
  const auto samples = static_cast<Microseconds>(dip.end - begin);
  const bool deep =
      dip.length >= intervals.usual() && 2 * dip.length >= samples * intervals.usual();
  return deep && samples <= static_cast<Microseconds>(kMaxLength) && works(use, dip.end)
             ? std::optional{dip}
             : std::nullopt;
}

/// By time. None where GPUs do little also when they work: pauses are but a part of that then. A
/// pause that falls between two samples shows as a short dip in both.
std::vector<Pause> pauses_in(const GpuLoad& use, const SampleIntervals& intervals) {
  std::vector<Pause> pauses;
  if (!works_well_between(use)) return pauses;
  for (std::size_t i = 0; i < use.size(); ++i) {
    if (!use[i] || *use[i] >= kWaitingGpu) continue;
    if (const auto dip = dip_at(use, intervals, i)) {
      pauses.push_back(*dip);
      i = dip->end - 1;
      continue;
    }
    if (*use[i] > kPausedGpu) continue;
    if (pauses.empty() || pauses.back().end != i) pauses.push_back({i, i, 0});
    pauses.back().end = i + 1;
    pauses.back().length += intervals.before(i).length();
  }
  return pauses;
}

/// Whether the long ones are stalls of single steps, with work that goes on for longer between
/// them; else the loop as a whole has the habit of pausing.
bool are_stalls(const std::vector<Pause>& pauses, const TimeSpan& loop) {
  Microseconds paused = 0;
  Microseconds in_long_ones = 0;
  for (const Pause& pause : pauses) {
    paused += pause.length;
    if (pause.length >= kLongPause) in_long_ones += pause.length;
  }
  return static_cast<double>(in_long_ones) >= kMinLongPauses * static_cast<double>(paused) &&
         static_cast<double>(paused) < kMaxStallShare * static_cast<double>(loop.length());
}

/// Mean of the used GPUs at a sample, in percent; nothing where none has a value.
std::optional<double> mean_use(const aggregate::NodeMetricSeries& gpu, std::span<const GpuUse> uses,
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
double much_exchange(const GpuLoad& use, const std::vector<HostState>& states) {
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

void add_hints(const HostCausesInput& input, const GpuLoad& use,
               const std::vector<HostState>& states, Causes& causes) {
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
  const std::vector<Pause> pauses = pauses_in(use, SampleIntervals{input.gpu.times});
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
void spread_to_edges(const GpuLoad& use, Causes& causes) {
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
  GpuLoad use(times.size());
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

namespace {

/// Nothing where a tracker gives a mean over all cores, and not how many there are.
std::optional<double> cores_of(const aggregate::NodeMetricSeries& metric) {
  if (metric.devices.size() == 1 && metric.devices.front() == job::kAllCores) return std::nullopt;
  return static_cast<double>(std::max<std::size_t>(metric.devices.size(), 1));
}

} // namespace

bool HostState::saturated() const {
  return cpu && *cpu >= kSaturatedCpu;
}

bool HostState::waits_for_storage() const {
  return waiting_cores && *waiting_cores >= kWaitingCores &&
         *waiting_cores >= kWaitAgainstWork * working_cores.value_or(0);
}

Host::Host(const aggregate::NodeSeries& node, std::size_t nodes)
    : cpu_(node.find(result::Metric::cpu))
    , io_(node.find(result::Metric::io))
    , network_(nodes > 1 ? node.find(result::Metric::network) : nullptr)
    , cpu_at_(cpu_)
    , io_at_(io_)
    , network_at_(network_) {
  if (network_ == nullptr) return;
  receive_ = network_->find("receive");
  transmit_ = network_->find("transmit");
}

HostState Host::at(Microseconds time) {
  HostState state;
  if (const std::size_t i = cpu_at_.to(time, kMaxHostSampleDistance); i != NearestSample::kNone) {
    state.cpu = cpu_->combined[i];
    if (const auto cores = cores_of(*cpu_)) state.working_cores = *state.cpu / 100 * *cores;
  }
  if (const std::size_t i = io_at_.to(time, kMaxHostSampleDistance); i != NearestSample::kNone)
    if (const auto cores = cores_of(*io_)) state.waiting_cores = io_->combined[i] / 100 * *cores;
  if (receive_ == nullptr || transmit_ == nullptr) return state;
  if (const std::size_t i = network_at_.to(time, kMaxHostSampleDistance);
      i != NearestSample::kNone) {
    const auto in = static_cast<double>((*receive_)[i]);
    const auto out = static_cast<double>((*transmit_)[i]);
    const double least = std::min(in, out);
    if (std::isnan(in) || std::isnan(out)) return state; // one way alone tells nothing
    if (least >= kNetworkBusy && least >= kSymmetry * std::max(in, out)) state.exchange = least;
  }
  return state;
}

} // namespace debrief::findings
