// A piece of a list that is too large to be there twice: a fixed number of values in pages of their
// own, which the system gets back when the piece is gone, and of which those that were never
// written take no memory.
#pragma once

#include "util/memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace debrief {

template <typename Value>
class PageChunk {
public:
  static_assert(std::is_trivially_copyable_v<Value>);
  static constexpr std::size_t kBytes = std::size_t{512} * 1024;
  static constexpr std::size_t kMax = kBytes / sizeof(Value);

  PageChunk() {
    void* const pages =
        ::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) throw std::bad_alloc();
    values_ = static_cast<Value*>(pages);
  }

  ~PageChunk() {
    if (values_ != nullptr) ::munmap(values_, kBytes);
  }

  PageChunk(PageChunk&& other) noexcept
      : values_(std::exchange(other.values_, nullptr))
      , size_(std::exchange(other.size_, 0))
      , ready_(std::exchange(other.ready_, 0)) {}

  PageChunk& operator=(PageChunk&& other) noexcept {
    std::swap(values_, other.values_);
    std::swap(size_, other.size_);
    std::swap(ready_, other.ready_);
    return *this;
  }

  PageChunk(const PageChunk&) = delete;
  PageChunk& operator=(const PageChunk&) = delete;

  std::size_t room() const { return kMax - size_; }

  /// Only where there is room.
  void add(const Value& value) {
    if (size_ == ready_) get_ready();
    values_[size_++] = value;
  }

  /// Forgets all from the `size`th on.
  void shrink(std::size_t size) { size_ = size; }

  std::span<const Value> values() const { return {values_, size_}; }

  std::span<Value> values() { return {values_, size_}; }

private:
  /// Gets as many pages more as there are already, so that a chunk of few values stays small.
  void get_ready() {
    constexpr std::size_t kLeast = 4096;
    constexpr std::size_t kMost = std::size_t{64} * 1024;
    const std::size_t begin = ready_ * sizeof(Value) / kLeast * kLeast;
    const std::size_t end = std::min(begin + std::clamp(begin, kLeast, kMost), kBytes);
    get_pages(reinterpret_cast<const char*>(values_) + begin, end - begin);
    ready_ = std::min((end + sizeof(Value) - 1) / sizeof(Value), kMax);
  }

  Value* values_ = nullptr;
  std::size_t size_ = 0;
  std::size_t ready_ = 0; ///< values before this one have pages
};

} // namespace debrief
