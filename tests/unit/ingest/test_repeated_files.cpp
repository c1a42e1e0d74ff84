#include "ingest/repeated_files.h"

#include <catch2/catch_test_macros.hpp>

#include <optional>
#include <string>

namespace test_repeated_files {

using namespace debrief;

namespace {

/// `count` events of a process; `last` is how long the last one takes.
job::EventTableBuilder file_of(int count, const std::string& process, Microseconds last = 5) {
  job::EventTableBuilder columns;
  job::Timeline timeline;
  timeline.process = process;
  for (int i = 0; i < count; ++i) {
    job::EventTableBuilder::Event event;
    event.start = 100 * i;
    event.duration = i + 1 == count ? last : 5;
    event.name = columns.names.intern(i % 2 == 0 ? "even" : "odd");
    event.phase = columns.phases.intern("phase");
    event.track = columns.track({columns.timeline(timeline), std::nullopt, std::nullopt});
    event.step = i;
    columns.add(event);
  }
  return columns;
}

} // namespace

TEST_CASE("a file with the events of one before it is a copy") {
  ingest::RepeatedFiles files;
  CHECK(!files.first_like(ingest::digest_of(file_of(100, "p0")), 3));
  CHECK(!files.first_like(ingest::digest_of(file_of(100, "p0", 6)), 4));
  CHECK(!files.first_like(ingest::digest_of(file_of(99, "p0")), 5));
  CHECK(files.first_like(ingest::digest_of(file_of(100, "p0")), 6) == 3);
}

TEST_CASE("another process may do the same, and nothing is no copy of nothing") {
  ingest::RepeatedFiles files;
  CHECK(!files.first_like(ingest::digest_of(file_of(2, "p0")), 0));
  CHECK(!files.first_like(ingest::digest_of(file_of(2, "p1")), 1));
  CHECK(files.first_like(ingest::digest_of(file_of(2, "p0")), 2) == 0);
  CHECK(!files.first_like(ingest::digest_of({}), 3));
  CHECK(!files.first_like(ingest::digest_of({}), 4));
}

} // namespace test_repeated_files
