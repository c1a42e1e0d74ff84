#include "fuzz.h"
#include "ingest/gzip_source.h"

#include <memory>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto source =
      debrief::ingest::make_gzip_source(std::make_unique<debrief::fuzz::FuzzSource>(data, size));
  std::string block(997, '\0');
  std::size_t total = 0;
  // Inflated data may be a thousand times larger than the input: a megabyte of it is enough to try.
  while (const std::size_t got = source->read(block.data(), block.size()))
    if ((total += got) > 1'000'000) break;
  source->damage();
  return 0;
}
