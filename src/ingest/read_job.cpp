#include "ingest/read_job.h"

#include "ingest/choose_sources.h"
#include "ingest/discover.h"
#include "ingest/join_runs.h"
#include "ingest/join_series.h"
#include "ingest/join_stacks.h"
#include "ingest/kineto/join.h"
#include "ingest/kineto/select.h"
#include "ingest/local_times.h"
#include "ingest/read_file.h"
#include "ingest/repeated_files.h"
#include "ingest/select_job.h"
#include "ingest/tensors/join_tensors.h"
#include "ingest/tensors/saved_scalars.h"
#include "util/error.h"
#include "util/memory.h"
#include "util/parallel.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace debrief::ingest {

namespace {

/// How many files to read before merging. Kept separate, 100,000 tiny files use far more memory
/// than their contents.
constexpr std::size_t kFilesApart = 4096;

/// Each has rows of its own in every part of the result, however little it holds.
constexpr std::size_t kMaxTraces = 4096;

/// A file has at most a 512th of what sums of microseconds can hold twice (see timeline_reader).
constexpr std::size_t kTimelinesThatFit = 512;
constexpr Microseconds kMostEventTime = Microseconds{1} << 61U;

/// What a file holds, and what its copies would have in common with it.
struct ReadFile {
  FileReading reading;
  std::uint64_t digest = 0;
  Microseconds event_time = 0; ///< of all events together, where there are many files
};

Microseconds event_time_of(const job::EventTableBuilder& events) {
  Microseconds sum = 0;
  events.each([&](const job::EventTableBuilder::Event& event) { sum += event.duration; });
  return sum;
}

/// Files `first` to `last`, without it.
std::vector<ReadFile> read_files(const FoundFiles& files, std::size_t first, std::size_t last,
                                 bool without_traces, const ReadOptions& options) {
  const bool many = files.paths.size() > kTimelinesThatFit;
  std::vector<ReadFile> read(last - first);
  std::mutex progress_mutex;
  std::size_t done = first;
  parallel_for(read.size(), [&](std::size_t i) {
    read[i].reading =
        read_file(files, files.paths[first + i], options.most_unpacked, without_traces);
    read[i].digest = digest_of(read[i].reading.events);
    if (many) read[i].event_time = event_time_of(read[i].reading.events);
    if (!options.progress) return;
    const std::lock_guard lock{progress_mutex};
    options.progress(++done, files.paths.size());
  });
  return read;
}

/// What a file holds, and which file, by its place among the paths.
template <typename Value>
struct FromFile {
  std::size_t file = 0;
  Value value;
};

/// What files hold, before it is the job's.
struct Gathered {
  job::EventTableBuilder events;
  std::vector<job::EventTableBuilder> events_of_files; ///< of the last files; they belong to these
  Microseconds event_time_left = kMostEventTime;
  RepeatedFiles timelines;
  std::vector<std::vector<SeriesPart>> parts; ///< of each file that has some
  std::vector<FromFile<job::JobDescription>> descriptions;
  std::vector<FromFile<job::RuleOutput>> rule_outputs;
  std::vector<LoggedRun> runs;
  tensors::TensorJoin tensors;
  std::vector<job::PythonStacks> stacks;
};

void lose_trace(const std::string& path, job::ReadingReport& report) {
  job::ReadingReport::count(report.skipped, fmt::format("trace beyond the first {}", kMaxTraces),
                            path);
}

/// Sums of events' times must not overflow, however many files have as many as one may have.
void drop_overflowing(ReadFile& file, Microseconds& left, const std::string& path,
                      job::ReadingReport& report) {
  if (file.event_time > left) {
    const std::size_t before = file.reading.events.size();
    Microseconds own = 0;
    file.reading.events.filter([&](const job::EventTableBuilder::Event& event) {
      if (event.duration > left - own) return false;
      own += event.duration;
      return true;
    });
    file.event_time = own;
    job::ReadingReport::count(report.skipped, "event time overflows", path,
                              before - file.reading.events.size());
  }
  left -= file.event_time;
}

/// Of several models (a checkpoint now and then) the one with the most trees.
void take_model(job::TreeModel model, job::Job& job) {
  if (!job.tree_model) {
    job.tree_model = std::move(model);
    return;
  }
  if (model.trees > job.tree_model->trees) std::swap(model, *job.tree_model);
  job.reading.ignored.push_back(
      {model.path, "another saved model; the one with the most trees is used"});
}

void absorb_events(Gathered& gathered) {
  gathered.events.absorb(gathered.events_of_files);
  gathered.events_of_files.clear();
}

void gather(std::vector<ReadFile> read, std::size_t first, const FoundFiles& files, job::Job& job,
            Gathered& gathered) {
  absorb_events(gathered);
  for (std::size_t i = 0; i < read.size(); ++i) {
    FileReading& reading = read[i].reading;
    if (const auto same = gathered.timelines.first_like(read[i].digest, first + i)) {
      job.reading.ignored.push_back(
          {files.paths[first + i], "has the same content as " + files.paths[*same]});
      continue;
    }
    job.reading.absorb(reading.report);
    drop_overflowing(read[i], gathered.event_time_left, files.paths[first + i], job.reading);
    if (reading.events.size() > 0) gathered.events_of_files.push_back(std::move(reading.events));
    if (!reading.metrics.empty()) gathered.parts.push_back(std::move(reading.metrics));
    if (reading.trace && !reading.trace->empty()) {
      if (job.traces.size() < kMaxTraces)
        job.traces.push_back(std::move(*reading.trace));
      else
        lose_trace(files.paths[first + i], job.reading);
    }
    if (reading.trace_left_out) lose_trace(files.paths[first + i], job.reading);
    if (reading.description)
      gathered.descriptions.push_back({first + i, std::move(*reading.description)});
    if (reading.rule_output)
      gathered.rule_outputs.push_back({first + i, std::move(*reading.rule_output)});
    std::move(reading.runs.begin(), reading.runs.end(), std::back_inserter(gathered.runs));
    if (reading.tensor_index) gathered.tensors.add(*reading.tensor_index);
    if (reading.tensor_collections) gathered.tensors.add(std::move(*reading.tensor_collections));
    if (reading.tree_model) take_model(std::move(*reading.tree_model), job);
    std::move(reading.failures.begin(), reading.failures.end(), std::back_inserter(job.failures));
    if (reading.python_stacks) gathered.stacks.push_back(std::move(*reading.python_stacks));
  }
}

using FoundDescription = FromFile<job::JobDescription>;

/// Whether both can be of one job: SageMaker's description may lie beside a job's own.
bool same_job(const job::JobDescription& a, const job::JobDescription& b) {
  const auto differ = [](const auto& one, const auto& other) {
    return one && other && *one != *other;
  };
  return !differ(a.name, b.name) && !differ(a.start, b.start);
}

bool are_one_job(const std::vector<FoundDescription>& found) {
  return std::all_of(found.begin(), found.end(), [&](const FoundDescription& description) {
    return same_job(found.front().value, description.value);
  });
}

/// Takes the description nearest to the folder's top; the others say the same of the same job.
void take_description(job::Job& job, std::vector<FoundDescription>& found,
                      const FoundFiles& files) {
  const auto depth = [&](const FoundDescription& description) {
    const std::string& path = files.paths[description.file];
    return std::count(path.begin(), path.end(), '/');
  };
  const auto best = std::min_element(found.begin(), found.end(), [&](const auto& a, const auto& b) {
    return depth(a) < depth(b);
  });
  if (best == found.end()) return;
  job.description = std::move(best->value);
  for (const FoundDescription& other : found)
    if (other.file != best->file)
      job.reading.ignored.push_back(
          {files.paths[other.file], "describes the same job as " + files.paths[best->file]});
}

[[noreturn]] void refuse_several_jobs(const std::string& path,
                                      const std::vector<FoundDescription>& found,
                                      const FoundFiles& files) {
  constexpr std::size_t kMaxNamed = 5;
  std::string named;
  for (std::size_t i = 0; i < std::min(found.size(), kMaxNamed); ++i)
    named += fmt::format("{}{}", named.empty() ? "" : ", ", printable(files.paths[found[i].file]));
  if (found.size() > kMaxNamed) named += fmt::format(" and {} more", found.size() - kMaxNamed);
  const std::string shown = printable(path);
  throw Error(fmt::format("{}: has several jobs, described by {}; give the folder of one, choose "
                          "one with --job-start, or report on all of them with --each {}{}*",
                          shown, named, shown, shown.ends_with('/') ? "" : "/"));
}

/// The description of the job that ran at `wanted`, or else of the one that starts next to it: data
/// begins seconds before its description says so. Null if none does within an hour.
const FoundDescription* description_at(Microseconds wanted,
                                       const std::vector<FoundDescription>& found) {
  const FoundDescription* nearest = nullptr;
  Microseconds least = kSilenceBetweenJobs + 1;
  for (const FoundDescription& description : found) {
    const auto start = description.value.start;
    if (!start) continue;
    const TimeSpan span{*start, std::max(*start, description.value.end.value_or(*start))};
    const Microseconds away =
        span.contains(wanted) ? 0 : std::max(*start - wanted, wanted - *start);
    if (away >= least) continue;
    least = away;
    nearest = &description;
  }
  return nearest;
}

/// The rule outputs of the first folder that has any; a folder above several jobs has several sets.
void take_rule_outputs(job::Job& job, std::vector<FromFile<job::RuleOutput>>& found,
                       const FoundFiles& files) {
  const auto folder_of = [&](const FromFile<job::RuleOutput>& output) {
    const std::string& path = files.paths[output.file];
    return path.substr(0, path.rfind('/') + 1); // npos + 1 is 0: a file at the top
  };
  for (FromFile<job::RuleOutput>& output : found) {
    const std::string folder = folder_of(found.front());
    if (folder_of(output) == folder)
      job.rule_outputs.push_back(std::move(output.value));
    else
      job.reading.ignored.push_back(
          {files.paths[output.file], "another job's rule output; this job's are in " + folder});
  }
  std::stable_sort(
      job.rule_outputs.begin(), job.rule_outputs.end(),
      [](const job::RuleOutput& a, const job::RuleOutput& b) { return a.rule < b.rule; });
}

/// Why all of the job's files were left out, where it is the same of each.
std::optional<std::string> common_reason(const std::vector<job::IgnoredFile>& ignored,
                                         std::size_t files) {
  if (ignored.empty() || ignored.size() != files) return std::nullopt;
  const std::string& first = ignored.front().reason;
  const bool same = std::all_of(ignored.begin(), ignored.end(),
                                [&](const job::IgnoredFile& file) { return file.reason == first; });
  return same ? std::optional{first} : std::nullopt;
}

/// One sentence on why a folder or file has given nothing.
[[noreturn]] void refuse(const std::string& path, const job::Job& job, std::size_t files) {
  const job::ReadingReport& report = job.reading;
  const auto first_of = [](const job::Troubles& troubles) {
    const auto& [reason, trouble] = *troubles.begin();
    return fmt::format("{} ({}{})", reason, printable(trouble.first_seen),
                       trouble.count > 1 ? fmt::format(" and {} more", trouble.count - 1) : "");
  };
  std::string why = "it has no file";
  if (!report.damaged_files.empty())
    why = first_of(report.damaged_files);
  else if (!report.skipped.empty())
    why = first_of(report.skipped);
  else if (const auto common = common_reason(report.ignored, files))
    why = files == 1 ? *common : fmt::format("{} (all of its {} files)", *common, files);
  else if (files > 0)
    why =
        fmt::format("none of its {} has samples, events or rule outputs", count_of(files, "file"));
  throw Error(fmt::format(
      "{}: nothing to report on: {}; give a job's folder: SageMaker's profiler-output or "
      "debug-output, PyTorch traces, a saved XGBoost model, or what W&B, MLflow, TensorBoard, a "
      "trainer or nvidia-smi logged",
      printable(path), why));
}

/// Whether a link that was not followed leads to what the job left, by its own name and place: what
/// it leads to is not looked at. What is in the job's folder is read where it is.
bool leads_to_data(const FoundFiles& files, const std::string& link) {
  if (!has_place_of_job(link)) return false;
  std::error_code error;
  const auto target = std::filesystem::canonical(files.full_path(link), error);
  if (error) return true; // it has gone
  const auto root = std::filesystem::canonical(files.root, error);
  const auto [end, rest] = std::mismatch(root.begin(), root.end(), target.begin(), target.end());
  return end != root.end();
}

/// When the job ran by what has a clock: nvidia-smi's logs have none that is known.
std::optional<TimeSpan> span_of_rest(const job::Job& job, const Gathered& gathered) {
  std::optional<TimeSpan> span;
  const auto widen = [&](Microseconds time) {
    if (!is_plausible(time)) return;
    if (!span) span = TimeSpan{time, time};
    span->first = std::min(span->first, time);
    span->last = std::max(span->last, time);
  };
  for (const std::vector<SeriesPart>& parts : gathered.parts)
    for (const SeriesPart& part : parts)
      if (part.source < MetricSource::nvidia_smi)
        std::for_each(part.columns.times.begin(), part.columns.times.end(), widen);
  if (job.description.start) widen(*job.description.start);
  if (job.description.end) widen(*job.description.end);
  for (const job::ScalarSeries& series : job.scalars)
    std::for_each(series.times.begin(), series.times.end(), widen);
  gathered.events.each([&](const job::EventTableBuilder::Event& event) { widen(event.start); });
  for (const job::Trace& trace : job.traces)
    if (const auto traced = trace.clock_known ? trace.span() : std::nullopt) {
      widen(to_microseconds(traced->first));
      widen(to_microseconds(traced->second));
    }
  return span;
}

/// The first in time first: others often follow from it.
void settle_failures(std::vector<job::Failure>& failures, job::ReadingReport& report) {
  std::stable_sort(failures.begin(), failures.end(),
                   [](const job::Failure& a, const job::Failure& b) {
                     return a.time.value_or(INT64_MAX) < b.time.value_or(INT64_MAX);
                   });
  if (failures.size() <= job::kMostFailures) return;
  job::ReadingReport::count(
      report.skipped, fmt::format("failure of a process beyond the first {}", job::kMostFailures),
      "", failures.size() - job::kMostFailures);
  failures.resize(job::kMostFailures);
}

std::string name_of_input(const std::string& path) {
  std::error_code error;
  auto full = std::filesystem::weakly_canonical(path, error);
  if (error) full = path;
  std::string name = full.filename().string();
  return name.empty() ? "job" : name;
}

/// Returns what files took and is free again while the rest is joined; nothing waits for it.
void trim_heap_beside() {
  std::vector<std::jthread> trimmer;
  if (start_thread(trimmer, [] { trim_heap(); }))
    trimmer.front().detach();
  else
    trim_heap();
}

} // namespace

job::Job read_job(const std::string& path, const ReadOptions& options) {
  const FoundFiles files = discover(path, options.follow_links);
  job::Job job;
  job.input_name = name_of_input(path);
  Gathered gathered;
  {
    const WholeHeaps heaps;
    for (std::size_t first = 0; first < files.paths.size(); first += kFilesApart) {
      const std::size_t last = std::min(first + kFilesApart, files.paths.size());
      const bool without_traces = job.traces.size() >= kMaxTraces;
      gather(read_files(files, first, last, without_traces, options), first, files, job, gathered);
    }
  }
  if (!are_one_job(gathered.descriptions)) {
    const FoundDescription* chosen =
        options.job_start ? description_at(*options.job_start, gathered.descriptions) : nullptr;
    if (chosen == nullptr) refuse_several_jobs(path, gathered.descriptions, files);
    const std::string& description = files.paths[chosen->file];
    if (const std::size_t slash = description.rfind('/'); slash != description.npos)
      return read_job((std::filesystem::path{path} / description.substr(0, slash)).string(),
                      options);
    job.description = chosen->value; // at the top: the data is chosen by its times alone
  } else {
    take_description(job, gathered.descriptions, files);
  }
  take_rule_outputs(job, gathered.rule_outputs, files);
  for (const std::string& link : files.skipped_links) {
    job.reading.ignored.push_back({link, "symbolic link (--follow-links reads it)"});
    if (leads_to_data(files, link))
      job::ReadingReport::count(job.reading.skipped,
                                "data of the job behind a symbolic link (--follow-links reads it)",
                                link);
  }
  for (const std::string& special : files.not_files)
    job.reading.ignored.push_back({special, "a pipe, a socket or a device, not a file"});
  for (const std::string& folder : files.unreadable)
    job::ReadingReport::count(job.reading.damaged_files, "cannot be listed or looked at", folder);

  job.tensors = std::move(gathered.tensors).finish(files, job.reading);
  join_runs(std::move(gathered.runs), options.run, job, gathered.parts);
  settle_failures(job.failures, job.reading);
  // A tracker's log has every step, the hook saved some.
  std::vector<job::ScalarSeries>& saved = job.scalars.empty() ? job.scalars : job.repeated_scalars;
  std::ranges::move(tensors::saved_scalars(job.tensors), std::back_inserter(saved));
  if (has_local_times(gathered.parts)) {
    absorb_events(gathered);
    shift_local_times(gathered.parts, span_of_rest(job, gathered), job.reading);
  }
  choose_sources(gathered.parts, job.reading);
  parallel_for(2, [&](std::size_t which) {
    if (which == 0)
      job.metrics = join_series(std::move(gathered.parts), job.reading);
    else
      absorb_events(gathered);
  });
  constexpr std::size_t kManyFiles = 64; // of fewer, a thread costs more than it saves
  if (files.paths.size() < kManyFiles)
    trim_heap();
  else
    trim_heap_beside();
  job::EventTableBuilder& events = gathered.events;
  const std::optional<TimeSpan> span =
      select_job(job.metrics, events, job.description, options.job_start, job.reading);
  kineto::drop_copies(job.traces, job.reading);
  kineto::drop_overflowing(job.traces, job.reading);
  if (span) kineto::drop_others(*span, job.traces, job.reading);
  job.python_stacks = join_stacks(std::move(gathered.stacks), span, job.reading);
  kineto::name_nodes(job.traces, job.metrics);
  kineto::name_processes(job.traces, events);
  kineto::add_events(job.traces, events);
  job.events = std::move(events).finish();

  const auto by_path = [](const job::IgnoredFile& a, const job::IgnoredFile& b) {
    return a.path < b.path;
  };
  std::stable_sort(job.reading.ignored.begin(), job.reading.ignored.end(), by_path);

  if (job.metrics.empty() && job.events.size() == 0 && job.traces.empty() &&
      job.rule_outputs.empty() && job.scalars.empty() && job.tensors.empty() && !job.tree_model &&
      job.failures.empty())
    refuse(path, job, files.paths.size());
  return job;
}

} // namespace debrief::ingest
