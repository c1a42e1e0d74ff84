// A stable sort for what is nearly sorted already, as recordings are: a few ascending runs one
// after the other (a thread's operators, then its runtime calls), or neighbors that changed
// places.
//
// Runs are merged pairwise, and of each pair only where they overlap: the work is linear for a few
// runs or a few changed places, and n log n for anything.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <vector>

namespace debrief {

namespace detail {

/// Where the ascending run that begins at `first` ends.
template <typename Iterator, typename Less>
Iterator end_of_run(Iterator first, Iterator last, const Less& less) {
  if (first == last) return last;
  Iterator next = std::next(first);
  while (next != last && !less(*next, *std::prev(next)))
    ++next;
  return next;
}

/// Sorts [first, last), of which everything before `sorted` is in order.
template <typename Iterator, typename Less>
void insert_rest(Iterator first, Iterator sorted, Iterator last, const Less& less) {
  for (; sorted != last; ++sorted)
    std::rotate(std::upper_bound(first, sorted, *sorted, less), sorted, std::next(sorted));
}

/// Both halves are sorted.
template <typename Iterator, typename Less>
void merge_overlap(Iterator first, Iterator middle, Iterator last, const Less& less) {
  if (!less(*middle, *std::prev(middle))) return;
  first = std::upper_bound(first, middle, *middle, less);
  last = std::lower_bound(middle, last, *std::prev(middle), less);
  std::inplace_merge(first, middle, last, less);
}

} // namespace detail

template <typename Iterator, typename Less>
void sort_runs(Iterator first, Iterator last, const Less& less) {
  constexpr std::ptrdiff_t kMin = 24; // of a run; shorter ones are filled up by insertion
  std::vector<Iterator> starts; // of runs that wait for merging, each longer than all behind it
  const auto merge_last = [&](Iterator end) {
    detail::merge_overlap(*std::prev(starts.end(), 2), starts.back(), end, less);
    starts.pop_back();
  };
  for (Iterator at = first; at != last;) {
    Iterator end = detail::end_of_run(at, last, less);
    if (end - at < kMin) {
      const Iterator filled = at + std::min(kMin, last - at);
      detail::insert_rest(at, end, filled, less);
      end = filled;
    }
    starts.push_back(at);
    while (starts.size() > 1 && starts.back() - *std::prev(starts.end(), 2) <= end - starts.back())
      merge_last(end);
    at = end;
  }
  while (starts.size() > 1)
    merge_last(last);
}

} // namespace debrief
