#include "ingest/join_stacks.h"

#include "ingest/select_job.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>

namespace debrief::ingest {

namespace {

using job::PythonStacks;

/// Puts the tables of files together; rows come as they are.
class StackJoin {
public:
  explicit StackJoin(PythonStacks& out)
      : out_(out) {}

  void add(const PythonStacks& file) {
    const auto first_process = static_cast<std::int32_t>(out_.processes.size());
    const auto first_thread = static_cast<std::int32_t>(out_.threads.size());
    out_.processes.insert(out_.processes.end(), file.processes.begin(), file.processes.end());
    out_.processes_left_out += file.processes_left_out;
    for (job::SampledThread thread : file.threads) {
      thread.process += first_process;
      out_.threads.push_back(std::move(thread));
    }
    std::vector<std::int32_t> frames;
    for (job::StackFrame frame : file.frames) {
      frame.function = out_.texts.intern(file.texts[frame.function]);
      frame.file = out_.texts.intern(file.texts[frame.file]);
      frames.push_back(place_of(frame, frames_, out_.frames));
    }
    std::vector<std::int32_t> stacks;
    for (job::CallStack stack : file.stacks) {
      if (stack.caller >= 0) stack.caller = stacks[static_cast<std::size_t>(stack.caller)];
      stack.frame = frames[static_cast<std::size_t>(stack.frame)];
      stacks.push_back(place_of(stack, stacks_, out_.stacks));
    }
    for (std::size_t row = 0; row < file.size(); ++row) {
      const std::int32_t stack = file.stack[row];
      out_.start.push_back(file.start[row]);
      out_.duration.push_back(file.duration[row]);
      out_.waited.push_back(file.waited[row]);
      out_.thread.push_back(file.thread[row] + first_thread);
      out_.stack.push_back(stack < 0 ? -1 : stacks[static_cast<std::size_t>(stack)]);
    }
  }

private:
  template <typename Value>
  static std::int32_t place_of(const Value& value, std::map<Value, std::int32_t>& known,
                               std::vector<Value>& list) {
    const auto [at, is_new] = known.emplace(value, static_cast<std::int32_t>(list.size()));
    if (is_new) list.push_back(value);
    return at->second;
  }

  PythonStacks& out_;
  std::map<job::StackFrame, std::int32_t> frames_;
  std::map<job::CallStack, std::int32_t> stacks_;
};

template <typename Value>
void put_in_order(std::vector<Value>& column, const std::vector<std::size_t>& order) {
  std::vector<Value> out;
  out.reserve(order.size());
  for (const std::size_t row : order)
    out.push_back(column[row]);
  column = std::move(out);
}

void put_all_in_order(PythonStacks& stacks, const std::vector<std::size_t>& order) {
  put_in_order(stacks.start, order);
  put_in_order(stacks.duration, order);
  put_in_order(stacks.waited, order);
  put_in_order(stacks.thread, order);
  put_in_order(stacks.stack, order);
}

/// By thread and time, without what others have sampled at the same time.
void settle_rows(PythonStacks& stacks, const std::optional<TimeSpan>& span,
                 job::ReadingReport& report) {
  std::vector<std::size_t> order(stacks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (span) {
    const std::size_t before = order.size();
    std::erase_if(order, [&](std::size_t row) {
      return time_outside(*span, stacks.start[row]) > kSilenceBetweenJobs;
    });
    if (order.size() < before)
      job::ReadingReport::count(report.skipped, "sample of Python stacks of another job", "",
                                before - order.size());
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair{stacks.thread[a], stacks.start[a]} <
           std::pair{stacks.thread[b], stacks.start[b]};
  });
  std::size_t kept = 0;
  for (const std::size_t row : order) {
    if (kept > 0 && stacks.thread[order[kept - 1]] == stacks.thread[row]) {
      const std::size_t before = order[kept - 1];
      const Microseconds end = stacks.start[before] + stacks.duration[before];
      const Microseconds overlap = end - stacks.start[row];
      if (overlap > 0) {
        job::ReadingReport::count(report.repaired, "samples of Python stacks overlap", "");
        if (overlap >= stacks.duration[row]) continue;
        stacks.start[row] = end;
        stacks.duration[row] -= overlap;
        stacks.waited[row] = std::min(stacks.waited[row], stacks.duration[row]);
      }
    }
    order[kept++] = row;
  }
  order.resize(kept);
  put_all_in_order(stacks, order);
}

} // namespace

PythonStacks join_stacks(std::vector<PythonStacks> files, const std::optional<TimeSpan>& span,
                         job::ReadingReport& report) {
  PythonStacks out;
  StackJoin join{out};
  for (const PythonStacks& file : files)
    join.add(file);
  settle_rows(out, span, report);
  return out;
}

} // namespace debrief::ingest
