#include "render/parts/cells.h"
#include "render/parts/format.h"
#include "render/parts/section.h"
#include "render/parts/status_badge.h"
#include "render/parts/table.h"
#include "render/view_support.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <stdexcept>

namespace test_table {

using namespace debrief::render;
using Catch::Matchers::ContainsSubstring;
using debrief::view_of;
using nlohmann::json;

TEST_CASE("a table has its columns and cells in order") {
  Table table("Fruit", {{"Name", Kind::head}, {"Weight", Kind::number}, {"Share", Kind::bar}});
  table.add({"apple", "150", share_bar(60)});
  const json view = view_of(table.view());
  CHECK(view["caption"] == "Fruit");
  CHECK(view["summary"] == "");
  CHECK(view["columns"][1]["name"] == "Weight");
  CHECK(view["columns"][1]["class"] == "number");
  CHECK(view["rows"][0][0]["text"] == "apple");
  CHECK(view["rows"][0][0]["class"] == "head");
  CHECK(view["rows"][0][2]["bar"][0]["width"] == "60");
  CHECK_THROWS_AS(table.add({"pear"}), std::logic_error);
}

TEST_CASE("details are for wide windows, and a phone has the first columns with words") {
  Table table("Kernels", {{"Kernel", Kind::head},
                          {"Calls", Kind::number},
                          {"Min", Kind::number},
                          {"Share", Kind::bar},
                          {"Total", Kind::number},
                          {"Launched by", Kind::words}});
  table.add({"gemm", "4", "1", share_bar(60), "5", "aten::mm"});
  table.details({"Min", "of another table"});
  using Places = std::vector<std::size_t>;
  CHECK(table.view().not_narrow == Places{3});
  CHECK(table.view().not_phone == Places{3, 4, 6}); // two numbers have room; then no bar
  for (int row = 0; row < 9; ++row)
    table.add({"gemm", "4", "1", share_bar(60), "5", "aten::mm"});
  const TableView rest = table.folded(2, "kernels").at(1); // it has no bars
  CHECK(rest.not_narrow == Places{3});
  CHECK(rest.not_phone == Places{3, 5});
}

TEST_CASE("a column has the unit of its cells, unless they differ") {
  Table table("", {{"Name", Kind::head}, {"Time", Kind::number}, {"Mixed", Kind::number}});
  table.add({"a", duration_cell(0.5), bytes_cell(5)});
  table.add({"b", duration_cell(std::nullopt), duration_cell(5)});
  const json view = view_of(table.view());
  CHECK(table.view().columns[0].unit.empty());
  CHECK(table.view().columns[1].unit == "s");
  CHECK(table.view().columns[2].unit.empty());
  CHECK(view["rows"][0][1]["raw"] == "0.5");
  CHECK(!view["rows"][1][1].contains("raw"));
}

TEST_CASE("a table has an address made of its caption") {
  CHECK(Table("CPU operators by time", {}).view().id == "table-cpu-operators-by-time");
  CHECK(Table("Where the time went (5 s total)", {}).view().id == "table-where-the-time-went");
}

TEST_CASE("no table has more rows than a page can show, and it says how many there are") {
  Table table{"Devices of all nodes", {{"Device", Kind::head}}};
  for (std::size_t i = 0; i < Table::kMaxRows; ++i)
    table.add({"gpu"});
  CHECK(table.view().caption == "Devices of all nodes");
  table.add({"one more"});
  const json view = view_of(table.view());
  CHECK(view["rows"].size() == Table::kMaxRows);
  CHECK(view["caption"] == "Devices of all nodes (2048 of 2049 rows)");
  CHECK(table.size() == Table::kMaxRows + 1);
  const auto folded = table.folded(25, "devices");
  CHECK(folded.at(0).caption == "Devices of all nodes (2048 of 2049 rows)");
  CHECK(folded.at(1).summary == grouped(2023) + " more devices");
  CHECK(table.first(10).view().caption == "Devices of all nodes (10 of 2049 rows)");
}

TEST_CASE("a list that is nowhere else keeps all of its rows") {
  Table table{"Jobs", {{"Job", Kind::head}}};
  table.all_rows();
  for (std::size_t i = 0; i < Table::kMaxRows + 7; ++i)
    table.add({"job"});
  CHECK(view_of(table.view())["rows"].size() == Table::kMaxRows + 7);
  CHECK(table.view().caption == "Jobs");
}

TEST_CASE("of any number of rows the first are shown, and it is said how many there are") {
  Table table{"Hyperparameters", {{"Name", Kind::head}}};
  for (int i = 0; i < 1000; ++i)
    table.add({std::to_string(i)});
  CHECK(table.first(1000).view().caption == "Hyperparameters");
  const json view = view_of(table.first(20).view());
  CHECK(view["caption"] == "Hyperparameters (20 of 1000 rows)");
  CHECK(view["rows"].size() == 20);
}

TEST_CASE("bars stay on their scale") {
  const auto marks = [](Cell cell) {
    Table table("", {{"", Kind::bar}});
    table.add({std::move(cell)});
    return view_of(table.view())["rows"][0][0]["bar"];
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
  const json view = view_of(table.drop_unknown().view());
  REQUIRE(view["columns"].size() == 2);
  CHECK(view["columns"][1]["name"] == "B");
  CHECK(view["rows"][1].size() == 2);
}

TEST_CASE("a long table's rest is folded away, without its bars") {
  Table table("Rows", {{"Name", Kind::head}, {"Share", Kind::bar}});
  for (int at = 0; at < 9; ++at)
    table.add({std::to_string(at), share_bar(at)});
  CHECK(table.folded(6, "rows").size() == 1);
  const auto tables = table.folded(5, "rows");
  REQUIRE(tables.size() == 2);
  const json parts = {view_of(tables[0]), view_of(tables[1])};
  CHECK(parts[0]["rows"].size() == 5);
  CHECK(parts[0]["summary"] == "");
  CHECK(parts[1]["rows"].size() == 4);
  CHECK(parts[1]["rows"][0][0]["text"] == "5");
  CHECK(parts[1]["columns"].size() == 1);
  CHECK(parts[1]["summary"] == "4 more rows");
  CHECK(parts[1]["id"] == "");
  CHECK(!parts[0]["rows"][0][0].contains("note"));
  CHECK(parts[1]["rows"][1][0]["note"] == "0 6 strong");
  CHECK(parts[0]["caption"] != parts[1]["caption"]);
}

TEST_CASE("a section's sentences become one paragraph") {
  Section section;
  CHECK(section.empty());
  CHECK(section.takeaway().empty());
  section.say("One.");
  section.say("");
  section.say("Two.");
  CHECK(section.takeaway() == "One. Two.");
  CHECK(missing("Nothing.").notes().at(0) == "Nothing.");
}

TEST_CASE("what is not known is a dash") {
  CHECK(duration(std::nullopt) == kUnknown);
  CHECK(duration(125.3) == "2 min 5 s");
}

TEST_CASE("a sentence holds the beginning of a long name") {
  CHECK(truncate("aten::conv2d") == "aten::conv2d");
  const std::string longest(60, 'x');
  CHECK(truncate(longest) == longest);
  CHECK(truncate(longest + "y").starts_with(longest + "…"));
  std::string umlauts;
  for (int at = 0; at < 70; ++at)
    umlauts += "ä";
  CHECK(truncate(umlauts).size() == 2 * 60 + 3);
}

TEST_CASE("counts and lists read as words") {
  CHECK(plural(1, "call") == "1 call");
  CHECK(plural(48'470, "call") == "48,470 calls");
  CHECK(join_and({}).empty());
  CHECK(join_and({"a"}) == "a");
  CHECK(join_and({"a", "b", "c"}) == "a, b and c");
}

namespace {

/// The HTML of a table of one cell.
std::string row_of(Kind kind, Cell cell) {
  Table table("", {{"", kind}});
  table.add({std::move(cell)});
  return table.view().rows;
}

} // namespace

TEST_CASE("a row has a line, each cell with its class and the number behind it") {
  Table table("", {{"Name", Kind::head}, {"Time", Kind::number}, {"Why", Kind::words}});
  Cell time{"2 min"};
  time.raw = "120";
  table.add({"a", time, "b"});
  table.add({"c", "–", "d"});
  CHECK(table.view().rows ==
        "<tr><th scope=\"row\"><span class=\"name\">a</span></th><td "
        "data-raw=\"120\">2 min</td><td class=\"words\">b</td></tr>\n"
        "<tr><th scope=\"row\"><span class=\"name\">c</span></th><td>–</td><td "
        "class=\"words\">d</td></tr>\n");
}

TEST_CASE("every text of a row is escaped, wherever it stands") {
  const std::string evil = "\"><img src=x onerror='alert(1)'>&";
  Cell head{evil};
  head.title = evil;
  head.link = evil;
  Cell number{evil};
  number.raw = evil;
  for (const std::string& html : {row_of(Kind::head, head), row_of(Kind::text, number),
                                  row_of(Kind::bar, {evil, {{0, 50}}})}) {
    CHECK_THAT(html, !ContainsSubstring("<img"));
    CHECK_THAT(html, !ContainsSubstring("'alert"));
    CHECK_THAT(html,
               ContainsSubstring("&quot;&gt;&lt;img src=x onerror=&#39;alert(1)&#39;&gt;&amp;"));
  }
}

TEST_CASE("a bar's marks are drawn on its scale") {
  CHECK_THAT(row_of(Kind::bar, share_bar(25, 10)),
             ContainsSubstring("aria-label=\"25.0%\"") &&
                 ContainsSubstring("<rect x=\"10\" y=\"2\" width=\"25\" height=\"6\""));
}

TEST_CASE("a head can lead somewhere") {
  Cell head{"my job"};
  head.link = "my%20job.html";
  CHECK_THAT(row_of(Kind::head, head),
             ContainsSubstring("<a href=\"my%20job.html\">my job</a></span></th>"));
}

TEST_CASE("a badge is a word, a shape and a class, and sorts by how grave it is") {
  const StatusBadge& critical = badge_of(debrief::result::Severity::critical);
  CHECK_THAT(row_of(Kind::badge, {critical, 3}),
             ContainsSubstring("<td data-order=\"3\" class=\"state critical\"><svg") &&
                 ContainsSubstring("<span class=\"word\">Critical</span>"));
}

} // namespace test_table
