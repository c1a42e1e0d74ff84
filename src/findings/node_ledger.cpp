#include "findings/node_ledger.h"

#include "findings/gpu_use.h"
#include "findings/host_causes.h"
#include "findings/series.h"
#include "findings/thresholds.h"
#include "util/span_set.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace debrief::findings {

namespace {

using namespace thresholds;

/// A cause holds in a window where it takes more than this share of it.
constexpr double kHolds = 0.25;

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

class Maker {
public:
  Maker(const LedgerInput& input, const result::NodeTimeline& node,
        const result::MetricTimeline& gpu)
      : input_(input)
      , gpu_(gpu)
      , intervals_(gpu.times)
      , uses_(gpu_use(gpu, input.loop.span))
      , time_(input.processes, node.node)
      , windows_(kCauses, SpanSet{2 * intervals_.usual()}) {
    for (const std::string& device : gpu.devices) {
      out_.accounts.emplace_back();
      out_.accounts.back().node = node.node;
      out_.accounts.back().device = device;
    }
    host_ = host_causes({node, gpu, uses_, input.loop.span, input.result.timeline.nodes.size(),
                         !time_.known() && input.shares.none()});
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
      out_.windows[cause] = windows_[cause].spans();
    return std::move(out_);
  }

private:
  void add_sample(std::size_t i) {
    const TimeSpan span = intervals_.of(i);
    if (span.length() <= 0) return;
    const TimeSpan& loop = input_.loop.span;
    const Microseconds middle = span.first + span.length() / 2;
    const double seconds = in_seconds(span.length());
    const bool inside = loop.contains(middle);
    if (inside) doing_ = time_.within(span);
    SecondsByCause of_all{};
    double all = 0;
    for (std::size_t device = 0; device < out_.accounts.size(); ++device) {
      if (std::isnan(gpu_.values[device][i])) continue;
      const double use = std::clamp(static_cast<double>(gpu_.values[device][i]), 0.0, 100.0);
      double busy = seconds * use / 100;
      Loss loss{std::max(0.0, seconds - busy)};
      if (!uses_[device].used)
        loss.give_rest(Cause::idle_gpu);
      else if (!inside)
        loss.give_rest(middle < loop.first ? Cause::start : Cause::finish);
      else
        busy = explain(i, device, use, seconds, loss);
      Account& account = out_.accounts[device];
      account.busy += busy;
      if (inside) {
        account.in_loop += seconds;
        account.busy_in_loop += busy;
      }
      for (std::size_t cause = 0; cause < kCauses; ++cause) {
        account.lost[cause] += loss.given()[cause];
        of_all[cause] += loss.given()[cause];
      }
      all += seconds;
    }
    for (std::size_t cause = 0; cause < kCauses; ++cause)
      if (of_all[cause] > kHolds * all) windows_[cause].add(span);
  }

  /// Shares that are known of the loop as a whole come out of what no sample explains.
  void take_shares(Account& account) {
    const auto take = [&](Cause cause, double share) {
      double& left = account.lost[index_of(Cause::unexplained)];
      const double taken = std::min(left, share * account.in_loop);
      left -= taken;
      account.lost[index_of(cause)] += taken;
      if (taken <= kHolds * account.in_loop / 10) return;
      for (const TimeSpan& span : windows_[index_of(Cause::unexplained)].spans())
        windows_[index_of(cause)].add(span);
    };
    if (!time_.known()) take(Cause::input, input_.shares.input);
    take(Cause::communication, input_.shares.communication);
  }

  /// Returns the seconds in which the GPU worked, without those in which a collective's kernel only
  /// waited.
  double explain(std::size_t i, std::size_t device, double use, double seconds, Loss& loss) {
    const double busy = seconds * use / 100;
    const double waiting = busy * input_.shares.on_gpu_of_busy;
    loss.add(Cause::communication, waiting);
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
    loss.give(Cause::start, seconds * doing_.warm_up);
    loss.give(Cause::input, seconds * doing_.input);
    loss.give(Cause::stall, seconds * doing_.stall);
    loss.give(Cause::between, seconds * doing_.between);
    loss.give(Cause::communication, seconds * doing_.collective);
    loss.give_rest(Cause::unexplained);
    return busy - waiting;
  }

  const LedgerInput& input_;
  const result::MetricTimeline& gpu_;
  Intervals intervals_;
  std::vector<GpuUse> uses_;
  NodeTime time_;
  std::vector<std::optional<Cause>> host_; ///< by sample
  std::vector<SpanSet> windows_;           ///< by cause
  Doing doing_;                            ///< of the sample at hand
  NodeLedger out_;
};

} // namespace

NodeLedger node_ledger(const LedgerInput& input, const result::NodeTimeline& node) {
  const result::MetricTimeline* gpu = find_metric(node, "GPU");
  return gpu == nullptr ? NodeLedger{} : Maker{input, node, *gpu}.make();
}

} // namespace debrief::findings
