#include "chart/confusion_matrix.h"
#include "drawing.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace test_confusion_matrix {

using namespace debrief;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("a confusion matrix has a cell for each pair, right ones apart from wrong ones") {
  const std::string svg =
      chart::draw(chart::ConfusionMatrix{"Confusion", {"<0>", "1"}, {{300, 7}, {0, 290}}});
  CHECK_THAT(svg, ContainsSubstring("label &lt;0&gt;, predicted 1: 7 rows, 2.3% of the label"));
  std::size_t right = 0;
  std::size_t wrong = 0;
  for (const Element& element : elements(svg)) {
    if (element.name != "path") continue;
    right += element.key == "0" ? 1U : 0U;
    wrong += element.key == "1" ? 1U : 0U;
  }
  CHECK(right == 2);
  CHECK(wrong == 2);
  CHECK_THAT(svg, ContainsSubstring(">300</text>"));
}

TEST_CASE("cells of many classes have no numbers") {
  chart::ConfusionMatrix matrix;
  for (int i = 0; i < 50; ++i) {
    matrix.classes.push_back(std::to_string(i));
    matrix.counts.emplace_back(50, 123456);
  }
  CHECK_THAT(chart::draw(matrix), !ContainsSubstring(">123,456</text>"));
}

} // namespace test_confusion_matrix
