#include "ingest/limited_source.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>

#include <memory>

namespace test_limited_source {

using namespace debrief;

namespace {

constexpr std::size_t kAlways = 1'000'000;

struct Given {
  std::size_t bytes = 0;
  std::string damage;
};

/// What a file of `size` bytes on disk gives that unpacks to `unpacked`, read in blocks of `block`.
Given read_all(std::size_t unpacked, std::uint64_t size, std::uint32_t times, std::size_t block) {
  const auto source = ingest::limit_unpacked(
      std::make_unique<test::TextSource>(std::string(unpacked, 'x')), size, times);
  std::string bytes(block, '\0');
  Given given;
  while (const std::size_t got = source->read(bytes.data(), bytes.size()))
    given.bytes += got;
  given.damage = source->damage();
  return given;
}

} // namespace

TEST_CASE("what unpacks within its limit is whole") {
  for (const std::size_t block : {std::size_t{999}, kAlways, 10 * kAlways}) {
    const Given exact = read_all(2 * kAlways, 10'000, 200, block);
    CHECK(exact.bytes == 2 * kAlways);
    CHECK(exact.damage.empty());
  }
}

TEST_CASE("what unpacks to more ends at the limit, and says which option moves it") {
  for (const std::size_t block : {std::size_t{999}, kAlways, 10 * kAlways}) {
    const Given beyond = read_all(2 * kAlways + 1, 10'000, 200, block);
    CHECK(beyond.bytes == 2 * kAlways);
    CHECK(beyond.damage ==
          "unpacks to more than 200 times its size; --max-unpack raises this limit");
  }
}

TEST_CASE("a small file may always unpack to a megabyte") {
  CHECK(read_all(kAlways, 20, 3, 4096).damage.empty());
  const Given beyond = read_all(kAlways + 1, 20, 3, 4096);
  CHECK(beyond.bytes == kAlways);
  CHECK_FALSE(beyond.damage.empty());
}

} // namespace test_limited_source
