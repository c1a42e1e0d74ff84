#include "ingest/tensors/tensor_event.h"

#include "ingest/half_float.h"
#include "ingest/trackers/protobuf.h"
#include "ingest/trackers/tensor_records.h"

#include <cmath>
#include <cstring>

namespace debrief::ingest::tensors {

namespace {

using protozero::data_view;
using protozero::pbf_reader;

/// smdebug has this in place of each payload's checksum: that of the text "0x12345678".
constexpr std::uint32_t kConstantChecksum = 0x062dc0b3U;

// Fields of Event, Summary.Value and TensorProto (tensorboard/compat/proto).
constexpr std::uint32_t kWallTime = 1;
constexpr std::uint32_t kSummary = 5;
constexpr std::uint32_t kTag = 1;
constexpr std::uint32_t kTensor = 8;
constexpr std::uint32_t kType = 1;
constexpr std::uint32_t kShape = 2;
constexpr std::uint32_t kContent = 4;
constexpr std::uint32_t kTexts = 8;

// DataType of TensorFlow.
constexpr std::int32_t kNoType = 0; // smdebug's texts
constexpr std::int32_t kFloat = 1;
constexpr std::int32_t kDouble = 2;
constexpr std::int32_t kInt32 = 3;
constexpr std::int32_t kUint8 = 4;
constexpr std::int32_t kInt16 = 5;
constexpr std::int32_t kInt8 = 6;
constexpr std::int32_t kText = 7;
constexpr std::int32_t kComplex64 = 8;
constexpr std::int32_t kInt64 = 9;
constexpr std::int32_t kBool = 10;
constexpr std::int32_t kBfloat16 = 14;
constexpr std::int32_t kUint16 = 17;
constexpr std::int32_t kComplex128 = 18;
constexpr std::int32_t kHalf = 19;
constexpr std::int32_t kUint32 = 22;
constexpr std::int32_t kUint64 = 23;

constexpr std::size_t kMaxDimensions = 254; // TensorFlow's own limit

template <typename Value, typename Convert>
bool take_values(std::string_view bytes, std::vector<double>& into, const Convert& convert) {
  if (bytes.size() % sizeof(Value) != 0) return false;
  const std::size_t count = bytes.size() / sizeof(Value);
  into.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    Value value{};
    std::memcpy(&value, bytes.data() + i * sizeof(Value), sizeof(Value));
    into[i] = convert(value);
  }
  return true;
}

template <typename Value>
bool take(std::string_view bytes, std::vector<double>& into) {
  return take_values<Value>(bytes, into, [](Value value) { return static_cast<double>(value); });
}

/// False where the bytes are not whole values, or the type is unknown.
bool take_content(std::int32_t type, std::string_view bytes, std::vector<double>& into) {
  switch (type) {
  case kFloat:
    return take<float>(bytes, into);
  case kDouble:
    return take<double>(bytes, into);
  case kInt8:
    return take<std::int8_t>(bytes, into);
  case kInt16:
    return take<std::int16_t>(bytes, into);
  case kInt32:
    return take<std::int32_t>(bytes, into);
  case kInt64:
    return take<std::int64_t>(bytes, into);
  case kBool:
  case kUint8:
    return take<std::uint8_t>(bytes, into);
  case kUint16:
    return take<std::uint16_t>(bytes, into);
  case kUint32:
    return take<std::uint32_t>(bytes, into);
  case kUint64:
    return take<std::uint64_t>(bytes, into);
  case kHalf:
    return take_values<std::uint16_t>(bytes, into, from_half);
  case kBfloat16:
    return take_values<std::uint16_t>(bytes, into, from_bfloat16);
  default:
    return false;
  }
}

void read_shape(pbf_reader message, std::vector<std::int64_t>& shape) {
  while (message.next(2)) {
    pbf_reader dimension = message.get_message();
    std::int64_t size = 0; // a size of 0 is not written
    while (dimension.next())
      if (dimension.tag() == 1)
        size = dimension.get_int64();
      else
        dimension.skip();
    if (shape.size() < kMaxDimensions) shape.push_back(size);
  }
}

/// Whether the dimensions' product is the number of values.
bool fits(const std::vector<std::int64_t>& shape, std::size_t values) {
  std::uint64_t product = 1;
  for (const std::int64_t size : shape) {
    if (size < 0) return false;
    if (size == 0) return values == 0;
    if (product > values / static_cast<std::uint64_t>(size)) return false;
    product *= static_cast<std::uint64_t>(size);
  }
  return product == values;
}

EventTrouble read_tensor(pbf_reader message, job::TensorData& data) {
  std::int32_t type = kNoType;
  std::string_view content;
  while (message.next()) {
    switch (message.tag()) {
    case kType:
      type = message.get_enum();
      break;
    case kShape:
      read_shape(message.get_message(), data.shape);
      break;
    case kContent: {
      const data_view view = message.get_view();
      content = {view.data(), view.size()};
      break;
    }
    case kTexts: {
      const data_view view = message.get_view();
      data.texts.emplace_back(view.data(), view.size());
      break;
    }
    default:
      message.skip();
    }
  }
  if (type == kNoType || type == kText || type == kComplex64 || type == kComplex128)
    return EventTrouble::none;
  if (!take_content(type, content, data.values)) return EventTrouble::type;
  if (!fits(data.shape, data.values.size())) return EventTrouble::message;
  data.numeric = true;
  return EventTrouble::none;
}

EventTrouble read_value(pbf_reader message, const std::pair<std::string_view, job::Reduction>& name,
                        job::TensorData& data) {
  bool named = false;
  std::optional<pbf_reader> tensor;
  while (message.next()) {
    switch (message.tag()) {
    case kTag: {
      const data_view view = message.get_view();
      named = job::split_reduction({view.data(), view.size()}) == name;
      break;
    }
    case kTensor:
      tensor = message.get_message();
      break;
    default:
      message.skip();
    }
  }
  if (!named) return EventTrouble::other_name;
  return tensor ? read_tensor(*tensor, data) : EventTrouble::message;
}

void clear(job::TensorData& data) {
  data.numeric = false;
  data.shape.clear();
  data.values.clear();
  data.texts.clear();
  data.time.reset();
}

} // namespace

std::string_view words_of(EventTrouble trouble) {
  switch (trouble) {
  case EventTrouble::frame:
    return "tensor that is not where its index says";
  case EventTrouble::checksum:
    return "tensor with a wrong checksum";
  case EventTrouble::other_name:
    return "tensor of another name than its index says";
  case EventTrouble::type:
    return "tensor of an unknown type";
  case EventTrouble::message:
  case EventTrouble::none:
    break;
  }
  return "tensor that is not valid";
}

EventTrouble decode_tensor(std::string_view frame, std::string_view tensor,
                           job::Reduction reduction, job::TensorData& data) {
  using namespace trackers;
  clear(data);
  const auto length = frame_length(frame);
  if (!length || frame.size() < kFrameHead + kFrameFoot ||
      *length != frame.size() - kFrameHead - kFrameFoot)
    return EventTrouble::frame;
  const std::string_view payload = frame.substr(kFrameHead, frame.size() - kFrameHead - kFrameFoot);
  std::uint32_t checksum = 0;
  std::memcpy(&checksum, frame.data() + frame.size() - kFrameFoot, sizeof(checksum));
  if (checksum != kConstantChecksum && checksum != masked_crc32c(payload))
    return EventTrouble::checksum;
  EventTrouble trouble = EventTrouble::message;
  try {
    pbf_reader event{payload.data(), payload.size()};
    while (event.next()) {
      if (event.tag() == kWallTime) {
        const double seconds = event.get_double();
        if (std::isfinite(seconds)) data.time = from_seconds(seconds);
      } else if (event.tag() == kSummary) {
        pbf_reader summary = event.get_message();
        if (summary.next(1)) trouble = read_value(summary.get_message(), {tensor, reduction}, data);
      } else {
        event.skip();
      }
    }
  } catch (const protozero::exception&) {
    trouble = EventTrouble::message;
  }
  if (data.time && !is_plausible(*data.time)) data.time.reset();
  if (trouble != EventTrouble::none) data.numeric = false;
  return trouble;
}

std::optional<Microseconds> written_at(std::string_view frame_head) {
  constexpr char kTimeKey = (kWallTime << 3U) | 1U; // a double
  static_assert(kTimeBytes == trackers::kFrameHead + 1 + sizeof(double));
  if (frame_head.size() < kTimeBytes || !trackers::frame_length(frame_head) ||
      frame_head[trackers::kFrameHead] != kTimeKey)
    return std::nullopt;
  double seconds = 0;
  std::memcpy(&seconds, frame_head.data() + trackers::kFrameHead + 1, sizeof(seconds));
  const auto time = std::isfinite(seconds) ? from_seconds(seconds) : std::nullopt;
  return time && is_plausible(*time) ? time : std::nullopt;
}

} // namespace debrief::ingest::tensors
