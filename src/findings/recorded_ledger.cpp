// The ledger of a job of which only SageMaker's rule outputs are left. They have percentiles
// instead of samples, and shares instead of moments, so it is an estimate: a GPU's mean is the area
// under its quantiles, and what the shares explain is taken from the idle time in the order of
// causes.
#include "findings/loop_shares.h"
#include "findings/make_ledger.h"
#include "findings/thresholds.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

namespace debrief::findings {

namespace {

/// Mean of percents of which some quantiles are known: straight lines between them, level beyond.
std::optional<double>
mean_of_quantiles(const std::vector<std::pair<double, std::optional<double>>>& quantiles) {
  std::vector<std::pair<double, double>> known;
  for (const auto& [share, value] : quantiles)
    if (value) known.emplace_back(share, *value);
  if (known.empty()) return std::nullopt;
  double area =
      known.front().first * known.front().second + (1 - known.back().first) * known.back().second;
  for (std::size_t i = 1; i < known.size(); ++i)
    area += (known[i].first - known[i - 1].first) * (known[i].second + known[i - 1].second) / 2;
  return std::clamp(area, 0.0, 100.0);
}

struct Gpu {
  std::string node;
  std::string device;
  double use = 0; ///< percent, mean
  bool used = true;
};

/// Boxes of single GPUs where a rule wrote them, else the means of nodes.
std::vector<Gpu> gpus_of(const result::Result& result) {
  std::vector<Gpu> gpus;
  for (const result::UsageRow& node : result.system_usage) {
    if (node.metric != result::Metric::gpu) continue;
    const std::size_t before = gpus.size();
    for (const result::DeviceRow& row : result.devices) {
      if (row.metric != result::Metric::gpu || row.node != node.node) continue;
      const auto mean = mean_of_quantiles({{0, row.min},
                                           {0.05, row.p05},
                                           {0.25, row.p25},
                                           {0.5, row.p50},
                                           {0.75, row.p75},
                                           {0.95, row.p95},
                                           {1, row.max}});
      if (mean)
        gpus.push_back({row.node, row.device, *mean,
                        row.p95.value_or(100) >= thresholds::kUsedPercent || *mean >= 1});
    }
    if (gpus.size() != before) continue;
    const auto mean = mean_of_quantiles(
        {{0, node.min}, {0.5, node.p50}, {0.95, node.p95}, {0.99, node.p99}, {1, node.max}});
    gpus.push_back({node.node, "", *mean, node.p99 >= thresholds::kUsedPercent});
  }
  return gpus;
}

/// Share of the datapoints at which a GPU was low and the rule saw its bottleneck, 0 to 1.
double bottleneck_share(const std::vector<result::RuleRow>& rules, std::string_view rule) {
  for (const result::RuleRow& row : rules)
    if (row.rule == rule && row.status != result::RuleStatus::not_evaluated && row.datapoints > 0)
      return std::min(1.0,
                      static_cast<double>(row.violations) / static_cast<double>(row.datapoints));
  return 0;
}

/// Share of the time at which a node's cores were saturated, by the quantiles of their mean.
double saturated_share(const std::vector<result::UsageRow>& usage, const std::string& node) {
  for (const result::UsageRow& row : usage) {
    if (row.metric != result::Metric::cpu || row.node != node) continue;
    const std::array<std::pair<double, double>, 5> known = {
        {{0, row.min}, {0.5, row.p50}, {0.95, row.p95}, {0.99, row.p99}, {1, row.max}}};
    for (std::size_t i = 0; i < known.size(); ++i) {
      const auto [share, value] = known[i];
      if (value < thresholds::kSaturatedCpu) continue;
      if (i == 0) return 1;
      const auto [share_before, below] = known[i - 1];
      return 1 - share +
             (share - share_before) * (value - thresholds::kSaturatedCpu) / (value - below);
    }
  }
  return 0;
}

} // namespace

Ledger recorded_ledger(const result::Result& result) {
  Ledger ledger;
  if (!result.job.span) return ledger;
  const double span = in_seconds(result.job.span->length());
  const double start =
      result.job.training_loop_start
          ? std::clamp(in_seconds(*result.job.training_loop_start - result.job.span->first), 0.0,
                       span)
          : 0;
  const double io = bottleneck_share(result.rules, "IOBottleneck");
  const double input = recorded_loading_share(result).value_or(0);
  for (const Gpu& gpu : gpus_of(result)) {
    Account account;
    account.node = gpu.node;
    account.device = gpu.device;
    account.paid = span;
    account.busy = span * gpu.use / 100;
    account.in_loop = span - start;
    account.busy_in_loop = std::min(account.busy, account.in_loop);
    double left = std::max(0.0, span - account.busy);
    const auto give = [&](Cause cause, double seconds) {
      const double taken = std::clamp(seconds, 0.0, left);
      account.lost[index_of(cause)] += taken;
      left -= taken;
    };
    if (!gpu.used) give(Cause::idle_gpu, left);
    give(Cause::start, start);
    give(Cause::io, io * (span - start));
    give(Cause::cpu, saturated_share(result.system_usage, gpu.node) * (span - start));
    give(Cause::input, input * (span - start));
    give(Cause::unexplained, left);
    ledger.accounts.push_back(account);
  }
  if (ledger.accounts.empty()) return ledger;
  ledger.basis = Basis::recorded;
  split_imbalance(ledger.accounts);
  return ledger;
}

} // namespace debrief::findings
