// The JSON of what steps and their operators are made of: critical paths, slowest processes, what
// is computed again, what graphs replay. For json_traces.cpp alone.
#pragma once

#include "result/json_io.h"

namespace debrief::result {

template <typename Io>
void describe(Io& io, Ref<Io, SlowestProcess> row) {
  io("part", row.part);
  io("process", row.process);
  io("rank", row.rank);
  io("us", row.us);
  io("median_us", row.median_us);
}

template <typename Io>
void describe(Io& io, Ref<Io, PathPart> row) {
  io("part", row.part);
  io("us", row.us);
  io("percent", row.percent);
  io("gain_us", row.gain_us);
}

template <typename Io>
void describe(Io& io, Ref<Io, PathItem> row) {
  io.text_or_null("name", row.name);
  io("part", row.part);
  io("count", row.count);
  io("us", row.us);
  io("percent", row.percent);
}

template <typename Io>
void describe(Io& io, Ref<Io, CriticalPath> path) {
  io("which", path.which);
  io("process", path.process);
  io("number", path.number);
  io("us", path.us);
  io("parts", path.parts);
  io("items", path.items);
}

template <typename Io>
void describe(Io& io, Ref<Io, Recomputation> row) {
  io("process", row.process);
  io("operators", row.operators);
  io("host_us", row.host_us);
  io("kernel_us", row.kernel_us);
  io("kernel_percent", row.kernel_percent);
}

template <typename Io>
void describe(Io& io, Ref<Io, GraphOperator> row) {
  io.text_or_null("op", row.op);
  io("work", row.work);
  io("us", row.us);
  io("percent", row.percent);
}

template <typename Io>
void describe(Io& io, Ref<Io, GraphWork> graphs) {
  io("launches", graphs.launches);
  io("captures", graphs.captures);
  io("work", graphs.work);
  io("us", graphs.us);
  io("mapped_us", graphs.mapped_us);
  io("operators", graphs.operators);
}

} // namespace debrief::result
