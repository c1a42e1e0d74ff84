// SageMaker Debugger's list of collections: which tensors belong together (gradients, losses).
#pragma once

#include "ingest/reader.h"

namespace debrief::ingest {

class TensorCollectionsReader final : public Reader {
public:
  std::string_view name() const override { return "SageMaker tensor collections"; }

  bool recognizes(const InputFile& file) const override;
  void read(InputFile& file, FileReading& reading, job::SourceCounts& counts) const override;
};

} // namespace debrief::ingest
