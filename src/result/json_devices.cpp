#include "result/json_parts.h"

namespace debrief::result::parts {

namespace {

json usage_json(const UsageRow& row) {
  return {{"node", row.node},       {"metric", row.metric},   {"unit", row.unit},
          {"max", number(row.max)}, {"p99", number(row.p99)}, {"p95", number(row.p95)},
          {"p50", number(row.p50)}, {"min", number(row.min)}, {"samples", or_null(row.samples)}};
}

json device_json(const DeviceRow& row) {
  return {{"node", row.node},
          {"device", row.device},
          {"metric", row.metric},
          {"unit", "%"},
          {"samples", or_null(row.samples)},
          {"mean", number(row.mean)},
          {"min", number(row.min)},
          {"p05", number(row.p05)},
          {"p25", number(row.p25)},
          {"p50", number(row.p50)},
          {"p75", number(row.p75)},
          {"p95", number(row.p95)},
          {"max", number(row.max)},
          {"lower", number(row.lower)},
          {"upper", number(row.upper)},
          {"histogram", histogram_json(row.histogram)}};
}

json pair_json(const BalancePair& pair) {
  return {{"first_node", pair.first_node},
          {"first", pair.first},
          {"second_node", pair.second_node},
          {"second", pair.second},
          {"distance", number(pair.distance)}};
}

} // namespace

json system_usage_json(const std::vector<UsageRow>& rows) {
  return list(rows, usage_json);
}

json devices_json(const std::vector<DeviceRow>& rows) {
  return list(rows, device_json);
}

json load_balance_json(const LoadBalance& balance) {
  return {{"pair_count", balance.pair_count}, {"pairs", list(balance.pairs, pair_json)}};
}

} // namespace debrief::result::parts
