// Lightning's `metrics.csv`, and any CSV whose header has a column `step`: one scalar per column, a
// cell left empty where nothing was logged, no times.
#pragma once

#include "ingest/reader.h"

namespace debrief::ingest {

class MetricsCsvReader final : public Reader {
public:
  std::string_view name() const override { return "Lightning metrics.csv"; }

  bool recognizes(const InputFile& file) const override;
  void read(InputFile& file, FileReading& reading, job::SourceCounts& counts) const override;
};

} // namespace debrief::ingest
