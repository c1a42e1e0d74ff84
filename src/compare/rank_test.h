// The Mann–Whitney rank test, for samples of a few values.
#pragma once

#include <cstddef>
#include <vector>

namespace debrief::compare {

/// Two-sided p-value, exact: of all ways to deal the values to samples of these sizes, the share
/// that sets them apart as much. Equal values have their mean rank. Meant for up to some 20 values
/// each: the work grows with the fourth power of their number. 1 if either side is empty.
double rank_p_value(const std::vector<double>& a, const std::vector<double>& b);

/// The smallest that samples of these sizes can give: all of one below all of the other.
double min_rank_p_value(std::size_t a, std::size_t b);

} // namespace debrief::compare
