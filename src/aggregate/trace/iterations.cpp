#include "aggregate/trace/iterations.h"

#include "job/annotation_names.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

namespace debrief::aggregate {

namespace {

using result::StepPhase;
using result::StepSource;

/// The whole number that `text` begins with; it is taken off.
std::optional<std::int64_t> take_number(std::string_view& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || number < 0) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

/// Requests and their tokens: "1(888)", "32(sq32sk32785sqsq32sqsk32785)", "1(888_788544)".
struct Requests {
  std::int64_t count = 0;
  std::int64_t tokens = 0;
};

std::optional<Requests> take_requests(std::string_view& text) {
  const auto count = take_number(text);
  if (!count || !text.starts_with('(')) return std::nullopt;
  text.remove_prefix(1);
  if (text.starts_with("sq")) text.remove_prefix(2);
  const auto tokens = take_number(text);
  const std::size_t close = text.find(')');
  if (!tokens || close == text.npos) return std::nullopt;
  text.remove_prefix(close + 1);
  return Requests{*count, *tokens};
}

StepPhase phase_of(bool prefill, bool decode) {
  return prefill && decode ? StepPhase::mixed : prefill ? StepPhase::prefill : StepPhase::decode;
}

/// "execute_32_context_0(…)_generation_32(…)", "execute_context_1(888)_generation_0(0)".
std::optional<EngineIteration> vllm_iteration(std::string_view name) {
  constexpr std::string_view kContext = "context_";
  constexpr std::string_view kGeneration = "_generation_";
  if (!name.starts_with("execute_")) return std::nullopt;
  const std::size_t at = name.find(kContext);
  if (at == name.npos) return std::nullopt;
  std::string_view rest = name.substr(at + kContext.size());
  const auto context = take_requests(rest);
  if (!context || !rest.starts_with(kGeneration)) return std::nullopt;
  rest.remove_prefix(kGeneration.size());
  const auto generation = take_requests(rest);
  if (!generation) return std::nullopt;
  EngineIteration found;
  if (context->count + generation->count > 0)
    found.phase = phase_of(context->count > 0, generation->count > 0);
  std::int64_t tokens = 0;
  if (!__builtin_add_overflow(context->tokens, generation->tokens, &tokens) && tokens > 0)
    found.tokens = tokens;
  return found;
}

/// "step[DECODE bs=32]", "step[EXTEND bs=1 toks=888]".
std::optional<EngineIteration> sglang_iteration(std::string_view name) {
  constexpr std::string_view kStep = "step[";
  if (!name.starts_with(kStep)) return std::nullopt;
  name.remove_prefix(kStep.size());
  const auto figure = [&](std::string_view key) -> std::optional<std::int64_t> {
    const std::size_t at = name.find(key);
    if (at == name.npos) return std::nullopt;
    std::string_view digits = name.substr(at + key.size());
    return take_number(digits);
  };
  EngineIteration found;
  if (name.starts_with("DECODE")) {
    found.phase = StepPhase::decode;
    found.tokens = figure("bs=");
  } else if (name.starts_with("EXTEND") || name.starts_with("PREFILL")) {
    found.phase = StepPhase::prefill;
    found.tokens = figure("toks=");
  } else if (name.starts_with("MIXED")) {
    found.phase = StepPhase::mixed;
  } else {
    return std::nullopt;
  }
  return found;
}

using Steps = std::vector<TraceStep>;

TraceStep whole(Nanoseconds start, Nanoseconds end, std::optional<std::int64_t> number) {
  return {start, end, start, end, number};
}

void sort_by_time(Steps& steps) {
  std::stable_sort(steps.begin(), steps.end(), [](const TraceStep& a, const TraceStep& b) {
    return a.host_start < b.host_start;
  });
}

Steps profiler_steps(const job::Trace& trace) {
  Steps steps;
  for (const job::Slice& slice : trace.slices)
    if (slice.kind == job::SliceKind::annotation && slice.duration > Nanoseconds{} &&
        job::is_profiler_step(trace.names[slice.name]))
      steps.push_back(
          whole(slice.start, slice.end(), job::profiler_step_number(trace.names[slice.name])));
  sort_by_time(steps);
  return steps;
}

void number_all(Steps& steps) {
  sort_by_time(steps);
  for (std::size_t i = 0; i < steps.size(); ++i)
    steps[i].number = static_cast<std::int64_t>(i) + 1;
}

/// What lies between the ends (or starts) of marks that come once a step.
Steps between(std::vector<Nanoseconds> marks) {
  std::sort(marks.begin(), marks.end());
  Steps steps;
  for (std::size_t i = 1; i < marks.size(); ++i)
    if (marks[i] > marks[i - 1]) steps.push_back(whole(marks[i - 1], marks[i], {}));
  number_all(steps);
  return steps;
}

/// By name: the one that comes most often marks steps; a second optimizer or loader is a part of
/// the same step.
using MarksByName = std::map<job::StringTable::Id, std::vector<Nanoseconds>>;

std::vector<Nanoseconds> most_frequent_marks(const MarksByName& marks) {
  const auto most = std::max_element(marks.begin(), marks.end(), [](const auto& a, const auto& b) {
    return a.second.size() < b.second.size();
  });
  return most == marks.end() ? std::vector<Nanoseconds>{} : most->second;
}

Steps optimizer_steps(const job::Trace& trace) {
  MarksByName ends;
  for (const job::Slice& slice : trace.slices)
    if (slice.kind == job::SliceKind::annotation &&
        trace.names[slice.name].starts_with("Optimizer.step#"))
      ends[slice.name].push_back(slice.end());
  return between(most_frequent_marks(ends));
}

Steps loader_steps(const job::Trace& trace) {
  MarksByName starts;
  for (const job::Slice& slice : trace.slices)
    if (slice.kind == job::SliceKind::annotation && job::is_data_loader(trace.names[slice.name]))
      starts[slice.name].push_back(slice.start);
  return between(most_frequent_marks(starts));
}

/// The outermost ranges: SGLang marks its own within those of vLLM's kind. What an outer one does
/// not say, one inside of it may.
Steps engine_steps(const job::Trace& trace, std::span<const std::int32_t> parent) {
  std::map<job::StringTable::Id, std::optional<EngineIteration>> known;
  const auto iteration_of = [&](const job::Slice& slice) -> const std::optional<EngineIteration>& {
    const auto [found, is_new] = known.try_emplace(slice.name);
    if (is_new) found->second = engine_iteration(trace.names[slice.name]);
    return found->second;
  };
  Steps steps;
  std::vector<std::int32_t> place(trace.slices.size(), -1); // of the step around a slice
  for (std::size_t i = 0; i < trace.slices.size(); ++i) {
    const job::Slice& slice = trace.slices[i];
    if (parent[i] >= 0) place[i] = place[static_cast<std::size_t>(parent[i])];
    if (slice.kind != job::SliceKind::annotation || slice.duration <= Nanoseconds{}) continue;
    const auto& iteration = iteration_of(slice);
    if (!iteration) continue;
    if (place[i] >= 0) {
      TraceStep& outer = steps[static_cast<std::size_t>(place[i])];
      if (!outer.phase) outer.phase = iteration->phase;
      if (!outer.tokens) outer.tokens = iteration->tokens;
      continue;
    }
    place[i] = static_cast<std::int32_t>(steps.size());
    TraceStep& step = steps.emplace_back(whole(slice.start, slice.end(), {}));
    step.phase = iteration->phase;
    step.tokens = iteration->tokens;
  }
  number_all(steps);
  return steps;
}

/// Calls of the module that takes most time of those that no other holds.
Steps module_steps(const job::Trace& trace, std::span<const std::int32_t> parent) {
  std::map<job::StringTable::Id, std::pair<Nanoseconds, Steps>> modules;
  std::vector<bool> in_module(trace.slices.size()); // what holds a slice comes before it
  for (std::size_t i = 0; i < trace.slices.size(); ++i) {
    const job::Slice& slice = trace.slices[i];
    const bool is_module = slice.kind == job::SliceKind::module;
    const bool held = parent[i] >= 0 && in_module[static_cast<std::size_t>(parent[i])];
    in_module[i] = is_module || held;
    if (!is_module || held || slice.duration <= Nanoseconds{}) continue;
    auto& [total, steps] = modules[slice.name];
    total += slice.duration;
    steps.push_back(whole(slice.start, slice.end(), {}));
  }
  const auto most =
      std::max_element(modules.begin(), modules.end(), [](const auto& a, const auto& b) {
        return a.second.first < b.second.first;
      });
  Steps steps = most == modules.end() ? Steps{} : std::move(most->second.second);
  number_all(steps);
  return steps;
}

Steps graph_steps(const job::Trace& trace) {
  std::vector<Nanoseconds> starts;
  for (const job::Slice& slice : trace.slices)
    if (slice.kind == job::SliceKind::runtime && is_graph_launch(trace.names[slice.name]))
      starts.push_back(slice.start);
  return between(std::move(starts));
}

} // namespace

bool is_graph_launch(std::string_view call) {
  return call.find("GraphLaunch") != call.npos;
}

std::optional<EngineIteration> engine_iteration(std::string_view annotation) {
  if (auto found = vllm_iteration(annotation)) return found;
  return sglang_iteration(annotation);
}

TraceSteps find_steps(const job::Trace& trace, std::span<const std::int32_t> parent) {
  constexpr std::size_t kFew = 2; // parts of steps: one alone may be of something else

  struct Choice {
    StepSource source;
    std::size_t least;
    Steps steps;
  };

  const auto first_of = [&](auto&&... makers) {
    TraceSteps found;
    const auto try_one = [&](const auto& maker) {
      if (!found.list.empty()) return;
      Choice choice = maker();
      if (choice.steps.size() >= choice.least) found = {std::move(choice.steps), choice.source};
    };
    (try_one(makers), ...);
    return found;
  };
  TraceSteps found = first_of(
      [&] {
        return Choice{StepSource::profiler_step, 1, profiler_steps(trace)};
      },
      [&] {
        return Choice{StepSource::optimizer_step, kFew, optimizer_steps(trace)};
      },
      [&] {
        return Choice{StepSource::data_loader, kFew, loader_steps(trace)};
      },
      [&] {
        return Choice{StepSource::engine_iteration, 1, engine_steps(trace, parent)};
      },
      [&] {
        return Choice{StepSource::module_call, kFew, module_steps(trace, parent)};
      },
      [&] {
        return Choice{StepSource::graph_launch, kFew, graph_steps(trace)};
      });
  if (const auto span = trace.span(); found.list.empty() && span && span->second > span->first)
    found.list.push_back(whole(span->first, span->second, std::nullopt));
  return found;
}

const TraceStep* step_at(std::span<const TraceStep> steps, Nanoseconds time) {
  const auto after = std::upper_bound(
      steps.begin(), steps.end(), time,
      [](Nanoseconds moment, const TraceStep& step) { return moment < step.host_start; });
  if (after == steps.begin() || std::prev(after)->host_end <= time) return nullptr;
  return &*std::prev(after);
}

namespace {

/// What a step started on GPUs.
struct StepWork {
  Nanoseconds first = Nanoseconds::max(); ///< when the first of it begins
  Nanoseconds last = Nanoseconds::min();  ///< when all of it has ended
  Nanoseconds asked{};                    ///< when the call that launched the first returned

  bool any() const { return last > Nanoseconds::min(); }
};

std::vector<StepWork> work_of_steps(const job::Trace& trace, std::span<const std::int32_t> launch,
                                    const Steps& steps) {
  std::vector<StepWork> work(steps.size());
  const auto& slices = trace.slices;
  for (std::size_t i = 0; i < slices.size(); ++i) {
    if (!job::is_gpu_work(slices[i].kind) || launch[i] < 0) continue;
    const job::Slice& call = slices[static_cast<std::size_t>(launch[i])];
    const TraceStep* step = step_at(steps, call.start);
    if (step == nullptr) continue;
    StepWork& own = work[static_cast<std::size_t>(step - steps.data())];
    if (slices[i].start < own.first) {
      own.first = slices[i].start;
      own.asked = call.end();
    }
    own.last = std::max(own.last, slices[i].end());
  }
  return work;
}

} // namespace

void place_steps(const job::Trace& trace, std::span<const std::int32_t> launch, Steps& steps) {
  if (steps.empty() || !steps.front().number) return;
  const std::vector<StepWork> work = work_of_steps(trace, launch, steps);
  Nanoseconds turn = Nanoseconds::min(); // where the step before ended
  if (work.front().any()) {
    // Where the first work was queued for most of the time, the GPU was at what came before.
    const Nanoseconds queued = work.front().first - work.front().asked;
    if (2 * queued >= work.front().first - steps.front().host_start) turn = work.front().first;
  }
  Nanoseconds most_behind{}; // the GPU, at the end of a step
  for (std::size_t i = 0; i < steps.size(); ++i) {
    TraceStep& step = steps[i];
    // Steps that overlap are no sequence that a GPU could work off.
    const bool overlaps = (i > 0 && step.host_start < steps[i - 1].host_end) ||
                          (i + 1 < steps.size() && steps[i + 1].host_start < step.host_end);
    if (overlaps) {
      turn = step.host_end;
      continue;
    }
    step.start = std::max(step.host_start, turn);
    step.end = std::max(step.host_end, step.start);
    if (work[i].any()) {
      Nanoseconds done = work[i].last;
      if (i + 1 < steps.size() && work[i + 1].any())
        done = std::min(done, work[i + 1].first);
      else if (i > 0) // what a pipeline started for later steps is not the last one's own
        done = std::min(done, step.host_end + 2 * most_behind);
      step.end = std::max(step.end, done);
    }
    most_behind = std::max(most_behind, step.end - step.host_end);
    turn = step.end;
  }
}

} // namespace debrief::aggregate
