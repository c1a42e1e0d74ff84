// Steps as the columns of a map: as many as it has room for, each from one step up to the next
// column's.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace debrief {

/// The first step of each of at most `most` columns; `steps` ascend, and none is there twice.
inline std::vector<std::int64_t> step_columns(const std::vector<std::int64_t>& steps,
                                              std::size_t most) {
  const std::size_t columns = std::min(steps.size(), most);
  std::vector<std::int64_t> firsts;
  for (std::size_t column = 0; column < columns; ++column)
    firsts.push_back(steps[column * steps.size() / columns]);
  return firsts;
}

/// Which of step_columns() has the step; it is not before the first.
inline std::size_t column_of(const std::vector<std::int64_t>& firsts, std::int64_t step) {
  return static_cast<std::size_t>(std::upper_bound(firsts.begin(), firsts.end(), step) -
                                  firsts.begin()) -
         1;
}

} // namespace debrief
