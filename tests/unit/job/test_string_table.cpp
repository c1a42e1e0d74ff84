#include "job/string_table.h"

#include <catch2/catch_test_macros.hpp>

namespace test_string_table {

using namespace debrief;

TEST_CASE("a text has one id, in the order of first sight") {
  job::StringTable table;
  CHECK(table.intern("b") == 0);
  CHECK(table.intern("a") == 1);
  CHECK(table.intern("b") == 0);
  CHECK(table.intern("") == 2);
  CHECK(table.size() == 3);
  CHECK(table[1] == "a");
}

TEST_CASE("ids stay right when the table has grown and moved") {
  job::StringTable table;
  for (int i = 0; i < 10'000; ++i)
    table.intern("name " + std::to_string(i));
  const job::StringTable moved = std::move(table);
  CHECK(moved[9'999] == "name 9999");
  CHECK(moved[0] == "name 0");
}

} // namespace test_string_table
