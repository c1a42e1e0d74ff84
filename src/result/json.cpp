#include "result/json.h"

#include <cmath>

namespace debrief::result {

namespace {

using nlohmann::json;

/// Six decimals: a microsecond, and far below what any recorder measures. Keeps text short and
/// stable.
double rounded(double value) {
  return std::round(value * 1e6) / 1e6;
}

json number(double value) {
  return std::isfinite(value) ? json(rounded(value)) : json(nullptr);
}

json number(const std::optional<double>& value) {
  return value ? number(*value) : json(nullptr);
}

template <typename T>
json or_null(const std::optional<T>& value) {
  return value ? json(*value) : json(nullptr);
}

json time(const std::optional<Microseconds>& value) {
  return value ? json(to_iso8601(*value)) : json(nullptr);
}

double seconds(Microseconds duration) {
  return static_cast<double>(duration) / 1e6;
}

template <typename Rows, typename Convert>
json list(const Rows& rows, const Convert& convert) {
  json array = json::array();
  for (const auto& row : rows)
    array.push_back(convert(row));
  return array;
}

json span_json(const TimeSpan& span) {
  return {{"start", to_iso8601(span.first)},
          {"end", to_iso8601(span.last)},
          {"seconds", number(seconds(span.length()))}};
}

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

json usage_json(const UsageRow& row) {
  return {{"node", row.node},       {"metric", row.metric},   {"unit", row.unit},
          {"max", number(row.max)}, {"p99", number(row.p99)}, {"p95", number(row.p95)},
          {"p50", number(row.p50)}, {"min", number(row.min)}, {"samples", or_null(row.samples)}};
}

json source_json(const SourceRow& row) {
  return {{"source", row.source},   {"files", row.files},
          {"bytes", row.bytes},     {"decoded_bytes", row.decoded_bytes},
          {"records", row.records}, {"samples", row.samples},
          {"events", row.events}};
}

json trouble_json(const TroubleRow& row) {
  return {{"reason", row.reason}, {"count", row.count}, {"first_seen", row.first_seen}};
}

json sampling_json(const NodeSampling& node) {
  return {{"node", node.node},
          {"span", span_json(node.span)},
          {"samples", node.samples},
          {"interval_in_seconds",
           {{"p50", number(node.interval_p50)},
            {"min", number(node.interval_min)},
            {"max", number(node.interval_max)}}},
          {"gaps", list(node.gaps, span_json)},
          {"gap_count", node.gap_count},
          {"gap_seconds", number(node.gap_seconds)},
          {"not_recorded", node.not_recorded}};
}

json quality_json(const DataQuality& quality) {
  json out;
  out["complete"] = quality.complete;
  out["sources"] = list(quality.sources, source_json);
  out["skipped"] = list(quality.skipped, trouble_json);
  out["mended"] = list(quality.mended, trouble_json);
  out["damaged_files"] = list(quality.damaged_files, trouble_json);
  out["ignored"] = list(quality.ignored, [](const IgnoredRow& row) {
    return json{{"path", row.path}, {"reason", row.reason}};
  });
  out["ignored_count"] = quality.ignored_count;
  out["other_jobs"] = list(quality.other_jobs, [](const OtherJobRow& row) {
    return json{{"span", span_json(row.span)}, {"samples", row.samples}, {"events", row.events}};
  });
  out["nodes"] = list(quality.nodes, sampling_json);
  out["clock_skew"] = list(quality.clock_skew, [](const ClockSkew& skew) {
    return json{{"node", skew.node}, {"seconds", number(skew.seconds)}};
  });
  out["missing_nodes"] = quality.missing_nodes;
  out["missing_ranks"] = quality.missing_ranks;
  out["described_interval_in_seconds"] = number(quality.described_interval);
  return out;
}

} // namespace

json to_json(const Result& result) {
  json out;
  out["schema"] = kSchema;
  out["job"] = job_json(result.job);
  out["system_usage"] = list(result.system_usage, usage_json);
  out["data_quality"] = quality_json(result.data_quality);
  out["provenance"] = {{"debrief_version", result.provenance.version},
                       {"input", result.provenance.input},
                       {"parameters", result.provenance.parameters}};
  return out;
}

std::string to_json_text(const Result& result) {
  return to_json(result).dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

} // namespace debrief::result
