// SageMaker Debugger's index of a saved step: which tensor lies where in the step's event file.
#pragma once

#include "ingest/reader.h"

namespace debrief::ingest {

class TensorIndexReader final : public Reader {
public:
  std::string_view name() const override { return "SageMaker tensor index"; }

  bool recognizes(const InputFile& file) const override;
  void read(InputFile& file, FileReading& reading, job::SourceCounts& counts) const override;
};

} // namespace debrief::ingest
