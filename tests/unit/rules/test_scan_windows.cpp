#include "rules/scan_windows.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>

#include <utility>

namespace test_scan_windows {

using namespace debrief;
using test::at;
using Looks = std::vector<std::pair<std::int64_t, std::size_t>>; // window, samples seen

namespace {

Looks looks(const rules::ScanWindows& windows, const std::vector<double>& seconds) {
  std::vector<Microseconds> times;
  for (const double second : seconds)
    times.push_back(at(second));
  Looks list;
  windows.for_each(times,
                   [&](std::int64_t window, std::size_t seen) { list.emplace_back(window, seen); });
  return list;
}

} // namespace

TEST_CASE("windows begin with the full minute of the first sample") {
  const rules::ScanWindows windows{at(0), kMinute}; // 20 s into a minute
  CHECK(windows.start(0) == at(-20));
  CHECK(windows.start(1) == at(40));
  CHECK(windows.index(at(0)) == 0);
  CHECK(windows.index(at(39.999999)) == 0);
  CHECK(windows.index(at(40)) == 1);
  CHECK(rules::ScanWindows{at(40), kMinute}.start(0) == at(40));
}

TEST_CASE("windows of another length begin with the minute too") {
  const rules::ScanWindows windows{at(0), 7 * kSecond};
  CHECK(windows.start(0) == at(-20));
  CHECK(windows.start(3) == at(1));
  CHECK(windows.index(at(0)) == 2);
}

// Errors 3 and 4.
TEST_CASE("a sample on a boundary belongs to the later window, and the last partial one counts") {
  const rules::ScanWindows windows{at(0), kMinute};
  CHECK(looks(windows, {0, 39.5, 40, 99.999999, 100}) == Looks{{0, 2}, {1, 4}, {2, 5}});
}

TEST_CASE("windows without samples are passed over") {
  const rules::ScanWindows windows{at(0), kMinute};
  CHECK(looks(windows, {0, 1, 3600, 3601}) == Looks{{0, 2}, {60, 4}});
  CHECK(looks(windows, {200}) == Looks{{3, 1}});
  CHECK(looks(windows, {}).empty());
}

TEST_CASE("a job's windows begin with the first sample of any series") {
  job::Job job;
  CHECK_FALSE(rules::scan_windows(job, kMinute));
  job.metrics.push_back(test::series("algo-1", test::gpu(0), {100, 101}, {1, 2}));
  CHECK(rules::scan_windows(job, kMinute)->start(0) == at(100));
  job.metrics.push_back(test::series("algo-2", test::cpu(0), {39, 102}, {1, 2}));
  CHECK(rules::scan_windows(job, kMinute)->start(0) == at(-20));
}

} // namespace test_scan_windows
