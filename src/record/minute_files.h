// Samples on disk, in SageMaker's layout: a file per minute and node,
// incremental/2026111500/1794703200.node.json, compressed once the minute is over.
//
// A sample is one write of whole lines, so that whatever ends the program leaves files that can be
// read. The compressed file appears whole, before the plain one goes. Nothing here throws: a disk
// that is full loses samples, and is tried again with the next one.
#pragma once

#include "util/time.h"

#include <zlib.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace debrief::record {

class MinuteFiles {
public:
  /// `folder` is profiler-output/system. Folders below it are made when they are needed.
  MinuteFiles(std::filesystem::path folder, std::string node);
  ~MinuteFiles();
  MinuteFiles(const MinuteFiles&) = delete;
  MinuteFiles& operator=(const MinuteFiles&) = delete;

  void append(Microseconds time, std::string_view lines);

  /// Packs the last minute.
  void finish();

  std::uint64_t written() const { return written_; } ///< samples

  std::uint64_t lost() const { return lost_; } ///< samples that could not be written

  /// What the system said when the last one was lost; empty: none was.
  const std::string& trouble() const { return trouble_; }

private:
  void open(std::int64_t minute);
  bool write(std::string_view lines);
  void compress(std::string_view bytes, int flush);
  bool write_packed(const std::filesystem::path& target);
  void lose(int code);

  std::filesystem::path folder_;
  std::string node_;
  std::int64_t minute_ = -1; ///< unix seconds of its start; -1: none is open
  std::filesystem::path path_;
  int descriptor_ = -1;
  std::int64_t size_ = 0; ///< bytes of whole samples in the file
  z_stream stream_{};
  std::vector<unsigned char> packed_; ///< the minute so far, compressed
  std::uint64_t written_ = 0;
  std::uint64_t lost_ = 0;
  std::string trouble_;
};

} // namespace debrief::record
