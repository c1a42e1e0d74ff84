// LoadBalancing: do the GPUs work alike?
//
// Two GPUs are compared by their histograms of utilization over the whole job (50 bins): the square
// root of the Jensen-Shannon divergence, natural logarithm, is 0 for the same distribution and
// 0.8326 for two that have nothing in common.
#include "aggregate/usage.h"
#include "rules/details.h"
#include "rules/rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace debrief::rules {

namespace {

/// {node: {"workloads": {gpu: counts}, "distances": {gpu: {other: distance}}}}; a GPU of another
/// node is called node/gpu.
nlohmann::ordered_json details_of(const std::vector<result::DeviceRow>& devices,
                                  const std::vector<result::BalancePair>& apart) {
  nlohmann::ordered_json details = nlohmann::ordered_json::object();
  for (const result::DeviceRow& device : devices)
    if (device.metric == result::Metric::gpu)
      details[device.node]["workloads"][device.device] = device.histogram.counts;
  for (std::size_t i = 0; i < std::min(apart.size(), result::kMaxPairs); ++i) {
    const result::BalancePair& pair = apart[i];
    const std::string other =
        pair.second_node == pair.first_node ? pair.second : pair.second_node + "/" + pair.second;
    details[pair.first_node]["distances"][pair.first][other] = pair.distance;
  }
  return details;
}

RuleOutcome evaluate_load_balancing(const RuleInput& input, const ParameterValues& parameters) {
  const double threshold = parameters.number("threshold");
  const std::size_t patience = parameters.count("patience");
  RuleOutcome outcome;
  IncidentList incidents;
  std::size_t longest = 0; // of the series that can be compared with another
  std::size_t gpus = 0;
  std::map<std::pair<std::string, std::string>, std::int64_t> samples;
  for (const result::DeviceRow& device : input.result.devices) {
    if (device.metric != result::Metric::gpu) continue;
    ++gpus;
    if (!device.samples) continue;
    outcome.datapoints = *device.samples;
    samples[{device.node, device.device}] = *device.samples;
  }
  std::vector<result::BalancePair> apart;
  for (const result::BalancePair& pair : input.result.load_balance.pairs) {
    const auto both = static_cast<std::size_t>(
        std::min(samples[{pair.first_node, pair.first}], samples[{pair.second_node, pair.second}]));
    longest = std::max(longest, both);
    if (both <= patience || pair.distance <= threshold) continue;
    apart.push_back(pair);
    if (input.result.job.span)
      incidents.add(pair.first_node, pair.first, *input.result.job.span,
                    "unlike " + pair.second_node + "/" + pair.second);
  }
  outcome.triggered = static_cast<std::int64_t>(apart.size());
  outcome.violations = outcome.triggered;
  outcome.details = details_of(input.result.devices, apart);
  std::move(incidents).move_to(outcome);
  judge_samples(outcome, "GPU utilization", longest, patience);
  if (gpus > aggregate::kMaxCompared && outcome.status == result::RuleStatus::no_issue) {
    outcome.status = result::RuleStatus::not_evaluated;
    outcome.reason = fmt::format("compared {} of {} GPUs", aggregate::kMaxCompared, gpus);
  }
  if (gpus == 1) {
    outcome.status = result::RuleStatus::not_evaluated;
    outcome.reason = "the job has only one GPU";
  }
  return outcome;
}

} // namespace

Rule load_balancing_rule() {
  return {{"LoadBalancing",
           RuleGroup::profiler,
           RuleInputKind::system_metrics,
           "Compares GPU utilization histograms. A large distance between two GPUs means one of "
           "them waits or is not used at all.",
           "Spread the work over all GPUs: check the distributed strategy, equal shards, and ranks "
           "with extra work. Or use fewer GPUs.",
           {{"threshold", ParameterType::number, "0.2", 0, 1, "",
             "Two GPUs with a histogram distance above this are out of balance (maximum 0.8326)"},
            patience_parameter()},
           true},
          evaluate_load_balancing};
}

} // namespace debrief::rules
