#include "result/json_parts.h"

namespace debrief::result::parts {

namespace {

json steps_part_json(const TimePart& part) {
  return {
      {"part", part.part}, {"seconds", number(part.seconds)}, {"percent", number(part.percent)}};
}

json outlying_json(const OutlyingStep& step) {
  return {{"step", or_null(step.number)},
          {"start", time(step.start)},
          {"seconds", number(step.seconds)}};
}

json steps_step_json(const StepRow& row) {
  return {{"process", row.process},
          {"mode", row.mode},
          {"source", text_or_null(row.source)},
          {"count", row.count},
          {"total_in_seconds", number(row.total)},
          {"mean", number(row.mean)},
          {"max", number(row.max)},
          {"p99", number(row.p99)},
          {"p95", number(row.p95)},
          {"p50", number(row.p50)},
          {"min", number(row.min)},
          {"first", number(row.first)},
          {"stddev", number(row.stddev)},
          {"threshold", number(row.threshold)},
          {"outliers", or_null(row.outliers)},
          {"outlying", list(row.outlying, outlying_json)},
          {"block_medians", list(row.block_medians, [](double median) { return number(median); })},
          {"histogram", histogram_json(row.histogram)}};
}

} // namespace

json time_accounting_json(const TimeAccounting& accounting) {
  return {{"total_in_seconds", number(accounting.total)},
          {"parts", list(accounting.parts, steps_part_json)}};
}

json steps_json(const std::vector<StepRow>& rows) {
  return list(rows, steps_step_json);
}

} // namespace debrief::result::parts
