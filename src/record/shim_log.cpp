#include "record/shim_log.h"

#include "util/text.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <string_view>
#include <utility>

namespace debrief::record {

namespace {

constexpr std::size_t kBlock = std::size_t{64} * 1024;
constexpr std::size_t kLongestLine = std::size_t{64} * 1024;
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
  constexpr std::string_view kStacks = "stacks ";
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
  else if (line.starts_with(kStacks))
    keep(line.substr(kStacks.size()), log.stacks);
}

} // namespace

void add_shim_lines(std::string_view text, ShimLog& log) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    take_line(text.substr(0, end), log);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

ShimLogReader::ShimLogReader(std::filesystem::path path)
    : path_(std::move(path)) {}

const ShimLog& ShimLogReader::look() {
  std::ifstream file{path_};
  file.seekg(static_cast<std::streamoff>(read_));
  std::string block(kBlock, '\0');
  while (file.read(block.data(), static_cast<std::streamsize>(block.size())), file.gcount() > 0) {
    read_ += static_cast<std::uint64_t>(file.gcount());
    std::string_view text{block.data(), static_cast<std::size_t>(file.gcount())};
    const std::size_t last = text.rfind('\n');
    if (last != text.npos) {
      const std::size_t first = text.find('\n');
      begun_ += text.substr(0, first);
      if (!too_long_) add_shim_lines(begun_, log_);
      too_long_ = false;
      add_shim_lines(text.substr(first + 1, last - first), log_);
      begun_.clear();
      text.remove_prefix(last + 1);
    }
    begun_ += text;
    too_long_ = too_long_ || begun_.size() > kLongestLine;
    if (too_long_) begun_.clear();
  }
  return log_;
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
