// Lines of CSV as loggers write them: cells parted by commas, quoted where they hold one, CRLF or
// LF at the end.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace debrief::ingest::trackers {

/// Splits a line into cells without the space around them. Cells are views of the line, or of
/// `unquoted`, which holds those that were quoted and have to outlive the cells.
class CsvLine {
public:
  /// The cells are valid until the next call.
  const std::vector<std::string_view>& split(std::string_view line);

private:
  std::vector<std::string_view> cells_;
  std::vector<std::string> unquoted_;
};

} // namespace debrief::ingest::trackers
