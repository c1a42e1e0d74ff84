#include "render/parts/finding_words.h"
#include "render/parts/table.h"
#include "render/parts/table_rows.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace test_table_rows {

using namespace debrief::render;
using Catch::Matchers::ContainsSubstring;

namespace {

/// The HTML of a table of one cell.
std::string row_of(Kind kind, Cell cell) {
  Table table("", {{"", kind}});
  table.add({std::move(cell)});
  return table_rows(table.view()["rows"]);
}

} // namespace

TEST_CASE("a row has a line, each cell with its class and the number behind it") {
  Table table("", {{"Name", Kind::head}, {"Time", Kind::number}, {"Why", Kind::words}});
  Cell time{"2 min"};
  time.raw = "120";
  table.add({"a", time, "b"});
  table.add({"c", "–", "d"});
  CHECK(table_rows(table.view()["rows"]) ==
        "<tr><th scope=\"row\"><span class=\"name\">a</span></th><td data-raw=\"120\" "
        "class=\"number\">2 min</td><td class=\"words\">b</td></tr>\n"
        "<tr><th scope=\"row\"><span class=\"name\">c</span></th><td class=\"number\">–</td><td "
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
             ContainsSubstring("aria-label=\"25.0 %\"") &&
                 ContainsSubstring("<rect x=\"10\" y=\"2\" width=\"25\" height=\"6\""));
}

TEST_CASE("a head can lead somewhere") {
  Cell head{"my job"};
  head.link = "my%20job.html";
  CHECK_THAT(row_of(Kind::head, head),
             ContainsSubstring("<a href=\"my%20job.html\">my job</a></span></th>"));
}

TEST_CASE("a standing is a word, a shape and a class, and sorts by how grave it is") {
  const Standing& critical = standing_of(debrief::result::Severity::critical);
  CHECK_THAT(row_of(Kind::standing, {critical, 3}),
             ContainsSubstring("<td data-order=\"3\" class=\"state critical\"><svg") &&
                 ContainsSubstring("<span class=\"word\">Critical</span>"));
}

} // namespace test_table_rows
