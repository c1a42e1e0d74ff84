#include "ingest/kineto/slice_store.h"

#include <utility>

namespace debrief::ingest::kineto {

void SliceStore::add(const job::Slice& slice) {
  const auto track = static_cast<std::size_t>(slice.track);
  if (track >= tracks_.size()) tracks_.resize(track + 1);
  auto& chunks = tracks_[track];
  if (chunks.empty() || chunks.back().room() == 0) chunks.emplace_back();
  chunks.back().add(slice);
  ++size_;
}

std::vector<Nanoseconds> SliceStore::some_starts(std::size_t most) const {
  std::vector<Nanoseconds> starts;
  const std::size_t step = size_ / most + 1;
  std::size_t next = 0; // counted from the start of the chunk
  for (const auto& chunks : tracks_)
    for (const Chunk& chunk : chunks) {
      const auto slices = chunk.values();
      for (; next < slices.size(); next += step)
        starts.push_back(slices[next].start);
      next -= slices.size();
    }
  return starts;
}

std::vector<job::Slice> SliceStore::take(const std::function<bool(const job::Slice&)>& keep,
                                         std::vector<std::size_t>& ends) {
  std::vector<job::Slice> all;
  all.reserve(size_);
  for (auto& chunks : tracks_) {
    for (Chunk& chunk : chunks) {
      const Chunk emptied = std::move(chunk);
      for (const job::Slice& slice : emptied.values())
        if (keep(slice)) all.push_back(slice);
    }
    ends.push_back(all.size());
  }
  tracks_.clear();
  size_ = 0;
  return all;
}

} // namespace debrief::ingest::kineto
