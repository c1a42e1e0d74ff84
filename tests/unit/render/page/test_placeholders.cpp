#include "render/page/embedded.h"
#include "render/page/placeholders.h"

#include <catch2/catch_test_macros.hpp>

#include <stdexcept>
#include <string>

namespace test_placeholders {

using debrief::render::Placeholders;

TEST_CASE("placeholders are filled once, and what fills them is not looked through") {
  Placeholders placeholders;
  placeholders.set("a", std::vector<std::string>{"<!--b", "-->"});
  placeholders.set("b", {"B"});
  const std::size_t number = placeholders.keep("<svg>1</svg>");
  CHECK(number == 0);
  CHECK(placeholders.fill("x<!--a-->y<!--b-->") == "x<!--b-->yB");
  CHECK(placeholders.fill("<!--0-->") == "<svg>1</svg>");
  CHECK(placeholders.fill("nothing to fill") == "nothing to fill");
  CHECK(placeholders.filled_size("x<!--a-->y<!--b-->") == 11);
}

TEST_CASE("a placeholder without a text is an error, not a hole in the page") {
  Placeholders placeholders;
  CHECK_THROWS_AS(placeholders.fill("<!--open"), std::logic_error);
  CHECK_THROWS_AS(placeholders.fill("<!--0-->"), std::logic_error);
  CHECK_THROWS_AS(placeholders.fill("<!--other-->"), std::logic_error);
  placeholders.keep("");
  CHECK(placeholders.fill("<!--0-->").empty());
  CHECK_THROWS_AS(placeholders.fill("<!--0x-->"), std::logic_error);
}

TEST_CASE("every page can have its script and style") {
  CHECK(Placeholders{}.fill("<!--script-->") == debrief::render::embedded_script());
  CHECK(Placeholders{}.fill("<!--style-->") == debrief::render::embedded_style());
}

} // namespace test_placeholders
