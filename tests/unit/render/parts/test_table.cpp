#include "render/parts/cells.h"
#include "render/parts/format.h"
#include "render/parts/section.h"
#include "render/parts/table.h"

#include <catch2/catch_test_macros.hpp>

#include <stdexcept>

namespace test_table {

using namespace debrief::render;

TEST_CASE("a table has its columns and cells in order") {
  Table table("Fruit", {{"Name", Kind::head}, {"Weight", Kind::number}, {"Share", Kind::bar}});
  table.add({"apple", "150", share_bar(60)});
  const auto view = table.view();
  CHECK(view["caption"] == "Fruit");
  CHECK(view["summary"].is_null());
  CHECK(view["columns"][1]["name"] == "Weight");
  CHECK(view["columns"][1]["class"] == "number");
  CHECK(view["rows"][0][0]["text"] == "apple");
  CHECK(view["rows"][0][0]["class"] == "head");
  CHECK(view["rows"][0][2]["bar"][0]["width"] == "60");
  CHECK_THROWS_AS(table.add({"pear"}), std::logic_error);
}

TEST_CASE("a column has the unit of its cells, unless they differ") {
  Table table("", {{"Name", Kind::head}, {"Time", Kind::number}, {"Mixed", Kind::number}});
  table.add({"a", duration_cell(0.5), bytes_cell(5)});
  table.add({"b", duration_cell(std::nullopt), duration_cell(5)});
  const auto view = table.view();
  CHECK(view["columns"][0]["unit"].is_null());
  CHECK(view["columns"][1]["unit"] == "s");
  CHECK(view["columns"][2]["unit"].is_null());
  CHECK(view["rows"][0][1]["raw"] == "0.5");
  CHECK(!view["rows"][1][1].contains("raw"));
}

TEST_CASE("a table has an address made of its caption") {
  CHECK(Table("CPU operators, most expensive first", {}).view()["id"] == "table-cpu-operators");
  CHECK(Table("Where the time went; the parts sum to 5 s", {}).view()["id"] ==
        "table-where-the-time-went");
}

TEST_CASE("no table has more rows than a page can show, and it says how many there are") {
  Table table{"Devices of all nodes", {{"Device", Kind::head}}};
  for (std::size_t i = 0; i < Table::kMaxRows; ++i)
    table.add({"gpu"});
  CHECK(table.view()["caption"] == "Devices of all nodes");
  table.add({"one more"});
  const auto view = table.view();
  CHECK(view["rows"].size() == Table::kMaxRows);
  CHECK(view["caption"] == "Devices of all nodes (the first 2048 of 2049)");
  CHECK(table.size() == Table::kMaxRows + 1);
  const auto folded = table.folded(25, "devices");
  CHECK(folded.at(0)["caption"] == "Devices of all nodes (the first 2048 of 2049)");
  CHECK(folded.at(1)["summary"] == grouped(2023) + " more devices");
  CHECK(table.first(10).view()["caption"] == "Devices of all nodes (the first 10 of 2049)");
}

TEST_CASE("a list that is nowhere else keeps all of its rows") {
  Table table{"Jobs", {{"Job", Kind::head}}};
  table.all_rows();
  for (std::size_t i = 0; i < Table::kMaxRows + 7; ++i)
    table.add({"job"});
  CHECK(table.view()["rows"].size() == Table::kMaxRows + 7);
  CHECK(table.view()["caption"] == "Jobs");
}

TEST_CASE("of any number of rows the first are shown, and it is said how many there are") {
  Table table{"Hyperparameters", {{"Name", Kind::head}}};
  for (int i = 0; i < 1000; ++i)
    table.add({std::to_string(i)});
  CHECK(table.first(1000).view()["caption"] == "Hyperparameters");
  const auto view = table.first(20).view();
  CHECK(view["caption"] == "Hyperparameters (the first 20 of 1000)");
  CHECK(view["rows"].size() == 20);
}

TEST_CASE("bars stay on their scale") {
  const auto marks = [](Cell cell) {
    Table table("", {{"", Kind::bar}});
    table.add({std::move(cell)});
    return table.view()["rows"][0][0]["bar"];
  };
  CHECK(marks(share_bar(-39))[0]["width"] == "0");
  CHECK(marks(share_bar(140))[0]["width"] == "100");
  CHECK(marks(share_bar(30, 90))[0]["width"] == "10");
  CHECK(marks(spread_bar(20, 80))[0]["class"] == "pale");
}

TEST_CASE("columns of which nothing is known are left out, but for names") {
  Table table("", {{"Name", Kind::head}, {"A", Kind::number}, {"B", Kind::number}});
  table.add({"", "–", "1"});
  table.add({"", "", "–"});
  const auto view = table.drop_unknown().view();
  REQUIRE(view["columns"].size() == 2);
  CHECK(view["columns"][1]["name"] == "B");
  CHECK(view["rows"][1].size() == 2);
}

TEST_CASE("a long table's rest is folded away, without its bars") {
  Table table("Rows", {{"Name", Kind::head}, {"Share", Kind::bar}});
  for (int at = 0; at < 9; ++at)
    table.add({std::to_string(at), share_bar(at)});
  CHECK(table.folded(6, "rows").size() == 1);
  const auto parts = table.folded(5, "rows");
  REQUIRE(parts.size() == 2);
  CHECK(parts[0]["rows"].size() == 5);
  CHECK(parts[0]["summary"].is_null());
  CHECK(parts[1]["rows"].size() == 4);
  CHECK(parts[1]["rows"][0][0]["text"] == "5");
  CHECK(parts[1]["columns"].size() == 1);
  CHECK(parts[1]["summary"] == "4 more rows");
  CHECK(parts[1]["id"].is_null());
  CHECK(!parts[0]["rows"][0][0].contains("note"));
  CHECK(parts[1]["rows"][1][0]["note"] == "0 6 strong");
  CHECK(parts[0]["caption"] != parts[1]["caption"]);
}

TEST_CASE("a section's sentences become one paragraph") {
  Section section;
  CHECK(section.empty());
  CHECK(section.view()["take_away"].is_null());
  section.say("One.");
  section.say("");
  section.say("Two.");
  CHECK(section.view()["take_away"] == "One. Two.");
  CHECK(missing("Nothing.")["notes"][0] == "Nothing.");
}

TEST_CASE("what is not known is a dash") {
  CHECK(duration(std::nullopt) == kUnknown);
  CHECK(duration(125.3) == "2 min 5 s");
}

TEST_CASE("a sentence holds the beginning of a long name") {
  CHECK(brief("aten::conv2d") == "aten::conv2d");
  const std::string longest(60, 'x');
  CHECK(brief(longest) == longest);
  CHECK(brief(longest + "y").starts_with(longest + "…"));
  std::string umlauts;
  for (int at = 0; at < 70; ++at)
    umlauts += "ä";
  CHECK(brief(umlauts).size() == 2 * 60 + 3);
}

TEST_CASE("counts and lists read as words") {
  CHECK(counted(1, "call") == "1 call");
  CHECK(counted(48'470, "call") == "48\u202F470 calls");
  CHECK(listed({}).empty());
  CHECK(listed({"a"}) == "a");
  CHECK(listed({"a", "b", "c"}) == "a, b and c");
}

} // namespace test_table
