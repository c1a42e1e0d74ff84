// What is asked of the system's allocator, where it is one that can be asked (glibc), and what is
// made of its refusals.
#pragma once

#include <sys/mman.h>
#include <sys/resource.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <malloc.h>
#include <new>

namespace debrief {

inline bool has_address_limit() {
  rlimit limit{};
  for (const auto resource : {RLIMIT_AS, RLIMIT_DATA})
    if (getrlimit(resource, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY) return true;
  return false;
}

/// Large lists go back to the system when they are gone, instead of lying about between small ones:
/// a fifth of the memory of a large trace. The library's own limit grows with the lists it has
/// seen.
inline void mmap_large_allocations() {
#ifdef __GLIBC__
  constexpr int kLarge = 1024 * 1024;
  mallopt(M_MMAP_THRESHOLD, kLarge);
#endif
}

/// Held while threads read files: the heap of each is asked for as a whole. It would grow page by
/// page, by a call for which all threads wait, 43,000 times for 3 GB of samples. It takes memory
/// only as it is used, but counts at once against a limit on addresses: with one, it grows as it
/// likes. What is freed stays with the heap meanwhile.
class WholeHeaps {
public:
  WholeHeaps() { set(has_address_limit() ? kUsual : 64 * 1024 * 1024); } // glibc's heap

  ~WholeHeaps() { set(kUsual); }

  WholeHeaps(const WholeHeaps&) = delete;
  WholeHeaps& operator=(const WholeHeaps&) = delete;

private:
  static constexpr int kUsual = 128 * 1024; ///< glibc's own

  static void set([[maybe_unused]] int bytes) {
#ifdef __GLIBC__
    mallopt(M_TOP_PAD, bytes);
#endif
  }
};

/// What many small lists took and is free again goes back to the system now.
inline void trim_heap() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

/// Says something about the pages that `bytes` from `memory` on touch.
inline void advise_pages(const void* memory, std::size_t bytes, int advice) {
  constexpr std::size_t kPage = 4096;
  const std::size_t before = reinterpret_cast<std::uintptr_t>(memory) % kPage;
  auto* const first = const_cast<char*>(static_cast<const char*>(memory)) - before;
  if (bytes > 0) ::madvise(first, (before + bytes + kPage - 1) / kPage * kPage, advice);
}

/// For a list of its own that is about to be filled from end to end: one fault for 2 MB instead of
/// 512, where the system has such pages.
inline void use_large_pages(const void* memory, std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  advise_pages(memory, bytes, MADV_HUGEPAGE);
#endif
}

/// Gets the pages of what is about to be written at once, which is cheaper than a fault for each. A
/// system that cannot do it goes without.
inline void get_pages(const void* memory, std::size_t bytes) {
#ifdef MADV_POPULATE_WRITE
  advise_pages(memory, bytes, MADV_POPULATE_WRITE);
#endif
}

/// A call that failed for want of memory (an errno) is no fault of what it was about.
inline void throw_if_no_memory(int code) {
  if (code == ENOMEM) throw std::bad_alloc{};
}

/// The first thread's stack grows as it is used, and where no memory is left for that, by a signal
/// that ends the program. So what is ever used is taken at once, below the caller's own.
[[gnu::noinline]] inline void take_stack() {
  constexpr std::size_t kStack = std::size_t{256} * 1024;
  constexpr std::size_t kPage = 4096;
  [[maybe_unused]] volatile char stack[kStack];
  for (std::size_t at = 0; at < kStack; at += kPage)
    stack[at] = 0;
}

} // namespace debrief
