#include "ingest/trackers/nvidia_smi_dmon_reader.h"

#include "ingest/trackers/gpu_log.h"
#include "ingest/trackers/text_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace debrief::ingest {

namespace {

using namespace trackers;
using job::ReadingReport;
using Words = std::vector<std::string_view>;

constexpr Microseconds kDay = 24 * kHour;

constexpr GpuName kDmonNames[] = {
    {"pwr", "GPUPowerWatts"},
    {"gtemp", "GPUTemperatureCelsius"},
    {"temp", "GPUTemperatureCelsius"},
    {"sm", "GPUUtilization"},
    {"mem", "GPUMemoryBusyPercent"},
    {"mclk", "GPUMemoryClockMHz"},
    {"pclk", "GPUSMClockMHz"},
    {"pviol", "GPUPowerThrottledPercent"},
    {"tviol", "GPUThermalThrottledPercent", 100}, // 0 or 1
    {"fb", "GPUMemoryUsedBytes", 1024.0 * 1024},
    {"sbecc", "GPUECCCorrectedErrors"},
    {"dbecc", "GPUECCUncorrectedErrors"},
    {"rxpci", "GPUPCIeReceiveBytesPerSecond", 1e6},
    {"txpci", "GPUPCIeTransmitBytesPerSecond", 1e6},
};

/// Words of a line, which stand apart by spaces.
void split_words(std::string_view line, Words& words) {
  words.clear();
  for (;;) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t\r"), line.size()));
    if (line.empty()) return;
    const std::size_t end = std::min(line.find_first_of(" \t\r"), line.size());
    words.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

struct Header {
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  std::size_t date = kNone;
  std::size_t clock = kNone;
  std::size_t gpu = kNone;
  std::vector<std::pair<std::size_t, const GpuName*>> values;
  std::size_t width = 0;

  /// `words` without the mark of a header.
  explicit Header(const Words& words)
      : width(words.size()) {
    for (std::size_t at = 0; at < words.size(); ++at) {
      if (words[at] == "Date") date = at;
      if (words[at] == "Time") clock = at;
      if (words[at] == "gpu") gpu = at;
      for (const GpuName& name : kDmonNames)
        if (name.theirs == words[at]) values.emplace_back(at, &name);
    }
  }

  bool is_one() const { return gpu != kNone && !values.empty(); }
};

/// "# gpu pwr" and "#Date Time gpu": the words behind the mark; empty where the line has none.
void header_words(std::string_view line, Words& words) {
  words.clear();
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  if (line.starts_with('#')) split_words(line.substr(1), words);
}

/// "20261116", or "2026/11/16" as older drivers have it; at midnight.
std::optional<Microseconds> date_of(std::string_view text) {
  std::string digits;
  for (const char c : text)
    if (c >= '0' && c <= '9') digits += c;
  if (digits.size() != 8) return std::nullopt;
  return parse_time(fmt::format("{}-{}-{}T00:00:00Z", digits.substr(0, 4), digits.substr(4, 2),
                                digits.substr(6, 2)));
}

/// "05:53:58" since midnight.
std::optional<Microseconds> clock_of(std::string_view text) {
  if (text.size() != 8 || text[2] != ':' || text[5] != ':') return std::nullopt;
  const auto two = [&](std::size_t at) -> std::int64_t {
    const char a = text[at];
    const char b = text[at + 1];
    return a >= '0' && a <= '9' && b >= '0' && b <= '9' ? (a - '0') * 10 + (b - '0') : 1000;
  };
  const std::int64_t hours = two(0);
  const std::int64_t minutes = two(3);
  const std::int64_t seconds = two(6);
  if (hours > 23 || minutes > 59 || seconds > 60) return std::nullopt;
  return hours * kHour + minutes * kMinute + seconds * kSecond;
}

/// When rows were written: as they say, or counted from the first one on.
class RowTimes {
public:
  /// Nothing where a row lacks what its header promises.
  std::optional<Microseconds> of(const Words& words, const Header& header) {
    if (header.clock == Header::kNone) return tick(words[header.gpu]);
    const auto clock = clock_of(words[header.clock]);
    if (!clock) return std::nullopt;
    if (header.date != Header::kNone) {
      const auto date = date_of(words[header.date]);
      return date ? std::optional{*date + *clock} : std::nullopt;
    }
    kind_ = Kind::clock;
    if (*clock + kDay / 2 < last_clock_) days_ += kDay; // past midnight
    last_clock_ = *clock;
    return last_ = days_ + *clock;
  }

  /// What has to be added to each time, where the file was changed last at `changed`.
  Microseconds shift(Microseconds changed) const {
    if (kind_ == Kind::tick) return changed - last_;
    if (kind_ == Kind::full) return 0;
    // The day on which the last row is nearest to the file's last change.
    const Microseconds away = changed - last_;
    return (away + (away >= 0 ? kDay / 2 : -kDay / 2)) / kDay * kDay;
  }

  bool need_date() const { return kind_ != Kind::full; }

  const char* repair() const {
    return kind_ == Kind::tick
               ? "dmon log without times: counted back from the file's last change, a second each"
               : "dmon log without dates: the day of the file's last change is taken";
  }

private:
  enum class Kind { full, clock, tick };

  /// A tick begins where a GPU comes that was there already.
  Microseconds tick(std::string_view gpu) {
    kind_ = Kind::tick;
    if (seen_.find(gpu) != seen_.end()) {
      seen_.clear();
      last_ += kSecond;
    }
    seen_.emplace(gpu);
    return last_;
  }

  Kind kind_ = Kind::full;
  Microseconds last_ = 0;
  Microseconds last_clock_ = 0;
  Microseconds days_ = 0;
  std::set<std::string, std::less<>> seen_;
};

struct Sample {
  Microseconds time = 0;
  const GpuName* name = nullptr;
  double value = 0;
  std::string gpu;
};

} // namespace

bool NvidiaSmiDmonReader::recognizes(const InputFile& file) const {
  const std::string_view head = file.text_head();
  if (!head.starts_with('#')) return false;
  Words words;
  header_words(head.substr(0, std::min(head.find('\n'), std::size_t{2000})), words);
  return Header{words}.is_one();
}

void NvidiaSmiDmonReader::read(InputFile& file, FileReading& reading,
                               job::SourceCounts& counts) const {
  TextLines lines{file.bytes};
  std::optional<Header> header;
  RowTimes times;
  Words words;
  std::vector<Sample> samples;
  const auto skip = [&](const char* reason) {
    ReadingReport::count(reading.report.skipped, reason, job::at_line(file.path, lines.number()));
  };
  while (const auto line = lines.next()) {
    header_words(*line, words);
    if (!words.empty()) {
      if (Header found{words}; found.is_one()) header = std::move(found);
      continue; // else the line of units
    }
    split_words(*line, words);
    if (words.empty() || !header) continue;
    ++counts.records;
    if (!lines.ended() || words.size() < header->width) {
      skip(lines.ended() ? "row of a dmon log with too few columns" : "last line is cut off");
      continue;
    }
    const auto time = times.of(words, *header);
    const std::string_view gpu = words[header->gpu];
    if (!time || gpu.size() > 4 || gpu.find_first_not_of("0123456789") != gpu.npos) {
      skip(time ? "row of a dmon log without its GPU" : "row of a dmon log without a time");
      continue;
    }
    for (const auto& [column, name] : header->values)
      if (const auto value = gpu_log_number(words[column]))
        samples.push_back({*time, name, *value, std::string{gpu}});
  }
  if (lines.too_long())
    ReadingReport::count(reading.report.damaged_files, "has a line of more than 1 MB",
                         std::string{file.path});
  if (samples.empty()) return;
  const auto changed = file.bytes.modified();
  if (times.need_date()) {
    if (!changed)
      return ReadingReport::count(reading.report.skipped, "sample of a dmon log without times",
                                  std::string{file.path}, samples.size());
    ReadingReport::count(reading.report.repaired, times.repair(), std::string{file.path});
  }
  const Microseconds shift = times.shift(changed.value_or(0));
  GpuLog log{MetricSource::nvidia_smi_dmon, file.path, reading, counts};
  for (const Sample& sample : samples)
    log.add(sample.gpu, sample.name->dimension, sample.time + shift, sample.value,
            sample.name->scale);
  log.finish();
}

} // namespace debrief::ingest
