#include "ingest/trackers/wandb_blocks.h"

#include <algorithm>
#include <cstring>
#include <isa-l/crc.h>
#include <utility>

namespace debrief::ingest::trackers {

namespace {

constexpr std::size_t kWandbFrameHead = 7; // checksum, length, type

template <typename Value>
Value load_at(std::string_view bytes, std::size_t at) {
  Value value{};
  std::memcpy(&value, bytes.data() + at, sizeof(Value)); // files and machine are little-endian
  return value;
}

std::uint32_t crc_of(std::string_view bytes) {
  return crc32_gzip_refl(0, reinterpret_cast<const unsigned char*>(bytes.data()), // NOLINT
                         bytes.size());
}

} // namespace

std::uint32_t wandb_crc(char type, std::string_view data) {
  std::string all{type};
  all += data;
  return crc_of(all);
}

WandbBlocks::WandbBlocks(BlockReader& bytes)
    : bytes_(bytes) {
  if (have(kWandbHead)) bytes_.consume(kWandbHead);
}

bool WandbBlocks::have(std::size_t bytes) {
  while (bytes_.view().size() < bytes)
    if (!bytes_.more()) return false;
  return true;
}

std::size_t WandbBlocks::left_in_block() const {
  return kBlock - static_cast<std::size_t>(bytes_.offset() % kBlock);
}

/// Goes on at the next block; the parts of a record that was being joined are lost with it.
void WandbBlocks::resync() {
  ++gaps_;
  joining_ = false;
  resynced_ = true;
  const std::size_t left = left_in_block();
  have(left);
  bytes_.consume(std::min(left, bytes_.view().size()));
}

std::optional<WandbBlocks::Frame> WandbBlocks::next_frame() {
  for (;;) {
    bytes_.consume(std::exchange(taken_, 0));
    at_ = bytes_.offset();
    const std::size_t left = left_in_block();
    if (left < kWandbFrameHead) { // too little for a frame: padding
      if (!have(left)) return std::nullopt;
      bytes_.consume(left);
      continue;
    }
    if (!have(kWandbFrameHead)) {
      cut_off_ = !bytes_.view().empty();
      return std::nullopt;
    }
    const auto length = std::size_t{load_at<std::uint16_t>(bytes_.view(), 4)};
    const char type = bytes_.view()[6];
    if (type < kFull || type > kLast || kWandbFrameHead + length > left) {
      resync();
      continue;
    }
    if (!have(kWandbFrameHead + length)) {
      cut_off_ = true;
      return std::nullopt;
    }
    // The checksum is of the type and the data, which lie side by side.
    if (crc_of(bytes_.view().substr(6, 1 + length)) != load_at<std::uint32_t>(bytes_.view(), 0)) {
      resync();
      continue;
    }
    taken_ = kWandbFrameHead + length;
    return Frame{type, bytes_.view().substr(kWandbFrameHead, length)};
  }
}

std::optional<std::string_view> WandbBlocks::next() {
  while (const auto frame = next_frame()) {
    const bool starts = frame->type == kFull || frame->type == kFirst;
    if (starts == joining_ && !resynced_) ++gaps_; // a part is missing
    if (!starts && !joining_) continue;
    resynced_ = false;
    if (frame->type == kFull) {
      joining_ = false;
      return frame->data;
    }
    if (starts) {
      joined_.clear();
      joining_ = true;
      over_size_ = false;
    }
    if (joined_.size() + frame->data.size() > kMostRecord) over_size_ = true;
    if (!over_size_) joined_ += frame->data;
    if (frame->type != kLast) continue;
    joining_ = false;
    if (!over_size_) {
      const std::size_t size = joined_.size();
      joined_.append(BlockReader::kPadding, '\0');
      return std::string_view{joined_}.substr(0, size);
    }
    ++too_large_;
  }
  if (joining_) cut_off_ = true;
  joining_ = false;
  return std::nullopt;
}

} // namespace debrief::ingest::trackers
