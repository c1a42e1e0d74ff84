#include "ingest/trackers/csv_line.h"

#include <algorithm>
#include <cstddef>

namespace debrief::ingest::trackers {

namespace {

std::string_view trimmed(std::string_view cell) {
  constexpr std::string_view kSpace = " \t\r";
  const std::size_t first = cell.find_first_not_of(kSpace);
  if (first == cell.npos) return {};
  return cell.substr(first, cell.find_last_not_of(kSpace) - first + 1);
}

} // namespace

const std::vector<std::string_view>& CsvLine::split(std::string_view line) {
  cells_.clear();
  unquoted_.clear();
  // Cells view these, so none may move.
  unquoted_.reserve(static_cast<std::size_t>(std::count(line.begin(), line.end(), '"')) / 2 + 1);
  for (;;) {
    const std::size_t start = line.find_first_not_of(" \t");
    if (start != line.npos && line[start] == '"') {
      std::string& text = unquoted_.emplace_back();
      std::size_t at = start + 1;
      for (; at < line.size(); ++at) {
        if (line[at] == '"') {
          if (at + 1 >= line.size() || line[at + 1] != '"') break;
          ++at; // a quote within quotes is written twice
        }
        text += line[at];
      }
      cells_.push_back(text);
      const std::size_t comma = line.find(',', std::min(at, line.size()));
      if (comma == line.npos) return cells_;
      line.remove_prefix(comma + 1);
      continue;
    }
    const std::size_t comma = line.find(',');
    cells_.push_back(trimmed(line.substr(0, comma)));
    if (comma == line.npos) return cells_;
    line.remove_prefix(comma + 1);
  }
}

} // namespace debrief::ingest::trackers
