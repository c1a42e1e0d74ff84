#include "aggregate/timeline.h"

#include "aggregate/node_metrics.h"
#include "aggregate/phases.h"
#include "aggregate/spans.h"
#include "util/parallel.h"

#include <algorithm>
#include <optional>

namespace debrief::aggregate {

namespace {

/// What the page calls one of a metric's devices: the recorder's name, or the direction.
std::string device_name(const job::MetricSeries& series) {
  switch (series.metric) {
  case job::Metric::network_receive:
    return "receive";
  case job::Metric::network_transmit:
    return "transmit";
  case job::Metric::disk_read:
    return "read";
  case job::Metric::disk_write:
    return "write";
  default:
    return series.device;
  }
}

result::MetricTimeline metric_timeline(const NodeMetric& metric,
                                       std::span<const job::MetricSeries* const> parts) {
  Moments moments = combine_each(parts, metric.how);
  result::MetricTimeline out;
  out.metric = metric.name;
  out.unit = job::to_string(metric.unit);
  out.times = std::move(moments.whole.times);
  out.whole.assign(moments.whole.values.begin(), moments.whole.values.end());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    std::string name = device_name(*parts[i]);
    if (name.empty()) continue;
    out.devices.push_back(std::move(name));
    out.values.push_back(std::move(moments.devices[i]));
  }
  return out;
}

result::NodeTimeline node_timeline(std::span<const job::MetricSeries> of_node) {
  result::NodeTimeline node;
  node.node = of_node.front().node;
  for (const NodeMetric* metric : timeline_metrics()) {
    if (!node.metrics.empty() && node.metrics.back().metric == metric->name) continue;
    const auto parts = parts_of(*metric, of_node);
    if (!parts.empty()) node.metrics.push_back(metric_timeline(*metric, parts));
  }
  return node;
}

std::vector<result::StepTimeline> step_timelines(std::span<const StepSeries> all) {
  std::vector<result::StepTimeline> out;
  for (const StepSeries& series : all) {
    result::StepTimeline row{series.process, series.mode, {}};
    for (const Step& step : series.steps)
      if (step.clock_known) row.steps.push_back({step.span.first, step.span.length()});
    if (!row.steps.empty()) out.push_back(std::move(row));
  }
  return out;
}

/// When traces were recorded; cycles of several processes that touch are one.
void add_profiled(const std::vector<job::Trace>& traces, std::vector<result::Phase>& phases) {
  std::vector<TimeSpan> spans;
  for (const job::Trace& trace : traces)
    if (const auto span = trace.span(); span && trace.clock_known)
      spans.push_back({span->first / 1000, span->second / 1000});
  for (const TimeSpan& span : merged(std::move(spans)))
    phases.push_back({"profiled", span});
}

/// The job's, and whatever of the timeline lies outside it.
TimeSpan span_of(const result::Timeline& timeline, std::optional<TimeSpan> span) {
  const auto include = [&](TimeSpan part) {
    if (!span) span = part;
    span->include(part.first);
    span->include(part.last);
  };
  for (const result::NodeTimeline& node : timeline.nodes)
    for (const result::MetricTimeline& metric : node.metrics)
      include({metric.times.front(), metric.times.back()});
  for (const result::StepTimeline& row : timeline.steps)
    for (const result::StepMark& step : row.steps)
      include({step.start, step.start + step.duration});
  for (const result::Phase& phase : timeline.phases)
    include(phase.span);
  return span.value_or(TimeSpan{});
}

} // namespace

result::Timeline timeline(const job::Job& job, const result::JobSummary& summary,
                          std::span<const StepSeries> steps) {
  result::Timeline out;
  const auto nodes = series_by_node(job.metrics);
  out.nodes.resize(nodes.size());
  parallel_for(nodes.size(), [&](std::size_t i) { out.nodes[i] = node_timeline(nodes[i]); });
  std::erase_if(out.nodes, [](const result::NodeTimeline& node) { return node.metrics.empty(); });
  out.steps = step_timelines(steps);
  out.phases = phases(summary, steps);
  add_profiled(job.traces, out.phases);
  out.span = span_of(out, summary.span);
  return out;
}

} // namespace debrief::aggregate
