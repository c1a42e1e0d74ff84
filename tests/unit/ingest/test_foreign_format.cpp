#include "ingest/foreign_format.h"

#include <catch2/catch_test_macros.hpp>

#include <string>

namespace test_foreign_format {

using namespace debrief;
using namespace std::string_literals;

namespace {

std::string words_of(const std::string& head) {
  const ingest::ForeignFormat* format = ingest::foreign_format(head);
  return format == nullptr ? "" : std::string{format->words};
}

} // namespace

TEST_CASE("files that are packed or encoded otherwise are known by how they begin") {
  CHECK(words_of("\xFF\xFE{\0"s) == "text in UTF-16: save it as UTF-8");
  CHECK(words_of("\xFE\xFF\0{"s) == "text in UTF-16: save it as UTF-8");
  CHECK(words_of("\xFD\x37zXZ\0\0"s).starts_with("packed with xz"));
  CHECK(words_of("\x28\xB5\x2F\xFD...").starts_with("packed with zstd"));
  CHECK(words_of("BZh91AY").starts_with("packed with bzip2"));
  CHECK_FALSE(ingest::foreign_format("BZh91AY")->archive);
}

TEST_CASE("archives may hold anything") {
  const ingest::ForeignFormat* zip = ingest::foreign_format("PK\x03\x04...");
  REQUIRE(zip != nullptr);
  CHECK(zip->words.starts_with("a zip archive"));
  CHECK(zip->archive);
  const ingest::ForeignFormat* tar =
      ingest::foreign_format("job/" + std::string(253, '\0') + "ustar\00000"s);
  REQUIRE(tar != nullptr);
  CHECK(tar->words.starts_with("a tar archive"));
  CHECK(tar->archive);
}

TEST_CASE("anything else is not foreign") {
  CHECK(words_of("").empty());
  CHECK(words_of("\xFD").empty());
  CHECK(words_of("[\n{}\n]").empty());
  CHECK(words_of(std::string(257, 'a')).empty());
  CHECK(words_of(std::string(258, 'a') + "ustar").empty());
}

} // namespace test_foreign_format
