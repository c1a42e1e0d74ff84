// Feeds a reader with whatever the fuzzer makes up, in pieces, as a file would come.
#pragma once

#include "ingest/reader.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

namespace debrief::fuzz {

class FuzzSource final : public ingest::ByteSource {
public:
  FuzzSource(const std::uint8_t* data, std::size_t size)
      : data_(data)
      , size_(size) {}

  std::size_t read(char* into, std::size_t size) override {
    // Small pieces, so that records cross the borders of blocks.
    const std::size_t count = std::min({size, std::size_t{61}, size_ - at_});
    if (count > 0) std::memcpy(into, data_ + at_, count);
    at_ += count;
    return count;
  }

  std::uint64_t bytes_on_disk() const override { return at_; }

private:
  const std::uint8_t* data_;
  std::size_t size_;
  std::size_t at_ = 0;
};

inline ingest::FileReading reading_of(const ingest::Reader& reader, const char* path,
                                      const std::uint8_t* data, std::size_t size) {
  FuzzSource source{data, size};
  ingest::BlockReader bytes{source, 128};
  bytes.more();
  ingest::InputFile file{path, {}, bytes};
  ingest::FileReading reading;
  reader.recognizes(file);
  reader.read(file, reading, reading.report.sources[std::string{reader.name()}]);
  return reading;
}

inline int read_with(const ingest::Reader& reader, const char* path, const std::uint8_t* data,
                     std::size_t size) {
  std::move(reading_of(reader, path, data, size).events).finish();
  return 0;
}

} // namespace debrief::fuzz
