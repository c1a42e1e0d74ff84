#include "rules/details.h"

#include "util/interval_set.h"
#include "util/number_text.h"
#include "util/parallel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <vector>

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

void DeviceDetails::append(DeviceDetails&& other) {
  std::move(other.entries_.begin(), other.entries_.end(), std::back_inserter(entries_));
  last_start_ = std::max(last_start_, other.last_start_);
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
    outcome.reason = fmt::format("needs more than {} samples, set by the {} parameter (found {})",
                                 count_text(static_cast<std::int64_t>(std::max(patience, window))),
                                 patience >= window ? "patience" : "window",
                                 count_text(static_cast<std::int64_t>(longest)));
  } else {
    outcome.status = outcome.triggered > 0 ? RuleStatus::issue_found : RuleStatus::no_issue;
  }
}

void DeviceFindings::append(DeviceFindings&& other) {
  triggered += other.triggered;
  std::move(other.devices.begin(), other.devices.end(), std::back_inserter(devices));
  incidents.append(std::move(other.incidents));
  details.append(std::move(other.details));
}

void DeviceFindings::move_to(RuleOutcome& outcome) && {
  outcome.triggered = triggered;
  outcome.violations = triggered;
  outcome.devices = std::move(devices);
  outcome.details = std::move(details).to_json();
  std::move(incidents).move_to(outcome);
}

RuleOutcome
look_at_devices(const RuleInput& input, const ParameterValues& parameters, const DeviceKind& kind,
                std::size_t window_needed,
                const std::function<void(const job::MetricSeries&, DeviceFindings&)>& look) {
  const auto windows =
      scan_windows(input.job, static_cast<Microseconds>(parameters.number("scan_interval_us")));
  RuleOutcome outcome;
  if (!windows) { // nothing was sampled
    judge_samples(outcome, kind.name, 0, parameters.count("patience"), window_needed);
    return outcome;
  }
  const std::vector<aggregate::NodeDevices> nodes = aggregate::devices_by_node(input.job);
  std::vector<const job::MetricSeries*> devices;
  for (const aggregate::NodeDevices& node : nodes)
    devices.insert(devices.end(), (node.*kind.series).begin(), (node.*kind.series).end());
  std::vector<DeviceFindings> found(devices.size(), DeviceFindings{*windows});
  parallel_for(devices.size(), [&](std::size_t i) { look(*devices[i], found[i]); });

  std::size_t longest = 0;
  DeviceFindings all{*windows};
  for (std::size_t i = 0; i < devices.size(); ++i) {
    all.append(std::move(found[i]));
    outcome.datapoints = static_cast<std::int64_t>(devices[i]->size());
    longest = std::max(longest, devices[i]->size());
  }
  std::move(all).move_to(outcome);
  judge_samples(outcome, kind.name, longest, parameters.count("patience"), window_needed);
  return outcome;
}

namespace {

using nlohmann::ordered_json;

/// A name and its time in microseconds.
struct Item {
  std::string name;
  double time = 0;
};

/// SageMaker leaves out operators and collectives of at most this many percent.
constexpr double kMinPercent = 2;

double sum_of(const std::vector<Item>& items) {
  double sum = 0;
  for (const Item& item : items)
    sum += item.time;
  return sum;
}

std::vector<Item> large_ones(const std::vector<Item>& items) {
  const double sum = sum_of(items);
  std::vector<Item> kept;
  for (const Item& item : items)
    if (100 * item.time > kMinPercent * sum) kept.push_back(item);
  return kept;
}

/// {name: percent}, of the items' own sum.
ordered_json percents(const std::vector<Item>& items) {
  const double sum = sum_of(items);
  ordered_json out = ordered_json::object();
  for (const Item& item : items)
    out[item.name] = sum > 0 ? 100 * item.time / sum : 0.0;
  return out;
}

ordered_json times(const std::vector<Item>& items) {
  ordered_json out = ordered_json::object();
  for (const Item& item : items)
    out[item.name] = static_cast<std::int64_t>(std::llround(item.time));
  return out;
}

void add_operators(ordered_json& details, const std::string& key, const std::vector<Item>& all) {
  const std::vector<Item> kept = large_ones(all);
  if (kept.empty()) return;
  details[key] = percents(kept);
  details[key + "_total"] = times(kept);
}

std::vector<Item> items_of(const result::Activity& activity, std::string_view group) {
  std::vector<Item> items;
  for (const result::ActivityRow& row : activity.rows)
    if (row.group == group && row.inside_seconds > 0)
      items.push_back({row.name, row.inside_seconds * 1e6});
  return items;
}

std::vector<Item> items_of(const std::vector<result::ShareRow>& rows) {
  std::vector<Item> items;
  for (const result::ShareRow& row : rows)
    items.push_back({label_of(row), row.seconds.value_or(0) * 1e6});
  return items;
}

std::vector<Item> items_of(const result::OperatorTable& table) {
  std::vector<Item> items;
  for (const result::OperatorRow& row : table.rows)
    items.push_back({row.name, static_cast<double>(row.total_us)});
  return items;
}

/// The phases of all processes together: each process's time counts alike.
std::vector<Item> phases_of_all(const std::vector<result::ShareRow>& rows) {
  std::vector<Item> items;
  for (const Item& row : items_of(rows)) {
    auto known = std::find_if(items.begin(), items.end(),
                              [&](const Item& item) { return item.name == row.name; });
    if (known == items.end()) known = items.insert(items.end(), {row.name, 0});
    known->time += row.time;
  }
  return items;
}

} // namespace

void add_activity(ordered_json& details, const result::Activity& activity) {
  const auto cpu = items_of(activity, "cpu_operator");
  const auto gpu = items_of(activity, "gpu_operator");
  std::vector<Item> ratio;
  if (!cpu.empty())
    ratio.push_back({"cpu_functions", activity.group_seconds.at("cpu_operator") * 1e6});
  if (!gpu.empty())
    ratio.push_back({"gpu_functions", activity.group_seconds.at("gpu_operator") * 1e6});
  details["ratio"] = percents(ratio);
  add_operators(details, "CPU", cpu);
  add_operators(details, "GPU", gpu);
  std::vector<Item> phases = items_of(activity, "phase");
  std::erase_if(phases, [](const Item& item) { return item.name == "others"; });
  details["phase"] = percents(phases);
  details["phase_time"] = ordered_json::object();
  if (const auto general = items_of(activity, "general"); !general.empty())
    details["general"] = percents(general);
  if (const auto collectives = large_ones(items_of(activity, "collective")); !collectives.empty())
    details["horovod"] = percents(collectives);
}

void add_framework(ordered_json& details, const result::Framework& framework) {
  details["ratio"] = percents(items_of(framework.ratio));
  details["phase"] = percents(phases_of_all(framework.phase));
  details["phase_time"] = ordered_json::object();
  add_operators(details, "CPU", items_of(framework.cpu_operators));
  add_operators(details, "GPU", items_of(framework.gpu_operators));
  if (!framework.general.empty()) details["general"] = percents(items_of(framework.general));
  if (!framework.forward_backward.empty())
    details["forward_backward"] = percents(items_of(framework.forward_backward));
  if (const auto kept = large_ones(items_of(framework.collectives)); !kept.empty())
    details["horovod"] = percents(kept);
}

void IncidentList::add(const std::string& node, const std::string& device, TimeSpan span,
                       const std::string& what) {
  spans_[{node, device, what}].push_back(span);
}

void IncidentList::append(IncidentList&& other) {
  for (auto& [place, spans] : other.spans_) {
    std::vector<TimeSpan>& own = spans_[place];
    own.insert(own.end(), spans.begin(), spans.end());
  }
}

void IncidentList::move_to(result::RuleRow& row) && {
  std::map<std::pair<std::string, std::string>, std::vector<TimeSpan>> by_device;
  for (auto& [place, spans] : spans_) {
    for (const TimeSpan& span : merged(std::move(spans))) {
      row.incidents.push_back({place.node, place.device, span, place.what});
      by_device[{place.node, place.device}].push_back(span);
    }
  }
  // Two kinds of incident may hold at once: that time counts once.
  for (auto& [device, spans] : by_device)
    row.incident_seconds += in_seconds(total_length(merged(std::move(spans))));
  std::vector<TimeSpan> on_clock;
  for (const result::Incident& incident : row.incidents)
    on_clock.push_back(incident.span);
  row.clock_seconds = in_seconds(total_length(merged(std::move(on_clock))));
  row.incident_count = static_cast<std::int64_t>(row.incidents.size());
  using result::Incident;
  if (row.incidents.size() > result::kMaxIncidents) {
    std::stable_sort(
        row.incidents.begin(), row.incidents.end(),
        [](const Incident& a, const Incident& b) { return a.span.length() > b.span.length(); });
    row.incidents.resize(result::kMaxIncidents);
  }
  std::stable_sort(
      row.incidents.begin(), row.incidents.end(),
      [](const Incident& a, const Incident& b) { return a.span.first < b.span.first; });
}

} // namespace debrief::rules
