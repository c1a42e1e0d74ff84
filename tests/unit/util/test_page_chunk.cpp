#include "util/page_chunk.h"

#include <catch2/catch_test_macros.hpp>

namespace test_page_chunk {

using namespace debrief;

TEST_CASE("a chunk holds as many values as have room, and gives them away as a whole") {
  PageChunk<std::size_t> chunk;
  CHECK(chunk.values().empty());
  for (std::size_t i = 0; chunk.room() > 0; ++i)
    chunk.add(i);
  CHECK(chunk.values().size() == PageChunk<std::size_t>::kMax);
  PageChunk<std::size_t> other = std::move(chunk);
  REQUIRE(other.values().size() == PageChunk<std::size_t>::kMax);
  CHECK(other.values().back() == PageChunk<std::size_t>::kMax - 1);
  other.shrink(2);
  CHECK(other.values().size() == 2);
  other.add(7);
  CHECK(other.values().back() == 7);
}

} // namespace test_page_chunk
