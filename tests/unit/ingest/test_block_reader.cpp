#include "ingest/block_reader.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>

namespace test_block_reader {

using namespace debrief;

TEST_CASE("what is not consumed stays in view while more is read behind it") {
  test::TextSource source{"0123456789", 4};
  ingest::BlockReader reader{source, 16};
  REQUIRE(reader.more());
  CHECK(reader.view() == "0123");
  reader.consume(3);
  REQUIRE(reader.more());
  CHECK(reader.view() == "34567");
  CHECK(reader.offset() == 3);
  REQUIRE(reader.more());
  CHECK_FALSE(reader.more());
  CHECK(reader.view() == "3456789");
  CHECK(reader.capacity() >= reader.view().size() + ingest::BlockReader::kPadding);
}

TEST_CASE("bytes can be taken out of the view, and then straight from the source") {
  test::TextSource source{"0123456789", 4};
  ingest::BlockReader reader{source, 16};
  REQUIRE(reader.more());
  reader.consume(1);
  std::string taken(9, '\0');
  CHECK(reader.take(taken.data(), 9) == 3);
  CHECK(reader.offset() == 4);
  CHECK(reader.view().empty());
  CHECK(reader.take(taken.data() + 3, 6) == 4);
  CHECK(reader.take(taken.data() + 7, 1) == 1);
  CHECK(reader.take(taken.data() + 8, 1) == 1);
  CHECK(taken == "123456789");
  CHECK(reader.offset() == 10);
  CHECK(reader.take(taken.data(), 9) == 0);
  CHECK_FALSE(reader.more());
}

TEST_CASE("the window grows for a record longer than a block") {
  const std::string text(10'000, 'x');
  test::TextSource source{text, 100};
  ingest::BlockReader reader{source, 64};
  while (reader.more()) {
  }
  CHECK(reader.view() == text);
  CHECK(reader.capacity() >= reader.view().size() + ingest::BlockReader::kPadding);
}

TEST_CASE("a record without an end is not followed for ever") {
  class Endless final : public ingest::ByteSource {
  public:
    std::size_t read(char*, std::size_t size) override { return size; }

    std::uint64_t bytes_on_disk() const override { return 0; }
  };

  Endless source;
  ingest::BlockReader reader{source};
  const auto read_on = [&] {
    while (reader.more()) {
    }
  };
  CHECK_THROWS_AS(read_on(), ingest::SourceError);
  CHECK(reader.view().size() < 3 * ingest::BlockReader::kMaxRecordBytes);
}

} // namespace test_block_reader
