#include "ingest/read_job.h"
#include "support.h"
#include "util/error.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <fmt/format.h>

#include <filesystem>

namespace test_read_job {

using namespace debrief;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using test::count_in;

namespace {

std::string sample(std::int64_t second, double value, const std::string& node = "algo-1") {
  return fmt::format(
      R"({{"Type":"cpu","Name":"cpu0","Dimension":"CPUUtilization","Value":{},"NodeId":"{}","Timestamp":{}.5}})"
      "\n",
      value, node, second);
}

std::string samples(std::int64_t first, int count) {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += sample(first + i, i % 100);
  return text;
}

void write_minute(const test::Folder& folder, std::int64_t second, int count) {
  folder.write(fmt::format("profiler-output/system/incremental/{}.algo-1.json", second),
               samples(second, count));
}

std::size_t sample_count(const job::Job& job) {
  std::size_t count = 0;
  for (const job::MetricSeries& series : job.metrics)
    count += series.size();
  return count;
}

constexpr std::int64_t kFirst = 1'723'709'760;
constexpr std::int64_t kAnother = kFirst + 84'180; // a real gap between two jobs under one prefix

} // namespace

TEST_CASE("a folder above the profiler's is read with its description") {
  const test::Folder folder;
  write_minute(folder, kFirst, 60);
  write_minute(folder, kFirst + 60, 30);
  folder.write("job.json", R"({"TrainingJobName": "my-job"})");
  folder.write("profiler-output/system/training_job_end.ts", "");
  folder.write("notes.txt", "hello");
  const job::Job job = ingest::read_job(folder.path(), {});
  CHECK(job.description.name == "my-job");
  CHECK(sample_count(job) == 90);
  CHECK(job.reading.sources.at("SageMaker system metrics").files == 2);
  REQUIRE(job.reading.ignored.size() == 1);
  CHECK(job.reading.ignored[0].path == "notes.txt");
  CHECK(ingest::read_job(folder.path("profiler-output"), {}).metrics.size() == 1);
}

TEST_CASE("of several jobs under one folder the largest is taken, or the one asked for") {
  const test::Folder folder;
  write_minute(folder, kFirst, 20);
  write_minute(folder, kAnother, 60);
  const job::Job largest = ingest::read_job(folder.path(), {});
  CHECK(sample_count(largest) == 60);
  REQUIRE(largest.reading.other_jobs.size() == 1);
  CHECK(largest.reading.other_jobs[0].samples == 20);
  CHECK(largest.reading.other_jobs[0].span.first == kFirst * kSecond + 500'000);

  ingest::ReadOptions first;
  first.job_start = kFirst * kSecond;
  CHECK(sample_count(ingest::read_job(folder.path(), first)) == 20);

  ingest::ReadOptions never;
  never.job_start = (kFirst - 86'400) * kSecond;
  CHECK_THROWS_MATCHES(ingest::read_job(folder.path(), never), Error,
                       MessageMatches(ContainsSubstring("2024-08-15T08:16:00.500000Z")));

  folder.write("job.json", fmt::format(R"({{"TrainingStartTime": {}, "TrainingEndTime": {}}})",
                                       kFirst - 5, kFirst + 30));
  CHECK(sample_count(ingest::read_job(folder.path(), {})) == 20);
}

TEST_CASE("descriptions of several jobs under one folder are an error that names them") {
  const test::Folder folder;
  const auto describe = [&](const char* name, std::int64_t start) {
    folder.write(
        fmt::format("{}/job.json", name),
        fmt::format(R"({{"TrainingJobName": "{}", "TrainingStartTime": {}}})", name, start));
  };
  folder.write(fmt::format("a/system/{}.algo-1.json", kFirst), samples(kFirst, 20));
  folder.write(fmt::format("b/system/{}.algo-1.json", kFirst + 120), samples(kFirst + 120, 60));
  describe("a", kFirst);
  CHECK(ingest::read_job(folder.path(), {}).description.name == "a");
  describe("b", kFirst + 120);
  CHECK_THROWS_MATCHES(
      ingest::read_job(folder.path(), {}), Error,
      MessageMatches(ContainsSubstring("has several jobs, described by a/job.json, b/job.json") &&
                     ContainsSubstring("--job-start") && ContainsSubstring("--each")));

  ingest::ReadOptions second;
  second.job_start = (kFirst + 121) * kSecond;
  const job::Job chosen = ingest::read_job(folder.path(), second);
  CHECK(chosen.description.name == "b");
  CHECK(sample_count(chosen) == 60); // what lies beside it is the other job's

  ingest::ReadOptions never;
  never.job_start = (kFirst - 86'400) * kSecond;
  CHECK_THROWS_AS(ingest::read_job(folder.path(), never), Error);
}

TEST_CASE("a job can be described twice") {
  const test::Folder folder;
  write_minute(folder, kFirst, 20);
  folder.write("job.json", R"({"TrainingJobName": "twice"})");
  folder.write("config/training-job.json",
               R"({"TrainingJobName": "twice", "TrainingStartTime": 1723709760})");
  const job::Job job = ingest::read_job(folder.path(), {});
  CHECK(job.description.name == "twice");
  REQUIRE(job.reading.ignored.size() == 1);
  CHECK(job.reading.ignored[0].reason == "describes the same job as job.json");
}

TEST_CASE("rule outputs are read, one folder of them") {
  const test::Folder folder;
  for (const char* place : {"job-01/", "job-02/"})
    for (const char* rule : {"LowGPUUtilization", "BatchSize"})
      folder.write(fmt::format("{}{}.json", place, rule), R"({"RuleTriggered": 1, "Details": {}})");
  const job::Job job = ingest::read_job(folder.path(), {});
  REQUIRE(job.rule_outputs.size() == 2);
  CHECK(job.rule_outputs[0].rule == "BatchSize");
  CHECK(job.reading.ignored.size() == 2);
}

TEST_CASE("damaged files are counted and the rest is read") {
  const test::Folder folder;
  write_minute(folder, kFirst, 60);
  folder.write("profiler-output/system/incremental/1723709820.algo-1.json.gz",
               "\x1f\x8b\x08 rubbish");
  folder.write("profiler-output/system/incremental/1723709880.algo-1.json", "not metrics\nat all");
  const job::Job job = ingest::read_job(folder.path(), {});
  CHECK(sample_count(job) == 60);
  CHECK_FALSE(job.reading.damaged_files.empty());
  CHECK(count_in(job.reading.skipped, "line is not valid JSON") == 1);
  CHECK(count_in(job.reading.skipped, "last line is cut off") == 1);
}

TEST_CASE("events of many timelines whose times together overflow are lost and counted") {
  // As much as one file may have, from 2001 to 2096: 2^63 microseconds are 2048 times that.
  const test::Folder folder;
  constexpr std::size_t kFiles = 2100;
  for (std::size_t i = 0; i < kFiles; ++i)
    folder.write(
        fmt::format("framework/pevents/2024081508/1723709760000000_{}-algo-1_pythontimeline.json",
                    i),
        fmt::format(R"([{{"name":"a","ph":"X","pid":0,"ts":{},"dur":3000000000000000}},)"
                    R"({{"name":"b","ph":"X","pid":0,"ts":{},"dur":1500000000000000}}])",
                    1'000'000'000'000'000 + i, 4'000'000'000'001'000 + i));
  const job::Job job = ingest::read_job(folder.path(), {});
  Microseconds sum = 0;
  bool overflows = false;
  for (const Microseconds duration : job.events.duration)
    overflows = __builtin_add_overflow(sum, duration, &sum) || overflows;
  CHECK(!overflows);
  const std::uint64_t lost = count_in(job.reading.skipped, "event time overflows");
  CHECK(lost > 0);
  CHECK(job.events.size() + lost == 2 * kFiles);
}

TEST_CASE("a link that is not followed is lost where its name or place is that of a job's file") {
  const test::Folder folder;
  const test::Folder elsewhere;
  write_minute(folder, 1'723'709'760, 60);
  elsewhere.write("x.json", samples(1'723'709'820, 60));
  const auto link = [&](const std::string& target, const std::string& name) {
    std::filesystem::create_directories(std::filesystem::path{folder.path(name)}.parent_path());
    std::filesystem::create_symlink(target, folder.path(name));
  };
  constexpr const char* kLost = "data of the job behind a symbolic link (--follow-links reads it)";
  link(elsewhere.path(), "data");
  link(elsewhere.path("x.json"), "notes.json");
  link(folder.path("profiler-output/system/incremental/1723709760.algo-1.json"),
       "copy/1723709760.algo-1.json");
  CHECK(count_in(ingest::read_job(folder.path(), {}).reading.skipped, kLost) == 0);
  link(elsewhere.path("x.json"), "1723709820.algo-1.json");
  link(elsewhere.path("gone"), "traces/gone.pt.trace.json.gz");
  link(elsewhere.path(), "profiler-output/framework");
  const job::Job job = ingest::read_job(folder.path(), {});
  CHECK(count_in(job.reading.skipped, kLost) == 3);
  CHECK(job.reading.ignored.size() == 6);
  CHECK(count_in(ingest::read_job(folder.path(), {.follow_links = true}).reading.skipped, kLost) ==
        1);
}

TEST_CASE("nothing to read is one sentence that says what was seen") {
  const test::Folder folder;
  const auto refuses = [&](const char* path, const char* words) {
    CHECK_THROWS_MATCHES(ingest::read_job(folder.path(path), {}), Error,
                         MessageMatches(ContainsSubstring(words)));
  };
  std::filesystem::create_directory(folder.path("empty"));
  refuses("empty", "it has no file");
  folder.write("text/notes.txt", "hello");
  refuses("text", "not a format that debrief reads");
  refuses("text/notes.txt", "not a format that debrief reads");
  folder.write("text/more.txt", "hello");
  refuses("text", "not a format that debrief reads (all of its 2 files)");
  folder.write("text/empty.txt", "");
  refuses("text", "none of its 3 files has samples");
  folder.write("system/1723709760.algo-1.json", "<html>");
  refuses("system/1723709760.algo-1.json", "last line is cut off");
  refuses("missing", "No such file or directory");
  folder.write("lonely/job.json", R"({"TrainingJobName": "x"})");
  refuses("lonely", "none of its 1 file has samples, events or rule outputs");
}

} // namespace test_read_job
