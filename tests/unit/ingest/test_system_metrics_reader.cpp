#include "ingest/system_metrics_reader.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>
#include <fmt/format.h>

#include <map>
#include <random>

namespace test_system_metrics_reader {

using namespace debrief;
using test::count_in;

namespace {

const ingest::SystemMetricsReader reader;
const std::string path = "system/incremental/2025012111/1737457740.algo-1.json";

std::string line(const std::string& name, const std::string& value, const std::string& time) {
  return fmt::format(
      R"({{"Type":"cpu","Name":"{}","Dimension":"CPUUtilization","Value":{},"NodeId":"algo-1","Timestamp":{}}})"
      "\n",
      name, value, time);
}

ingest::FileReading read(const std::string& text, std::size_t piece = SIZE_MAX) {
  return test::read_text(reader, path, text, piece);
}

} // namespace

TEST_CASE("lines of a production file are read") {
  const ingest::FileReading reading = read(
      R"({"Type":"memory","Name":"MemoryUsedPercent","Dimension":"","Value":6.33,"NodeId":"algo-1","Timestamp":1737457753.501015}
{"Type":"cpu","Name":"cpu0","Dimension":"CPUUtilization","Value":100.00,"NodeId":"algo-1","Timestamp":1737457754.001811}
{"Type":"cpu","Name":"cpu0","Dimension":"I/OWaitPercentage","Value":4.00,"NodeId":"algo-1","Timestamp":1737457754.001811}
{"Type":"network","Name":"ReceiveBytesPerSecond","Dimension":"Algorithm","Value":0.00,"NodeId":"algo-1","Timestamp":1737457754.043391}
)");
  REQUIRE(reading.metrics.size() == 4);
  CHECK(reading.metrics[1].node == "algo-1");
  CHECK(reading.metrics[1].name == job::MetricName{"cpu", "cpu0", "CPUUtilization"});
  CHECK(reading.metrics[1].columns.times == std::vector<Microseconds>{1737457754001811});
  CHECK(reading.metrics[1].columns.values == std::vector<double>{100});
  CHECK(reading.report.skipped.empty());
}

TEST_CASE("a byte order mark costs no line") {
  const ingest::FileReading reading = read("\xEF\xBB\xBF" + line("cpu0", "5", "1737457754.0"));
  REQUIRE(reading.metrics.size() == 1);
  CHECK(reading.report.skipped.empty());
}

TEST_CASE("block borders do not matter") {
  std::string text;
  for (int i = 0; i < 300; ++i)
    text += line(fmt::format("cpu{}", i % 3), "1.5", fmt::format("{}.25", 1737457754 + i));
  for (const std::size_t piece : {std::size_t{1}, std::size_t{13}, std::size_t{500}}) {
    const ingest::FileReading reading = read(text, piece);
    REQUIRE(reading.metrics.size() == 3);
    for (const ingest::SeriesPart& part : reading.metrics)
      CHECK(part.columns.times.size() == 100);
  }
}

TEST_CASE("spaces, key order and a missing name are all right") {
  const ingest::FileReading reading = read(
      "{\"Timestamp\": 1591160699.4570894, \"Value\":4.76, \"NodeId\":\"algo-1\", \"Dimension\": "
      "\"CPUUtilization\", \"Type\": \"cpu\"}\r\n\n"
      "{\"Type\": \"cpu\", \"Name\": null, \"Dimension\": \"CPUUtilization\", \"Value\": 5, "
      "\"NodeId\": \"algo-1\", "
      "\"Timestamp\": 1591160700, \"New\": {\"a\": [1, 2]}}\n");
  REQUIRE(reading.metrics.size() == 1);
  CHECK(reading.metrics[0].name.name.empty());
  CHECK(reading.metrics[0].columns.values == std::vector<double>{4.76, 5});
  CHECK(reading.report.skipped.empty());
}

TEST_CASE("a broken inner line and a cut-off last one are skipped and told apart") {
  const ingest::FileReading reading =
      read(line("cpu0", "1", "1737457754.1") + "{\"Type\":\"cpu\",\"Na\n" +
           line("cpu0", "2", "1737457754.2") + "{\"Type\":\"cpu\",\"Name\":\"cpu0\",\"Dimen");
  REQUIRE(reading.metrics.size() == 1);
  CHECK(reading.metrics[0].columns.values == std::vector<double>{1, 2});
  CHECK(count_in(reading.report.skipped, "line is not valid JSON") == 1);
  CHECK(reading.report.skipped.at("line is not valid JSON").first_seen == path + ", line 2");
  CHECK(count_in(reading.report.skipped, "last line is cut off") == 1);
  CHECK(count_in(read("{\"Type\":\"cpu\"\n\n").report.skipped, "last line is cut off") == 1);
  CHECK(count_in(read("{\"Type\":!}\n").report.skipped, "line is not valid JSON") == 1);
}

TEST_CASE("a name that is almost null is no end of the program") {
  const std::string almost =
      R"({"Type":"cpu","Name":nul,"Dimension":nxxx,"Value":1,"NodeId":"a","Timestamp":1737457754})";
  CHECK_NOTHROW(read(almost + "\n" + line("cpu0", "1", "1737457754.1")));
}

TEST_CASE("a last line without a newline counts where it is whole") {
  std::string text = line("cpu0", "1", "1737457754.1");
  text.pop_back();
  CHECK(read(text).metrics.size() == 1);
}

TEST_CASE("percentages that a counter's ticks explain are repaired") {
  const ingest::FileReading reading =
      read(line("cpu0", "-19.61", "1737457754.1") + line("cpu0", "110", "1737457754.2"));
  CHECK(reading.metrics[0].columns.values == std::vector<double>{0, 100});
  CHECK(count_in(reading.report.repaired, "negative value set to 0") == 1);
  CHECK(count_in(reading.report.repaired, "percentage above 100 set to 100") == 1);
}

TEST_CASE("percentages that are no measurement are lost, not clamped") {
  const ingest::FileReading reading =
      read(line("cpu0", "50", "1737457754.1") + line("cpu0", "4294967295", "1737457754.2") +
           line("cpu0", "-1", "1737457754.3") + line("cpu0", "255", "1737457754.4") +
           line("cpu0", "110.1", "1737457754.5") + line("cpu0", "-100.1", "1737457754.6"));
  CHECK(reading.metrics[0].columns.values == std::vector<double>{50});
  CHECK(count_in(reading.report.skipped, "percentage that is not a measurement") == 5);
  CHECK(reading.report.repaired.empty());
}

TEST_CASE("lines that cannot be placed are skipped with their reason") {
  const auto reason = [](const std::string& text) {
    const ingest::FileReading reading = test::read_text(reader, "metrics.json", text);
    CHECK(reading.metrics.empty());
    REQUIRE(reading.report.skipped.size() == 1);
    return reading.report.skipped.begin()->first;
  };
  CHECK(reason(line("cpu0", "NaN", "1737457754.1")) == "line is not valid JSON");
  CHECK(reason(line("cpu0", "\"1\"", "1737457754.1")) == "line is not valid JSON");
  CHECK(reason(line("cpu0", "1e999", "1737457754.1")) == "line is not valid JSON");
  CHECK(reason(line("cpu0", "1", "-5")) == "Timestamp is missing or not a time of this century");
  CHECK(reason(line("cpu0", "1", "1e300")) == "Timestamp is missing or not a time of this century");
  CHECK(reason(line("cpu0", "1", "99999999999")) ==
        "Timestamp is missing or not a time of this century");
  CHECK(reason("{\"Type\":\"cpu\",\"Value\":1,\"NodeId\":\"a\"}\n") ==
        "Timestamp is missing or not a time of this century");
  CHECK(reason("{\"Type\":\"cpu\",\"Timestamp\":1737457754,\"NodeId\":\"a\"}\n") ==
        "line has no Value");
  CHECK(reason("{\"Value\":1,\"Timestamp\":1737457754,\"NodeId\":\"a\"}\n") == "line has no Type");
  CHECK(reason("{\"Type\":\"cpu\",\"Value\":1,\"Timestamp\":1737457754}\n") ==
        "line has no NodeId");
  CHECK(reason("[1, 2]\n") == "line is not valid JSON");
  CHECK(reason(line("a", "1", "1737457754").substr(0, 80) + line("a", "1", "1737457754")) ==
        "line is not valid JSON");
}

TEST_CASE("a node that lines do not name is taken from the file's name") {
  const ingest::FileReading reading =
      read("{\"Type\":\"cpu\",\"Value\":1,\"Timestamp\":1737457754}\n");
  REQUIRE(reading.metrics.size() == 1);
  CHECK(reading.metrics[0].node == "algo-1");
  CHECK(ingest::node_in_metrics_file_name("1737457740.algo-12.json.gz") == "algo-12");
  CHECK(ingest::node_in_metrics_file_name("metrics.json").empty());
}

TEST_CASE("an endless line costs only itself") {
  const std::string text = line("cpu0", "1", "1737457754.1") + std::string(5'000'000, 'x') + "\n" +
                           line("cpu0", "2", "1737457754.2");
  const ingest::FileReading reading = read(text);
  REQUIRE(reading.metrics.size() == 1);
  CHECK(reading.metrics[0].columns.values.size() == 2);
  CHECK(reading.report.skipped.size() == 1);
}

TEST_CASE("system metrics are known by content or by place") {
  const std::string name = "SageMaker system metrics";
  CHECK(test::reader_for("any/where.txt", line("cpu0", "1", "1737457754.1")) == name);
  CHECK(test::reader_for("x.json", "broken\n" + line("cpu0", "1", "1737457754.1")) == name);
  CHECK(test::reader_for("profiler-output/system/incremental/1591160699.algo-1.json", "rubbish") ==
        name);
  CHECK(test::reader_for("profiler-output/system/training_job_end.ts", "rubbish").empty());
  CHECK(test::reader_for("losses.jsonl", "{\"step\": 1, \"loss\": 7.09}\n").empty());
}

namespace {

/// Lines in a recorder's order, now and then one that is missing, broken, repeated, of another
/// writer or with numbers that are written in another way.
std::vector<std::string> lines_with_mishaps(unsigned seed) {
  std::mt19937 random{seed};
  std::vector<std::string> lines;
  const auto one_in = [&](unsigned many) { return random() % many == 0; };
  for (int round = 0; round < 40; ++round) {
    for (int core = 0; core < 12; ++core) {
      if (one_in(30)) continue;
      const std::string value = one_in(20)   ? "1.5e1"
                                : one_in(40) ? "-3.25"
                                : one_in(40)
                                    ? "250"
                                    : fmt::format("{}.{:02}", random() % 100, random() % 100);
      const std::string time =
          one_in(30) ? "17374577541" : fmt::format("{}.{:07}", 1737457754 + round, core * 1375);
      std::string text = line(fmt::format("cpu{}", core), value, time);
      if (one_in(40)) text.insert(text.find(','), " ");
      if (one_in(40)) text[random() % (text.size() - 1)] = static_cast<char>('!' + random() % 90);
      if (one_in(40)) text.insert(text.size() - 1, "\r");
      lines.push_back(text);
      if (one_in(40)) lines.push_back(text);
    }
  }
  return lines;
}

using Samples = std::multimap<std::string, std::pair<Microseconds, double>>;

void collect(const ingest::FileReading& reading, Samples& into) {
  for (const ingest::SeriesPart& part : reading.metrics)
    for (std::size_t i = 0; i < part.columns.times.size(); ++i)
      into.emplace(part.node + part.name.type + part.name.name + part.name.dimension,
                   std::pair{part.columns.times[i], part.columns.values[i]});
}

} // namespace

TEST_CASE("lines that are alike are read as each of them is alone") {
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::string all;
    Samples expected;
    std::uint64_t skipped = 0;
    for (const std::string& text : lines_with_mishaps(seed)) {
      all += text;
      const ingest::FileReading alone =
          read(text); // the first line of a file has none that it could be like
      collect(alone, expected);
      for (const auto& [reason, trouble] : alone.report.skipped)
        skipped += trouble.count;
    }
    for (const std::size_t piece : {SIZE_MAX, std::size_t{700}}) {
      const ingest::FileReading together = read(all, piece);
      Samples samples;
      collect(together, samples);
      std::uint64_t skipped_together = 0;
      for (const auto& [reason, trouble] : together.report.skipped)
        skipped_together += trouble.count;
      CHECK(samples == expected);
      CHECK(skipped_together == skipped);
    }
  }
}

TEST_CASE("an amount that no machine reaches is counted as lost") {
  const ingest::FileReading reading =
      read("{\"Type\":\"network\",\"Name\":\"ReceiveBytesPerSecond\",\"Dimension\":\"Algorithm\","
           "\"Value\":1e308,\"NodeId\":\"a\",\"Timestamp\":1737457754}\n" +
           line("cpu0", "1", "1737457754.1"));
  CHECK(count_in(reading.report.skipped, "Value is implausibly large") == 1);
}

} // namespace test_system_metrics_reader
