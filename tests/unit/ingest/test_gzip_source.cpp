#include "ingest/gzip_source.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>
#include <zlib.h>

#include <memory>
#include <random>

namespace test_gzip_source {

using namespace debrief;

namespace {

std::string gzip(const std::string& text) {
  z_stream stream{};
  REQUIRE(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  std::string in = text;
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

struct Inflated {
  std::string text;
  std::string damage;
};

Inflated inflate_all(const std::string& bytes, std::size_t piece = SIZE_MAX) {
  const auto source = ingest::make_gzip_source(std::make_unique<test::TextSource>(bytes, piece));
  Inflated out;
  std::string block(1000, '\0');
  while (const std::size_t got = source->read(block.data(), block.size()))
    out.text.append(block, 0, got);
  out.damage = source->damage();
  return out;
}

std::string noise(std::size_t size) {
  std::mt19937 random{7};
  std::string text(size, '\0');
  for (char& c : text)
    c = static_cast<char>('a' + random() % 20);
  return text;
}

} // namespace

TEST_CASE("gzip is known by its first bytes") {
  CHECK(ingest::is_gzip(gzip("x").data(), 2));
  CHECK_FALSE(ingest::is_gzip("{\"", 2));
  CHECK_FALSE(ingest::is_gzip("\x1f", 1));
}

TEST_CASE("a stream inflates to what was deflated, in pieces of any size") {
  const std::string text = noise(100'000);
  for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::size_t{4096}, SIZE_MAX}) {
    const Inflated out = inflate_all(gzip(text), piece);
    CHECK(out.text == text);
    CHECK(out.damage.empty());
  }
}

TEST_CASE("members follow each other, and zero padding is no damage") {
  const std::string bytes = gzip("one ") + gzip("two") + std::string(512, '\0');
  for (const std::size_t piece : {std::size_t{1}, std::size_t{3}, std::size_t{30}, SIZE_MAX}) {
    const Inflated out = inflate_all(bytes, piece);
    CHECK(out.text == "one two");
    CHECK(out.damage.empty());
  }
}

TEST_CASE("a header may have a name, a comment, extra bytes and a check sum of its own") {
  const std::string bytes = gzip("text");
  const std::string flagged = bytes.substr(0, 3) + '\x1C' + bytes.substr(4, 6) +
                              std::string("\3\0abc", 5) + std::string("name\0", 5) +
                              std::string("comment\0", 8) + bytes.substr(10);
  CHECK(inflate_all(flagged).text == "text");
  CHECK(inflate_all(flagged, 1).text == "text");
  CHECK(inflate_all(flagged).damage.empty());
}

TEST_CASE("a wrong check sum is damage, and what was packed is kept") {
  std::string bytes = gzip(noise(50'000));
  bytes[bytes.size() - 6] = static_cast<char>(~bytes[bytes.size() - 6]);
  const Inflated out = inflate_all(bytes);
  CHECK(out.text == noise(50'000));
  CHECK(out.damage == "compressed data is broken");
}

TEST_CASE("any cut and any changed byte is damage or harmless, never an end of the program") {
  const std::string text = noise(300);
  const std::string bytes = gzip(text);
  for (std::size_t at = 2; at < bytes.size(); ++at) {
    const Inflated cut = inflate_all(bytes.substr(0, at), at % 3 + 1);
    CHECK(text.starts_with(cut.text));
    CHECK(cut.damage == "compressed data is cut off");
    std::string changed = bytes;
    changed[at] = static_cast<char>(~changed[at]);
    const Inflated out = inflate_all(changed);
    CHECK((out.text == text || !out.damage.empty()));
  }
}

TEST_CASE("a cut-off stream gives what was before the cut, and says so") {
  const std::string text = noise(100'000);
  const std::string bytes = gzip(text);
  const Inflated out = inflate_all(bytes.substr(0, bytes.size() / 2));
  CHECK(out.text.size() > text.size() / 4);
  CHECK(text.starts_with(out.text));
  CHECK(out.damage == "compressed data is cut off");
  CHECK(inflate_all(bytes.substr(0, bytes.size() - 1)).damage == "compressed data is cut off");
}

TEST_CASE("broken and foreign bytes are damage, not an end of the program") {
  std::string bytes = gzip(noise(100'000));
  bytes[bytes.size() / 2] = static_cast<char>(~bytes[bytes.size() / 2]);
  CHECK(inflate_all(bytes).damage == "compressed data is broken");
  CHECK(inflate_all(gzip("x") + "trailing text").damage == "something follows the compressed data");
  CHECK(inflate_all("\x1f\x8b").damage == "compressed data is cut off");
}

} // namespace test_gzip_source
