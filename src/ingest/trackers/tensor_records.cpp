#include "ingest/trackers/tensor_records.h"

#include <algorithm>
#include <cstring>
#include <isa-l/crc.h>

namespace debrief::ingest::trackers {

namespace {

template <typename Value>
Value load(std::string_view bytes, std::size_t at) {
  Value value{};
  std::memcpy(&value, bytes.data() + at, sizeof(Value)); // files and machine are little-endian
  return value;
}

} // namespace

std::uint32_t masked_crc32c(std::string_view bytes) {
  constexpr std::uint32_t kDelta = 0xa282ead8U;
  // ISA-L neither writes to the bytes nor inverts what it returns.
  auto* data = reinterpret_cast<unsigned char*>(const_cast<char*>(bytes.data())); // NOLINT
  const std::uint32_t crc = ~crc32_iscsi(data, static_cast<int>(bytes.size()), ~std::uint32_t{0});
  return ((crc >> 15U) | (crc << 17U)) + kDelta;
}

std::optional<std::uint64_t> frame_length(std::string_view head) {
  if (head.size() < kFrameHead) return std::nullopt;
  if (load<std::uint32_t>(head, 8) != masked_crc32c(head.substr(0, 8))) return std::nullopt;
  return load<std::uint64_t>(head, 0);
}

bool TensorRecords::have(std::size_t bytes) {
  while (bytes_.view().size() < bytes)
    if (!bytes_.more()) return false;
  return true;
}

void TensorRecords::pass(std::uint64_t bytes) {
  while (bytes > 0) {
    if (bytes_.view().empty() && !bytes_.more()) {
      cut_off_ = true;
      return;
    }
    const auto step =
        static_cast<std::size_t>(std::min<std::uint64_t>(bytes, bytes_.view().size()));
    bytes_.consume(step);
    bytes -= step;
  }
}

/// Goes to where a frame's head is; false at the end.
bool TensorRecords::find_frame() {
  bool in_gap = false;
  while (have(kFrameHead)) {
    const std::string_view view = bytes_.view();
    std::size_t at = 0;
    while (at + kFrameHead <= view.size() && !frame_length(view.substr(at))) {
      if (!in_gap) {
        in_gap = true;
        ++gaps_;
        at_ = bytes_.offset();
      }
      ++at;
    }
    bytes_.consume(at);
    if (at + kFrameHead <= view.size()) return true;
  }
  if (!bytes_.view().empty()) {
    cut_off_ = true;
    bytes_.consume(bytes_.view().size());
  }
  return false;
}

std::optional<TensorRecords::Frame> TensorRecords::next(std::uint64_t most, std::size_t peek) {
  pass(left_);
  left_ = 0;
  if (!find_frame()) return std::nullopt;
  at_ = bytes_.offset();
  const std::uint64_t length = *frame_length(bytes_.view());
  bytes_.consume(kFrameHead);
  Frame frame;
  frame.length = length;
  if (length > most) {
    have(static_cast<std::size_t>(std::min<std::uint64_t>(length, peek)));
    frame.payload =
        bytes_.view().substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(length, peek)));
    left_ = length + kFrameFoot;
    return frame;
  }
  const auto size = static_cast<std::size_t>(length);
  if (!have(size + kFrameFoot)) {
    cut_off_ = true;
    bytes_.consume(bytes_.view().size());
    return std::nullopt;
  }
  frame.whole = true;
  frame.payload = bytes_.view().substr(0, size);
  frame.damaged = load<std::uint32_t>(bytes_.view(), size) != masked_crc32c(frame.payload);
  left_ = length + kFrameFoot;
  return frame;
}

} // namespace debrief::ingest::trackers
