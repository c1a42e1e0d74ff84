// Traces of torch.profiler (Kineto), `<worker>.<ns>.pt.trace.json[.gz]`: one JSON object with the
// events under "traceEvents" and what the trace says about itself before and after them.
#pragma once

#include "ingest/kineto/events_reader.h"
#include "ingest/reader.h"

namespace debrief::ingest {

class KinetoReader final : public Reader {
public:
  KinetoReader() = default;

  explicit KinetoReader(const kineto::ReadingOptions& options)
      : options_(options) {}

  std::string_view name() const override { return "PyTorch traces"; }

  bool recognizes(const InputFile& file) const override;
  void read(InputFile& file, FileReading& reading, job::SourceCounts& counts) const override;

private:
  kineto::ReadingOptions options_{};
};

} // namespace debrief::ingest
