// A vector whose values are not set to zero first: threads that fill its parts side by side then
// are the ones that touch its memory first.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace debrief {

template <typename Value>
class UnsetAllocator : public std::allocator<Value> {
public:
  static_assert(std::is_trivially_default_constructible_v<Value>);

  using std::allocator<Value>::allocator;

  template <typename Made>
  void construct(Made* place) {
    ::new (static_cast<void*>(place)) Made; // resize(): no value
  }

  template <typename Made, typename... Arguments>
  void construct(Made* place, Arguments&&... arguments) {
    std::construct_at(place, std::forward<Arguments>(arguments)...);
  }
};

/// resize() leaves new values unset: whoever calls it sets all of them.
template <typename Value>
using Column = std::vector<Value, UnsetAllocator<Value>>;

} // namespace debrief
