#include "ingest/trackers/tensorboard_reader.h"

#include "ingest/half_float.h"
#include "ingest/trackers/protobuf.h"
#include "ingest/trackers/scalar_columns.h"
#include "ingest/trackers/tensor_records.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <protozero/pbf_reader.hpp>
#include <string>

namespace debrief::ingest {

namespace {

using namespace trackers;
using job::ReadingReport;
using protozero::data_view;
using protozero::pbf_reader;

/// Summaries of scalars take a hundred bytes, of histograms some thousand; what is larger has
/// images, sounds or tensors. Graphs take up to hundreds of megabytes.
constexpr std::uint64_t kMostPayload = std::uint64_t{4} * 1024 * 1024;
constexpr std::size_t kPeek = 64; // an event says what it is in its first bytes

// Fields of Event, Summary.Value, HistogramProto and TensorProto (tensorboard/compat/proto).
constexpr std::uint32_t kWallTime = 1;
constexpr std::uint32_t kStep = 2;
constexpr std::uint32_t kFileVersion = 3;
constexpr std::uint32_t kSummary = 5;

constexpr std::uint32_t kTag = 1;
constexpr std::uint32_t kSimpleValue = 2;
constexpr std::uint32_t kHistogram = 5;
constexpr std::uint32_t kTensor = 8;
constexpr std::uint32_t kMetadata = 9;

constexpr std::uint32_t kType = 1;
constexpr std::uint32_t kShape = 2;
constexpr std::uint32_t kContent = 4;
constexpr std::uint32_t kFloats = 5;
constexpr std::uint32_t kDoubles = 6;
constexpr std::uint32_t kInts = 7;
constexpr std::uint32_t kInt64s = 10;
constexpr std::uint32_t kHalves = 13;

constexpr std::int32_t kFloat = 1;
constexpr std::int32_t kDouble = 2;
constexpr std::int32_t kInt32 = 3;
constexpr std::int32_t kInt64 = 9;
constexpr std::int32_t kBfloat16 = 14;
constexpr std::int32_t kHalf = 19;

template <typename Value>
std::optional<double> first_of(std::string_view bytes) {
  if (bytes.size() != sizeof(Value)) return std::nullopt; // more than one value is no scalar
  Value value{};
  std::memcpy(&value, bytes.data(), sizeof(Value));
  return static_cast<double>(value);
}

std::optional<double> from_content(std::int32_t type, std::string_view bytes) {
  switch (type) {
  case kFloat:
    return first_of<float>(bytes);
  case kDouble:
    return first_of<double>(bytes);
  case kInt32:
    return first_of<std::int32_t>(bytes);
  case kInt64:
    return first_of<std::int64_t>(bytes);
  case kHalf:
  case kBfloat16:
    if (bytes.size() != 2) return std::nullopt;
    {
      std::uint16_t bits = 0;
      std::memcpy(&bits, bytes.data(), 2);
      return type == kHalf ? from_half(bits) : from_bfloat16(bits);
    }
  default:
    return std::nullopt;
  }
}

/// Values of a packed or single field; nothing but where there is exactly one.
template <typename Range>
std::optional<double> only(const Range& range) {
  auto it = range.begin();
  if (it == range.end()) return std::nullopt;
  const auto value = static_cast<double>(*it);
  return ++it == range.end() ? std::optional{value} : std::nullopt;
}

/// The value of a tensor without dimensions, or with one of size 1; nothing for others.
std::optional<double> scalar_of(pbf_reader tensor) {
  std::int32_t type = 0;
  std::optional<double> value;
  while (tensor.next()) {
    switch (tensor.tag()) {
    case kType:
      type = tensor.get_enum();
      break;
    case kContent: {
      const data_view bytes = tensor.get_view();
      value = from_content(type, {bytes.data(), bytes.size()});
      break;
    }
    case kFloats:
      value = tensor.wire_type() == protozero::pbf_wire_type::fixed32
                  ? std::optional<double>{tensor.get_float()}
                  : only(tensor.get_packed_float());
      break;
    case kDoubles:
      value = tensor.wire_type() == protozero::pbf_wire_type::fixed64
                  ? std::optional<double>{tensor.get_double()}
                  : only(tensor.get_packed_double());
      break;
    case kInts:
    case kInt64s:
      value = tensor.wire_type() == protozero::pbf_wire_type::varint
                  ? std::optional<double>{static_cast<double>(tensor.get_int64())}
                  : only(tensor.get_packed_int64());
      break;
    case kHalves: {
      const auto bits = tensor.wire_type() == protozero::pbf_wire_type::varint
                            ? std::optional<double>{static_cast<double>(tensor.get_int32())}
                            : only(tensor.get_packed_int32());
      if (bits)
        value = type == kBfloat16 ? from_bfloat16(static_cast<std::uint16_t>(*bits))
                                  : from_half(static_cast<std::uint16_t>(*bits));
      break;
    }
    default:
      tensor.skip();
    }
  }
  return value;
}

struct Histogram {
  double min = 0;
  double max = 0;
  double count = 0;
  double sum = 0;
};

Histogram histogram_of(pbf_reader message) {
  Histogram out;
  while (message.next()) {
    switch (message.tag()) {
    case 1:
      out.min = message.get_double();
      break;
    case 2:
      out.max = message.get_double();
      break;
    case 3:
      out.count = message.get_double();
      break;
    case 4:
      out.sum = message.get_double();
      break;
    default:
      message.skip();
    }
  }
  return out;
}

/// "scalars" where the tag's metadata names the plugin that shows it.
std::string plugin_of(pbf_reader metadata) {
  while (metadata.next(1)) {
    pbf_reader plugin = metadata.get_message();
    if (plugin.next(1)) return plugin.get_string();
  }
  return {};
}

/// One file while it is read.
class EventReader {
public:
  EventReader(const InputFile& file, FileReading& reading, job::SourceCounts& counts)
      : path_(file.path)
      , reading_(reading)
      , counts_(counts) {}

  void read_event(std::string_view payload) {
    pbf_reader event{payload.data(), payload.size()};
    double wall_time = std::numeric_limits<double>::quiet_NaN();
    std::int64_t step = 0;
    while (event.next()) {
      switch (event.tag()) {
      case kWallTime:
        wall_time = event.get_double();
        break;
      case kStep:
        step = event.get_int64();
        break;
      case kSummary: {
        // Time and step come first: writers put fields in their order.
        pbf_reader summary = event.get_message();
        const auto time = std::isfinite(wall_time) ? from_seconds(wall_time) : std::nullopt;
        while (summary.next(1))
          read_value(summary.get_message(), step, time);
        break;
      }
      default:
        event.skip();
      }
    }
  }

  LoggedRun take() {
    LoggedRun run;
    run.source = job::ScalarSource::tensorboard;
    run.folder = folder_of(path_);
    run.scalars = columns_.take();
    if (!clock_known_)
      for (job::ScalarSeries& series : run.scalars)
        series.times.clear();
    return run;
  }

private:
  void read_value(pbf_reader value, std::int64_t step, std::optional<Microseconds> time) {
    std::string_view tag;
    std::optional<double> scalar;
    std::optional<Histogram> histogram;
    std::optional<pbf_reader> tensor;
    std::string plugin;
    while (value.next()) {
      switch (value.tag()) {
      case kTag: {
        const data_view view = value.get_view();
        tag = {view.data(), view.size()};
        break;
      }
      case kSimpleValue:
        scalar = value.get_float();
        break;
      case kHistogram:
        histogram = histogram_of(value.get_message());
        break;
      case kTensor:
        tensor = value.get_message();
        break;
      case kMetadata:
        plugin = plugin_of(value.get_message());
        break;
      default:
        value.skip();
      }
    }
    // A tag's metadata comes with its first value only.
    if (!plugin.empty() && plugins_.size() < ScalarColumns::kMaxNames)
      plugins_.insert_or_assign(std::string{tag}, plugin);
    if (tensor) {
      const auto known = plugins_.find(tag);
      if (known == plugins_.end() || known->second == "scalars") scalar = scalar_of(*tensor);
    }
    if (scalar) add(tag, step, time, *scalar);
    if (histogram && histogram->count > 0) {
      const std::string name{tag};
      add(name + "/min", step, time, histogram->min);
      add(name + "/max", step, time, histogram->max);
      add(name + "/mean", step, time, histogram->sum / histogram->count);
    }
  }

  void add(std::string_view tag, std::int64_t step, std::optional<Microseconds> time,
           double value) {
    if (!job::is_step(step))
      return ReadingReport::count(reading_.report.skipped, kNoStep, std::string{path_});
    job::ScalarSeries* series = columns_.find(tag);
    if (series == nullptr) {
      ReadingReport::count(reading_.report.skipped, kTooManyScalars, std::string{path_});
      return;
    }
    if (!time || !is_plausible(*time)) {
      if (clock_known_)
        ReadingReport::count(reading_.report.repaired,
                             "TensorBoard events without a date: their steps are kept",
                             std::string{path_});
      clock_known_ = false;
    }
    series->steps.push_back(step);
    series->times.push_back(time.value_or(0));
    series->values.push_back(value);
    ++counts_.samples;
  }

  std::string_view path_;
  FileReading& reading_;
  job::SourceCounts& counts_;
  ScalarColumns columns_;
  std::map<std::string, std::string, std::less<>> plugins_; ///< by tag
  bool clock_known_ = true;
};

/// Whether a large event is a summary, by its first bytes; another one holds no scalar.
bool is_summary(std::string_view head) {
  try {
    pbf_reader event{head.data(), head.size()};
    while (event.next()) {
      if (event.tag() == kSummary) return true;
      if (event.tag() != kWallTime && event.tag() != kStep) return false;
      event.skip();
    }
  } catch (const protozero::exception&) {
    // The head ends within the field that it is about.
    return false;
  }
  return false;
}

} // namespace

bool TensorBoardReader::recognizes(const InputFile& file) const {
  const auto length = frame_length(file.head());
  if (!length) return false;
  const std::string_view first = file.head().substr(kFrameHead, 64);
  return first.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(*length, first.size())))
             .find("brain.Event:") != first.npos;
}

void TensorBoardReader::read(InputFile& file, FileReading& reading,
                             job::SourceCounts& counts) const {
  EventReader events{file, reading, counts};
  TensorRecords records{file.bytes};
  const auto where = [&] { return job::at_byte(file.path, records.at()); };
  std::uint64_t gaps = 0;
  while (const auto frame = records.next(kMostPayload, kPeek)) {
    ++counts.records;
    if (records.gaps() > gaps) {
      ReadingReport::count(reading.report.skipped, "bytes that are no TensorBoard event", where(),
                           records.gaps() - gaps);
      gaps = records.gaps();
    }
    if (!frame->whole) {
      if (is_summary(frame->payload))
        ReadingReport::count(reading.report.skipped, "TensorBoard summary of more than 4 MB",
                             where());
      continue;
    }
    if (frame->damaged) {
      ReadingReport::count(reading.report.skipped, "TensorBoard event with a wrong checksum",
                           where());
      continue;
    }
    try {
      events.read_event(frame->payload);
    } catch (const protozero::exception&) {
      ReadingReport::count(reading.report.skipped, "TensorBoard event that is not valid", where());
    }
  }
  if (records.gaps() > gaps)
    ReadingReport::count(reading.report.skipped, "bytes that are no TensorBoard event", where(),
                         records.gaps() - gaps);
  if (records.cut_off())
    ReadingReport::count(reading.report.damaged_files,
                         "ends within an event: cut off, or still being written",
                         std::string{file.path});
  if (LoggedRun run = events.take(); !run.scalars.empty()) reading.runs.push_back(std::move(run));
}

} // namespace debrief::ingest
