#include "chart/meaning.h"
#include "chart/svg.h"

#include <catch2/catch_test_macros.hpp>

#include <limits>
#include <string>

namespace test_svg {

using namespace debrief::chart;
using debrief::Meaning;

TEST_CASE("words upon a mark have the color that can be read there in both themes") {
  const auto name_upon = [](Meaning meaning) {
    return debrief::chart::upon(color_of(meaning)).name;
  };
  for (const Meaning meaning :
       {Meaning::compute, Meaning::data, Meaning::communication, Meaning::launch, Meaning::between})
    CHECK(name_upon(meaning) == "c-paper");
  for (const Meaning meaning : {Meaning::startup, Meaning::idle, Meaning::unmeasured})
    CHECK(name_upon(meaning) == "c-upon-pale");
  for (const Meaning meaning : {Meaning::disk, Meaning::model})
    CHECK(name_upon(meaning) == "c-upon-deep");
  CHECK(name_upon(Meaning::copy) == "c-upon-bright");
}

TEST_CASE("A drawing is one element with its words, and carries its looks") {
  Svg svg(100, 20, "a < b");
  svg.rect({1, 2, 3.456, -1}, series(0), "\"tip\" & more");
  const std::string text = svg.finish();
  CHECK(text == R"(<svg class="chart" viewBox="0 0 100 20" width="100" height="20" role="img" )"
                R"(aria-label="a &lt; b" font-family="sans-serif" font-size="11">)"
                R"(<rect x="1" y="2" width="3.46" height="0" fill="#0b5cad" class="f c-s0">)"
                R"(<title>&quot;tip&quot; &amp; more</title></rect></svg>)");
}

TEST_CASE("Names in a drawing are text, never markup") {
  Svg svg(10, 10, "'\">");
  svg.text({0, 0}, "</svg><script>alert(1)</script>");
  const std::string text = svg.finish();
  CHECK(text.find("<script") == std::string::npos);
  CHECK(text.find("&lt;/svg&gt;&lt;script&gt;") != std::string::npos);
  CHECK(text.find("aria-label=\"&#39;&quot;&gt;\"") != std::string::npos);
}

TEST_CASE("Numbers of a drawing are short and finite") {
  CHECK(number(1) == "1");
  CHECK(number(-0.001) == "0");
  CHECK(number(12.345) == "12.35");
  CHECK(number(1e6) == "1000000");
  CHECK(number(std::numeric_limits<double>::quiet_NaN()) == "0");
}

TEST_CASE("Heat goes from the first color to the last") {
  CHECK(heat(-1).name == "c-h0");
  CHECK(heat(0).name == "c-h0");
  CHECK(heat(0.5).name == "c-h4");
  CHECK(heat(1).name == "c-h8");
  CHECK(series(kSeries).name == series(0).name);
}

} // namespace test_svg
