// Framework timelines: Chrome traces written by SageMaker's Python hook, TensorFlow layer, Horovod
// and smdataparallel (`framework/pevents/…_timeline.json`), and by TensorFlow's profiler
// (`….trace.json.gz`).
//
//   {"name": "process_name", "ph": "M", "pid": 1, "args": {"name": "Step:ModeKeys.TRAIN"}},
//   {"name": "Step:ModeKeys.TRAIN", "pid": 1, "ph": "X", "ts": 2664345, "dur": 9020725, "args":
//   {"step_num": "0"}},
//
// `pid` is not a process but the number of a phase, named by an M event before it. Times count from
// the last `start_time_since_epoch_in_micros` seen; without one they have an unknown origin.
#pragma once

#include "ingest/chrome_trace/events_reader.h"
#include "ingest/reader.h"

namespace debrief::ingest {

class TimelineReader final : public Reader {
public:
  TimelineReader() = default;

  explicit TimelineReader(const chrome_trace::ReadingOptions& options)
      : options_(options) {}

  std::string_view name() const override { return "Framework timelines"; }

  bool recognizes(const InputFile& file) const override;
  void read(InputFile& file, FileReading& reading, job::SourceCounts& counts) const override;

private:
  chrome_trace::ReadingOptions options_{};
};

} // namespace debrief::ingest
