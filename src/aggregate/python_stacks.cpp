#include "aggregate/python_stacks.h"

#include "aggregate/stack_frames.h"
#include "util/interval_set.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace debrief::aggregate {

namespace {

using job::CodeOrigin;
using job::StackFrame;
using Spans = IntervalSet<Microseconds>;

/// When the job was in which phase. Evaluation and saving are taken out of the others.
std::vector<std::pair<result::PythonPhase, Spans>>
python_phases(const job::EventTable& events, const result::JobSummary& summary) {
  using result::PythonPhase;
  constexpr Microseconds kBegin = kEarliestTime;
  constexpr Microseconds kEnd = kLatestTime;
  const auto& first = summary.training_loop_start;
  const auto& last = summary.training_loop_end;
  if (!first || !last) return {{PythonPhase::job, {TimeSpan{kBegin, kEnd}}}};
  std::vector<bool> evaluates;
  std::vector<bool> saves;
  for (std::size_t id = 0; id < events.phases.size(); ++id) {
    const std::string_view phase = events.phases[static_cast<job::StringTable::Id>(id)];
    const std::string_view mode = job::mode_of(phase);
    evaluates.push_back(phase.starts_with("Step:ModeKeys") && !mode.empty() && mode != "TRAIN");
    saves.push_back(phase == job::kCheckpointPhase);
  }
  std::vector<TimeSpan> evaluating;
  std::vector<TimeSpan> saving;
  for (std::size_t row = 0; row < events.size(); ++row) {
    const auto phase = static_cast<std::size_t>(events.phase[row]);
    if (!evaluates[phase] && !saves[phase]) continue;
    if (!events.timeline_of(row).clock_known) continue;
    add_interval(evaluates[phase] ? evaluating : saving,
                 {events.start[row], events.start[row] + events.duration[row]});
  }
  const Spans all_saving = to_set(std::move(saving));
  const Spans all_evaluation = difference(to_set(std::move(evaluating)), all_saving);
  const Spans either = set_union(all_saving, all_evaluation);
  const auto rest = [&](Microseconds from, Microseconds to) {
    return from < to ? difference(Spans{{from, to}}, either) : Spans{};
  };
  return {{PythonPhase::startup, rest(kBegin, *first)},
          {PythonPhase::training, rest(*first, *last)},
          {PythonPhase::evaluation, all_evaluation},
          {PythonPhase::saving, all_saving},
          {PythonPhase::end, rest(*last, kEnd)}};
}

result::PythonThreads kind_of_thread(const job::PythonStacks& stacks,
                                     const job::SampledThread& thread) {
  if (!thread.is_main) return result::PythonThreads::others;
  return stacks.processes[as_index(thread.process)].loader_worker
             ? result::PythonThreads::loader_workers
             : result::PythonThreads::main;
}

/// Which function each frame is of, by number.
struct PythonFunctions {
  explicit PythonFunctions(const job::PythonStacks& stacks) {
    std::map<FunctionKey, std::int32_t> numbers;
    for (const StackFrame& frame : stacks.frames)
      of_frame.push_back(
          numbers.emplace(function_key(frame), static_cast<std::int32_t>(numbers.size()))
              .first->second);
    count = numbers.size();
  }

  std::vector<std::int32_t> of_frame;
  std::size_t count = 0;
};

/// Functions with the time of stacks, each of which is added once.
class PythonProfileBuilder {
public:
  PythonProfileBuilder(const job::PythonStacks& stacks, const PythonFunctions& functions)
      : stacks_(stacks)
      , functions_(functions)
      , times_(functions.count)
      , of_frame_(stacks.frames.size()) {}

  void add(std::int32_t stack, double seconds) {
    sum_ += seconds;
    ++stacks_added_;
    list_frames(stacks_, stack, frames_);
    if (frames_.empty()) return;
    const std::int32_t charged = frames_[own_place(stacks_, frames_)];
    if (stacks_.frames[as_index(charged)].origin == CodeOrigin::own)
      times_of(charged).own += seconds;
    times_of(frames_.front()).self += seconds;
    for (const std::int32_t frame : frames_) {
      Times& times = times_of(frame);
      if (times.last_stack == stacks_added_) continue; // recursion
      times.last_stack = stacks_added_;
      times.total += seconds;
      of_frame_[as_index(frame)] += seconds;
    }
  }

  /// Of the job's own functions those with the longest total time, of others those with the longest
  /// self time.
  result::PythonProfile finish() {
    find_top_lines();
    const MostTime most{stacks_};
    std::vector<const Times*> rows;
    for (const Times& times : times_)
      if (times.last_stack > 0) rows.push_back(&times);
    result::PythonProfile profile;
    profile.seconds = sum_;
    profile.function_count = std::ssize(rows);
    const auto by = [&most](const auto& value) {
      return [&most, value](const Times* a, const Times* b) {
        if (value(*a) != value(*b)) return value(*a) > value(*b);
        return most.is_before(a->top_line, b->top_line);
      };
    };
    const auto is_own = [&](const Times& times) {
      return stacks_.frames[as_index(times.top_line)].origin == CodeOrigin::own;
    };
    std::sort(rows.begin(), rows.end(),
              by([&](const Times& times) { return is_own(times) ? times.total : times.self; }));
    if (rows.size() > result::kMostPythonFunctions) rows.resize(result::kMostPythonFunctions);
    std::erase_if(rows, [&](const Times* times) { return !is_own(*times) && times->self <= 0; });
    std::sort(rows.begin(), rows.end(), by([](const Times& times) {
                return std::pair{times.self, times.total};
              }));
    for (const Times* row : rows)
      profile.functions.push_back({python_place(stacks_, stacks_.frames[as_index(row->top_line)]),
                                   row->self, row->total, row->own});
    return profile;
  }

private:
  struct Times {
    double self = 0;
    double total = 0;
    double own = 0;
    std::int64_t last_stack = 0; ///< that it was on; 0: none
    std::int32_t top_line = -1;  ///< the frame with the most of the total
  };

  Times& times_of(std::int32_t frame) {
    return times_[as_index(functions_.of_frame[as_index(frame)])];
  }

  void find_top_lines() {
    const MostTime most{stacks_};
    for (std::int32_t frame = 0; frame < std::ssize(of_frame_); ++frame) {
      const double seconds = of_frame_[as_index(frame)];
      std::int32_t& top = times_of(frame).top_line;
      if (seconds <= 0) continue;
      const double before = top < 0 ? 0 : of_frame_[as_index(top)];
      if (seconds > before || (seconds == before && most.is_before(frame, top))) top = frame;
    }
  }

  const job::PythonStacks& stacks_;
  const PythonFunctions& functions_;
  std::vector<Times> times_;     ///< by function
  std::vector<double> of_frame_; ///< seconds
  double sum_ = 0;
  std::int64_t stacks_added_ = 0;
  std::vector<std::int32_t> frames_;
};

void describe_sampling(const job::PythonStacks& stacks, result::PythonStacks& out) {
  out.processes = std::ssize(stacks.processes);
  out.threads = std::ssize(stacks.threads);
  out.processes_left_out = stacks.processes_left_out;
  double cpu = 0;
  double over = 0;
  for (const job::SampledProcess& process : stacks.processes) {
    if (process.interval)
      out.interval = std::max(out.interval.value_or(0), in_seconds(*process.interval));
    if (process.cpu && process.sampled) {
      cpu += in_seconds(*process.cpu);
      over += in_seconds(*process.sampled);
    }
    out.thread_samples_left_out += process.threads_left_out;
    out.frames_left_out += process.frames_left_out;
    out.stacks_left_out += process.stacks_left_out;
    out.full_files += process.full ? 1 : 0;
  }
  if (over > 0) out.cost_percent = 100 * cpu / over;
  for (std::size_t row = 0; row < stacks.size(); ++row) {
    out.seconds += in_seconds(stacks.duration[row]);
    out.waited_seconds += in_seconds(stacks.waited[row]);
  }
}

} // namespace

result::PythonStacks python_stacks(const job::PythonStacks& stacks, const job::EventTable& events,
                                   const result::JobSummary& summary) {
  result::PythonStacks out;
  if (stacks.empty()) return out;
  describe_sampling(stacks, out);
  const auto phases = python_phases(events, summary);

  struct Piece {
    std::tuple<result::PythonThreads, result::PythonPhase, std::int32_t> of; ///< ..., and stack
    double seconds;
  };

  std::vector<Piece> pieces;
  for (std::size_t row = 0; row < stacks.size(); ++row) {
    const auto threads = kind_of_thread(stacks, stacks.threads[as_index(stacks.thread[row])]);
    const TimeSpan run{stacks.start[row], stacks.start[row] + stacks.duration[row]};
    for (const auto& [phase, spans] : phases)
      for_clipped(spans, run, [&, phase = phase](const TimeSpan& piece) {
        pieces.push_back({{threads, phase, stacks.stack[row]}, in_seconds(piece.length())});
      });
  }
  std::stable_sort(pieces.begin(), pieces.end(),
                   [](const Piece& a, const Piece& b) { return a.of < b.of; });
  const PythonFunctions functions{stacks};
  for (auto from = pieces.begin(); from != pieces.end();) {
    const auto [threads, phase, first] = from->of;
    PythonProfileBuilder builder{stacks, functions};
    while (from != pieces.end() && std::get<0>(from->of) == threads &&
           std::get<1>(from->of) == phase) {
      const std::int32_t stack = std::get<2>(from->of);
      double seconds = 0;
      for (const auto all = from->of; from != pieces.end() && from->of == all; ++from)
        seconds += from->seconds;
      builder.add(stack, seconds);
    }
    result::PythonProfile profile = builder.finish();
    profile.threads = threads;
    profile.phase = phase;
    out.profiles.push_back(std::move(profile));
  }
  return out;
}

} // namespace debrief::aggregate
