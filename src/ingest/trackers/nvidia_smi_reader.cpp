#include "ingest/trackers/nvidia_smi_reader.h"

#include "ingest/trackers/csv_line.h"
#include "ingest/trackers/gpu_log.h"
#include "ingest/trackers/text_lines.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace debrief::ingest {

namespace {

using namespace trackers;
using job::ReadingReport;

constexpr double kBytesOfMiB = 1024.0 * 1024;

/// Names of --query-gpu; newer drivers have other words for some.
constexpr GpuName kQueries[] = {
    {"utilization.gpu", "GPUUtilization"},
    {"utilization.memory", "GPUMemoryBusyPercent"},
    {"memory.used", "GPUMemoryUsedBytes", kBytesOfMiB},
    {"temperature.gpu", "GPUTemperatureCelsius"},
    {"power.draw", "GPUPowerWatts"},
    {"power.draw.instant", "GPUPowerWatts"},
    {"power.draw.average", "GPUPowerWatts"},
    {"enforced.power.limit", "GPUPowerLimitWatts"},
    {"power.limit", "GPUPowerLimitWatts"},
    {"clocks.current.sm", "GPUSMClockMHz"},
    {"clocks.sm", "GPUSMClockMHz"},
    {"clocks.max.sm", "GPUSMClockMaxMHz"},
    {"clocks.current.memory", "GPUMemoryClockMHz"},
    {"clocks.mem", "GPUMemoryClockMHz"},
};

/// Rows of one tick follow each other at once; the shortest interval people ask for is 100 ms.
constexpr Microseconds kOneTick = 50'000;

// NVML's clock event reasons.
constexpr std::uint64_t kPowerBits = 0x4 | 0x8 | 0x80;
constexpr std::uint64_t kThermalBits = 0x20 | 0x40;

/// "utilization.gpu" of "utilization.gpu [%]".
std::string_view without_unit(std::string_view cell) {
  return cell.substr(0, std::min(cell.find(" ["), cell.size()));
}

const GpuName* query_of(std::string_view name) {
  const auto known = std::find_if(std::begin(kQueries), std::end(kQueries),
                                  [&](const GpuName& query) { return query.theirs == name; });
  return known == std::end(kQueries) ? nullptr : known;
}

std::optional<std::uint64_t> bits_of(std::string_view cell) {
  if (!cell.starts_with("0x")) return std::nullopt;
  std::uint64_t bits = 0;
  const auto [end, error] = std::from_chars(cell.data() + 2, cell.data() + cell.size(), bits, 16);
  if (error != std::errc{} || end != cell.data() + cell.size()) return std::nullopt;
  return bits;
}

/// "2026/11/16 05:53:58.992"
std::optional<Microseconds> log_time(std::string_view cell) {
  constexpr std::size_t kShortest = 19;
  if (cell.size() < kShortest || cell[4] != '/' || cell[7] != '/') return std::nullopt;
  std::string text{cell};
  text[4] = text[7] = '-';
  return parse_time(text);
}

/// Which column of the log is what.
struct Columns {
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  std::size_t time = kNone;
  std::size_t index = kNone;
  std::size_t identity = kNone; ///< a UUID, a serial number or a place on the bus
  std::size_t used = kNone;
  std::size_t total = kNone;
  std::size_t reasons = kNone;
  std::vector<std::pair<std::size_t, const GpuName*>> values;

  explicit Columns(const std::vector<std::string_view>& names) {
    std::vector<std::string_view> dimensions;
    for (std::size_t at = 0; at < names.size(); ++at) {
      const std::string_view name = without_unit(names[at]);
      if (name == "timestamp") time = at;
      if (name == "index") index = at;
      if (identity == kNone && (name == "uuid" || name == "gpu_uuid" || name == "pci.bus_id" ||
                                name == "gpu_bus_id" || name == "serial"))
        identity = at;
      if (name == "memory.used") used = at;
      if (name == "memory.total") total = at;
      if (name == "clocks_event_reasons.active" || name == "clocks_throttle_reasons.active")
        reasons = at;
      const GpuName* query = query_of(name);
      if (query == nullptr ||
          std::find(dimensions.begin(), dimensions.end(), query->dimension) != dimensions.end())
        continue; // of two words for one thing the first counts
      dimensions.emplace_back(query->dimension);
      values.emplace_back(at, query);
    }
  }

  bool are_of_a_log() const { return time != kNone && (!values.empty() || reasons != kNone); }
};

/// Which GPU a row is of.
class RowGpu {
public:
  std::string of(const std::vector<std::string_view>& cells, const Columns& columns,
                 Microseconds time) {
    if (columns.index < cells.size()) return std::string{cells[columns.index]};
    if (columns.identity < cells.size()) {
      const std::size_t next = numbers_.size();
      return std::to_string(
          numbers_.try_emplace(std::string{cells[columns.identity]}, next).first->second);
    }
    row_ = time - before_ <= kOneTick && time >= before_ ? row_ + 1 : 0;
    before_ = time;
    return std::to_string(row_);
  }

private:
  std::map<std::string, std::size_t> numbers_;
  Microseconds before_ = 0;
  std::size_t row_ = 0;
};

bool is_gpu_number(std::string_view text) {
  return !text.empty() && text.size() <= 4 && text.find_first_not_of("0123456789") == text.npos;
}

void add_row(const std::vector<std::string_view>& cells, const Columns& columns,
             std::string_view gpu, Microseconds time, GpuLog& log) {
  const auto number = [&](std::size_t column) {
    return column < cells.size() ? gpu_log_number(cells[column]) : std::nullopt;
  };
  for (const auto& [column, query] : columns.values)
    if (const auto value = number(column))
      log.add(gpu, query->dimension, time, *value, query->scale);
  const auto used = number(columns.used);
  if (const auto total = number(columns.total); used && total && *total > 0)
    log.add(gpu, "GPUMemoryUtilization", time, 100 * *used / *total);
  const auto bits = columns.reasons < cells.size() ? bits_of(cells[columns.reasons]) : std::nullopt;
  if (!bits) return;
  log.add(gpu, "GPUPowerThrottledPercent", time, (*bits & kPowerBits) != 0 ? 100 : 0);
  log.add(gpu, "GPUThermalThrottledPercent", time, (*bits & kThermalBits) != 0 ? 100 : 0);
}

} // namespace

bool NvidiaSmiReader::recognizes(const InputFile& file) const {
  const std::string_view head = file.text_head();
  if (head.find("timestamp") == head.npos) return false;
  const std::size_t end = head.find('\n');
  if (end > 10'000) return false; // npos is more, too
  CsvLine line;
  return Columns{line.split(head.substr(0, end))}.are_of_a_log();
}

void NvidiaSmiReader::read(InputFile& file, FileReading& reading, job::SourceCounts& counts) const {
  GpuLog log{MetricSource::nvidia_smi, file.path, reading, counts};
  TextLines lines{file.bytes};
  CsvLine header_line;
  CsvLine row_line;
  std::optional<Columns> columns;
  std::size_t width = 0;
  RowGpu row_gpu;
  const auto skip = [&](const char* reason) {
    ReadingReport::count(reading.report.skipped, reason, job::at_line(file.path, lines.number()));
  };
  while (const auto line = lines.next()) {
    if (line->find_first_not_of(" \t\r") == line->npos) continue;
    // A log that was started again has a header again, perhaps another one.
    if (line->find("timestamp") != line->npos) {
      const auto& names = header_line.split(*line);
      columns.emplace(names);
      width = names.size();
      continue;
    }
    if (!columns) continue;
    ++counts.records;
    const auto& cells = row_line.split(*line);
    if (!lines.ended() || cells.size() < width) {
      skip(lines.ended() ? "row of an nvidia-smi log with too few cells" : "last line is cut off");
      continue;
    }
    const auto time = columns->time < cells.size() ? log_time(cells[columns->time]) : std::nullopt;
    if (!time) {
      skip("row of an nvidia-smi log without a time");
      continue;
    }
    const std::string gpu = row_gpu.of(cells, *columns, *time);
    if (!is_gpu_number(gpu)) {
      skip("row of an nvidia-smi log without its GPU");
      continue;
    }
    add_row(cells, *columns, gpu, *time, log);
  }
  if (lines.too_long())
    ReadingReport::count(reading.report.damaged_files, "has a line of more than 1 MB",
                         std::string{file.path});
  if (columns && columns->index == Columns::kNone && columns->identity == Columns::kNone)
    ReadingReport::count(reading.report.repaired,
                         "nvidia-smi log without an index: rows of one moment are gpu0, gpu1, …",
                         std::string{file.path});
  log.finish();
}

} // namespace debrief::ingest
