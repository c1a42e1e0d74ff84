// Parts of a whole by name, as the framework's tables list them.
#pragma once

#include "result/framework.h"
#include "util/time.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace debrief::aggregate {

struct ShareSum {
  Microseconds duration = 0;
  std::int64_t calls = 0;
};

using ShareSums = std::map<std::string, ShareSum>;

/// Percents of the rows' own sum; every row has its seconds.
void set_percents(std::vector<result::ShareRow>& rows);

/// A list of more shares than this ends with one row for all the rest.
inline constexpr std::size_t kMaxShares = 100;

/// Largest first; what took no time at all (Horovod's ticks) has no part in it.
std::vector<result::ShareRow> shares(const ShareSums& sums);

} // namespace debrief::aggregate
