#include "rules/device_details.h"

#include <fmt/format.h>

#include <algorithm>

namespace debrief::rules {

using nlohmann::ordered_json;

ordered_json with_box(ordered_json figures, const aggregate::Box& box) {
  figures["p25"] = box.p25;
  figures["p50"] = box.p50;
  figures["p75"] = box.p75;
  figures["p95"] = box.p95;
  figures["upper"] = box.upper();
  figures["lower"] = box.lower();
  return figures;
}

void DeviceDetails::add(const std::string& node, const std::string& device,
                        std::int64_t first_window, Microseconds last_start, ordered_json figures) {
  entries_.push_back({node, device, first_window, std::move(figures)});
  last_start_ = std::max(last_start_, last_start);
}

ordered_json DeviceDetails::to_json() && {
  std::stable_sort(entries_.begin(), entries_.end(),
                   [](const Entry& a, const Entry& b) { return a.first_window < b.first_window; });
  ordered_json details = ordered_json::object();
  for (Entry& entry : entries_) {
    if (entry.node == "last_timestamp") entry.node = "node last_timestamp"; // the key is taken
    details[entry.node][entry.device] = std::move(entry.figures);
    details["last_timestamp"] = last_start_;
  }
  return details;
}

void judge_samples(RuleOutcome& outcome, const std::string& what, std::size_t longest,
                   std::size_t patience, std::size_t window) {
  using result::RuleStatus;
  if (longest == 0) {
    outcome.status = RuleStatus::not_evaluated;
    outcome.reason = fmt::format("no {} was recorded", what);
  } else if (longest <= std::max(patience, window)) {
    outcome.status = RuleStatus::not_evaluated;
    outcome.reason =
        fmt::format("{} too few: the rule waits for more than {} ({})",
                    longest == 1 ? "1 sample is" : fmt::format("{} samples are", longest),
                    std::max(patience, window), patience >= window ? "patience" : "window");
  } else {
    outcome.status = outcome.triggered > 0 ? RuleStatus::issue_found : RuleStatus::no_issue;
  }
}

RuleOutcome
look_at_devices(const RuleInput& input, const ParameterValues& parameters, const DeviceKind& kind,
                std::size_t window_needed,
                const std::function<void(const job::MetricSeries&, DeviceFindings&)>& look) {
  const auto windows =
      scan_windows(input.job, static_cast<Microseconds>(parameters.number("scan_interval_us")));
  RuleOutcome outcome;
  IncidentList incidents;
  DeviceDetails details;
  std::size_t longest = 0;
  for (const aggregate::NodeDevices& node : aggregate::devices_by_node(input.job)) {
    for (const job::MetricSeries* series : node.*kind.series) {
      DeviceFindings findings{*windows, outcome, incidents, details};
      look(*series, findings);
      outcome.datapoints = static_cast<std::int64_t>(series->size());
      longest = std::max(longest, series->size());
    }
  }
  outcome.violations = outcome.triggered;
  outcome.details = std::move(details).to_json();
  std::move(incidents).move_to(outcome);
  judge_samples(outcome, kind.name, longest, parameters.count("patience"), window_needed);
  return outcome;
}

} // namespace debrief::rules
