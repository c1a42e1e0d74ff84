// The documents that SageMaker's ProfilerReport rule wrote, one per rule,
// `profiler-reports/<Rule>.json`:
//
//   {"RuleTriggered": 4, "Violations": 4, "Details": {...}, "Datapoints": 1068, "RuleParameters":
//   "k:v\nk:v"}
#pragma once

#include "ingest/reader.h"

namespace debrief::ingest {

class RuleOutputReader final : public Reader {
public:
  std::string_view name() const override { return "SageMaker rule outputs"; }

  bool recognizes(const InputFile& file) const override;
  void read(InputFile& file, FileReading& reading, job::SourceCounts& counts) const override;
};

} // namespace debrief::ingest
