// What was seen of a network's layers, as JSON.
#include "result/json_io.h"

namespace debrief::result {

template <typename Io>
void describe(Io& io, Ref<Io, LayerRow> row) {
  io("tensor", row.tensor);
  io.digits("values", row.values);
}

template <typename Io>
void describe(Io& io, Ref<Io, LayerMeasure> measure) {
  io("rule", measure.rule);
  io("what", measure.what);
  io("relation", measure.relation);
  io.digits("threshold", measure.threshold);
  io("steps", measure.steps);
  io("layers", measure.layers);
  io("layer_count", measure.layer_count);
  if constexpr (!Io::kWrites)
    for (LayerRow& row : measure.layers)
      row.values.resize(measure.steps.size());
}

template <typename Io>
void describe(Io& io, Ref<Io, TensorCourse> course) {
  io("collection", course.collection);
  io("tensor", course.tensor);
  io("steps", course.steps);
  io.digits("min", course.min);
  io.digits("mean", course.mean);
  io.digits("max", course.max);
  if constexpr (!Io::kWrites)
    for (auto* column : {&course.min, &course.mean, &course.max})
      column->resize(course.steps.size());
}

template <typename Io>
void describe(Io& io, Ref<Io, Model> model) {
  io("measures", model.measures);
  io("tensors", model.tensors);
  io("tensors_left_out", model.tensors_left_out);
}

template <typename Io>
void describe_model(Io& io, Ref<Io, Result> result) {
  io.unless_empty("model", result.model);
}

template void describe_model(Writer& io, const Result& result);
template void describe_model(Reader& io, Result& result);

} // namespace debrief::result
