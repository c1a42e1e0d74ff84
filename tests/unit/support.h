// What many tests need: bytes as a source, a folder of its own, small jobs.
#pragma once

#include "ingest/open_file.h"
#include "ingest/reader_registry.h"
#include "job/job.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace debrief::test {

/// Serves a text in pieces of at most `piece` bytes, to show that readers do not depend on block
/// borders.
class TextSource final : public ingest::ByteSource {
public:
  explicit TextSource(std::string text, std::size_t piece = SIZE_MAX)
      : text_(std::move(text))
      , piece_(piece) {}

  std::size_t read(char* into, std::size_t size) override {
    const std::size_t count = std::min({size, piece_, text_.size() - at_});
    std::memcpy(into, text_.data() + at_, count);
    at_ += count;
    return count;
  }

  std::uint64_t bytes_on_disk() const override { return at_; }

private:
  std::string text_;
  std::size_t piece_;
  std::size_t at_ = 0;
};

/// A folder that is gone after the test.
class Folder {
public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "debrief-test-XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }

  ~Folder() { std::filesystem::remove_all(path_); }

  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string path(const std::string& relative = "") const {
    return relative.empty() ? path_.string() : (path_ / relative).string();
  }

  void write(const std::string& relative, std::string_view text) const {
    const auto full = path_ / relative;
    std::filesystem::create_directories(full.parent_path());
    std::ofstream{full, std::ios::binary} << text;
  }

private:
  std::filesystem::path path_;
};

/// What a reader makes of a file with this text at this path.
inline ingest::FileReading read_text(const ingest::Reader& reader, const std::string& path,
                                     const std::string& text, std::size_t piece = SIZE_MAX,
                                     const std::vector<std::string>& all_paths = {}) {
  TextSource source{text, piece};
  ingest::BlockReader bytes{source};
  bytes.more();
  ingest::InputFile file{path, all_paths, bytes};
  ingest::FileReading reading;
  reader.read(file, reading, reading.report.sources[std::string{reader.name()}]);
  return reading;
}

/// Whether the registry gives a file with this head at this path to a reader of this name ("" for
/// none).
inline std::string reader_for(const std::string& path, const std::string& text) {
  TextSource source{text};
  ingest::BlockReader bytes{source};
  bytes.more();
  const ingest::InputFile file{path, {}, bytes};
  for (const ingest::Reader* reader : ingest::readers())
    if (reader->recognizes(file)) return std::string{reader->name()};
  return "";
}

/// How often a trouble was met; 0 where it was not.
inline std::uint64_t count_in(const job::Troubles& troubles, const std::string& reason) {
  const auto found = troubles.find(reason);
  return found == troubles.end() ? 0 : found->second.count;
}

/// A moment, in seconds after 2023-11-14T22:13:20Z, as everything below has it.
inline Microseconds at(double second) {
  return 1'700'000'000'000'000 + std::llround(second * 1e6);
}

/// A metric series.
inline job::MetricSeries series(const std::string& node, const job::MetricName& name,
                                const std::vector<double>& seconds, std::vector<double> values) {
  job::SeriesBuilder columns;
  for (const double second : seconds)
    columns.times.push_back(at(second));
  columns.values = std::move(values);
  return job::make_series(node, name, std::move(columns));
}

inline job::MetricName cpu(int core) {
  return {"cpu", "cpu" + std::to_string(core), "CPUUtilization"};
}

inline job::MetricName gpu(int device) {
  return {"gpu", "gpu" + std::to_string(device), "GPUUtilization"};
}

/// An event of any recorder, in seconds.
struct Event {
  std::string phase;
  std::string name = {}; ///< empty: as the phase
  double start = 0;
  double duration = 0;
  std::string process = "algo-1-27";
  std::string node = "algo-1";
  job::TimelineKind kind = job::TimelineKind::python;
  bool clock_known = true;
  std::optional<std::int64_t> pid = {};
  std::optional<std::int64_t> thread = {};
  std::optional<std::int64_t> step = {};
  job::EventDetails details = {};
};

inline job::EventTable events(const std::vector<Event>& list) {
  job::EventTableBuilder columns;
  for (const Event& given : list) {
    job::Timeline timeline;
    timeline.kind = given.kind;
    timeline.process = given.process;
    timeline.node = given.node;
    timeline.clock_known = given.clock_known;
    job::EventTableBuilder::Event event;
    event.start = given.clock_known ? at(given.start) : at(given.start) - at(0);
    event.duration = std::llround(given.duration * 1e6);
    event.name = columns.names.intern(given.name.empty() ? given.phase : given.name);
    event.phase = columns.phases.intern(given.phase);
    event.track = columns.track({columns.timeline(timeline), given.pid, given.thread});
    event.step = given.step.value_or(job::kNoStep);
    columns.add(event);
    if (!given.details.empty()) columns.add_details(given.details);
  }
  return std::move(columns).finish();
}

/// A step of a job's timeline, in seconds.
struct Step {
  std::string mode = "TRAIN";
  double start = 0;
  double duration = 0;
  std::string process = "algo-1-27";
};

inline job::EventTable steps(const std::vector<Step>& list) {
  std::vector<Event> all;
  for (const Step& step : list)
    all.push_back({.phase = "Step:ModeKeys." + step.mode,
                   .start = step.start,
                   .duration = step.duration,
                   .process = step.process});
  return events(all);
}

/// A job of which nothing but one of SageMaker's rule outputs is left.
inline job::Job recorded_job(const std::string& rule, const std::string& details,
                             std::int64_t datapoints = 0) {
  job::RuleOutput output;
  output.rule = rule;
  output.datapoints = datapoints;
  output.set_details(nlohmann::json::parse(details));
  job::Job job;
  job.rule_outputs.push_back(std::move(output));
  return job;
}

} // namespace debrief::test
