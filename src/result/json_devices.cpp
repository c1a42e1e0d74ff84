#include "result/json_parts.h"

namespace debrief::result::parts {

namespace {

json usage_json(const UsageRow& row) {
  return {{"node", row.node},       {"metric", row.metric},   {"unit", row.unit},
          {"max", number(row.max)}, {"p99", number(row.p99)}, {"p95", number(row.p95)},
          {"p50", number(row.p50)}, {"min", number(row.min)}, {"samples", or_null(row.samples)}};
}

} // namespace

json system_usage_json(const std::vector<UsageRow>& rows) {
  return list(rows, usage_json);
}

} // namespace debrief::result::parts
