// What is asked of the system's allocator, where it is one that can be asked (glibc).
#pragma once

#include <malloc.h>

namespace debrief {

/// Large lists go back to the system when they are gone, instead of lying about between small ones:
/// a fifth of the memory of a large trace. The library's own limit grows with the lists it has
/// seen.
inline void mmap_large_allocations() {
#ifdef __GLIBC__
  constexpr int kLarge = 1024 * 1024;
  mallopt(M_MMAP_THRESHOLD, kLarge);
#endif
}

/// What many small lists took and is free again goes back to the system now.
inline void trim_heap() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

} // namespace debrief
