// A finding's kind as a reader sees it beside bars, bands and lanes.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace debrief::result {

/// "input_bound" -> "input bound".
inline std::string kind_words(std::string_view kind) {
  std::string out{kind};
  std::replace(out.begin(), out.end(), '_', ' ');
  return out;
}

} // namespace debrief::result
