// The frames of a `.wandb` file: LevelDB's log format with a header of its own and other checksums.
//
// The file is cut into blocks of 32 KiB, counted from its first byte. A record lies in one block or
// is split over several; what is damaged costs the rest of its block, since the next one starts
// with a frame again.
#pragma once

#include "ingest/block_reader.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace debrief::ingest::trackers {

inline constexpr std::string_view kWandbMagic{":W&B\xe1\xbe", 6};
inline constexpr std::size_t kWandbHead = 7; ///< magic and a version

/// zlib's CRC-32 of a frame's type and data.
std::uint32_t wandb_crc(char type, std::string_view data);

class WandbBlocks {
public:
  static constexpr std::size_t kBlock = 32768;
  /// What is larger holds no numbers, but a table or an image.
  static constexpr std::size_t kMostRecord = std::size_t{64} * 1024 * 1024;

  /// `bytes` stands at the file's start.
  explicit WandbBlocks(BlockReader& bytes);

  /// The next whole record; valid until the next call. Nothing at the end of the file. At least
  /// BlockReader::kPadding readable bytes follow it.
  std::optional<std::string_view> next();

  /// Where the last frame began, in bytes from the start of the file.
  std::uint64_t at() const { return at_; }

  /// How often bytes were skipped that are no frame, or a record lacked a part.
  std::uint64_t gaps() const { return gaps_; }

  std::uint64_t too_large() const { return too_large_; }

  /// Whether the file ends within a record.
  bool cut_off() const { return cut_off_; }

private:
  static constexpr char kFull = 1;
  static constexpr char kFirst = 2;
  static constexpr char kMiddle = 3;
  static constexpr char kLast = 4;

  struct Frame {
    char type = 0;
    std::string_view data;
  };

  bool have(std::size_t bytes);
  std::size_t left_in_block() const;
  std::optional<Frame> next_frame();
  void resync();

  BlockReader& bytes_;
  std::size_t taken_ = 0; ///< of the view, by the frame that was given last
  std::string joined_;    ///< parts of a split record
  bool joining_ = false;
  bool resynced_ = false; ///< parts that follow belong to the record that was lost
  bool over_size_ = false;
  std::uint64_t at_ = 0;
  std::uint64_t gaps_ = 0;
  std::uint64_t too_large_ = 0;
  bool cut_off_ = false;
};

} // namespace debrief::ingest::trackers
