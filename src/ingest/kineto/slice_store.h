// Slices while they come in, by track. Their number is not known before the end and they are most
// of a trace's memory, so they lie in pages that the system gets back one by one as they are moved
// out: at no time are they there twice.
#pragma once

#include "job/trace.h"
#include "util/page_chunk.h"

#include <cstddef>
#include <functional>
#include <vector>

namespace debrief::ingest::kineto {

class SliceStore {
public:
  SliceStore() = default;
  SliceStore(const SliceStore&) = delete;
  SliceStore& operator=(const SliceStore&) = delete;
  SliceStore(SliceStore&&) = default;
  SliceStore& operator=(SliceStore&&) = default;
  ~SliceStore() = default;

  /// By its track.
  void add(const job::Slice& slice);

  std::size_t size() const { return size_; }

  /// The starts of some of the slices, at even distances; at most about `most`.
  std::vector<Nanoseconds> some_starts(std::size_t most) const;

  /// Moves out all that `keep` wants, by track, within it as they came; empty afterwards. With
  /// `ends`, where each track ends among them.
  std::vector<job::Slice> take(const std::function<bool(const job::Slice&)>& keep,
                               std::vector<std::size_t>& ends);

private:
  using Chunk = PageChunk<job::Slice>;

  std::vector<std::vector<Chunk>> tracks_;
  std::size_t size_ = 0;
};

} // namespace debrief::ingest::kineto
