// One reader per input format; the registry (reader_registry.h) asks each of them whether a file is
// its own.
//
// A reader turns the bytes of one file into a FileReading and counts what it read, skipped and
// repaired. It never throws for bad data; it keeps nothing between files, so files are read in
// parallel.
#pragma once

#include "ingest/block_reader.h"
#include "job/description.h"
#include "job/events.h"
#include "job/failure.h"
#include "job/metrics.h"
#include "job/python_stacks.h"
#include "job/reading_report.h"
#include "job/rule_output.h"
#include "job/scalars.h"
#include "job/tensors.h"
#include "job/trace.h"
#include "job/tree_model.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace debrief::ingest {

/// Who sampled the machine. Where several did, the first of this order is taken for each metric:
/// it sampled more often, or knows more of it (docs/inputs.md). Logs of nvidia-smi have local times
/// without a zone (local_times.h).
enum class MetricSource { recorder, wandb, mlflow, nvidia_smi, nvidia_smi_dmon };

/// A series as one file has it: not sorted, not yet joined with other files' part of it.
struct SeriesPart {
  std::string node; ///< empty where the file does not say (choose_sources.h)
  job::MetricName name;
  job::SeriesBuilder columns;
  MetricSource source = MetricSource::recorder;
  bool is_joined = false; ///< its samples are in a series of the job, too
};

/// Of the parts that one file has, or one run in it: all are from one source. There is at least
/// one.
inline MetricSource source_of(const std::vector<SeriesPart>& parts) {
  return parts.front().source;
}

/// A run as a tracker's file has it. A store may have several runs, of which one is the job.
struct LoggedRun {
  job::ScalarSource source = job::ScalarSource::tensorboard;
  std::string folder;   ///< of the file, relative to the job's; empty at the top
  std::string id;       ///< the tracker's own; empty where it has none
  std::string name;     ///< as people know it; empty where it has none
  bool deleted = false; ///< in the tracker's bin
  /// What the tracker knows about the job: name, start, end, status, hyperparameters. It only fills
  /// in what the job's own description does not say.
  job::JobDescription described;
  job::TrainingTotals totals;
  /// As logged: steps may repeat or go back, where a run was resumed (join_runs puts them in
  /// order).
  std::vector<job::ScalarSeries> scalars;
  std::vector<SeriesPart> metrics;    ///< what the tracker sampled of the machine
  std::vector<job::Failure> failures; ///< how it ended
};

/// What one worker saved of one step, as its index file has it.
struct TensorIndex {
  std::string folder; ///< of debug-output, relative to the job's
  std::string worker;
  std::int64_t step = 0;
  std::int64_t mode_step = 0;
  job::TensorMode mode = job::TensorMode::global;
  std::string events; ///< file with the values, relative to `folder`; empty where there is none

  struct Entry {
    std::uint64_t offset = 0;
    std::uint32_t length = 0;
    std::uint32_t name_begin = 0; ///< in `names`
    std::uint32_t name_size = 0;
  };

  std::string names; ///< one after the other
  std::vector<Entry> entries;
};

/// Collections of tensors, as one worker's file has them.
struct TensorCollections {
  std::string folder; ///< of debug-output, relative to the job's
  std::vector<job::TensorCollection> collections;
};

/// What one file contributes to the job.
struct FileReading {
  std::vector<SeriesPart> metrics;
  job::EventTableBuilder events;
  std::optional<job::Trace> trace;
  bool trace_left_out = false; ///< it is a trace, whose events were not asked for
  std::optional<job::JobDescription> description;
  std::optional<job::RuleOutput> rule_output;
  std::vector<LoggedRun> runs;
  std::optional<TensorIndex> tensor_index;
  std::optional<TensorCollections> tensor_collections;
  std::optional<job::TreeModel> tree_model;
  std::vector<job::Failure> failures;
  std::optional<job::PythonStacks> python_stacks; ///< of one process, in the order of the file
  job::ReadingReport report;
};

/// A file to be read. `path` is relative to the job's folder, with '/' between its parts.
struct InputFile {
  std::string_view path;
  std::span<const std::string> all_paths; ///< every file of the job, sorted
  BlockReader& bytes;                     ///< its beginning is in view already

  std::string_view head() const { return bytes.view(); }

  /// The head from its first character on: without a byte order mark and white space.
  std::string_view text_head() const {
    std::string_view text = head();
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    return text;
  }

  std::string_view name() const { return path.substr(path.rfind('/') + 1); }
};

class Reader {
public:
  Reader() = default;
  virtual ~Reader() = default;
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  /// What the format is called in reports: "SageMaker system metrics".
  virtual std::string_view name() const = 0;

  /// Whether the file is of this format, by its content (the head) and its place (the path).
  virtual bool recognizes(const InputFile& file) const = 0;

  /// Whether files of this format become traces, of which a job has no more than it can use.
  virtual bool reads_traces() const { return false; }

  /// Reads the whole file. `counts` is this reader's entry of `reading.report.sources`.
  virtual void read(InputFile& file, FileReading& reading, job::SourceCounts& counts) const = 0;
};

} // namespace debrief::ingest
