// What the training script logged, as JSON.
#include "result/json_io.h"

#include <algorithm>

namespace debrief::result {

namespace {

/// Columns of a document may differ in length; rows that are not whole are left out.
void cut_to_rows(Curve& curve) {
  const bool timed = curve.seconds.size() >= std::min(curve.steps.size(), curve.values.size());
  const std::size_t rows = std::min(curve.steps.size(), curve.values.size());
  curve.steps.resize(rows);
  curve.values.resize(rows);
  curve.seconds.resize(timed && !curve.seconds.empty() ? rows : 0);
}

} // namespace

template <typename Io>
void describe(Io& io, Ref<Io, Curve> curve) {
  io("name", curve.name);
  io("source", curve.source);
  io("topic", curve.topic);
  io("split", curve.split);
  io("count", curve.count);
  io("first_step", curve.first_step);
  io("last_step", curve.last_step);
  io.digits("first", curve.first);
  io.digits("last", curve.last);
  io.digits("min", curve.min);
  io.digits("max", curve.max);
  io("min_step", curve.min_step);
  io("max_step", curve.max_step);
  io("not_finite", curve.not_finite);
  io("first_not_finite_step", curve.first_not_finite);
  io("steps", curve.steps);
  io("seconds", curve.seconds);
  io.digits("values", curve.values);
  if constexpr (!Io::kWrites) cut_to_rows(curve);
}

template <typename Io>
void describe(Io& io, Ref<Io, TrainingSpeed> speed) {
  io("steps", speed.steps);
  io("steps_per_second", speed.steps_per_second);
  io("samples_per_second", speed.samples_per_second);
  io("tokens_per_second", speed.tokens_per_second);
  io("runtime_in_seconds", speed.runtime);
  io("evaluation_in_seconds", speed.evaluation_seconds);
  io("evaluation_percent", speed.evaluation_percent);
  io("evaluations", speed.evaluations);
  io("checkpoint_in_seconds", speed.checkpoint_seconds);
  io("checkpoint_percent", speed.checkpoint_percent);
  io("checkpoints", speed.checkpoints);
  io("flops", speed.flops);
  io("tflops_per_second", speed.tflops_rate);
  io("mfu_percent", speed.mfu_percent);
  io.text_or_null("mfu_precision", speed.mfu_precision);
}

template <typename Io>
void describe(Io& io, Ref<Io, Curves> curves) {
  io("scalars", curves.curves);
  io("left_out", curves.left_out);
  io("speed", curves.speed);
}

template <typename Io>
void describe_curves(Io& io, Ref<Io, Result> result) {
  io.unless_empty("curves", result.curves);
}

template void describe_curves(Writer& io, const Result& result);
template void describe_curves(Reader& io, Result& result);

} // namespace debrief::result
