#include "embed/decode.h"
#include "embed/packed_arrays.h"

#include <catch2/catch_test_macros.hpp>
#include <zlib.h>

namespace test_packed_arrays {

using namespace debrief;
using embed::Array;
using embed::kNoSample;
using embed::PackedArrays;

namespace {

std::vector<double> read_back(const PackedArrays& block, const Array& array) {
  return test::decoded(block.bytes(), nlohmann::json::array({array.offset, array.count, array.width,
                                                             array.delta ? 1 : 0, array.scale}));
}

} // namespace

TEST_CASE("an array has the smallest width that holds its values beside 'no sample'") {
  PackedArrays block;
  CHECK(block.add(std::vector<std::uint32_t>{0, 254}, 1).width == 1);
  CHECK(block.add(std::vector<std::uint32_t>{0, 255}, 1).width == 2);
  CHECK(block.add(std::vector<std::uint32_t>{65'534}, 1).width == 2);
  CHECK(block.add(std::vector<std::uint32_t>{65'535}, 1).width == 4);
  CHECK(block.add(std::vector<std::uint32_t>{kNoSample}, 1).width == 1);
  CHECK(block.bytes().size() == 2 + 4 + 2 + 4 + 1);
}

TEST_CASE("values come back as they were, in every width, with samples missing") {
  for (const std::uint32_t largest : {250U, 60'000U, 4'000'000'000U}) {
    for (const bool rising : {true, false}) {
      std::vector<std::uint32_t> values;
      for (std::uint32_t i = 0; i < 1000; ++i)
        values.push_back(i % 7 == 3 ? kNoSample
                         : rising   ? largest / 1000 * i
                                    : (i * 2'654'435'761U) % largest);
      values.back() = largest;
      PackedArrays block;
      block.add(std::vector<std::uint32_t>{1, 2, 3}, 1);
      const Array array = block.add(values, 1);
      CHECK(array.offset == 3);
      const std::vector<double> back = read_back(block, array);
      REQUIRE(back.size() == values.size());
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (values[i] == kNoSample)
          CHECK(std::isnan(back[i]));
        else
          CHECK(back[i] == values[i]);
      }
    }
  }
}

TEST_CASE("what rises steadily is stored as differences, noise as it is") {
  std::vector<std::uint32_t> steady;
  std::vector<std::uint32_t> two_levels;
  for (std::uint32_t i = 0; i < 5000; ++i) {
    steady.push_back(500 * i + (i * 2'654'435'761U >> 29));
    two_levels.push_back((i * 2'654'435'761U) >> 31);
  }
  PackedArrays block;
  CHECK(block.add(steady, 1).delta);
  CHECK_FALSE(block.add(two_levels, 1).delta);
}

TEST_CASE("an array that is there already is not stored again, unless it means something else") {
  PackedArrays block;
  const std::vector<std::uint32_t> values = {1, 2, 3};
  const Array first = block.add(values, 0.5);
  const Array again = block.add(values, 0.5);
  const Array other = block.add(values, 0.1);
  CHECK(again.offset == first.offset);
  CHECK(other.offset == 3);
  CHECK(block.bytes().size() == 6);
}

TEST_CASE("bytes become base64 of a zlib stream") {
  CHECK(embed::to_base64("") == "");
  CHECK(embed::to_base64("M") == "TQ==");
  CHECK(embed::to_base64("Ma") == "TWE=");
  CHECK(embed::to_base64("Man") == "TWFu");
  CHECK(embed::to_base64("\xff\xfe\xfd") == "//79");
  for (const std::size_t size : {0U, 1U, 2U, 3U, 1000U}) {
    std::string bytes;
    for (std::size_t i = 0; i < size; ++i)
      bytes += static_cast<char>(i * 7);
    const std::string packed = embed::deflated(bytes, embed::Content::text);
    CHECK(embed::to_base64(packed).size() == embed::base64_size(packed.size()));
    CHECK(test::inflated(test::from_base64(embed::to_base64(packed))) == bytes);
  }
}

TEST_CASE("what is deflated in pieces is one stream, hardly longer than one that was not") {
  for (const std::size_t size : {131'071U, 131'072U, 131'073U, 400'000U, 524'288U}) {
    std::string bytes;
    std::uint32_t random = 1;
    for (std::size_t i = 0; i < size; ++i) {
      random = random * 1'664'525 + 1'013'904'223;
      bytes += static_cast<char>(random >> 30U); // four kinds of bytes
    }
    const std::string packed = embed::deflated(bytes, embed::Content::text);
    CHECK(test::inflated(packed) == bytes);
    std::string whole(compressBound(bytes.size()), '\0');
    uLongf length = whole.size();
    REQUIRE(compress(reinterpret_cast<Bytef*>(whole.data()), &length,
                     reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()) == Z_OK);
    CHECK(packed.size() < length + length / 100);
    if (size <= 131'072) CHECK(packed == whole.substr(0, length));
  }
}

TEST_CASE("samples of any kind come back, and hardly take more than text would") {
  std::string noise;
  std::string repeats; // of noise: there is no run in it
  std::string runs;
  std::uint32_t random = 1;
  for (std::size_t i = 0; i < 300'000; ++i) {
    random = random * 1'664'525 + 1'013'904'223;
    noise +=
        static_cast<char>((random >> 27U) + (random >> 26U) % 16); // some more often than others
    repeats += noise[i % 100];
    runs += static_cast<char>(i / 1000);
  }
  const auto more_than_text = [](const std::string& bytes) {
    const std::string packed = embed::deflated(bytes, embed::Content::samples);
    CHECK(test::inflated(packed) == bytes);
    const std::size_t as_text = embed::deflated(bytes, embed::Content::text).size();
    return static_cast<double>(packed.size()) / static_cast<double>(as_text) - 1;
  };
  CHECK(more_than_text(noise) < -0.01);
  CHECK(more_than_text(repeats) == 0);
  CHECK(more_than_text(runs) < 0.01);
  // One piece begins as noise and then repeats.
  CHECK(more_than_text(runs + noise + repeats) < 0.15);
  CHECK(more_than_text(noise.substr(0, 1)) == 0);
  CHECK(more_than_text({}) == 0);
}

} // namespace test_packed_arrays
