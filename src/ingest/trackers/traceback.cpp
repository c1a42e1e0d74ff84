#include "ingest/trackers/traceback.h"

#include "util/redact.h"
#include "util/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace debrief::ingest::trackers {

namespace {

constexpr std::size_t kLongestLine = 4096;
constexpr std::size_t kLongestWord = 300; ///< of a type, a file or a function
constexpr std::string_view kBegin = "Traceback (most recent call last):";

/// No more than `most` bytes.
std::string cut(std::string_view text, std::size_t most) {
  constexpr std::size_t kDots = 3; // of "…"
  return cut_off(std::string{text}, most - kDots);
}

/// What a terminal shows of a line: what a progress bar wrote over is gone, and colors are none.
std::string shown(std::string_view line) {
  while (line.ends_with('\r'))
    line.remove_suffix(1);
  line.remove_prefix(line.rfind('\r') + 1); // npos + 1 is 0
  std::string out;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line[at] != '\x1b') {
      out += line[at];
      continue;
    }
    while (at + 1 < line.size() && !(line[at] >= '@' && line[at] <= '~' && line[at] != '['))
      ++at;
  }
  return out;
}

/// Cuts off what torchrun puts before lines: "[rank3]: ".
std::optional<std::int64_t> cut_rank(std::string_view& line) {
  constexpr std::string_view kRank = "[rank";
  if (!line.starts_with(kRank)) return std::nullopt;
  std::int64_t rank = 0;
  const char* const last = line.data() + line.size();
  const auto [end, error] = std::from_chars(line.data() + kRank.size(), last, rank);
  const std::string_view rest{end, static_cast<std::size_t>(last - end)};
  if (error != std::errc{} || rank < 0 || !rest.starts_with("]:")) return std::nullopt;
  line = rest.substr(2);
  if (line.starts_with(' ')) line.remove_prefix(1);
  return rank;
}

/// `  File "train.py", line 12, in main`
std::optional<job::Frame> frame_of(std::string_view line) {
  constexpr std::string_view kFile = "  File \"";
  constexpr std::string_view kLine = "\", line ";
  if (!line.starts_with(kFile)) return std::nullopt;
  line.remove_prefix(kFile.size());
  const std::size_t end_of_path = line.find(kLine);
  if (end_of_path == line.npos) return std::nullopt;
  const std::string_view path = line.substr(0, end_of_path);
  line.remove_prefix(end_of_path + kLine.size());
  std::int64_t number = 0;
  const char* const last = line.data() + line.size();
  const auto [end, error] = std::from_chars(line.data(), last, number);
  if (error != std::errc{} || number < 0) return std::nullopt;
  std::string_view rest{end, static_cast<std::size_t>(last - end)};
  constexpr std::string_view kIn = ", in ";
  return frame_in(path, number, rest.starts_with(kIn) ? rest.substr(kIn.size()) : "");
}

/// "torch.cuda.OutOfMemoryError" is one, "warning!" is none.
bool is_type(std::string_view word) {
  return !word.empty() && !(word.front() >= '0' && word.front() <= '9') &&
         std::all_of(word.begin(), word.end(), [](char c) {
           return c == '_' || c == '.' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                  (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
         });
}

} // namespace

job::Frame frame_in(std::string_view path, std::int64_t line, std::string_view function) {
  constexpr auto kPackages = std::to_array<std::string_view>({"site-packages/", "dist-packages/"});
  job::Frame out;
  out.line = line;
  out.function = cut(function, kLongestWord);
  std::string_view file = path;
  for (const std::string_view packages : kPackages)
    if (const std::size_t at = path.rfind(packages); at != path.npos && !out.of_library) {
      file = path.substr(at + packages.size());
      out.of_library = true;
    }
  if (const std::size_t at = path.find("/lib/python3"); at != path.npos && !out.of_library) {
    file = path.substr(std::min(path.find('/', at + 5), path.size() - 1) + 1);
    out.of_library = true;
  }
  if (path.starts_with('<')) out.of_library = true; // "<frozen importlib._bootstrap>"
  if (file.starts_with('/')) file.remove_prefix(file.rfind('/') + 1);
  out.file = cut(file, kLongestWord);
  return out;
}

void TracebackReader::add(std::string_view text, std::optional<Microseconds> time) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view part = text.substr(0, end);
    line_ += part.substr(0, kLongestLine - std::min(line_.size(), kLongestLine));
    if (end == text.npos) return;
    take_line(std::exchange(line_, {}), time);
    text.remove_prefix(end + 1);
  }
}

void TracebackReader::take_line(std::string_view raw, std::optional<Microseconds> time) {
  const std::string clean = shown(raw);
  std::string_view line = clean;
  const auto rank = cut_rank(line);
  if (line.ends_with(kBegin)) {
    is_open_ = true;
    open_ = {};
    open_.rank = rank;
    return;
  }
  if (!is_open_ || rank != open_.rank) return;
  if (auto frame = frame_of(line)) {
    open_.frames.push_back(std::move(*frame));
    if (open_.frames.size() > job::kMostFrames) open_.frames.erase(open_.frames.begin());
    return;
  }
  if (line.empty() || line.starts_with(' ')) return; // of the source
  is_open_ = false;
  const std::size_t colon = line.find(": ");
  const std::string_view type = line.substr(0, std::min(colon, line.find_last_not_of(':') + 1));
  if (!is_type(type)) return;
  open_.type = cut(type, kLongestWord);
  if (colon != line.npos)
    open_.message = cut(without_secrets(line.substr(colon + 2)), job::kLongestFailureMessage);
  open_.time = time;
  last_ = std::move(open_);
}

} // namespace debrief::ingest::trackers
