// TFRecord frames, as TensorBoard's event files have them: length, its checksum, payload, its
// checksum.
#pragma once

#include "ingest/block_reader.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace debrief::ingest::trackers {

/// CRC-32C, rotated and offset as TFRecord stores it.
std::uint32_t masked_crc32c(std::string_view bytes);

/// Bytes before a payload (length and its checksum) and after it (its checksum).
inline constexpr std::size_t kFrameHead = 12;
inline constexpr std::size_t kFrameFoot = 4;

/// The length that a frame's head says; nothing where its checksum is wrong or bytes are missing.
std::optional<std::uint64_t> frame_length(std::string_view head);

/// Reads frame after frame. A payload that no caller wants is passed over without being held.
class TensorRecords {
public:
  explicit TensorRecords(BlockReader& bytes)
      : bytes_(bytes) {}

  struct Frame {
    std::string_view payload; ///< up to the bytes asked for; valid until the next call
    std::uint64_t length = 0; ///< of the whole payload
    bool whole = false;       ///< `payload` is all of it
    bool damaged = false;     ///< whole, and its checksum is wrong
  };

  /// The next frame, whole where its payload has at most `most` bytes, else its first `peek`.
  /// Nothing at the end. Bytes that are no frame are searched for the next one.
  std::optional<Frame> next(std::uint64_t most, std::size_t peek);

  /// Stretches of bytes that were passed over since they are no frame.
  std::uint64_t gaps() const { return gaps_; }

  /// Whether the file ends within a frame: it is still written, or was cut off.
  bool cut_off() const { return cut_off_; }

  /// Where the last frame, or the first gap since then, begins.
  std::uint64_t at() const { return at_; }

private:
  bool have(std::size_t bytes);
  bool find_frame();
  void pass(std::uint64_t bytes);

  BlockReader& bytes_;
  std::uint64_t left_ = 0; ///< of the last frame: payload and foot
  std::uint64_t gaps_ = 0;
  std::uint64_t at_ = 0;
  bool cut_off_ = false;
};

} // namespace debrief::ingest::trackers
