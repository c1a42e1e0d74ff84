// How fast operators ran, as JSON. For json_traces.cpp only.
#pragma once

#include "result/json_io.h"

namespace debrief::result {

template <typename Io>
void describe(Io& io, Ref<Io, MatrixProduct> product) {
  io("batch", product.batch);
  io("m", product.m);
  io("n", product.n);
  io("k", product.k);
}

template <typename Io>
void describe(Io& io, Ref<Io, OperatorPerformance> row) {
  io("name", row.name);
  io.text_or_null("shapes", row.shapes);
  io.text_or_null("gpu", row.gpu);
  io("category", row.category);
  io.text_or_null("precision", row.precision);
  io("calls", row.calls);
  io("us", row.us);
  io("percent", row.percent);
  io("product", row.product);
  io("flops", row.flops);
  io("bytes", row.bytes);
  io("tflops_per_second", row.tflops_per_second);
  io("tb_per_second", row.tb_per_second);
  io("intensity", row.intensity);
  io("peak_percent", row.peak_percent);
  io("bandwidth_percent", row.bandwidth_percent);
  io("roof", row.roof);
}

template <typename Io>
void describe(Io& io, Ref<Io, PrecisionPeak> peak) {
  io("precision", peak.precision);
  io("tflops", peak.tflops);
}

template <typename Io>
void describe(Io& io, Ref<Io, GpuPeaks> gpu) {
  io.text_or_null("gpu", gpu.gpu);
  io.text_or_null("model", gpu.model);
  io("compute", gpu.compute);
  io("tb_per_second", gpu.tb_per_second);
}

template <typename Io>
void describe(Io& io, Ref<Io, StepFlops> step) {
  io("process", step.process);
  io("number", step.number);
  io("us", step.us);
  io("flops", step.flops);
  io.text_or_null("precision", step.precision);
  io("gpus", step.gpus);
  io("known_percent", step.known_percent);
  io("utilization", step.utilization);
}

template <typename Io>
void describe(Io& io, Ref<Io, Performance> performance) {
  io("rows", performance.rows);
  io("combinations", performance.combinations);
  io("known_us", performance.known_us);
  io("without_shapes_us", performance.without_shapes_us);
  io("without_formula_us", performance.without_formula_us);
  io("outside_us", performance.outside_us);
  io("gpus", performance.gpus);
  io("steps", performance.steps);
  io("utilization", performance.utilization);
}

} // namespace debrief::result
