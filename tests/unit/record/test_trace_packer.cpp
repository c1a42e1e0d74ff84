#include "record/trace_packer.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <zlib.h>

#include <fstream>

namespace test_trace_packer {

using namespace debrief;

namespace {

const std::string kTrace =
    "\n  {\n    \"schemaVersion\": 1,\n    \"traceEvents\": [\n  {\"ph\": \"X\"}\n  ],\n"
    "  \"traceName\": \"/tmp/box_7.pt.trace.json\"\n}";

std::string write(const test::Folder& folder, const std::string& text) {
  const std::string path = folder.path("box_7.pt.trace.json");
  std::ofstream{path, std::ios::binary} << text;
  return path;
}

nlohmann::json unpacked(const std::string& path) {
  gzFile file = ::gzopen(path.c_str(), "rb");
  REQUIRE(file != nullptr);
  std::string text(std::size_t{4} << 20U, '\0');
  const int count = ::gzread(file, text.data(), static_cast<unsigned>(text.size()));
  ::gzclose(file);
  REQUIRE(count > 0);
  text.resize(static_cast<std::size_t>(count));
  return nlohmann::json::parse(text);
}

} // namespace

TEST_CASE("a packed trace has its rank") {
  const test::Folder folder;
  const std::string path = write(folder, kTrace);
  REQUIRE(record::pack_trace(path, {3, 8}));
  CHECK_FALSE(std::filesystem::exists(path));
  const auto trace = unpacked(path + ".gz");
  CHECK(trace["distributedInfo"] == nlohmann::json{{"rank", 3}, {"world_size", 8}});
  CHECK(trace["traceEvents"].size() == 1);
}

TEST_CASE("a trace without a rank, or with its own, stays as it is") {
  const test::Folder folder;
  REQUIRE(record::pack_trace(write(folder, kTrace), {}));
  CHECK(unpacked(folder.path("box_7.pt.trace.json.gz")) == nlohmann::json::parse(kTrace));
  const std::string own = "{\"distributedInfo\": {\"rank\": 1}, \"traceEvents\": []}";
  REQUIRE(record::pack_trace(write(folder, own), {3, 8}));
  CHECK(unpacked(folder.path("box_7.pt.trace.json.gz"))["distributedInfo"]["rank"] == 1);
}

TEST_CASE("what cannot be packed stays") {
  const test::Folder folder;
  const std::string path = write(folder, "no trace");
  CHECK_FALSE(record::pack_trace(path, {3, 8}));
  CHECK(std::filesystem::exists(path));
  CHECK_FALSE(std::filesystem::exists(path + ".gz"));
  CHECK_FALSE(std::filesystem::exists(path + ".gz.part"));
  CHECK_FALSE(record::pack_trace(folder.path("missing.pt.trace.json"), {3, 8}));
}

TEST_CASE("a trace that is still written is not whole") {
  const test::Folder folder;
  CHECK(record::is_whole_trace(write(folder, kTrace)));
  CHECK(record::is_whole_trace(write(folder, "{\"traceEvents\": [ ]}")));
  for (const char* part :
       {"", "{", "{\"traceEvents\": [\n  {\"ph\": \"X\", \"args\": {\n    }\n  }",
        "{\"traceEvents\": [\n  {\"ph\": \"X\"},", "}"})
    CHECK_FALSE(record::is_whole_trace(write(folder, part)));
  CHECK_FALSE(record::is_whole_trace(folder.path("missing")));
}

} // namespace test_trace_packer
