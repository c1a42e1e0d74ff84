#include "render/page/placeholders.h"

#include <catch2/catch_test_macros.hpp>

#include <stdexcept>
#include <string>

namespace test_marks {

using namespace debrief::render;
using nlohmann::json;

TEST_CASE("Marks are filled once, and what fills them is not looked through") {
  const auto filling = [](std::string_view name) -> std::string_view {
    return name == "style" ? "<!--script-->" : "S";
  };
  CHECK(fill_marks("a<!--style-->b<!--script-->", filling) == "a<!--script-->bS");
  CHECK(fill_marks("no mark", filling) == "no mark");
  CHECK(filled_size("a<!--style-->b<!--script-->", filling) == 16);
  CHECK_THROWS_AS(fill_marks("<!--open", filling), std::logic_error);
}

TEST_CASE("Drawings leave their number in the view, in any depth") {
  json view = {{"a", {{{"svg", "<svg>1</svg>"}, {"caption", "svg"}}, 7}},
               {"b", {{"c", {{"svg", "<svg>2</svg>"}}}}},
               {"svg", 5}};
  const Bulk bulk{view};
  CHECK(view["a"][0]["svg"] == 0);
  CHECK(view["b"]["c"]["svg"] == 1);
  CHECK(view["svg"] == 5);
  CHECK(bulk("drawing 0") == "<svg>1</svg>");
  CHECK(bulk("drawing 1") == "<svg>2</svg>");
  CHECK_THROWS_AS(bulk("drawing 2"), std::out_of_range);
  CHECK_THROWS_AS(bulk("other"), std::logic_error);
}

TEST_CASE("Rows of tables leave their number in the view") {
  json view = {{"blocks", {{{"rows", {{{{"text", "a<b"}, {"class", "text"}}}}}}}}};
  const Bulk bulk{view};
  CHECK(view["blocks"][0]["rows"] == 0);
  CHECK(bulk("rows 0") == "<tr><td class=\"text\">a&lt;b</td></tr>\n");
}

} // namespace test_marks
