#include "record/shim_log.h"

#include "util/text.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <string_view>

namespace debrief::record {

namespace {

/// Every process of a command adds lines; the first ones say all.
constexpr std::size_t kMostRead = std::size_t{4} * 1024 * 1024;
constexpr std::size_t kMostKept = 10;

void keep(std::string_view text, std::vector<std::string>& in) {
  const std::string shown = printable(text);
  if (in.size() < kMostKept && std::find(in.begin(), in.end(), shown) == in.end())
    in.push_back(shown);
}

void take_line(std::string_view line, ShimLog& log) {
  const std::size_t space = line.find(' ');
  if (space == line.npos) return;
  line.remove_prefix(space + 1);
  constexpr std::string_view kTorch = "torch ";
  constexpr std::string_view kError = "error ";
  constexpr std::string_view kMemory = "memory ";
  if (line == "python")
    log.python = true;
  else if (line == "profiler")
    log.profiler = true;
  else if (line == "graphs")
    log.graphs = true;
  else if (line == "recorder")
    log.recorder = true;
  else if (line.starts_with(kTorch))
    keep(line.substr(kTorch.size()), log.torch);
  else if (line.starts_with(kError))
    keep(line.substr(kError.size()), log.errors);
  else if (line.starts_with(kMemory))
    keep(line.substr(kMemory.size()), log.memory);
}

} // namespace

ShimLog parse_shim_log(std::string_view text) {
  ShimLog log;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    take_line(text.substr(0, end), log);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return log;
}

ShimLog read_shim_log(const std::filesystem::path& path) {
  std::ifstream file{path};
  std::string text(kMostRead, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  return parse_shim_log(text);
}

bool is_at_least(std::string_view version, int major, int minor) {
  int its_major = 0;
  int its_minor = 0;
  const char* const last = version.data() + version.size();
  const auto first = std::from_chars(version.data(), last, its_major);
  if (first.ec != std::errc{} || first.ptr == last || *first.ptr != '.') return false;
  if (std::from_chars(first.ptr + 1, last, its_minor).ec != std::errc{}) return false;
  return its_major != major ? its_major > major : its_minor >= minor;
}

} // namespace debrief::record
