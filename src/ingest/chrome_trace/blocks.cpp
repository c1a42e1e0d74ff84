#include "ingest/chrome_trace/blocks.h"

#include "ingest/chrome_trace/tokens.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace debrief::ingest::chrome_trace {

namespace {

/// Whether `text`, behind the '{' of an object, starts with a key that events start with.
bool starts_with_event_key(std::string_view text) {
  constexpr std::array<std::string_view, 10> kKeys = {"\"ph\"",  "\"name\"", "\"cat\"", "\"pid\"",
                                                      "\"tid\"", "\"ts\"",   "\"dur\"", "\"id\"",
                                                      "\"s\"",   "\"args\""};
  return std::any_of(kKeys.begin(), kKeys.end(),
                     [&](std::string_view key) { return text.starts_with(key); });
}

} // namespace

std::size_t skip_space(std::string_view text, std::size_t at) {
  while (at < text.size() && is_json_space(text[at]))
    ++at;
  return at;
}

bool is_boundary(std::string_view text, std::size_t comma) {
  std::size_t before = comma;
  while (before > 0 && is_json_space(text[before - 1]))
    --before;
  if (before == 0 || text[before - 1] != '}') return false;
  const std::size_t object = skip_space(text, comma + 1);
  if (object >= text.size() || text[object] != '{') return false;
  return starts_with_event_key(text.substr(skip_space(text, object + 1)));
}

void TraceBlock::restart(std::uint64_t offset) {
  size_ = 0;
  offset_ = offset;
  comma_ = false;
  last = false;
  repaired = {};
}

void TraceBlock::reserve(std::size_t capacity) {
  if (buffer_ != nullptr && capacity <= capacity_) return;
  auto larger = std::make_unique_for_overwrite<char[]>(capacity + 2 + BlockReader::kPadding);
  if (size_ > 0) std::memcpy(larger.get() + 1, buffer_.get() + 1, size_);
  buffer_ = std::move(larger);
  capacity_ = capacity;
}

char* TraceBlock::room(std::size_t count) {
  if (size_ + count > capacity_) reserve(std::max(size_ + count, 2 * capacity_));
  return buffer_.get() + 1 + size_;
}

void TraceBlock::append(std::string_view bytes) {
  if (bytes.empty()) return;
  std::memcpy(room(bytes.size()), bytes.data(), bytes.size());
  grow(bytes.size());
}

std::string_view TraceBlock::as_array() {
  reserve(size_);
  comma_ = text().ends_with(',');
  const std::size_t close = comma_ ? size_ : size_ + 1;
  buffer_[0] = '[';
  buffer_[close] = ']';
  std::memset(buffer_.get() + close + 1, 0, BlockReader::kPadding);
  return {buffer_.get(), close + 1};
}

void TraceBlock::restore() {
  if (comma_) buffer_[size_] = ',';
}

std::size_t find_last_boundary(std::string_view text) {
  for (std::size_t comma = text.rfind(','); comma != text.npos && comma > 0;
       comma = text.rfind(',', comma - 1))
    if (is_boundary(text, comma)) return comma + 1;
  return 0;
}

/// Reads until the block has `size` bytes or the file ends.
void BlockSplitter::fill(TraceBlock& block, std::size_t size) {
  while (block.text().size() < size && !ended_) {
    const std::size_t missing = size - block.text().size();
    const std::size_t got = bytes_.take(block.room(missing), missing);
    block.grow(got);
    ended_ = got == 0;
  }
}

bool BlockSplitter::next(TraceBlock& block) {
  if (ended_) return false;
  block.restart(bytes_.offset() - carry_.size());
  block.reserve(std::max(size_, carry_.size()));
  block.append(carry_);
  carry_.clear();
  std::size_t end = 0;
  for (std::size_t blocks = 1; blocks <= 4 && end == 0; blocks *= 2) {
    fill(block, blocks * size_);
    if (ended_) {
      block.last = true;
      return true;
    }
    end = find_last_boundary(block.text());
  }
  if (end == 0) {
    end = block.text().size();
    // A character's bytes stay together: half of one would not be valid UTF-8.
    while (end > 1 && (static_cast<unsigned char>(block.text()[end - 1]) & 0x80U) != 0)
      --end;
  }
  carry_ = block.text().substr(end);
  block.shrink(end);
  return true;
}

} // namespace debrief::ingest::chrome_trace
