#include "ingest/trackers/wandb_reader.h"

#include "ingest/trackers/json_number.h"
#include "ingest/trackers/protobuf.h"
#include "ingest/trackers/run_parameters.h"
#include "ingest/trackers/scalar_columns.h"
#include "ingest/trackers/traceback.h"
#include "ingest/trackers/tracker_metrics.h"
#include "ingest/trackers/wandb_blocks.h"
#include "ingest/trackers/wandb_stats.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace debrief::ingest {

namespace {

using namespace trackers;
using job::ReadingReport;
using protozero::pbf_reader;

// Fields of wandb_internal.proto.
constexpr std::uint32_t kHistory = 2;
constexpr std::uint32_t kOutput = 4;
constexpr std::uint32_t kConfig = 5;
constexpr std::uint32_t kStats = 7;
constexpr std::uint32_t kRawOutput = 13;
constexpr std::uint32_t kRun = 17;
constexpr std::uint32_t kExit = 18;
constexpr std::uint32_t kEnvironment = 26;

constexpr std::uint32_t kKey = 1;
constexpr std::uint32_t kNestedKey = 2;
constexpr std::uint32_t kValueJson = 16;

constexpr std::uint32_t kRunId = 1;
constexpr std::uint32_t kRunConfig = 4;
constexpr std::uint32_t kDisplayName = 8;
constexpr std::uint32_t kHost = 13;
constexpr std::uint32_t kStartTime = 17;

std::string_view view_of(pbf_reader& field) {
  const protozero::data_view view = field.get_view();
  return {view.data(), view.size()};
}

struct Item {
  std::string_view key;
  std::string_view json;
};

/// `nested` holds a key of several parts, joined by dots.
Item item_of(pbf_reader message, std::string& nested) {
  Item item;
  nested.clear();
  while (message.next()) {
    switch (message.tag()) {
    case kKey:
      item.key = view_of(message);
      break;
    case kNestedKey: {
      const std::string_view part = view_of(message);
      if (!nested.empty()) nested += '.';
      nested += part;
      break;
    }
    case kValueJson:
      item.json = view_of(message);
      break;
    default:
      message.skip();
    }
  }
  if (item.key.empty()) item.key = nested;
  return item;
}

std::optional<Microseconds> time_of(pbf_reader timestamp) {
  std::int64_t seconds = 0;
  std::int64_t nanoseconds = 0;
  while (timestamp.next()) {
    if (timestamp.tag() == 1)
      seconds = timestamp.get_int64();
    else if (timestamp.tag() == 2)
      nanoseconds = timestamp.get_int32();
    else
      timestamp.skip();
  }
  if (seconds < 0 || seconds >= kLatestTime / kSecond) return std::nullopt;
  const Microseconds time = seconds * kSecond + nanoseconds / 1000;
  return is_plausible(time) ? std::optional{time} : std::nullopt;
}

/// One file while it is read.
class RunReader {
public:
  RunReader(const InputFile& file, FileReading& reading, job::SourceCounts& counts)
      : path_(file.path)
      , report_(reading.report)
      , counts_(counts)
      , metrics_(MetricSource::wandb, file.path, reading.report) {
    run_.source = job::ScalarSource::wandb;
    run_.folder = folder_of(file.path);
  }

  void read_record(std::string_view payload) {
    pbf_reader record{payload.data(), payload.size()};
    while (record.next()) {
      switch (record.tag()) {
      case kHistory:
        read_history(record.get_message());
        break;
      case kStats:
        read_stats(record.get_message());
        break;
      case kRun:
        read_run(record.get_message());
        break;
      case kConfig:
        read_config(record.get_message());
        break;
      case kExit:
        read_exit(record.get_message());
        break;
      case kOutput:
      case kRawOutput:
        read_output(record.get_message());
        break;
      case kEnvironment:
        read_environment(record.get_message());
        break;
      default:
        record.skip();
      }
    }
  }

  LoggedRun take() {
    run_.scalars = columns_.take();
    if (!clock_known_)
      for (job::ScalarSeries& series : run_.scalars)
        series.times.clear();
    run_.metrics = metrics_.take();
    // A single machine's samples are the host's; a label names it where several log to one run.
    for (SeriesPart& part : run_.metrics)
      if (part.node.empty()) part.node = host_;
    if (gpus_ > 0 && !gpu_type_.empty())
      run_.described.instance_type = std::to_string(gpus_) + " x " + gpu_type_;
    run_.described.hyperparameters = parameters_.take();
    if (exit_code_.value_or(0) != 0) run_.failures.push_back(failure());
    return std::move(run_);
  }

private:
  void read_history(pbf_reader history) {
    std::optional<double> step;
    std::optional<double> time;
    values_.clear();
    while (history.next()) {
      if (history.tag() == 2) {
        pbf_reader number = history.get_message();
        if (number.next(1) && !step) step = static_cast<double>(number.get_int64());
        continue;
      }
      if (history.tag() != 1) {
        history.skip();
        continue;
      }
      const Item item = item_of(history.get_message(), nested_);
      const auto value = padded_json_number(item.json);
      if (!value) continue; // an image, a table, a text
      if (item.key == "_step")
        step = value;
      else if (item.key == "_timestamp")
        time = value;
      else if (!item.key.starts_with('_'))
        add_value(item.key, *value);
    }
    if (values_.empty()) return;
    if (!step || !(*step >= 0 && *step <= static_cast<double>(job::kMostStep)))
      return skip("W&B history without a step");
    const auto when = time ? from_seconds(*time) : std::nullopt;
    if (!when || !is_plausible(*when)) {
      if (clock_known_)
        ReadingReport::count(report_.repaired, "W&B history without times: its steps are kept",
                             std::string{path_});
      clock_known_ = false;
    }
    for (const auto& [series, value] : values_) {
      job::ScalarSeries& columns = columns_.at(series);
      columns.steps.push_back(static_cast<std::int64_t>(*step));
      columns.times.push_back(when.value_or(0));
      columns.values.push_back(value);
      ++counts_.samples;
    }
  }

  /// Records log the same names in the same order, mostly.
  void add_value(std::string_view name, double value) {
    const auto series = columns_.find_index(name);
    if (series)
      values_.emplace_back(*series, value);
    else
      skip(kTooManyScalars);
  }

  void read_stats(pbf_reader stats) {
    std::optional<Microseconds> time;
    std::map<std::string, std::pair<std::optional<double>, std::optional<double>>> disks;
    while (stats.next()) {
      if (stats.tag() == 2) {
        time = time_of(stats.get_message());
        continue;
      }
      if (stats.tag() != 3) {
        stats.skip();
        continue;
      }
      if (!time) return skip("W&B statistics without a time");
      const Item item = item_of(stats.get_message(), nested_);
      const WandbStat stat = wandb_stat(item.key);
      const std::string node{stat.node};
      const auto value = json_number(item.json);
      if (!value) {
        if (stat.key == "network") add_network(node, *time, item.json);
        continue;
      }
      if (is_wandb_disk_read(stat.key)) {
        auto& read = disks[node].first;
        read = read.value_or(0) + *value;
      } else if (is_wandb_disk_write(stat.key)) {
        auto& written = disks[node].second;
        written = written.value_or(0) + *value;
      } else if (const auto rule = wandb_metric(stat.key)) {
        add_sample(node, *rule, *time, *value);
      }
    }
    for (const auto& [node, disk] : disks) {
      if (disk.first) add_sample(node, wandb_disk_metric(true), *time, *disk.first);
      if (disk.second) add_sample(node, wandb_disk_metric(false), *time, *disk.second);
    }
  }

  /// W&B before 0.13 wrote {"sent": 260096, "recv": 100352}.
  void add_network(const std::string& node, Microseconds time, std::string_view text) {
    constexpr std::size_t kMost = 200;
    if (text.size() > kMost) return;
    const auto both = nlohmann::json::parse(text, nullptr, false);
    if (!both.is_object()) return;
    for (const char* way : {"sent", "recv"})
      if (const auto found = both.find(way); found != both.end() && found->is_number())
        add_sample(node, *wandb_metric(std::string{"network."} + way), time, found->get<double>());
  }

  void add_sample(const std::string& node, const MetricRule& rule, Microseconds time,
                  double value) {
    if (metrics_.add(node, rule, time, value)) ++counts_.samples;
  }

  void read_run(pbf_reader message) {
    while (message.next()) {
      switch (message.tag()) {
      case kRunId:
        run_.id = message.get_string();
        break;
      case kRunConfig:
        read_config(message.get_message());
        break;
      case kDisplayName:
        run_.name = message.get_string();
        break;
      case kHost:
        host_ = message.get_string();
        break;
      case kStartTime:
        run_.described.start = time_of(message.get_message());
        break;
      default:
        message.skip();
      }
    }
    run_.described.name = run_.name.empty() ? run_.id : run_.name;
  }

  void read_config(pbf_reader config) {
    while (config.next(1)) {
      const Item item = item_of(config.get_message(), nested_);
      if (!item.key.starts_with('_')) parameters_.add_json(item.key, item.json);
    }
  }

  void read_exit(pbf_reader message) {
    std::int32_t code = 0;
    while (message.next()) {
      if (message.tag() == 1)
        code = message.get_int32();
      else
        message.skip();
    }
    run_.described.status = code == 0 ? "Completed" : "Failed";
    exit_code_ = code;
  }

  /// What the script printed: a traceback says what it died of.
  void read_output(pbf_reader message) {
    constexpr std::uint32_t kStream = 1;
    constexpr std::uint32_t kWritten = 2;
    constexpr std::uint32_t kPrinted = 3;
    std::int32_t type = 0;
    std::optional<Microseconds> time;
    std::string_view line;
    while (message.next()) {
      switch (message.tag()) {
      case kStream:
        type = message.get_enum();
        break;
      case kWritten:
        time = time_of(message.get_message());
        break;
      case kPrinted:
        line = view_of(message);
        break;
      default:
        message.skip();
      }
    }
    (type == 0 ? errors_ : output_).add(line, time);
  }

  job::Failure failure() const {
    job::Failure out;
    if (errors_.last())
      out = *errors_.last();
    else if (output_.last())
      out = *output_.last();
    out.exit_code = exit_code_;
    return out;
  }

  void read_environment(pbf_reader message) {
    constexpr std::uint32_t kGpuType = 18;
    constexpr std::uint32_t kGpuCount = 19;
    while (message.next()) {
      if (message.tag() == kGpuType)
        gpu_type_ = message.get_string();
      else if (message.tag() == kGpuCount)
        gpus_ = message.get_uint32();
      else
        message.skip();
    }
  }

  void skip(const std::string& reason) {
    ReadingReport::count(report_.skipped, reason, std::string{path_});
  }

  std::string_view path_;
  ReadingReport& report_;
  job::SourceCounts& counts_;
  LoggedRun run_;
  ScalarColumns columns_;
  TrackerMetrics metrics_;
  RunParameters parameters_;
  TracebackReader errors_; ///< of stderr
  TracebackReader output_;
  std::optional<int> exit_code_;
  std::vector<std::pair<std::size_t, double>> values_; ///< of one history record, by series
  std::string nested_;
  std::string host_;
  std::string gpu_type_;
  std::uint32_t gpus_ = 0;
  bool clock_known_ = true;
};

} // namespace

bool WandbReader::recognizes(const InputFile& file) const {
  return file.head().starts_with(kWandbMagic);
}

void WandbReader::read(InputFile& file, FileReading& reading, job::SourceCounts& counts) const {
  RunReader run{file, reading, counts};
  WandbBlocks blocks{file.bytes};
  const auto where = [&] { return job::at_byte(file.path, blocks.at()); };
  while (const auto record = blocks.next()) {
    ++counts.records;
    try {
      run.read_record(*record);
    } catch (const protozero::exception&) {
      ReadingReport::count(reading.report.skipped, "W&B record that is not valid", where());
    }
  }
  if (blocks.gaps() > 0)
    ReadingReport::count(reading.report.skipped, "damaged part of a W&B run", where(),
                         blocks.gaps());
  if (blocks.too_large() > 0)
    ReadingReport::count(reading.report.skipped, "W&B record of more than 64 MB",
                         std::string{file.path}, blocks.too_large());
  if (blocks.cut_off())
    ReadingReport::count(reading.report.damaged_files,
                         "ends within a record: cut off, or still being written",
                         std::string{file.path});
  if (LoggedRun found = run.take();
      !found.scalars.empty() || !found.metrics.empty() || !found.failures.empty())
    reading.runs.push_back(std::move(found));
}

} // namespace debrief::ingest
