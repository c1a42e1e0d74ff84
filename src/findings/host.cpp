#include "findings/host.h"

#include "aggregate/quantiles.h"
#include "findings/thresholds.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace debrief {

namespace {

using namespace thresholds;

/// Metrics are not always sampled at the same moments, nor as often.
constexpr Microseconds kReach = 5 * kSecond;

double cores_of(const result::MetricTimeline& metric) {
  return static_cast<double>(std::max<std::size_t>(metric.devices.size(), 1));
}

/// The 99th percentile of the smaller of both directions: what exchanging looks like in this job.
double high_rate(const std::vector<float>& receive, const std::vector<float>& transmit) {
  std::vector<double> both;
  for (std::size_t i = 0; i < receive.size(); ++i)
    if (!std::isnan(receive[i]) && !std::isnan(transmit[i]))
      both.push_back(static_cast<double>(std::min(receive[i], transmit[i])));
  if (both.empty()) return 0;
  constexpr std::array<double, 1> kHigh = {0.99};
  return quantiles(both, kHigh).front();
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
  if (receive_ != nullptr && transmit_ != nullptr) high_rate_ = high_rate(*receive_, *transmit_);
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
    const double least = std::min(in, out); // NaN compares false below
    state.exchanging = least >= kNetworkBusy && least >= kSymmetry * std::max(in, out) &&
                       least >= kNetworkHigh * high_rate_;
  }
  return state;
}

} // namespace debrief
