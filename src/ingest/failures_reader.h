// What ended processes of a recorded job: failures/HOST-PID.json of `debrief record`
// (docs/recording.md).
#pragma once

#include "ingest/reader.h"

namespace debrief::ingest {

class FailuresReader final : public Reader {
public:
  std::string_view name() const override { return "Failures of processes"; }

  bool recognizes(const InputFile& file) const override;
  void read(InputFile& file, FileReading& reading, job::SourceCounts& counts) const override;
};

} // namespace debrief::ingest
