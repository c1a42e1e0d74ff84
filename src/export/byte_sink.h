// Where a large text goes piece by piece: a file that appears whole or not at all, compressed by
// gzip where its name ends in ".gz". The same text gives the same bytes.
#pragma once

#include "util/pending_file.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace debrief::exports {

class ByteSink {
public:
  /// Throws Error where the file cannot be created.
  explicit ByteSink(const std::string& target);
  ~ByteSink();
  ByteSink(const ByteSink&) = delete;
  ByteSink& operator=(const ByteSink&) = delete;

  void write(std::string_view text);

  /// Makes the file appear. Nothing may be written afterwards.
  void commit();

  /// Bytes that went to the disk.
  std::uint64_t bytes() const { return bytes_; }

private:
  struct Deflater;

  void compress(std::string_view text, bool last);

  PendingFile file_;
  std::unique_ptr<Deflater> deflater_; ///< null: not compressed
  std::uint64_t bytes_ = 0;
};

} // namespace debrief::exports
