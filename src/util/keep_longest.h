// Which of many intervals are worth keeping where there is not room for all.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <type_traits>
#include <vector>

namespace debrief {

/// Keeps the `most` longest, in their order; of equally long ones the first. Gives how many went.
template <typename Item, typename DurationOf>
std::size_t keep_longest(std::vector<Item>& items, std::size_t most,
                         const DurationOf& duration_of) {
  if (items.size() <= most) return 0;
  const std::size_t gone = items.size() - most;
  if (most == 0) {
    items.clear();
    return gone;
  }
  std::vector<std::decay_t<decltype(duration_of(items.front()))>> durations;
  durations.reserve(items.size());
  for (const Item& item : items)
    durations.push_back(duration_of(item));
  const auto last = durations.begin() + static_cast<std::ptrdiff_t>(most - 1);
  std::nth_element(durations.begin(), last, durations.end(), std::greater<>{});
  const auto shortest = *last;
  auto ties = static_cast<std::size_t>(std::count(durations.begin(), last + 1, shortest));
  std::erase_if(items, [&](const Item& item) {
    const auto duration = duration_of(item);
    if (duration != shortest) return duration < shortest;
    if (ties == 0) return true;
    --ties;
    return false;
  });
  return gone;
}

} // namespace debrief
