#include "ingest/read_job.h"
#include "trace_support.h"

#include <catch2/catch_test_macros.hpp>

namespace test_select {

using namespace debrief;
using test::op;
using test::trace_of;

namespace {

/// A sample at a second after the traces' base.
std::string sample(int second) {
  return fmt::format(
      R"({{"Type":"cpu","Name":"cpu0","Dimension":"CPUUtilization","Value":5,"NodeId":"algo-1","Timestamp":{}.5}})"
      "\n",
      1'700'000'000 + second);
}

std::string ignored(const job::Job& job, const std::string& path) {
  for (const job::IgnoredFile& file : job.reading.ignored)
    if (file.path == path) return file.reason;
  return "";
}

constexpr double kHourInMicroseconds = 3600e6;

} // namespace

TEST_CASE("a copy of a trace does not count twice") {
  const test::Folder folder;
  const std::string text = trace_of(op("a", 1, 1) + "," + op("b", 3, 1));
  folder.write("traces/algo-1_605.1.pt.trace.json", text);
  folder.write("traces/copy.pt.trace.json", text);
  folder.write("traces/algo-1_606.1.pt.trace.json", text); // another process
  folder.write("traces/rank5.1.pt.trace.json", trace_of(op("a", 1, 1) + "," + op("b", 3, 2)));
  const job::Job job = ingest::read_job(folder.path(), {});
  CHECK(job.traces.size() == 3);
  CHECK(ignored(job, "traces/copy.pt.trace.json") ==
        "has the same content as traces/algo-1_605.1.pt.trace.json");
}

TEST_CASE("a copy is known by what both say of their process and rank") {
  const test::Folder folder;
  const auto with_rank = [](int rank) {
    const std::string about = fmt::format(R"("distributedInfo": {{"rank": {}}},)", rank);
    return trace_of(op("a", 1, 1)).insert(1, about);
  };
  folder.write("a_1.1.pt.trace.json", with_rank(0));
  folder.write("a_2.1.pt.trace.json", with_rank(0)); // another process
  folder.write("b.pt.trace.json", with_rank(1));     // another rank
  folder.write("c_2.1.pt.trace.json", trace_of(op("a", 1, 1)));
  folder.write("d_3.1.pt.trace.json", trace_of(op("a", 1, 1))); // of any rank, as far as it says
  folder.write("e.pt.trace.json", with_rank(0));
  folder.write("f.pt.trace.json", trace_of(op("a", 1, 1)));
  const job::Job job = ingest::read_job(folder.path(), {});
  CHECK(job.traces.size() == 3);
  CHECK(ignored(job, "c_2.1.pt.trace.json") == "has the same content as a_2.1.pt.trace.json");
  CHECK(ignored(job, "d_3.1.pt.trace.json") == "has the same content as b.pt.trace.json");
  CHECK(ignored(job, "e.pt.trace.json") == "has the same content as a_1.1.pt.trace.json");
  CHECK(ignored(job, "f.pt.trace.json") == "has the same content as a_1.1.pt.trace.json");
}

TEST_CASE("a trace of another time than the job's samples is left out") {
  const test::Folder folder;
  folder.write("system/incremental/1700000000.algo-1.json", sample(0) + sample(1) + sample(2));
  folder.write("traces/rank0.1.pt.trace.json", trace_of(op("a", 1e6, 10)));
  folder.write("traces/rank0.2.pt.trace.json", trace_of(op("a", 0.9 * kHourInMicroseconds, 10)));
  folder.write("traces/rank0.3.pt.trace.json", trace_of(op("a", 3 * kHourInMicroseconds, 10)));
  folder.write("traces/rank1.1.pt.trace.json", "{\"traceEvents\": [" + op("a", 1, 10) + "]}");
  const job::Job job = ingest::read_job(folder.path(), {});
  CHECK(job.traces.size() == 3); // the last one's clock is not known
  CHECK(ignored(job, "traces/rank0.3.pt.trace.json") ==
        "another job's trace, recorded at another time");
}

TEST_CASE("without samples and events all traces belong together") {
  const test::Folder folder;
  folder.write("rank0.1.pt.trace.json", trace_of(op("a", 1, 10)));
  folder.write("rank0.2.pt.trace.json", trace_of(op("a", 9 * kHourInMicroseconds, 10)));
  CHECK(ingest::read_job(folder.path(), {}).traces.size() == 2);
}

} // namespace test_select
