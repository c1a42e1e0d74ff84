#include "result/full_result.h"
#include "result/json.h"
#include "result/saved_result.h"
#include "support.h"
#include "util/error.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace test_documents {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using debrief::Error;
using debrief::result::read_result;

TEST_CASE("A result document is read, a job is not taken for one") {
  const debrief::test::Folder folder;
  folder.write("result.json", debrief::result::to_json_text(debrief::test::full_result()));
  folder.write("trace.json", R"({"schemaVersion": 1, "traceEvents": []})");
  folder.write("lines.json", "{\"Type\": \"cpu\"}\n{\"Type\": \"gpu\"}\n");
  const auto read = read_result(folder.path("result.json"));
  REQUIRE(read);
  CHECK(debrief::result::to_json(*read) == debrief::result::to_json(debrief::test::full_result()));
  CHECK_FALSE(read_result(folder.path("trace.json")));
  CHECK_FALSE(read_result(folder.path("lines.json")));
  CHECK_FALSE(read_result(folder.path()));
}

TEST_CASE("Documents of another version or kind, cut off or missing, are refused in a sentence") {
  const debrief::test::Folder folder;
  folder.write("new.json", R"({"schema": "debrief.result/2"})");
  folder.write("diff.json", R"({"schema": "debrief.diff/1"})");
  folder.write("cut.json", "{\n  \"data_loading\": null,\n  \"data_qual");
  const auto refuses = [&](const char* file, const char* why) {
    CHECK_THROWS_MATCHES(read_result(folder.path(file)), Error,
                         MessageMatches(ContainsSubstring(why)));
  };
  refuses("new.json", "another version (debrief.result/2, not debrief.result/1)");
  refuses("diff.json", "is a debrief.diff/1 document, not a result");
  refuses("cut.json", "cut off or broken at byte 39");
  refuses("none.json", "no such file");
}

TEST_CASE("A result whose figures are none is refused, not compared by less") {
  const debrief::test::Folder folder;
  const auto refused = [&](const auto& breaks, const std::string& how) {
    auto document = debrief::result::to_json(debrief::test::full_result());
    breaks(document);
    folder.write("result.json", document.dump());
    CHECK_THROWS_MATCHES(
        read_result(folder.path("result.json")), Error,
        MessageMatches(Catch::Matchers::ContainsSubstring("is a result that " + how)));
  };
  refused([](auto& document) { document["steps"][0]["p50"] = "fast"; },
          "has a 'p50' in 'steps' that is not a number");
  refused([](auto& document) { document["steps"] = nullptr; }, "has no 'steps'");
  refused([](auto& document) { document.erase("job"); }, "has no 'job'");
  std::string text = debrief::result::to_json_text(debrief::test::full_result());
  const std::string cores = "\"cores\": 16";
  text.replace(text.find(cores), cores.size(), "\"cores\": 1e999");
  folder.write("result.json", text);
  CHECK_THROWS_MATCHES(read_result(folder.path("result.json")), Error,
                       MessageMatches(Catch::Matchers::ContainsSubstring("too large to read")));
}

} // namespace test_documents
