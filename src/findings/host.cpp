#include "findings/host.h"

#include "findings/thresholds.h"

#include <algorithm>
#include <cmath>

namespace debrief::findings {

namespace {

using namespace thresholds;

/// Metrics are not always sampled at the same moments, nor as often.
constexpr Microseconds kReach = 5 * kSecond;

double cores_of(const result::MetricTimeline& metric) {
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

Host::Host(const result::NodeTimeline& node, std::size_t nodes)
    : cpu_(find_metric(node, "CPU"))
    , io_(find_metric(node, "I/O"))
    , network_(nodes > 1 ? find_metric(node, "Network") : nullptr)
    , cpu_at_(cpu_)
    , io_at_(io_)
    , network_at_(network_) {
  if (network_ == nullptr) return;
  receive_ = find_device(*network_, "receive");
  transmit_ = find_device(*network_, "transmit");
}

HostState Host::at(Microseconds time) {
  HostState state;
  if (const std::size_t i = cpu_at_.to(time, kReach); i != Nearest::npos) {
    state.cpu = static_cast<double>(cpu_->whole[i]);
    state.working_cores = *state.cpu / 100 * cores_of(*cpu_);
  }
  if (const std::size_t i = io_at_.to(time, kReach); i != Nearest::npos)
    state.waiting_cores = static_cast<double>(io_->whole[i]) / 100 * cores_of(*io_);
  if (receive_ == nullptr || transmit_ == nullptr) return state;
  if (const std::size_t i = network_at_.to(time, kReach); i != Nearest::npos) {
    const double in = static_cast<double>((*receive_)[i]);
    const double out = static_cast<double>((*transmit_)[i]);
    const double least = std::min(in, out);
    if (std::isnan(in) || std::isnan(out)) return state; // one way alone tells nothing
    if (least >= kNetworkBusy && least >= kSymmetry * std::max(in, out)) state.exchange = least;
  }
  return state;
}

} // namespace debrief::findings
