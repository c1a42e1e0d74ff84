// What `nvidia-smi dmon` prints: a row for each GPU at each tick, columns by a header that is
// repeated. Times are local (local_times.h), or missing without `-o DT`: then the last row was
// written when the file was last changed, and rows are a second apart.
#pragma once

#include "ingest/reader.h"

namespace debrief::ingest {

class NvidiaSmiDmonReader final : public Reader {
public:
  std::string_view name() const override { return "nvidia-smi dmon log"; }

  bool recognizes(const InputFile& file) const override;
  void read(InputFile& file, FileReading& reading, job::SourceCounts& counts) const override;
};

} // namespace debrief::ingest
