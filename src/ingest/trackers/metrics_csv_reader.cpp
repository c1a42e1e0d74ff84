#include "ingest/trackers/metrics_csv_reader.h"

#include "ingest/trackers/csv_line.h"
#include "ingest/trackers/scalar_columns.h"
#include "ingest/trackers/text_lines.h"

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

/// "nan" and "inf" as Python writes them, too.
std::optional<double> number_of(std::string_view cell) {
  double value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc{} || end != cell.data() + cell.size()) return std::nullopt;
  return value;
}

std::optional<std::int64_t> step_of(std::string_view cell) {
  const auto value = number_of(cell);
  if (!value || !(*value >= 0 && *value <= static_cast<double>(job::kMostStep)))
    return std::nullopt;
  return static_cast<std::int64_t>(*value);
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
  if (end > TextLines::kMaxLine || head.front() == '{' || head.front() == '[')
    return false; // npos is more, too
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
  LoggedRun run;
  run.source = job::ScalarSource::lightning_csv;
  run.folder = folder_of(file.path);
  ScalarColumns columns;
  TextLines lines{file.bytes};
  CsvLine split;
  std::vector<std::string> names;
  std::size_t step_column = 0;
  const auto skip = [&](const std::string& reason) {
    ReadingReport::count(reading.report.skipped, reason, job::at_line(file.path, lines.number()));
  };
  while (const auto line = lines.next()) {
    if (lines.number() == 1) {
      const auto& cells = split.split(*line);
      names.assign(cells.begin(), cells.end());
      step_column =
          static_cast<std::size_t>(std::find(names.begin(), names.end(), "step") - names.begin());
      continue;
    }
    if (line->empty()) continue;
    ++counts.records;
    if (!lines.ended()) { // a number that is cut off is another number
      skip("last line is cut off");
      continue;
    }
    const auto& cells = split.split(*line);
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
  if (lines.too_long())
    ReadingReport::count(reading.report.damaged_files, "has a line of more than 1 MB",
                         std::string{file.path});
  run.scalars = columns.take();
  if (!run.scalars.empty()) reading.runs.push_back(std::move(run));
}

} // namespace debrief::ingest
