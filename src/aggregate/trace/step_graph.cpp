#include "aggregate/trace/step_graph.h"

#include "aggregate/trace/figures.h"
#include "aggregate/trace/stream_waits.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>

namespace debrief::aggregate {

namespace {

using Node = StepGraph::Node;

bool on_host(job::SliceKind kind) {
  return kind == job::SliceKind::op || kind == job::SliceKind::annotation ||
         kind == job::SliceKind::module || kind == job::SliceKind::runtime;
}

/// Operators that only the engine of backward passes runs; before PyTorch 1.10 the second alone.
bool is_autograds(std::string_view op) {
  return op.starts_with("autograd::engine::evaluate_function") ||
         op == "torch::autograd::AccumulateGrad";
}

/// What a thread does from one moment to the next.
struct HostStretch {
  Nanoseconds start{};
  Nanoseconds end{};
  std::int32_t slice = StepGraph::kNone; ///< the innermost
  PathPartKind part = PathPartKind::other_host;
};

struct HostThread {
  std::int32_t track = 0;
  bool autograd = false;                 ///< the engine that runs backward passes
  std::vector<HostStretch> stretches;    ///< by time, from the beginning to the end
  std::int32_t first = StepGraph::kNone; ///< its node at the beginning; those at the ends of its
                                         ///< stretches follow
};

class GraphMaker {
public:
  GraphMaker(const TraceIndex& index, const TraceStep& step, Nanoseconds begin, Nanoseconds end)
      : index_(index)
      , trace_(index.trace)
      , step_(step)
      , begin_(begin)
      , end_(end) {}

  StepGraph make() {
    collect();
    for (HostThread& thread : threads_)
      add_nodes(thread);
    add_work_nodes();
    for (const HostThread& thread : threads_)
      depend_on_gpu(thread);
    find_main();
    collect_idle();
    for (const HostThread& thread : threads_)
      depend_on_threads(thread);
    find_end();
    put_in_order();
    return std::move(graph_);
  }

private:
  const job::Slice& slice(std::int32_t at) const {
    return trace_.slices[static_cast<std::size_t>(at)];
  }

  Node& node(std::int32_t at) { return graph_.nodes[static_cast<std::size_t>(at)]; }

  std::int32_t add_node(const Node& node) {
    graph_.nodes.push_back(node);
    return static_cast<std::int32_t>(graph_.nodes.size() - 1);
  }

  // What happens in the step.

  void collect() {
    const auto& slices = trace_.slices;
    for (auto from = slices.begin(); from != slices.end();) {
      const std::int32_t track = from->track;
      const auto to =
          std::upper_bound(from, slices.end(), track, [](std::int32_t key, const job::Slice& each) {
            return key < each.track;
          });
      const auto in = std::lower_bound(
          from, to, begin_, [](const job::Slice& each, auto time) { return each.start < time; });
      const auto out = std::upper_bound(
          in, to, end_, [](auto time, const job::Slice& each) { return time < each.start; });
      const auto number = [&](auto at) { return static_cast<std::int32_t>(at - slices.begin()); };
      if (trace_.tracks[static_cast<std::size_t>(track)].gpu)
        collect_work(number(from), number(in), number(out));
      else
        collect_thread(track, number(from), number(in), number(out));
      from = to;
    }
  }

  /// Slices of a thread: those from `in` to `out` begin in the step.
  void collect_thread(std::int32_t track, std::int32_t from, std::int32_t in, std::int32_t out) {
    HostThread thread;
    thread.track = track;
    open_.clear();
    at_ = begin_;
    std::int32_t around = StepGraph::kNone; // the last before the step that nests
    for (std::int32_t at = in; around == StepGraph::kNone && at-- > from;)
      if (on_host(slice(at).kind)) around = at;
    std::vector<std::int32_t> chain;
    for (; around != StepGraph::kNone; around = parent_of(index_, around))
      if (slice(around).end() > begin_) chain.push_back(around);
    bool any = false;
    const auto take = [&](std::int32_t at) {
      if (!on_host(slice(at).kind)) return;
      const job::Slice& each = slice(at);
      any = any || each.kind == job::SliceKind::op || each.kind == job::SliceKind::runtime;
      if (each.kind == job::SliceKind::op && is_autograds(index_.name(at))) thread.autograd = true;
      if (each.kind == job::SliceKind::annotation && each.start == step_.host_start &&
          each.end() == step_.host_end)
        main_ = track;
      advance(thread, std::max(each.start, begin_));
      if (each.end() > at_) open_.push_back(at);
    };
    std::reverse(chain.begin(), chain.end()); // outermost first
    for (const std::int32_t outer : chain)
      take(outer);
    for (std::int32_t at = in; at < out; ++at)
      take(at);
    advance(thread, end_);
    if (any || track == main_) threads_.push_back(std::move(thread));
  }

  /// Writes down what the thread did up to `time`: slices that are open, innermost last.
  void advance(HostThread& thread, Nanoseconds time) {
    while (!open_.empty() && slice(open_.back()).end() <= time) {
      write(thread, slice(open_.back()).end(), open_.back());
      open_.pop_back();
    }
    write(thread, time, open_.empty() ? StepGraph::kNone : open_.back());
  }

  void write(HostThread& thread, Nanoseconds until, std::int32_t at) {
    if (until <= at_) return;
    const PathPartKind part = part_on_host(at);
    if (at != StepGraph::kNone && slice(at).kind == job::SliceKind::annotation &&
        slice(at).start == step_.host_start && slice(at).end() == step_.host_end)
      at = StepGraph::kNone; // the step says nothing of what it is made of
    thread.stretches.push_back({at_, until, at, part});
    at_ = until;
  }

  PathPartKind part_on_host(std::int32_t at) const {
    if (at == StepGraph::kNone) return PathPartKind::other_host;
    switch (index_.roles.of(static_cast<std::size_t>(at))) {
    case Role::op:
      return PathPartKind::op;
    case Role::runtime:
      return PathPartKind::runtime;
    case Role::data_loader:
      return PathPartKind::data_loader;
    case Role::communication:
      return PathPartKind::communication;
    default:
      return PathPartKind::other_host;
    }
  }

  void collect_work(std::int32_t from, std::int32_t in, std::int32_t out) {
    // Works of a stream follow each other: of those before only the last few can last until now.
    constexpr std::int32_t kFewBefore = 16;
    for (std::int32_t at = std::max(from, in - kFewBefore); at < out; ++at)
      if (job::is_gpu_work(slice(at).kind) && (at >= in || slice(at).end() > begin_))
        work_.push_back({at, std::max(slice(at).start, begin_), std::min(slice(at).end(), end_)});
  }

  // Nodes, and what follows on the same thread or stream.

  void add_nodes(HostThread& thread) {
    thread.first = add_node({begin_, StepGraph::kNone, StepGraph::kNone});
    for (const HostStretch& stretch : thread.stretches) {
      const auto before = static_cast<std::int32_t>(graph_.nodes.size() - 1);
      add_node({stretch.end, before, stretch.slice, stretch.part, kHostRank});
    }
  }

  PathPartKind part_of_work(std::int32_t at) const {
    switch (index_.roles.of(static_cast<std::size_t>(at))) {
    case Role::communication:
      return PathPartKind::communication;
    case Role::kernel:
      return PathPartKind::compute;
    default:
      return PathPartKind::copy;
    }
  }

  void add_work_nodes() {
    for (StreamWork& work : work_) {
      work.from = add_node(
          {work.start, StepGraph::kNone, work.slice, PathPartKind::kernel_gap, kStartRank});
      const std::int8_t rank = work.end > work.start ? kEndRank : kMomentRank;
      work.to = add_node({work.end, work.from, work.slice, part_of_work(work.slice), rank});
    }
    waits_.emplace(index_, work_);
    for (const StreamWork& work : work_)
      if (work.start > begin_) depend_on_cause(work);
  }

  /// The latest of what work can have waited for.
  void depend_on_cause(const StreamWork& work) {
    Node& start = node(work.from);
    const auto consider = [&](std::int32_t cause, PathPartKind part, std::int32_t slice) {
      if (start.after == StepGraph::kNone || node(cause).time > node(start.after).time) {
        if (start.after != StepGraph::kNone) graph_.in_time.emplace_back(start.after, work.from);
        start.after = cause;
        start.part = part;
        start.slice = slice;
      } else {
        graph_.in_time.emplace_back(cause, work.from);
      }
    };
    if (const std::int32_t launch = launch_node(work); launch != StepGraph::kNone)
      consider(launch, PathPartKind::launch, work.slice);
    if (const StreamWork* before = waits_->before_on_stream(work))
      consider(before->to, PathPartKind::kernel_gap, work.slice);
    waits_->for_each_event(work, [&](const StreamWork& source) {
      consider(source.to, PathPartKind::kernel_gap, work.slice);
    });
    if (start.after != StepGraph::kNone) return;
    if (beginning_ == StepGraph::kNone)
      beginning_ = add_node({begin_, StepGraph::kNone, StepGraph::kNone});
    node(work.from).after = beginning_;
  }

  /// Where its launch begins; clocks of CPU and GPU that differ may have it begin after the work.
  std::int32_t launch_node(const StreamWork& work) const {
    const std::int32_t call = index_.launch[static_cast<std::size_t>(work.slice)];
    if (call == TraceIndex::kNone || slice(call).start < begin_) return StepGraph::kNone;
    return node_at(thread_of(slice(call).track), std::min(slice(call).start, work.start));
  }

  const HostThread* thread_of(std::int32_t track) const {
    const auto found = std::lower_bound(
        threads_.begin(), threads_.end(), track,
        [](const HostThread& thread, std::int32_t key) { return thread.track < key; });
    return found == threads_.end() || found->track != track ? nullptr : &*found;
  }

  /// The last node of a thread up to `time`.
  static std::int32_t node_at(const HostThread* thread, Nanoseconds time) {
    if (thread == nullptr) return StepGraph::kNone;
    const auto after = std::upper_bound(
        thread->stretches.begin(), thread->stretches.end(), time,
        [](Nanoseconds moment, const HostStretch& stretch) { return moment < stretch.end; });
    return thread->first + static_cast<std::int32_t>(after - thread->stretches.begin());
  }

  // Waits of the host.

  void depend_on_gpu(const HostThread& thread) {
    for (std::size_t i = 0; i < thread.stretches.size(); ++i) {
      const HostStretch& stretch = thread.stretches[i];
      if (stretch.part != PathPartKind::runtime || slice(stretch.slice).end() != stretch.end)
        continue;
      const StreamWork* awaited = waits_->awaited_by(stretch.slice);
      if (awaited == nullptr) continue;
      const Nanoseconds ended = std::min(awaited->end, stretch.end);
      if (ended <= stretch.start) continue; // it had ended already
      const std::int32_t at = thread.first + static_cast<std::int32_t>(i) + 1;
      wait_for(at, awaited->to, PathPartKind::sync_wait);
    }
  }

  /// What the node followed before was in time.
  void wait_for(std::int32_t at, std::int32_t cause, PathPartKind part) {
    if (node(cause).time > node(at).time) return; // clocks that differ
    graph_.in_time.emplace_back(node(at).after, at);
    node(at).after = cause;
    node(at).part = part;
  }

  /// The backward pass runs on a thread of its own, while the one that asked for it does nothing
  /// that is recorded; and it begins when that one asks.
  void depend_on_threads(const HostThread& thread) {
    const bool is_main = thread.track == main_;
    if (!is_main && !thread.autograd) return;
    const auto idle = [](const HostStretch& stretch) {
      return stretch.part == PathPartKind::other_host;
    };
    for (std::size_t i = 0; i < thread.stretches.size();) {
      std::size_t to = i;
      while (to < thread.stretches.size() && idle(thread.stretches[to]))
        ++to;
      if (to > i) depend_on_others(thread, i, to, is_main);
      i = to + 1;
    }
  }

  /// Of stretches from `first` to before `last`, which are idle.
  void depend_on_others(const HostThread& thread, std::size_t first, std::size_t last,
                        bool is_main) {
    const Nanoseconds since = thread.stretches[first].start;
    const Nanoseconds until = thread.stretches[last - 1].end;
    const auto& idle = is_main ? autograd_idle_ : main_idle_;
    const auto after = std::lower_bound(idle.begin(), idle.end(), std::pair{until, INT32_MIN});
    if (after == idle.begin() || std::prev(after)->first <= since) return;
    const auto [time, cause] = *std::prev(after);
    for (std::size_t i = first; i < last; ++i)
      if (thread.stretches[i].end > time) {
        wait_for(thread.first + static_cast<std::int32_t>(i) + 1, cause, PathPartKind::other_host);
        return;
      }
  }

  /// When, and at which node, these threads cease to do something.
  void collect_idle() {
    for (const HostThread& thread : threads_) {
      if (!thread.autograd && thread.track != main_) continue;
      auto& idle = thread.autograd ? autograd_idle_ : main_idle_;
      for (std::size_t i = 0; i + 1 < thread.stretches.size(); ++i)
        if (thread.stretches[i].part != PathPartKind::other_host &&
            thread.stretches[i + 1].part == PathPartKind::other_host)
          idle.emplace_back(thread.stretches[i].end,
                            thread.first + static_cast<std::int32_t>(i) + 1);
    }
    std::sort(autograd_idle_.begin(), autograd_idle_.end());
    std::sort(main_idle_.begin(), main_idle_.end());
  }

  // The end.

  void find_end() {
    const HostThread* main = thread_of(main_);
    const bool with_host = step_.number && end_ == step_.host_end && main != nullptr;
    int best = 0;
    for (const StreamWork& work : work_) {
      if (work.end != end_ || with_host) continue;
      // What has just begun is the next step's: this one ends with what let it begin.
      const bool begins = work.start == end_;
      const int good = begins ? 2 : slice(work.slice).end() == end_ ? 3 : 1;
      if (good <= best) continue;
      best = good;
      graph_.end = begins ? work.from : work.to;
    }
    if (graph_.end == StepGraph::kNone && main != nullptr)
      graph_.end = main->first + static_cast<std::int32_t>(main->stretches.size());
  }

  /// Where no thread marks the step, the busiest one that runs no backward pass, if there is such.
  /// One that does both is not the engine's.
  void find_main() {
    const bool marked = main_ != StepGraph::kNone;
    std::pair<bool, Nanoseconds> best{};
    for (const HostThread& thread : threads_) {
      if (marked) break;
      std::pair<bool, Nanoseconds> good{!thread.autograd, {}};
      for (const HostStretch& stretch : thread.stretches)
        if (stretch.part != PathPartKind::other_host) good.second += stretch.end - stretch.start;
      if (good <= best) continue;
      main_ = thread.track;
      best = good;
    }
    for (HostThread& thread : threads_)
      if (thread.track == main_) thread.autograd = false;
  }

  void put_in_order() {
    const auto& nodes = graph_.nodes;
    auto& order = graph_.order;
    order.resize(nodes.size());
    for (std::size_t i = 0; i < order.size(); ++i)
      order[i] = static_cast<std::int32_t>(i);
    const auto key = [&](std::int32_t at) {
      const Node& node = nodes[static_cast<std::size_t>(at)];
      return std::tuple{node.time, node.rank, at};
    };
    std::sort(order.begin(), order.end(),
              [&](std::int32_t a, std::int32_t b) { return key(a) < key(b); });
    std::vector<std::int32_t> place(order.size());
    for (std::size_t i = 0; i < order.size(); ++i)
      place[static_cast<std::size_t>(order[i])] = static_cast<std::int32_t>(i);
    const auto placed = [&](std::int32_t at) { return place[static_cast<std::size_t>(at)]; };
    std::erase_if(graph_.in_time,
                  [&](const auto& pair) { return placed(pair.first) >= placed(pair.second); });
    std::sort(graph_.in_time.begin(), graph_.in_time.end(),
              [&](const auto& a, const auto& b) { return placed(a.second) < placed(b.second); });
  }

  static constexpr std::int8_t kEndRank = 1;
  static constexpr std::int8_t kHostRank = 2;
  static constexpr std::int8_t kStartRank = 3;
  static constexpr std::int8_t kMomentRank = 4; ///< the end of work that took no time

  const TraceIndex& index_;
  const job::Trace& trace_;
  const TraceStep& step_;
  Nanoseconds begin_;
  Nanoseconds end_;
  std::int32_t main_ = StepGraph::kNone; ///< the track of the thread that marks the step
  std::vector<HostThread> threads_;      ///< by track
  std::vector<StreamWork> work_;         ///< by track, then start
  std::optional<StreamWaits> waits_;
  using Moments = std::vector<std::pair<Nanoseconds, std::int32_t>>; ///< with their nodes
  Moments main_idle_;
  Moments autograd_idle_;
  std::vector<std::int32_t> open_; ///< of the thread that is collected
  Nanoseconds at_{};               ///< up to where it is written down
  std::int32_t beginning_ = StepGraph::kNone;
  StepGraph graph_;
};

} // namespace

StepGraph step_graph(const TraceIndex& index, const TraceStep& step, Nanoseconds begin,
                     Nanoseconds end) {
  if (end <= begin) return {};
  return GraphMaker{index, step, begin, end}.make();
}

} // namespace debrief::aggregate
