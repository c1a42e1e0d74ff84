#include "aggregate/framework.h"
#include "aggregate/trace/figures.h"
#include "aggregate/trace/index.h"

#include <algorithm>
#include <cmath>

namespace debrief::aggregate {

namespace {

using result::OperatorRow;
using result::OperatorTable;

void limit(OperatorTable& table) {
  std::stable_sort(
      table.rows.begin(), table.rows.end(), [](const OperatorRow& a, const OperatorRow& b) {
        return a.self_us != b.self_us ? *a.self_us > *b.self_us : a.total_us > b.total_us;
      });
  if (table.rows.size() > result::kMaxOperators) table.rows.resize(result::kMaxOperators);
}

double percent(double part, double whole) {
  return whole > 0 ? 100 * part / whole : 0;
}

OperatorTable cpu_operators(const result::TraceOperators& operators) {
  OperatorTable table;
  table.count = operators.names;
  for (const result::TraceOperator& row : operators.by_name)
    if (!row.outside_operators)
      table.rows.push_back({row.name, percent(row.host_total_us, operators.host_total_us),
                            std::llround(row.host_total_us), std::llround(row.host_self_us),
                            percent(row.host_self_us, operators.host_self_us), row.calls});
  limit(table);
  return table;
}

OperatorTable gpu_operators(const result::Kernels& kernels) {
  OperatorTable table;
  table.count = kernels.names;
  for (const result::KernelRow& row : kernels.rows) {
    const double share = percent(row.total_us, kernels.total_us);
    const std::int64_t total = std::llround(row.total_us);
    table.rows.push_back({row.name, share, total, total, share, row.calls});
  }
  limit(table);
  return table;
}

/// CPU operators' own time against that of kernels.
std::vector<result::ShareRow> ratio(const result::Traces& traces) {
  const result::TraceOperators& operators = traces.operators;
  return shares({{"CPU operators", {std::llround(operators.host_self_us), operators.calls}},
                 {"GPU kernels", {std::llround(traces.kernels.total_us), traces.kernels.calls}}});
}

/// Ranges that are neither steps nor collectives.
std::vector<result::ShareRow> ranges(const std::vector<result::AnnotationRow>& annotations) {
  ShareSums sums;
  for (const result::AnnotationRow& row : annotations) {
    if (row.name == "ProfilerStep" || is_collective_annotation(row.name)) continue;
    ShareSum& sum = sums[row.name];
    sum.duration += std::llround(row.total_us);
    sum.calls += row.count;
  }
  return shares(sums);
}

std::vector<result::ShareRow> collectives(const std::vector<result::CollectiveRow>& rows) {
  ShareSums sums;
  for (const result::CollectiveRow& row : rows) {
    ShareSum& sum = sums[row.name];
    sum.duration += std::llround(row.total_us);
    sum.calls += row.calls;
  }
  return shares(sums);
}

/// Empty unless both are known: a part without the other would pass for the whole.
std::vector<result::ShareRow> passes(const result::Traces& traces) {
  ShareSum forward;
  for (const result::AnnotationRow& row : traces.annotations)
    if (row.name == "DistributedDataParallel.forward") {
      forward.duration += std::llround(row.total_us);
      forward.calls += row.count;
    }
  const ShareSum backward{std::llround(traces.operators.backward_host_us),
                          traces.operators.backward_calls};
  if (forward.duration == 0 || backward.duration == 0) return {};
  return shares({{"Forward pass", forward}, {"Backward pass", backward}});
}

} // namespace

void fill_from_traces(const result::Traces& traces, bool no_timelines,
                      result::Framework& framework) {
  if (traces.empty()) return;
  if (framework.cpu_operators.rows.empty() && framework.gpu_operators.rows.empty()) {
    framework.cpu_operators = cpu_operators(traces.operators);
    framework.gpu_operators = gpu_operators(traces.kernels);
    if (!framework.cpu_operators.rows.empty() || !framework.gpu_operators.rows.empty())
      framework.operator_source = result::kFromTraces;
    if (!framework.recorded_by_sagemaker) framework.ratio = ratio(traces);
  }
  if (framework.recorded_by_sagemaker) return;
  if (framework.general.empty() || no_timelines) framework.general = ranges(traces.annotations);
  if (framework.forward_backward.empty()) framework.forward_backward = passes(traces);
  if (framework.collectives.empty())
    framework.collectives = collectives(traces.communication.collectives);
}

} // namespace debrief::aggregate
