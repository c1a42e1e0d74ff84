#include "chart/drawing.h"
#include "chart/meaning.h"
#include "chart/stacked.h"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>

namespace test_stacked {

using namespace debrief;
using namespace debrief::chart;

namespace {

Stacked two_steps() {
  return {"steps",
          {{"step", color_of(Meaning::compute)}, {"wait", color_of(Meaning::data)}},
          {0, 1, 2},
          {{1, 1}, {0, 3}},
          {"iteration 1", "iteration 2"},
          {{0.5, "1"}, {1.5, "2"}},
          false};
}

std::vector<Element> with_key(const std::string& svg, const std::string& key) {
  std::vector<Element> out = elements(svg);
  std::erase_if(out, [&](const Element& one) { return one.key != key; });
  return out;
}

std::vector<std::string> texts_of(const std::string& svg) {
  std::vector<std::string> out;
  for (const Element& one : elements(svg))
    if (!one.text.empty()) out.push_back(one.text);
  return out;
}

bool has(const std::vector<std::string>& list, const std::string& text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

} // namespace

TEST_CASE("parts of a column lie upon each other, and a part of 0 is not drawn") {
  const std::string svg = draw(two_steps());
  const auto steps = with_key(svg, "0");
  const auto waits = with_key(svg, "1");
  REQUIRE(steps.size() == 1);
  REQUIRE(waits.size() == 1);
  const auto boxes = [](const Element& path) {
    return std::count(path.attributes.at("d").begin(), path.attributes.at("d").end(), 'z');
  };
  CHECK(boxes(steps[0]) == 2);
  CHECK(boxes(waits[0]) == 1);
  CHECK(has(texts_of(svg), "2"));
}

TEST_CASE(
    "pointing at a column tells of it; many columns have no tips, and one outline for a part") {
  const auto tipped = [](const std::string& svg) {
    const auto all = elements(svg);
    return std::count_if(all.begin(), all.end(),
                         [](const Element& one) { return one.tip.starts_with("iteration"); });
  };
  CHECK(tipped(draw(two_steps())) == 2);
  Stacked many = two_steps();
  many.edges = {0};
  many.tips.clear();
  many.values = {{}, {}};
  for (std::size_t at = 0; at <= kMaxStackedTips; ++at) {
    many.edges.push_back(static_cast<double>(at + 1));
    many.tips.emplace_back("iteration");
    many.values[0].push_back(1);
    many.values[1].push_back(2);
  }
  const std::string svg = draw(many);
  CHECK(tipped(svg) == 0);
  const std::string outline = with_key(svg, "1").at(0).attributes.at("d");
  CHECK(std::count(outline.begin(), outline.end(), 'z') == 1);
}

TEST_CASE("nothing to stack is an empty drawing") {
  CHECK_FALSE(draw(Stacked{}).empty());
  Stacked odd = two_steps();
  odd.values[1][1] = -5;
  CHECK(with_key(draw(odd), "1").empty());
}

TEST_CASE("a phone's drawing has its width, no tips, and less text than the page's") {
  const std::string page = draw(two_steps());
  const ForPhone phone;
  const std::string narrow = draw(two_steps());
  CHECK(page.find(R"(class="chart" viewBox="0 0 760)") != page.npos);
  CHECK(narrow.find(R"(class="chart phone" viewBox="0 0 350)") != narrow.npos);
  CHECK(narrow.find("<title>") == narrow.npos);
  CHECK(narrow.size() < page.size());
  CHECK(has(texts_of(narrow), "2"));
}

} // namespace test_stacked
