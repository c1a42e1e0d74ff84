// What `nvidia-smi --query-gpu=timestamp,… --format=csv -l 1` writes: a row for each GPU at each
// tick. Its times are local and have no zone (local_times.h).
#pragma once

#include "ingest/reader.h"

namespace debrief::ingest {

class NvidiaSmiReader final : public Reader {
public:
  std::string_view name() const override { return "nvidia-smi log"; }

  bool recognizes(const InputFile& file) const override;
  void read(InputFile& file, FileReading& reading, job::SourceCounts& counts) const override;
};

} // namespace debrief::ingest
