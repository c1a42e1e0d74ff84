// The parts of the document, one function each, and what they share: numbers with six decimals,
// null for what is absent, times in ISO-8601. For the json_*.cpp files only.
#pragma once

#include "result/result.h"
#include "util/time.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace debrief::result::parts {

using nlohmann::json;

/// Six decimals: a microsecond, and far below what any recorder measures. Keeps text short and
/// stable. Null where it is not finite.
json number(double value);
json number(const std::optional<double>& value);

/// Null where it is empty.
json text_or_null(const std::string& text);

json time(const std::optional<Microseconds>& value);
double seconds(Microseconds duration);
json span_json(const TimeSpan& span);

/// Null where it is empty.
json histogram_json(const Histogram& histogram);

template <typename T>
json or_null(const std::optional<T>& value) {
  return value ? json(*value) : json(nullptr);
}

template <typename Rows, typename Convert>
json list(const Rows& rows, const Convert& convert) {
  json array = json::array();
  for (const auto& row : rows)
    array.push_back(convert(row));
  return array;
}

json job_json(const JobSummary& summary);
json time_accounting_json(const TimeAccounting& accounting);
json system_usage_json(const std::vector<UsageRow>& rows);
json devices_json(const std::vector<DeviceRow>& rows);
json load_balance_json(const LoadBalance& balance);
json framework_json(const Framework& framework);
json steps_json(const std::vector<StepRow>& rows);
json data_loading_json(const DataLoading& loading);
json traces_json(const Traces& traces);
json rules_json(const std::vector<RuleRow>& rows);
json findings_json(const std::vector<Finding>& findings);
json verdict_json(const Verdict& verdict);
json waste_json(const Waste& waste);
json gate_json(const std::optional<Gate>& gate);
json quality_json(const DataQuality& quality);

// Parts of `traces`.
json trace_operators_json(const TraceOperators& operators);
json kernels_json(const Kernels& kernels);
json gpu_activity_json(const GpuActivity& gpu);
json copy_json(const CopyRow& row);
json launches_json(const LaunchStats& row);
json sync_json(const SyncRow& row);
json communication_json(const Communication& communication);
json device_memory_json(const DeviceMemory& row, bool clock_known);
json annotation_json(const AnnotationRow& row);
json module_json(const ModuleRow& row);

} // namespace debrief::result::parts
