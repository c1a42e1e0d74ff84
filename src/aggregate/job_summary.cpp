#include "aggregate/job_summary.h"

#include "aggregate/job_failure.h"
#include "job/all_cores.h"
#include "sagemaker_figures/figures.h"
#include "util/parallel.h"
#include "util/text.h"

#include <algorithm>
#include <map>
#include <set>

namespace debrief::aggregate {

namespace {

using result::JobSummary;
using result::Node;

struct JobSummaryByNumber {
  bool operator()(const std::string& a, const std::string& b) const { return natural_less(a, b); }
};

using NameSet = std::set<std::string, JobSummaryByNumber>;

void widen(std::optional<TimeSpan>& span, Microseconds first, Microseconds last) {
  if (!span) span = TimeSpan{first, last};
  span->include(first);
  span->include(last);
}

/// From the first step's start to the last step's end, of any mode and process.
struct SpansOfSteps {
  std::optional<TimeSpan> profiled; ///< those that traces profiled
  std::optional<TimeSpan> others;
};

SpansOfSteps spans_of_steps(const job::EventTable& events) {
  std::vector<bool> is_step(events.phases.size());
  for (std::size_t id = 0; id < is_step.size(); ++id)
    is_step[id] = events.phases[static_cast<job::StringTable::Id>(id)].starts_with("Step:ModeKeys");
  const auto of_rows = [&](std::size_t begin, std::size_t end) {
    SpansOfSteps spans;
    for (std::size_t row = begin; row < end; ++row) {
      if (!is_step[static_cast<std::size_t>(events.phase[row])]) continue;
      const job::Timeline& timeline = events.timeline_of(row);
      if (!timeline.clock_known) continue;
      const Microseconds start = events.start[row];
      widen(timeline.kind == job::TimelineKind::pytorch_profiler ? spans.profiled : spans.others,
            start, start + events.duration[row]);
    }
    return spans;
  };
  SpansOfSteps all;
  for (const SpansOfSteps& piece : parallel_pieces(events.size(), of_rows)) {
    if (piece.profiled) widen(all.profiled, piece.profiled->first, piece.profiled->last);
    if (piece.others) widen(all.others, piece.others->first, piece.others->last);
  }
  return all;
}

std::optional<TimeSpan> span_of_traces(const std::vector<job::Trace>& traces) {
  std::optional<TimeSpan> span;
  for (const job::Trace& trace : traces)
    if (const auto own = trace.span(); own && trace.clock_known)
      widen(span, to_microseconds(own->first), to_microseconds(own->second));
  return span;
}

std::optional<TimeSpan> span_of_events(const job::EventTable& events) {
  std::optional<TimeSpan> span;
  for (std::size_t row = 0; row < events.size(); ++row) {
    const job::Timeline& timeline = events.timeline_of(row);
    if (!timeline.clock_known || timeline.kind == job::TimelineKind::pytorch_profiler) continue;
    const Microseconds start = events.start[row];
    widen(span, start, start + events.duration[row]);
  }
  return span;
}

/// Of what the training script logged with a time.
std::optional<TimeSpan> span_of_scalars(const std::vector<job::ScalarSeries>& scalars) {
  std::optional<TimeSpan> span;
  for (const job::ScalarSeries& series : scalars)
    if (series.has_times()) {
      const auto [first, last] = std::minmax_element(series.times.begin(), series.times.end());
      widen(span, *first, *last);
    }
  return span;
}

/// Of all GPUs that count theirs, in kWh; nothing where none does.
std::optional<double> gpu_energy(const job::Job& job) {
  constexpr double kJoulesPerKwh = 3.6e6;
  constexpr double kMostJoules = 1e15; // beyond it is no measurement
  std::optional<double> joules;
  for (const job::MetricSeries& series : job.metrics) {
    if (series.recorded_as.type != "gpu" || series.recorded_as.dimension != "GPUEnergyJoules" ||
        series.values.empty())
      continue;
    const double used = series.values.back() - series.values.front();
    if (used >= 0 && used < kMostJoules) joules = joules.value_or(0) + used;
  }
  return joules ? std::optional{*joules / kJoulesPerKwh} : std::nullopt;
}

void find_times(const job::Job& job, JobSummary& summary) {
  for (const job::MetricSeries& series : job.metrics)
    widen(summary.span, series.time_span().front(), series.time_span().back());
  const SpansOfSteps spans = spans_of_steps(job.events);
  if (const auto& steps = spans.others) {
    widen(summary.span, steps->first, steps->last);
    summary.training_loop_start = steps->first;
    summary.training_loop_end = steps->last;
  }
  if (!summary.span) summary.span = span_of_events(job.events);
  if (!summary.span || !summary.training_loop_start)
    sagemaker_figures::recorded_times(job, summary);
  if (!summary.span && job.description.start && job.description.end &&
      *job.description.start <= *job.description.end)
    summary.span = TimeSpan{*job.description.start, *job.description.end};
  if (!summary.span)
    summary.span = span_of_traces(job.traces);
  else if (spans.profiled)
    widen(summary.span, spans.profiled->first, spans.profiled->last);
  if (!summary.span) summary.span = span_of_scalars(job.scalars);
}

/// By number: what traces say of the machine, or else the GPUs that did something.
void add_gpus(const job::Trace& trace, std::set<std::int64_t>& gpus) {
  for (const job::GpuProperties& gpu : trace.gpus)
    gpus.insert(gpu.id);
  if (!trace.gpus.empty()) return;
  for (const job::TraceTrack& track : trace.tracks)
    if (track.gpu) gpus.insert(track.process);
}

std::vector<Node> find_nodes(const job::Job& job) {
  struct SeenDevices {
    bool measured = false;
    NameSet cores;
    NameSet gpus;
    std::set<std::int64_t> traced_gpus;
  };

  std::map<std::string, SeenDevices, JobSummaryByNumber> nodes;
  for (const job::MetricSeries& series : job.metrics) {
    SeenDevices& devices = nodes[series.node];
    devices.measured = true;
    if (job::is_core(series.recorded_as)) devices.cores.insert(series.device);
    if (series.recorded_as.type == "gpu") devices.gpus.insert(series.device);
  }
  for (const job::Timeline& timeline : job.events.timelines)
    if (!timeline.node.empty()) nodes.try_emplace(timeline.node);
  for (const job::Trace& trace : job.traces)
    if (!trace.node.empty()) add_gpus(trace, nodes[trace.node].traced_gpus);
  if (nodes.empty())
    for (const result::UsageRow& row : sagemaker_figures::recorded_usage(job))
      nodes.try_emplace(row.node);

  std::vector<Node> out;
  for (const auto& [name, devices] : nodes) {
    Node node;
    node.name = name;
    if (!devices.cores.empty()) node.cores = static_cast<std::int64_t>(devices.cores.size());
    if (devices.measured)
      node.gpus = static_cast<std::int64_t>(devices.gpus.size());
    else if (!devices.traced_gpus.empty())
      node.gpus = static_cast<std::int64_t>(devices.traced_gpus.size());
    out.push_back(std::move(node));
  }
  return out;
}

} // namespace

JobSummary job_summary(const job::Job& job) {
  JobSummary summary;
  summary.name = job.description.name.value_or(job.input_name);
  find_times(job, summary);
  summary.nodes = find_nodes(job);
  NameSet processes;
  for (const job::Timeline& timeline : job.events.timelines)
    if (!timeline.process.empty()) processes.insert(timeline.process);
  for (const job::Trace& trace : job.traces)
    if (!trace.process.empty()) processes.insert(trace.process);
  summary.processes.assign(processes.begin(), processes.end());
  summary.recorder = job.description.recorder;
  summary.framework = job.description.framework;
  if (!summary.framework && !job.traces.empty()) summary.framework = "PyTorch";
  summary.instance_type = job.description.instance_type;
  summary.gpu_energy_kwh = gpu_energy(job);
  summary.instance_count = job.description.instance_count;
  summary.status = job.description.status;
  summary.failure = job_failure(job);
  summary.described_start = job.description.start;
  summary.described_end = job.description.end;
  summary.hyperparameters = job.description.hyperparameters;
  for (const job::RecorderAction& action : job.description.recorder_actions)
    summary.actions.push_back(
        {action.time, action.condition, action.action, action.why, action.outcome});
  return summary;
}

} // namespace debrief::aggregate
