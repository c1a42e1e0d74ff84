#include "ingest/system_metrics_reader.h"

#include "ingest/line_shape.h"
#include "ingest/series_index.h"

#include <simdjson.h>

#include <cmath>
#include <cstring>
#include <new>
#include <utility>

namespace debrief::ingest {

namespace {

namespace ondemand = simdjson::ondemand;

constexpr std::size_t kMaxLineBytes = std::size_t{1024} * 1024;

/// Bytes or operations per second; beyond it sums would not be exact, and soon not finite.
constexpr double kMaxAmount = 1e15;

/// A counter that is read between two of its ticks gives a little too much, or runs backward for a
/// moment. What is farther outside is no measurement but a sentinel: -1, 255, 4294967295.
constexpr double kMostRounded = 110;
constexpr double kLeastRounded = -100;
constexpr double kSentinel = -1;

/// The fields of one line; numbers are checked by the caller.
struct Line {
  std::string_view type;
  std::string_view name;
  std::string_view dimension;
  std::string_view node;
  double value = NAN;
  double timestamp = NAN;
  std::string_view value_text; ///< as it stands in the line
  std::string_view timestamp_text;
};

/// Null and absent are the same: a series without a name.
simdjson::error_code read_name(ondemand::value value, std::string_view& into) {
  ondemand::json_type type{};
  if (const auto error = value.type().get(type)) return error;
  return type == ondemand::json_type::null ? simdjson::SUCCESS : value.get_string().get(into);
}

simdjson::error_code read_number(ondemand::value value, double& into, std::string_view& text) {
  text = value.raw_json_token();
  text = text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
  return value.get_double().get(into);
}

/// Parses one object; false where the line is not valid JSON or a field is of the wrong type.
bool parse_line(ondemand::parser& parser, std::string_view text, std::size_t capacity, Line& line) {
  ondemand::document document;
  const simdjson::error_code broken =
      parser.iterate(simdjson::padded_string_view(text.data(), text.size(), capacity))
          .get(document);
  if (broken == simdjson::MEMALLOC) throw std::bad_alloc{};
  if (broken) return false;
  ondemand::object object;
  if (document.get_object().get(object)) return false;
  for (auto entry : object) {
    ondemand::field field;
    std::string_view key;
    if (std::move(entry).get(field) || field.unescaped_key().get(key)) return false;
    ondemand::value value = field.value();
    simdjson::error_code error = simdjson::SUCCESS;
    if (key == "Type")
      error = value.get_string().get(line.type);
    else if (key == "Name")
      error = read_name(value, line.name);
    else if (key == "Dimension")
      error = read_name(value, line.dimension);
    else if (key == "NodeId")
      error = value.get_string().get(line.node);
    else if (key == "Value")
      error = read_number(value, line.value, line.value_text);
    else if (key == "Timestamp")
      error = read_number(value, line.timestamp, line.timestamp_text);
    if (error) return false;
  }
  const char* rest = nullptr;
  return document.current_location().get(rest) ==
         simdjson::OUT_OF_BOUNDS; // nothing follows the object
}

class LineReader {
public:
  LineReader(InputFile& file, FileReading& reading, job::SourceCounts& counts)
      : file_(file)
      , report_(reading.report)
      , counts_(counts)
      , node_of_file_(node_in_metrics_file_name(file.name())) {}

  void run() {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (file_.bytes.view().starts_with(kByteOrderMark)) file_.bytes.consume(kByteOrderMark.size());
    bool more = true;
    while (more) {
      read_whole_lines();
      more = file_.bytes.more();
      if (more && file_.bytes.view().size() > kMaxLineBytes) drop_endless_line();
    }
    const std::string_view rest = file_.bytes.view();
    if (!rest.empty()) take(rest, file_.bytes.capacity());
    const bool cut = !rest.empty() || broken_lacks_end_;
    report_pending_error(cut ? "last line is cut off" : "line is not valid JSON");
    file_.bytes.consume(rest.size());
  }

  std::vector<SeriesPart> take_parts() && { return std::move(series_).take(); }

private:
  void read_whole_lines() {
    const std::string_view view = file_.bytes.view();
    const std::size_t capacity = file_.bytes.capacity();
    std::size_t at = 0;
    for (;;) {
      while (const std::size_t size = try_same_shape(view.substr(at)))
        at += size;
      const void* const newline = std::memchr(view.data() + at, '\n', view.size() - at);
      if (newline == nullptr) break;
      const auto end = static_cast<std::size_t>(static_cast<const char*>(newline) - view.data());
      take(view.substr(at, end - at), capacity - at);
      at = end + 1;
    }
    file_.bytes.consume(at);
  }

  void drop_endless_line() {
    // No newline in a megabyte: not a line of metrics. Its rest is dropped up to the next newline.
    const std::string_view view = file_.bytes.view();
    const std::size_t newline = view.find('\n');
    if (newline != std::string_view::npos) return;
    if (!inside_endless_) job::ReadingReport::count(report_.skipped, "line is too long", where());
    inside_endless_ = true;
    file_.bytes.consume(view.size());
  }

  /// Takes the line that `text` starts with if it is like the last one of the series that is
  /// expected next; the bytes of it.
  std::size_t try_same_shape(std::string_view text) {
    const std::size_t expected = series_.expected_next();
    if (expected >= shapes_.size() || inside_endless_) return 0;
    LineShape::Numbers numbers;
    const std::size_t size = shapes_[expected].read(text, numbers);
    const auto time = size == 0 ? std::nullopt : from_seconds(numbers.timestamp);
    if (!time || !is_plausible(*time)) return 0;
    ++line_number_;
    ++counts_.records;
    report_pending_error("line is not valid JSON");
    series_.follow(expected);
    add(expected, numbers.value, *time);
    return size;
  }

  void take(std::string_view text, std::size_t capacity) {
    ++line_number_;
    if (std::exchange(inside_endless_, false)) return;
    while (!text.empty() && (text.back() == '\r' || text.back() == ' '))
      text.remove_suffix(1);
    if (text.empty()) return;
    ++counts_.records;
    report_pending_error("line is not valid JSON");
    Line line;
    if (!parse_line(parser_, text, capacity, line)) {
      broken_line_ = line_number_;
      broken_lacks_end_ = text.starts_with('{') && !text.ends_with('}');
      return;
    }
    if (line.type.empty()) return skip("line has no Type");
    if (!std::isfinite(line.value)) return skip("line has no Value");
    const auto time = from_seconds(line.timestamp);
    if (!time || !is_plausible(*time))
      return skip("Timestamp is missing or not a time of this century");
    if (line.node.empty()) line.node = node_of_file_;
    if (line.node.empty()) return skip("line has no NodeId");
    const std::size_t index = series_.find({line.node, line.type, line.name, line.dimension});
    if (index >= shapes_.size()) shapes_.resize(index + 1);
    shapes_[index] = LineShape{text, line.value_text, line.timestamp_text};
    add(index, line.value, *time);
  }

  void add(std::size_t index, double value, Microseconds time) {
    const job::Unit unit = series_.unit(index);
    if (unit == job::Unit::percent && !(value >= 0 && value <= 100)) {
      if (value < kLeastRounded || value > kMostRounded || value == kSentinel)
        return skip("percentage that is not a measurement");
      job::ReadingReport::count(
          report_.repaired,
          value < 0 ? "negative value set to 0" : "percentage above 100 set to 100", where());
      value = value < 0 ? 0 : 100;
    } else if (unit != job::Unit::unknown && value < 0) {
      return skip("Value is below 0");
    } else if (unit != job::Unit::unknown && value > kMaxAmount) {
      return skip("Value is implausibly large");
    }
    job::SeriesBuilder& columns = series_.part(index).columns;
    if (columns.times.size() == columns.times.capacity()) make_room(columns);
    columns.times.push_back(time);
    columns.values.push_back(value);
    ++counts_.samples;
  }

  /// A minute has some hundred samples of each series: three steps to it instead of eight.
  static void make_room(job::SeriesBuilder& columns) {
    const std::size_t size = columns.times.size();
    const std::size_t room = size == 0 ? 1 : size < 16 ? 16 : size < 128 ? 128 : 2 * size;
    columns.times.reserve(room);
    columns.values.reserve(room);
  }

  /// A line that does not parse is broken, unless it is the last and has no end: then its writer
  /// was cut off.
  void report_pending_error(const char* reason) {
    if (const auto line = std::exchange(broken_line_, 0); line > 0)
      job::ReadingReport::count(report_.skipped, reason, job::at_line(file_.path, line));
  }

  void skip(const char* reason) { job::ReadingReport::count(report_.skipped, reason, where()); }

  std::string where() const { return job::at_line(file_.path, line_number_); }

  InputFile& file_;
  job::ReadingReport& report_;
  job::SourceCounts& counts_;
  std::string node_of_file_;
  ondemand::parser parser_;
  SeriesIndex series_;
  std::vector<LineShape> shapes_; ///< of the series' last lines that were parsed
  std::uint64_t line_number_ = 0;
  std::uint64_t broken_line_ = 0; ///< met, and not yet counted; 0: none
  bool broken_lacks_end_ = false; ///< of that line: its object is not closed
  bool inside_endless_ = false;
};

bool has_metric_fields(std::string_view head) {
  // The first line may be broken, so a few of them are looked at.
  for (int lines = 0; lines < 5 && !head.empty(); ++lines) {
    const std::string_view line = head.substr(0, head.find('\n'));
    if (line.find("\"Type\"") != line.npos && line.find("\"Value\"") != line.npos &&
        line.find("\"Timestamp\"") != line.npos)
      return true;
    head.remove_prefix(std::min(line.size() + 1, head.size()));
  }
  return false;
}

/// "…/system/…/1737457740.algo-1.json[.gz]", or a file of such a name anywhere.
bool is_in_place(const InputFile& file) {
  const std::string_view node = node_in_metrics_file_name(file.name());
  const bool under_system =
      file.path.starts_with("system/") || file.path.find("/system/") != file.path.npos;
  return node.starts_with("algo-") || (under_system && !node.empty());
}

} // namespace

std::string_view node_in_metrics_file_name(std::string_view file_name) {
  const std::size_t first = file_name.find('.');
  if (first != 10 || file_name.substr(0, first).find_first_not_of("0123456789") != file_name.npos)
    return {};
  const std::string_view rest = file_name.substr(first + 1);
  // Other ways to pack are not read, but said.
  for (const std::string_view ending : {".json", ".json.gz", ".json.xz", ".json.bz2", ".json.zst"})
    if (rest.ends_with(ending)) return rest.substr(0, rest.size() - ending.size());
  return {};
}

bool SystemMetricsReader::recognizes(const InputFile& file) const {
  return has_metric_fields(file.head()) || is_in_place(file);
}

void SystemMetricsReader::read(InputFile& file, FileReading& reading,
                               job::SourceCounts& counts) const {
  LineReader lines{file, reading, counts};
  lines.run();
  reading.metrics = std::move(lines).take_parts();
}

} // namespace debrief::ingest
