#include "result/json_parts.h"

namespace debrief::result::parts {

namespace {

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
          {"unsampled_at_start_seconds", number(node.unsampled_at_start)},
          {"unsampled_at_end_seconds", number(node.unsampled_at_end)},
          {"less_sampled", list(node.less_sampled,
                                [](const DeviceSampling& device) {
                                  return json{
                                      {"device", device.device},
                                      {"samples", device.samples},
                                      {"unsampled_seconds", number(device.unsampled_seconds)}};
                                })},
          {"less_sampled_count", node.less_sampled_count},
          {"missing_devices", node.missing_devices},
          {"not_recorded", node.not_recorded}};
}

} // namespace

json quality_json(const DataQuality& quality) {
  json out;
  out["complete"] = quality.complete;
  out["sources"] = list(quality.sources, source_json);
  out["skipped"] = list(quality.skipped, trouble_json);
  out["repaired"] = list(quality.repaired, trouble_json);
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

} // namespace debrief::result::parts
