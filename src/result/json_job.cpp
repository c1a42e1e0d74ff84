#include "result/json_parts.h"

namespace debrief::result::parts {

namespace {

/// Initialization, training loop and finalization: absent where their ends are not known.
void add_phases(json& job, const JobSummary& summary) {
  std::optional<double> initialization;
  std::optional<double> loop;
  std::optional<double> finalization;
  const auto& span = summary.span;
  if (span && summary.training_loop_start)
    initialization = seconds(*summary.training_loop_start - span->first);
  if (summary.training_loop_start && summary.training_loop_end)
    loop = seconds(*summary.training_loop_end - *summary.training_loop_start);
  if (span && summary.training_loop_end)
    finalization = seconds(span->last - *summary.training_loop_end);
  const auto percent = [&](const std::optional<double>& part) {
    if (!part || !span || span->length() <= 0) return json(nullptr);
    return number(100 * *part / seconds(span->length()));
  };
  job["initialization_in_seconds"] = number(initialization);
  job["training_loop_duration_in_seconds"] = number(loop);
  job["finalization_in_seconds"] = number(finalization);
  job["initialization_percent"] = percent(initialization);
  job["training_loop_percent"] = percent(loop);
  job["finalization_percent"] = percent(finalization);
}

} // namespace

json job_json(const JobSummary& summary) {
  json job;
  job["name"] = summary.name;
  job["start_time"] = summary.span ? json(to_iso8601(summary.span->first)) : json(nullptr);
  job["end_time"] = summary.span ? json(to_iso8601(summary.span->last)) : json(nullptr);
  job["job_duration_in_seconds"] =
      summary.span ? number(seconds(summary.span->length())) : json(nullptr);
  job["training_loop_start"] = time(summary.training_loop_start);
  job["training_loop_end"] = time(summary.training_loop_end);
  add_phases(job, summary);
  job["nodes"] = list(summary.nodes, [](const Node& node) {
    return json{{"name", node.name}, {"cores", or_null(node.cores)}, {"gpus", or_null(node.gpus)}};
  });
  job["processes"] = summary.processes;
  job["framework"] = or_null(summary.framework);
  job["instance_type"] = or_null(summary.instance_type);
  job["instance_count"] = or_null(summary.instance_count);
  job["status"] = or_null(summary.status);
  job["described_start_time"] = time(summary.described_start);
  job["described_end_time"] = time(summary.described_end);
  job["hyperparameters"] = summary.hyperparameters;
  return job;
}

} // namespace debrief::result::parts
