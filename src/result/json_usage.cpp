// What the job did with its time and its machines, as JSON: usage, framework, steps, data loading.
#include "result/json_io.h"

namespace debrief::result {

template <typename Io>
void describe(Io& io, Ref<Io, UsageRow> row) {
  io("node", row.node);
  io("metric", row.metric);
  io("unit", row.unit);
  io("max", row.max);
  io("p99", row.p99);
  io("p95", row.p95);
  io("p50", row.p50);
  io("min", row.min);
  io("samples", row.samples);
}

template <typename Io>
void describe(Io& io, Ref<Io, DeviceRow> row) {
  io("node", row.node);
  io("device", row.device);
  io("metric", row.metric);
  io.derived("unit", "%");
  io("samples", row.samples);
  io("mean", row.mean);
  io("min", row.min);
  io("p05", row.p05);
  io("p25", row.p25);
  io("p50", row.p50);
  io("p75", row.p75);
  io("p95", row.p95);
  io("max", row.max);
  io("lower", row.lower);
  io("upper", row.upper);
  io.unless_empty("histogram", row.histogram);
}

template <typename Io>
void describe(Io& io, Ref<Io, SmActivityRow> row) {
  io("node", row.node);
  io("device", row.device);
  io("samples", row.samples);
  io("utilization", row.utilization);
  io("sm_active", row.sm_active);
  io("tensor_active", row.tensor_active);
}

template <typename Io>
void describe(Io& io, Ref<Io, BalancePair> pair) {
  io("first_node", pair.first_node);
  io("first", pair.first);
  io("second_node", pair.second_node);
  io("second", pair.second);
  io("distance", pair.distance);
}

template <typename Io>
void describe(Io& io, Ref<Io, LoadBalance> balance) {
  io("pair_count", balance.pair_count);
  io("pairs", balance.pairs);
}

template <typename Io>
void describe(Io& io, Ref<Io, ShareRow> row) {
  io.text_or_null("process", row.process);
  io.text_or_null("name", row.name);
  io("percent", row.percent);
  io("seconds", row.seconds);
  io("calls", row.calls);
  io("other_count", row.other_count);
}

template <typename Io>
void describe(Io& io, Ref<Io, OperatorRow> row) {
  io("operator", row.name);
  io("percent", row.percent);
  io("total_us", row.total_us);
  io("self_us", row.self_us);
  io("self_percent", row.self_percent);
  io("calls", row.calls);
}

template <typename Io>
void describe(Io& io, Ref<Io, Framework> framework) {
  io("phase", framework.phase);
  io("forward_backward", framework.forward_backward);
  io("ratio", framework.ratio);
  io("general", framework.general);
  io("collectives", framework.collectives);
  io("cpu_operators", framework.cpu_operators.rows);
  io("cpu_operator_count", framework.cpu_operators.count);
  io("gpu_operators", framework.gpu_operators.rows);
  io("gpu_operator_count", framework.gpu_operators.count);
  io.text_or_null("operator_source", framework.operator_source);
  io("recorded_by_sagemaker", framework.recorded_by_sagemaker);
}

template <typename Io>
void describe(Io& io, Ref<Io, LoadTimes> times) {
  io("what", times.what);
  io("count", times.count);
  io("mean", times.mean);
  io("min", times.min);
  io("p25", times.p25);
  io("p50", times.p50);
  io("p95", times.p95);
  io("max", times.max);
  io("outliers", times.outliers);
  io.unless_empty("histogram", times.histogram);
}

template <typename Io>
void describe(Io& io, Ref<Io, DataLoading> loading) {
  io("num_workers", loading.num_workers);
  io("batch_size", loading.batch_size);
  io("cores", loading.cores);
  io("pin_memory", loading.pin_memory);
  io("prefetch", loading.prefetch);
  io("loaders", loading.loaders);
  io("initializations", loading.initializations);
  io("times", loading.times);
  io.text_or_null("source", loading.source);
}

template <typename Io>
void describe(Io& io, Ref<Io, OutlyingStep> step) {
  io("step", step.number);
  io.time("start", step.start);
  io("seconds", step.seconds);
}

template <typename Io>
void describe(Io& io, Ref<Io, StepRow> row) {
  io("process", row.process);
  io("mode", row.mode);
  io.text_or_null("source", row.source);
  io("count", row.count);
  io("total_in_seconds", row.total);
  io("mean", row.mean);
  io("max", row.max);
  io("p99", row.p99);
  io("p95", row.p95);
  io("p50", row.p50);
  io("min", row.min);
  io("first", row.first);
  io("stddev", row.stddev);
  io("threshold", row.threshold);
  io("outliers", row.outliers);
  io("outlying", row.outlying);
  io("block_medians", row.block_medians);
  io.unless_empty("histogram", row.histogram);
}

template <typename Io>
void describe(Io& io, Ref<Io, TimePart> part) {
  io("part", part.part);
  io("seconds", part.seconds);
  io("percent", part.percent);
}

template <typename Io>
void describe(Io& io, Ref<Io, TimeAccounting> accounting) {
  io("total_in_seconds", accounting.total);
  io("parts", accounting.parts);
}

template <typename Io>
void describe_usage(Io& io, Ref<Io, Result> result) {
  io("time_accounting", result.time_accounting);
  io("system_usage", result.system_usage);
  io("devices", result.devices);
  io("sm_activity", result.sm_activity);
  io("load_balance", result.load_balance);
  io("framework", result.framework);
  io("steps", result.steps);
  io.unless_empty("data_loading", result.data_loading);
}

template void describe_usage(Writer& io, const Result& result);
template void describe_usage(Reader& io, Result& result);

} // namespace debrief::result
