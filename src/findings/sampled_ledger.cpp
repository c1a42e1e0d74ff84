#include "findings/host_causes.h"
#include "findings/ledger.h"
#include "findings/loop.h"
#include "findings/loop_shares.h"
#include "findings/make_ledger.h"
#include "findings/process_time.h"
#include "findings/series.h"
#include "findings/thresholds.h"
#include "result/result.h"
#include "util/interval_set.h"
#include "util/parallel.h"
#include "util/sample_times.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

namespace debrief::findings {

namespace {

// The ledger of one node that sampled its GPUs. Each sample stands for the time since the one
// before it; what of that time a GPU did not work is given to the causes that its node shows
// meanwhile.

/// What all nodes share.
struct LedgerInput {
  const result::Result& result;
  std::span<const aggregate::NodeSeries> series;
  const Loop& loop;
  std::span<const ProcessTime> processes;
  LoopShares shares;
  double least_lost = 0; ///< share of the loop that the busiest GPU of the job did not work
};

struct NodeLedger {
  std::vector<Account> accounts;
  LedgerBins bins;
  std::array<std::vector<TimeSpan>, kCauses> windows;
};

using namespace thresholds;

/// Gives a loss out to causes, one after the other, until nothing is left of it.
class Loss {
public:
  explicit Loss(double seconds)
      : left_(seconds) {}

  void give(Cause cause, double seconds) {
    const double taken = std::clamp(seconds, 0.0, left_);
    given_[index_of(cause)] += taken;
    left_ -= taken;
  }

  void give_rest(Cause cause) { give(cause, left_); }

  /// Of time in which the GPU only seemed to work.
  void add(Cause cause, double seconds) { given_[index_of(cause)] += seconds; }

  const SecondsByCause& given() const { return given_; }

private:
  double left_;
  SecondsByCause given_{};
};

/// How much of a GPU its kernels filled while they ran: 1, but where SM activity says that they
/// hardly did.
double filled_share(const result::Result& result, const std::string& node,
                    const std::string& device) {
  for (const result::SmActivityRow& row : result.sm_activity)
    if (row.node == node && row.device == device && is_hardly_filled(row))
      return std::clamp(row.sm_active / row.utilization, 0.0, 1.0);
  return 1;
}

class NodeLedgerBuilder {
public:
  NodeLedgerBuilder(const LedgerInput& input, const aggregate::NodeSeries& node,
                    const aggregate::NodeMetricSeries& gpu, std::span<const GpuUse> uses)
      : input_(input)
      , gpu_(gpu)
      , intervals_(gpu.times)
      , uses_(uses)
      , processes_(input.processes, node.node)
      , windows_(kCauses, GrowingSet<Microseconds>{2 * intervals_.usual()}) {
    for (const std::string& device : gpu.devices) {
      out_.accounts.emplace_back();
      out_.accounts.back().node = node.node;
      out_.accounts.back().device = device;
      filled_.push_back(filled_share(input.result, node.node, device));
    }
    host_ = host_causes({node, gpu, uses_, input.loop.span, input.series.size(),
                         !processes_.known() && input.shares.none()});
    if (input.result.job.span) out_.bins = LedgerBins{*input.result.job.span};
  }

  NodeLedger make() {
    for (std::size_t i = 0; i < gpu_.times.size(); ++i)
      add_sample(i);
    const auto& span = input_.result.job.span;
    for (Account& account : out_.accounts) {
      const double measured =
          std::accumulate(account.lost.begin(), account.lost.end(), account.busy);
      account.paid = std::max(span ? in_seconds(span->length()) : 0, measured);
      account.unmeasured = account.paid - measured;
      take_shares(account);
    }
    for (std::size_t cause = 0; cause < kCauses; ++cause)
      out_.windows[cause] = windows_[cause].set();
    return std::move(out_);
  }

private:
  void add_sample(std::size_t i) {
    const TimeSpan span = intervals_.before(i);
    if (span.length() <= 0) return;
    const TimeSpan& loop = input_.loop.span;
    const Microseconds middle = span.first + span.length() / 2;
    const double seconds = in_seconds(span.length());
    const bool inside = loop.contains(middle);
    const bool spoiled = is_spoiled(input_.loop, middle);
    if (inside) activity_ = processes_.within(span);
    SecondsByCause of_all{};
    double busy_of_all = 0;
    double all = 0;
    for (std::size_t device = 0; device < out_.accounts.size(); ++device) {
      if (std::isnan(gpu_.values[device][i])) continue;
      const double use = std::clamp(static_cast<double>(gpu_.values[device][i]), 0.0, 100.0);
      double busy = seconds * use / 100;
      Loss loss{std::max(0.0, seconds - busy)};
      double worked = busy; // whatever for
      if (!uses_[device].used)
        loss.give_rest(Cause::idle_gpu);
      else if (spoiled)
        busy = spoil(busy, loss);
      else if (!inside)
        loss.give_rest(middle < loop.first ? Cause::start : Cause::finish);
      else
        worked = busy = explain(i, device, use, seconds, loss);
      Account& account = out_.accounts[device];
      account.busy += busy;
      busy_of_all += busy;
      if (inside) { // but for the first step's warm-up, which belongs to the start
        account.in_loop += seconds - loss.given()[index_of(Cause::start)];
        account.busy_in_loop += worked;
      }
      for (std::size_t cause = 0; cause < kCauses; ++cause) {
        account.lost[cause] += loss.given()[cause];
        of_all[cause] += loss.given()[cause];
      }
      all += seconds;
    }
    out_.bins.add(span, busy_of_all, of_all);
    for (std::size_t cause = 0; cause < kCauses; ++cause)
      if (of_all[cause] > kMinWindowShare * all) windows_[cause].add(span);
  }

  /// Whatever the GPU did was for nothing.
  static double spoil(double busy, Loss& loss) {
    loss.give_rest(Cause::model);
    loss.add(Cause::model, busy);
    return 0;
  }

  /// Shares that are known of the loop as a whole come out of what no event explains.
  void take_shares(Account& account) {
    const auto take = [&](Cause cause, double share) {
      const double spoiled = std::min(account.lost[index_of(Cause::model)], account.in_loop);
      double wanted = share * (account.in_loop - spoiled);
      double taken = 0;
      for (const Cause from : {Cause::unexplained, Cause::between}) {
        double& left = account.lost[index_of(from)];
        const double some = std::min(left, wanted);
        left -= some;
        wanted -= some;
        taken += some;
      }
      account.lost[index_of(cause)] += taken;
      if (taken <= kMinWindowShare * account.in_loop / 10 || shared_[index_of(cause)]) return;
      shared_[index_of(cause)] = true; // once for all GPUs
      for (const TimeSpan& span : windows_[index_of(Cause::unexplained)].set())
        windows_[index_of(cause)].add(span);
    };
    take(Cause::compile, input_.shares.compile);
    if (!processes_.known()) take(Cause::input, input_.shares.input);
    take(Cause::communication, input_.shares.communication);
    take(Cause::copy, input_.shares.copy);
    take(Cause::sync, input_.shares.sync);
    take(Cause::python, input_.shares.outside);
  }

  /// Returns the seconds in which the GPU worked, without those in which a collective's kernel only
  /// waited, and those in which kernels left nearly all of it without work.
  double explain(std::size_t i, std::size_t device, double use, double seconds, Loss& loss) {
    const double busy = seconds * use / 100;
    const double waiting = busy * input_.shares.on_gpu_of_busy;
    const double unfilled = (busy - waiting) * (1 - filled_[device]);
    loss.add(Cause::communication, waiting);
    loss.add(Cause::unexplained, unfilled);
    loss.give(Cause::start, seconds * activity_.warm_up);
    loss.give(Cause::compile, seconds * activity_.compiling);
    loss.give(Cause::save, seconds * activity_.saving);
    const std::optional<Cause> host = host_[i];
    if (host == Cause::io || host == Cause::cpu) {
      loss.give_rest(*host);
    } else if (host) {
      // A hint explains what all GPUs lose, not what one loses beyond the others.
      const double lost = uses_[device].lost;
      const double common =
          use <= kPausedGpu || lost <= 0 ? 1.0 : std::min(input_.least_lost / lost, 1.0);
      loss.give(*host, common * (seconds - busy));
    }
    loss.give(Cause::input, seconds * activity_.input);
    loss.give(Cause::communication, seconds * activity_.collective);
    loss.give(Cause::collect, seconds * activity_.collecting);
    loss.give(Cause::stall, seconds * activity_.stall);
    loss.give(Cause::between, seconds * activity_.between);
    loss.give_rest(Cause::unexplained);
    return busy - waiting - unfilled;
  }

  const LedgerInput& input_;
  const aggregate::NodeMetricSeries& gpu_;
  SampleIntervals intervals_;
  std::span<const GpuUse> uses_;
  NodeActivity processes_;
  std::vector<std::optional<Cause>> host_;        ///< by sample
  std::vector<GrowingSet<Microseconds>> windows_; ///< by cause
  std::array<bool, kCauses> shared_{};            ///< by cause: has the windows of `unexplained`
  std::vector<double> filled_;                    ///< by GPU, of the time in which a kernel ran
  ActivityShares activity_;                       ///< of the sample at hand
  NodeLedger out_;
};

/// `uses` are of the node's GPUs, as gpu_use() gives them.
NodeLedger node_ledger(const LedgerInput& input, const aggregate::NodeSeries& node,
                       std::span<const GpuUse> uses) {
  const aggregate::NodeMetricSeries* gpu = node.find(result::Metric::gpu);
  return gpu == nullptr ? NodeLedger{} : NodeLedgerBuilder{input, node, *gpu, uses}.make();
}

/// Of the GPUs that were used; 0 where none was.
double least_lost(const std::vector<std::vector<GpuUse>>& uses) {
  std::optional<double> least;
  for (const std::vector<GpuUse>& of_node : uses)
    for (const GpuUse& use : of_node)
      if (use.used) least = std::min(least.value_or(1), use.lost);
  return least.value_or(0);
}

} // namespace

Ledger sampled_ledger(const result::Result& result, std::span<const aggregate::NodeSeries> series,
                      const Loop& loop, std::span<const ProcessTime> processes) {
  std::vector<std::vector<GpuUse>> uses(series.size());
  parallel_for(series.size(), [&](std::size_t i) {
    if (const aggregate::NodeMetricSeries* gpu = series[i].find(result::Metric::gpu))
      uses[i] = gpu_use(*gpu, loop.span);
  });
  const LedgerInput input{result, series, loop, processes, loop_shares(result), least_lost(uses)};
  Ledger ledger;
  // A node's bins take 50 kB: a thousand nodes at once would take more than all else.
  constexpr std::size_t kAtOnce = 64;
  for (std::size_t first = 0; first < series.size(); first += kAtOnce) {
    std::vector<NodeLedger> parts(std::min(kAtOnce, series.size() - first));
    parallel_for(parts.size(), [&](std::size_t i) {
      parts[i] = node_ledger(input, series[first + i], uses[first + i]);
    });
    for (NodeLedger& part : parts) {
      std::move(part.accounts.begin(), part.accounts.end(), std::back_inserter(ledger.accounts));
      ledger.bins.add(part.bins);
      for (std::size_t cause = 0; cause < kCauses; ++cause)
        ledger.windows[cause].insert(ledger.windows[cause].end(), part.windows[cause].begin(),
                                     part.windows[cause].end());
    }
  }
  if (ledger.accounts.empty()) return ledger;
  ledger.basis = Basis::samples;
  ledger.by_sm_activity =
      std::any_of(result.sm_activity.begin(), result.sm_activity.end(), is_hardly_filled);
  ledger.without_collectives = input.shares.on_gpu_of_busy > 0;
  for (std::vector<TimeSpan>& windows : ledger.windows)
    windows = merged(std::move(windows));
  for (const aggregate::NodeSeries& node : series)
    if (const aggregate::NodeMetricSeries* gpu = node.find(result::Metric::gpu))
      ledger.samples = std::max(ledger.samples, static_cast<std::int64_t>(gpu->times.size()));
  split_imbalance(ledger.accounts);
  return ledger;
}

} // namespace debrief::findings
