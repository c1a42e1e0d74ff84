#include "aggregate/framework.h"

#include "aggregate/operators.h"
#include "aggregate/shares.h"
#include "aggregate/spans.h"

#include <algorithm>

namespace debrief::aggregate {

namespace {

using result::ShareRow;

/// The modes of one process and "others", the time between its first and last step that is in none.
/// Of steps with a clock, where there are any: others have no place among those. Profiled steps
/// have no part in it: what is between them was mostly not recorded.
void add_phases(std::span<const StepSeries> of_process, std::vector<ShareRow>& rows) {
  const bool placed =
      std::any_of(of_process.begin(), of_process.end(),
                  [](const StepSeries& series) { return series.steps.front().clock_known; });
  std::vector<ShareRow> own;
  std::vector<TimeSpan> covered;
  for (const StepSeries& series : of_process) {
    if (series.mode == kProfiledMode) continue;
    const Microseconds before = total_length(covered);
    std::int64_t calls = 0;
    for (const Step& step : series.steps) {
      if (step.clock_known != placed) continue;
      covered.push_back(step.span);
      ++calls;
    }
    if (calls == 0) continue;
    covered = merged(std::move(covered));
    own.push_back({series.process, "Step:ModeKeys." + series.mode, 0,
                   in_seconds(total_length(covered) - before), calls});
  }
  if (covered.empty()) return;
  const Microseconds loop = covered.back().last - covered.front().first;
  if (loop <= 0) return; // no time that could have parts
  own.push_back({of_process.front().process, "others", 0, in_seconds(loop - total_length(covered)),
                 std::nullopt});
  set_percents(own);
  std::move(own.begin(), own.end(), std::back_inserter(rows));
}

std::vector<ShareRow> phases(std::span<const StepSeries> steps) {
  std::vector<ShareRow> rows;
  for (auto first = steps.begin(); first != steps.end();) {
    const auto last = std::find_if(first, steps.end(), [&](const StepSeries& series) {
      return series.process != first->process;
    });
    add_phases({first, last}, rows);
    first = last;
  }
  return rows;
}

/// Sums by the id of a name or a phase.
class SumsById {
public:
  explicit SumsById(const job::StringTable& texts)
      : texts_(texts) {}

  void add(job::StringTable::Id id, Microseconds duration) {
    if (sums_.empty()) sums_.resize(texts_.size());
    ShareSum& sum = sums_[static_cast<std::size_t>(id)];
    sum.duration += duration;
    ++sum.calls;
  }

  ShareSums by_text() const {
    ShareSums named;
    for (std::size_t id = 0; id < sums_.size(); ++id)
      if (sums_[id].calls > 0)
        named.emplace(texts_[static_cast<job::StringTable::Id>(id)], sums_[id]);
    return named;
  }

private:
  const job::StringTable& texts_;
  std::vector<ShareSum> sums_;
};

/// Forward against backward: of whole passes, or of their parts where nothing else was recorded.
std::vector<ShareRow> passes(const ShareSums& whole, const ShareSums& parts) {
  ShareSums sums;
  const auto collect = [&](const ShareSums& phases) {
    for (const auto& [phase, sum] : phases) {
      const bool forward = phase.starts_with("Forward");
      if (!forward && !phase.starts_with("Backward")) continue;
      ShareSum& into = sums[forward ? "Forward pass" : "Backward pass"];
      into.duration += sum.duration;
      into.calls += sum.calls;
    }
  };
  collect(whole);
  if (sums.empty()) collect(parts);
  return shares(sums);
}

} // namespace

result::Framework framework_metrics(const job::EventTable& events, const WorkKinds& kinds,
                                    std::span<const StepSeries> steps) {
  result::Framework framework;
  framework.phase = phases(steps);
  SumsById general{events.phases};
  SumsById parts_of_passes{events.phases};
  SumsById collectives{events.names};
  for (std::size_t row = 0; row < events.size(); ++row) {
    const Work work = kinds.of(row);
    const Microseconds duration = events.duration[row];
    if (work == Work::collective)
      collectives.add(events.name[row], duration);
    else if (work == Work::forward_submodule || work == Work::backward_submodule)
      parts_of_passes.add(events.phase[row], duration);
    else if (work != Work::step && work != Work::cpu_operator && work != Work::gpu_operator)
      general.add(events.phase[row], duration);
  }
  framework.general = shares(general.by_text());
  framework.collectives = shares(collectives.by_text());
  framework.forward_backward = passes(general.by_text(), parts_of_passes.by_text());
  OperatorTimes cpu = operator_times(events, kinds, Work::cpu_operator);
  OperatorTimes gpu = operator_times(events, kinds, Work::gpu_operator);
  framework.cpu_operators = std::move(cpu.table);
  framework.gpu_operators = std::move(gpu.table);
  // By the time that threads and streams were busy with them.
  framework.ratio = std::move(gpu.busy);
  std::move(cpu.busy.begin(), cpu.busy.end(), std::back_inserter(framework.ratio));
  set_percents(framework.ratio);
  if (!framework.cpu_operators.rows.empty() || !framework.gpu_operators.rows.empty())
    framework.operator_source = result::kFromTimelines;
  return framework;
}

} // namespace debrief::aggregate
