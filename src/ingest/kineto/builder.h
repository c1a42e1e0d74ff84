// Joins the chunks of a PyTorch trace, in the order of the file, and makes a Trace of them. Names
// and tables get their places in the order of first sight, so that the outcome does not depend on
// where one chunk ended and the next began.
#pragma once

#include "ingest/kineto/slice_store.h"
#include "ingest/kineto/trace_chunk.h"
#include "job/reading_report.h"
#include "job/trace.h"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace debrief::ingest::kineto {

/// The stretch of time in which a trace's events are believed: as far as this around the middle
/// half of them. What lies outside was never recorded there; one such event would stretch every
/// axis.
inline constexpr double kMinReach = 3600e9;   ///< nanoseconds
inline constexpr double kReachInLengths = 20; ///< of the middle half

/// Of all slices of a trace together, so that no sum of their times overflows: eighteen years.
/// Large traces have some hours on each of a thousand threads.
inline constexpr Nanoseconds kMostSliceTime{std::int64_t{1} << 59U};

class TraceBuilder final : public chrome_trace::EventConsumer {
public:
  /// `path` is the file's, for the report; troubles are counted in `report`.
  TraceBuilder(std::string_view path, job::ReadingReport& report)
      : path_(path)
      , report_(report) {}

  std::unique_ptr<chrome_trace::EventChunk> new_chunk() const override;
  void absorb(const chrome_trace::EventChunk& chunk) override;

  /// Times are `base` later than the events say; 0 where the file does not say.
  job::Trace finish(job::Trace header, Nanoseconds base) &&;

private:
  void absorb_slices(const TraceChunk& chunk);
  std::int64_t last_believed_gpu() const;
  void move_slices();
  void sort_slices();
  void drop_repeated();
  void shift(Nanoseconds base);

  std::string path_;
  job::ReadingReport& report_;
  job::Trace trace_;
  SliceStore slices_;
  std::vector<std::size_t> track_ends_; ///< among the trace's slices
  Interner<TrackKey> tracks_;
  Interner<job::InputArgs> inputs_;
  Interner<job::LaunchArgs> launches_;
  Interner<job::CollectiveArgs> collectives_;
  std::map<TrackKey, std::string> thread_names_;
  EventCounts counts_;
};

} // namespace debrief::ingest::kineto
