// Traces of torch.profiler (Kineto), `<worker>.<ns>.pt.trace.json[.gz]`: one JSON object with the
// events under "traceEvents" and what the trace says about itself before and after them.
#pragma once

#include "ingest/chrome_trace/events_reader.h"
#include "ingest/reader.h"

namespace debrief::ingest {

class KinetoReader final : public Reader {
public:
  KinetoReader() = default;

  explicit KinetoReader(const chrome_trace::ReadingOptions& options)
      : options_(options) {}

  std::string_view name() const override { return "PyTorch traces"; }

  bool reads_traces() const override { return true; }

  bool recognizes(const InputFile& file) const override;
  void read(InputFile& file, FileReading& reading, job::SourceCounts& counts) const override;

private:
  chrome_trace::ReadingOptions options_{};
};

/// Whether a trace was written by PyTorch's profiler, by name or by what only its traces hold.
bool is_pytorch_trace(const InputFile& file);

} // namespace debrief::ingest
