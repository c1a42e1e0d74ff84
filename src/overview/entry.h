// One of several jobs that are reported on together: what a list of them says of each, and what
// they come to together.
#pragma once

#include "result/result.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace debrief::overview {

struct Entry {
  std::string input; ///< the path that was given
  std::string page;  ///< file name of its report, beside the list
  std::string error; ///< one sentence on why there is no report; empty: there is one

  // What follows is of a job that has a report.
  std::string name;
  result::VerdictSummary verdict;
  std::optional<Microseconds> start;
  std::optional<double> seconds;    ///< from the first to the last thing recorded
  std::optional<std::int64_t> gpus; ///< of all nodes; absent where one's are not known
  result::Waste waste;
  bool complete = true; ///< nothing of its input was lost
};

/// Takes from the result what an entry has of it.
void fill(Entry& entry, const result::Result& result);

/// Hours lost, if they are of this unit.
std::optional<double> lost(const Entry& entry, result::WasteUnit unit);

/// The most GPU-hours lost first, then the most node-hours, then those of which nothing is known;
/// alike ones by name. Those without a report come last.
void sort_worst_first(std::vector<Entry>& entries);

/// The time that was paid for in all jobs that have it in this unit, and where it went, part by
/// part; `paid` is absent where none has. Money where every one of them has the same price.
result::Waste sum_of_waste(std::span<const Entry> entries, result::WasteUnit unit);

} // namespace debrief::overview
