#include "ingest/kineto/slice_store.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>
#include <type_traits>
#include <utility>

namespace debrief::kineto {

static_assert(std::is_trivially_copyable_v<Slice>);

SliceStore::Chunk::Chunk() {
  void* const pages = ::mmap(nullptr, kSlices * sizeof(Slice), PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) throw std::bad_alloc();
  slices_ = static_cast<Slice*>(pages);
}

SliceStore::Chunk::~Chunk() {
  if (slices_ != nullptr) ::munmap(slices_, kSlices * sizeof(Slice));
}

SliceStore::Chunk::Chunk(Chunk&& other) noexcept
    : slices_(std::exchange(other.slices_, nullptr))
    , used_(std::exchange(other.used_, 0)) {}

SliceStore::Chunk& SliceStore::Chunk::operator=(Chunk&& other) noexcept {
  std::swap(slices_, other.slices_);
  std::swap(used_, other.used_);
  return *this;
}

void SliceStore::add(const Slice& slice) {
  const auto track = static_cast<std::size_t>(slice.track);
  if (track >= tracks_.size()) tracks_.resize(track + 1);
  auto& chunks = tracks_[track];
  if (chunks.empty() || chunks.back().full()) chunks.emplace_back();
  chunks.back().add(slice);
  ++size_;
}

std::vector<Nanoseconds> SliceStore::some_starts(std::size_t most) const {
  std::vector<Nanoseconds> starts;
  const std::size_t step = size_ / most + 1;
  std::size_t next = 0; // counted from the start of the chunk
  for (const auto& chunks : tracks_)
    for (const Chunk& chunk : chunks) {
      const auto slices = chunk.slices();
      for (; next < slices.size(); next += step)
        starts.push_back(slices[next].start);
      next -= slices.size();
    }
  return starts;
}

std::vector<Slice> SliceStore::take(const std::function<bool(const Slice&)>& keep,
                                    std::vector<std::size_t>& ends) {
  std::vector<Slice> all;
  all.reserve(size_);
  for (auto& chunks : tracks_) {
    for (Chunk& chunk : chunks) {
      const Chunk emptied = std::move(chunk);
      for (const Slice& slice : emptied.slices())
        if (keep(slice)) all.push_back(slice);
    }
    ends.push_back(all.size());
  }
  tracks_.clear();
  size_ = 0;
  return all;
}

} // namespace debrief::kineto
