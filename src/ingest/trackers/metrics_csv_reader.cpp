#include "ingest/trackers/metrics_csv_reader.h"

#include "ingest/trackers/csv_line.h"
#include "ingest/trackers/scalar_columns.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace debrief::ingest {

namespace {

using namespace trackers;
using job::ReadingReport;

constexpr std::size_t kMaxLine = std::size_t{1024} * 1024;

/// "nan" and "inf" as Python writes them, too.
std::optional<double> number_of(std::string_view cell) {
  double value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc{} || end != cell.data() + cell.size()) return std::nullopt;
  return value;
}

std::optional<std::int64_t> step_of(std::string_view cell) {
  constexpr double kMost = 1e15;
  const auto value = number_of(cell);
  if (!value || !(*value >= 0 && *value < kMost)) return std::nullopt;
  return static_cast<std::int64_t>(*value);
}

/// The next line, without its end; nothing at the end of the file, and for one that has no end.
std::optional<std::string_view> next_line(BlockReader& bytes, bool& too_long) {
  for (;;) {
    const std::string_view view = bytes.view();
    if (const std::size_t end = view.find('\n'); end != view.npos) return view.substr(0, end + 1);
    if (view.size() > kMaxLine) {
      too_long = true;
      return std::nullopt;
    }
    if (!bytes.more()) {
      if (bytes.view().empty()) return std::nullopt;
      return bytes.view();
    }
  }
}

std::string_view without_end(std::string_view line) {
  while (!line.empty() && (line.back() == '\n' || line.back() == '\r'))
    line.remove_suffix(1);
  return line;
}

bool is_metric(std::string_view column) {
  return !column.empty() && column != "step" && column != "epoch";
}

} // namespace

bool MetricsCsvReader::recognizes(const InputFile& file) const {
  const std::string_view head = file.text_head();
  const std::size_t end = head.find('\n');
  if (end == head.npos || end > kMaxLine || head.empty() || head.front() == '{' ||
      head.front() == '[')
    return false;
  if (head.substr(0, end).find("step") == head.npos) return false;
  CsvLine line;
  const auto& names = line.split(without_end(head.substr(0, end)));
  return std::find(names.begin(), names.end(), "step") != names.end() &&
         std::any_of(names.begin(), names.end(), is_metric) &&
         std::none_of(names.begin(), names.end(),
                      [](std::string_view name) { return number_of(name).has_value(); });
}

void MetricsCsvReader::read(InputFile& file, FileReading& reading,
                            job::SourceCounts& counts) const {
  file.bytes.consume(file.head().size() - file.text_head().size());
  LoggedRun run;
  run.source = job::ScalarSource::lightning_csv;
  run.folder = folder_of(file.path);
  ScalarColumns columns;
  CsvLine header_line;
  CsvLine row_line;
  bool too_long = false;
  std::vector<std::string> names;
  std::size_t step_column = 0;
  std::uint64_t number = 0;
  const auto skip = [&](const std::string& reason) {
    ReadingReport::count(reading.report.skipped, reason, job::at_line(file.path, number));
  };
  while (const auto raw = next_line(file.bytes, too_long)) {
    ++number;
    const std::string_view line = without_end(*raw);
    const std::size_t taken = raw->size();
    if (number == 1) {
      const auto& cells = header_line.split(line);
      names.assign(cells.begin(), cells.end());
      step_column =
          static_cast<std::size_t>(std::find(names.begin(), names.end(), "step") - names.begin());
    } else if (!line.empty()) {
      ++counts.records;
      const auto& cells = row_line.split(line);
      const auto step = step_column < cells.size() ? step_of(cells[step_column]) : std::nullopt;
      if (!step) skip("row of a metrics.csv without a step");
      for (std::size_t at = 0; step && at < std::min(cells.size(), names.size()); ++at) {
        if (cells[at].empty() || !is_metric(names[at])) continue;
        const auto value = number_of(cells[at]);
        job::ScalarSeries* series = value ? columns.find(names[at]) : nullptr;
        if (series == nullptr) {
          skip(value ? kTooManyScalars : "cell of a metrics.csv that is no number");
          continue;
        }
        // Lightning logs a step's and an epoch's values in rows of their own: the later one stands.
        series->steps.push_back(*step);
        series->values.push_back(*value);
        ++counts.samples;
        run.totals.steps = std::max(run.totals.steps.value_or(0), *step);
      }
    }
    file.bytes.consume(taken);
  }
  if (too_long)
    ReadingReport::count(reading.report.damaged_files, "has a line of more than 1 MB",
                         std::string{file.path});
  run.scalars = columns.take();
  if (!run.scalars.empty()) reading.runs.push_back(std::move(run));
}

} // namespace debrief::ingest
