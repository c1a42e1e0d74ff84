#include "record/trace_packer.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string>
#include <string_view>

namespace debrief::record {

namespace {

constexpr std::size_t kPiece = std::size_t{256} * 1024;

/// What goes behind the first '{'; empty where nothing is known, or the trace says it itself.
std::string distributed_info(std::string_view head, const ProcessRank& rank) {
  if (!rank.rank || head.find("\"distributedInfo\"") != head.npos) return {};
  std::string info = fmt::format("\n  \"distributedInfo\": {{\"rank\": {}", *rank.rank);
  if (rank.world_size) info += fmt::format(", \"world_size\": {}", *rank.world_size);
  return info + "},";
}

bool write_piece(gzFile file, std::string_view bytes) {
  return bytes.empty() || ::gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size())) ==
                              static_cast<int>(bytes.size());
}

bool pack_into(std::ifstream& trace, gzFile file, const ProcessRank& rank) {
  std::string piece(kPiece, '\0');
  bool is_head = true;
  while (trace.read(piece.data(), static_cast<std::streamsize>(piece.size())) ||
         trace.gcount() > 0) {
    std::string_view bytes{piece.data(), static_cast<std::size_t>(trace.gcount())};
    if (is_head) {
      const std::size_t brace = bytes.find('{');
      if (brace == bytes.npos) return false;
      if (!write_piece(file, bytes.substr(0, brace + 1)) ||
          !write_piece(file, distributed_info(bytes, rank)))
        return false;
      bytes.remove_prefix(brace + 1);
      is_head = false;
    }
    if (!write_piece(file, bytes)) return false;
  }
  return !is_head && trace.eof();
}

} // namespace

bool is_whole_trace(const std::filesystem::path& trace) {
  std::ifstream file{trace, std::ios::binary | std::ios::ate};
  const std::streamoff size = file.tellg();
  if (!file || size < 2) return false;
  std::array<char, 64> tail{};
  const std::streamoff count = std::min<std::streamoff>(size, tail.size());
  file.seekg(size - count);
  file.read(tail.data(), count);
  if (!file) return false;
  // The end of the object follows its last member, '"traceName": "…"'; an event's follows its
  // arguments.
  const std::string_view end{tail.data(), static_cast<std::size_t>(count)};
  const std::size_t last = end.find_last_not_of(" \n\r\t");
  if (last == end.npos || last == 0 || end[last] != '}') return false;
  const std::size_t before = end.find_last_not_of(" \n\r\t", last - 1);
  return before != end.npos && (end[before] == '"' || end[before] == ']');
}

bool pack_trace(const std::filesystem::path& trace, const ProcessRank& rank) {
  std::ifstream file{trace, std::ios::binary};
  if (!file) return false;
  const std::string target = trace.string() + ".gz";
  const std::string pending = target + ".part";
  gzFile packed = ::gzopen(pending.c_str(), "wb1");
  if (packed == nullptr) return false;
  const bool written = pack_into(file, packed, rank);
  const bool closed = ::gzclose(packed) == Z_OK;
  std::error_code error;
  if (written && closed) std::filesystem::rename(pending, target, error);
  if (!written || !closed || error) {
    std::filesystem::remove(pending, error);
    return false;
  }
  std::filesystem::remove(trace, error);
  return true;
}

} // namespace debrief::record
