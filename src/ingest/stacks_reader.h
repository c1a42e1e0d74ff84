// Sampled Python stacks: stacks/HOST-PID-TIME.stacks of `debrief record` (docs/recording.md).
#pragma once

#include "ingest/reader.h"

namespace debrief::ingest {

class StacksReader final : public Reader {
public:
  std::string_view name() const override { return "Python stacks"; }

  bool recognizes(const InputFile& file) const override;
  void read(InputFile& file, FileReading& reading, job::SourceCounts& counts) const override;
};

} // namespace debrief::ingest
