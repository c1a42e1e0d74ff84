#include "fuzz.h"
#include "ingest/trackers/wandb_blocks.h"
#include "ingest/trackers/wandb_reader.h"

/// Checksums keep a fuzzer out, so that the input is the payload of frames, parted by 0x1e, or
/// after a 0 byte a file as it is.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace debrief;
  const ingest::WandbReader reader;
  std::string_view text{reinterpret_cast<const char*>(data), size};
  if (text.starts_with('\0')) return fuzz::read_with(reader, "run-x.wandb", data + 1, size - 1);
  std::string file{ingest::trackers::kWandbMagic};
  file += '\0';
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\x1e'), text.size());
    const std::string_view payload = text.substr(0, std::min(end, std::size_t{30'000}));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (file.size() % 32768 + 7 + payload.size() > 32768)
      file.resize((file.size() / 32768 + 1) * 32768);
    const std::uint32_t crc = ingest::trackers::wandb_crc(1, payload);
    const auto length = static_cast<std::uint16_t>(payload.size());
    file.append(reinterpret_cast<const char*>(&crc), 4);
    file.append(reinterpret_cast<const char*>(&length), 2);
    file += '\1';
    file += payload;
  }
  return fuzz::read_with(reader, "run-x.wandb", reinterpret_cast<const std::uint8_t*>(file.data()),
                         file.size());
}
