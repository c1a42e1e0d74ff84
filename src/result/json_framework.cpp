#include "result/json_parts.h"

namespace debrief::result::parts {

namespace {

json share_json(const ShareRow& row) {
  return {{"process", text_or_null(row.process)},
          {"name", row.name},
          {"percent", number(row.percent)},
          {"seconds", number(row.seconds)},
          {"calls", or_null(row.calls)}};
}

json framework_operator_json(const OperatorRow& row) {
  return {{"operator", row.name},
          {"percent", number(row.percent)},
          {"total_us", row.total_us},
          {"self_us", or_null(row.self_us)},
          {"self_percent", number(row.self_percent)},
          {"calls", or_null(row.calls)}};
}

json load_times_json(const LoadTimes& times) {
  return {{"what", times.what},
          {"count", times.count},
          {"mean", number(times.mean)},
          {"min", number(times.min)},
          {"p25", number(times.p25)},
          {"p50", number(times.p50)},
          {"p95", number(times.p95)},
          {"max", number(times.max)},
          {"outliers", or_null(times.outliers)},
          {"histogram", histogram_json(times.histogram)}};
}

} // namespace

json framework_json(const Framework& framework) {
  return {{"phase", list(framework.phase, share_json)},
          {"forward_backward", list(framework.forward_backward, share_json)},
          {"ratio", list(framework.ratio, share_json)},
          {"general", list(framework.general, share_json)},
          {"collectives", list(framework.collectives, share_json)},
          {"cpu_operators", list(framework.cpu_operators.rows, framework_operator_json)},
          {"cpu_operator_count", framework.cpu_operators.count},
          {"gpu_operators", list(framework.gpu_operators.rows, framework_operator_json)},
          {"gpu_operator_count", framework.gpu_operators.count},
          {"operator_source", text_or_null(framework.operator_source)},
          {"recorded_by_sagemaker", framework.recorded_by_sagemaker}};
}

json data_loading_json(const DataLoading& loading) {
  if (loading.empty()) return nullptr;
  return {{"num_workers", or_null(loading.num_workers)},
          {"cores", or_null(loading.cores)},
          {"pin_memory", or_null(loading.pin_memory)},
          {"prefetch", or_null(loading.prefetch)},
          {"loaders", or_null(loading.loaders)},
          {"initializations", or_null(loading.initializations)},
          {"times", list(loading.times, load_times_json)},
          {"source", text_or_null(loading.source)}};
}

} // namespace debrief::result::parts
