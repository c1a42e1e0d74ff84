#include "ingest/trackers/mlflow_files_reader.h"

#include "ingest/trackers/mlflow_run.h"
#include "ingest/trackers/text_lines.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace debrief::ingest {

namespace {

using namespace trackers;
using job::ReadingReport;

enum class Kind { meta, metric, parameter, tag };

struct Place {
  Kind kind = Kind::meta;
  std::string_view folder; ///< of the run
  std::string_view key;    ///< of a metric, a parameter or a tag
};

bool is_there(const InputFile& file, const std::string& path) {
  return std::binary_search(file.all_paths.begin(), file.all_paths.end(), path);
}

std::string below(std::string_view folder, std::string_view name) {
  return folder.empty() ? std::string{name} : std::string{folder} + "/" + std::string{name};
}

/// Where a file lies in a store, by its path and by the meta.yaml of its run.
std::optional<Place> place_of(const InputFile& file) {
  constexpr std::pair<std::string_view, Kind> kFolders[] = {
      {"metrics/", Kind::metric}, {"params/", Kind::parameter}, {"tags/", Kind::tag}};
  if (file.name() == "meta.yaml")
    return Place{Kind::meta,
                 file.path.substr(0, std::max(file.path.rfind('/') + 1, std::size_t{1}) - 1),
                 {}};
  for (const auto& [name, kind] : kFolders) {
    for (std::size_t at = 0; at < file.path.size(); ++at) {
      at = file.path.find(name, at);
      if (at == file.path.npos) break;
      if (at > 0 && file.path[at - 1] != '/') continue;
      const std::string_view folder = file.path.substr(0, at > 0 ? at - 1 : 0);
      const std::string_view key = file.path.substr(at + name.size());
      if (!key.empty() && is_there(file, below(folder, "meta.yaml")))
        return Place{kind, folder, key};
    }
  }
  return std::nullopt;
}

std::optional<double> mlflow_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value; // "nan" and "inf", as Python writes them, too
}

std::optional<std::int64_t> integer_of(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// "<milliseconds> <value> <step>"; the oldest have no step, the newest name a dataset behind it.
std::optional<MlflowPoint> point_of(std::string_view line) {
  std::array<std::string_view, 3> words;
  std::size_t count = 0;
  while (!line.empty() && count < words.size()) {
    const std::size_t space = std::min(line.find(' '), line.size());
    words[count++] = line.substr(0, space);
    line.remove_prefix(std::min(space + 1, line.size()));
  }
  const auto time = count >= 2 ? integer_of(words[0]) : std::nullopt;
  const auto value = count >= 2 ? mlflow_number(words[1]) : std::nullopt;
  const auto step = count >= 3 ? integer_of(words[2]) : std::optional<std::int64_t>{0};
  if (!time || !value || !step) return std::nullopt;
  return MlflowPoint{*step, *time, *value};
}

/// A value of a flat YAML file: without quotes, empty for null.
std::string_view yaml_value(std::string_view text) {
  while (!text.empty() && text.front() == ' ')
    text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ')
    text.remove_suffix(1);
  if (text.size() >= 2 && (text.front() == '\'' || text.front() == '"') &&
      text.back() == text.front())
    text = text.substr(1, text.size() - 2);
  return text == "null" || text == "~" ? std::string_view{} : text;
}

bool is_run_meta(std::string_view head) {
  return head.starts_with("run_id:") || head.starts_with("run_uuid:") ||
         head.find("\nrun_id:") != head.npos || head.find("\nrun_uuid:") != head.npos;
}

void read_meta(TextLines& lines, MlflowRun& out) {
  LoggedRun& run = out.run();
  while (const auto line = lines.next()) {
    const std::size_t colon = line->find(':');
    if (colon == line->npos) continue;
    const std::string_view key = line->substr(0, colon);
    const std::string_view value = yaml_value(line->substr(colon + 1));
    if (value.empty()) continue;
    const auto time = [&] {
      const auto milliseconds = integer_of(value);
      return milliseconds ? mlflow_time(*milliseconds) : std::nullopt;
    };
    if (key == "run_id" || key == "run_uuid")
      run.id = value;
    else if (key == "run_name" || (key == "name" && run.name.empty()))
      run.name = value;
    else if (key == "start_time")
      run.described.start = time();
    else if (key == "end_time")
      run.described.end = time();
    else if (key == "status")
      run.described.status =
          integer_of(value) ? mlflow_status(*integer_of(value)) : mlflow_status(value);
    else if (key == "lifecycle_stage")
      run.deleted = value == "deleted";
  }
}

} // namespace

bool MlflowFilesReader::recognizes(const InputFile& file) const {
  const auto place = place_of(file);
  if (!place) return false;
  if (place->kind == Kind::meta) return is_run_meta(file.text_head());
  if (place->kind == Kind::metric) {
    const std::string_view head = file.text_head();
    return point_of(head.substr(0, head.find_first_of("\r\n"))).has_value();
  }
  return true;
}

void MlflowFilesReader::read(InputFile& file, FileReading& reading,
                             job::SourceCounts& counts) const {
  const auto place = place_of(file);
  if (!place) return;
  MlflowRun run{file.path, std::string{place->folder}, "", reading.report};
  TextLines lines{file.bytes};
  if (place->kind == Kind::meta) {
    ++counts.records;
    read_meta(lines, run);
  } else if (place->kind == Kind::metric) {
    std::vector<MlflowPoint> points;
    while (const auto line = lines.next()) {
      if (line->empty()) continue;
      ++counts.records;
      // A number that is cut off is another number: the last line has to have its end.
      const auto point = lines.ended() ? point_of(*line) : std::nullopt;
      if (point)
        points.push_back(*point);
      else
        ReadingReport::count(reading.report.skipped,
                             lines.ended() ? "line of an MLflow metric that is not valid"
                                           : "last line is cut off",
                             job::at_line(file.path, lines.number()));
    }
    run.add_metric(place->key, std::move(points));
  } else if (place->kind == Kind::parameter) {
    ++counts.records;
    const auto line = lines.next();
    run.parameters().add(place->key, line.value_or(""));
  } else if (place->key == "mlflow.runName") {
    ++counts.records;
    if (const auto line = lines.next()) run.run().name = *line;
  }
  if (lines.too_long())
    ReadingReport::count(reading.report.damaged_files, "has a line of more than 1 MB",
                         std::string{file.path});
  counts.samples += run.samples();
  reading.runs.push_back(run.take());
}

} // namespace debrief::ingest
