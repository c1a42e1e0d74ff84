#include "ingest/trackers/tensor_records.h"
#include "ingest/trackers/tensorboard_reader.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <limits>

namespace test_tensorboard_reader {

using namespace debrief;
using test::count_in;

namespace {

template <typename Value>
std::string bytes_of(Value value) {
  std::string out(sizeof(Value), '\0');
  std::memcpy(out.data(), &value, sizeof(Value));
  return out;
}

std::string field(int number, const std::string& data) {
  std::string out;
  out += static_cast<char>(number << 3 | 2);
  for (std::size_t size = data.size();; size >>= 7U) {
    out += static_cast<char>((size & 0x7fU) | (size > 0x7f ? 0x80U : 0U));
    if (size <= 0x7f) break;
  }
  return out + data;
}

std::string record(const std::string& payload) {
  const std::string length = bytes_of<std::uint64_t>(payload.size());
  return length + bytes_of(ingest::trackers::masked_crc32c(length)) + payload +
         bytes_of(ingest::trackers::masked_crc32c(payload));
}

std::string event(double time, int step, const std::string& summary) {
  return "\x09" + bytes_of(time) + "\x10" + static_cast<char>(step) + field(5, summary);
}

std::string simple(const std::string& tag, float value) {
  return field(1, field(1, tag) + "\x15" + bytes_of(value));
}

const std::string kVersion = record("\x09" + bytes_of(1.7e9) + field(3, "brain.Event:2"));

ingest::FileReading read(const std::string& text, std::size_t piece = SIZE_MAX) {
  return test::read_text(ingest::TensorBoardReader{}, "runs/a/events.out.tfevents.1.h", text,
                         piece);
}

} // namespace

TEST_CASE("TensorBoard's checksum is the one of its file format") {
  CHECK(ingest::trackers::masked_crc32c("0x12345678") == 0x062dc0b3); // as smdebug writes it
}

TEST_CASE("scalars of both encodings and histograms are read") {
  const std::string tensor = "\x08\x02" + field(4, bytes_of(0.125)); // a double
  const std::string typed =
      field(1, field(1, "acc") + field(8, tensor) + field(9, field(1, field(1, "scalars"))));
  const std::string histogram =
      field(1, field(1, "w") + field(5, "\x09" + bytes_of(-1.0) + "\x11" + bytes_of(3.0) + "\x19" +
                                            bytes_of(4.0) + "\x21" + bytes_of(2.0)));
  const std::string file =
      kVersion + record(event(1.7e9, 1, simple("loss", 0.5F) + typed + histogram)) +
      record(event(1.7e9 + 2, 2, simple("loss", std::numeric_limits<float>::quiet_NaN())));
  for (const std::size_t piece : {std::size_t{7}, SIZE_MAX}) {
    const auto reading = read(file, piece);
    REQUIRE(reading.runs.size() == 1);
    const ingest::LoggedRun& run = reading.runs.front();
    CHECK(run.folder == "runs/a");
    REQUIRE(run.scalars.size() == 5);
    const job::ScalarSeries& loss = run.scalars[0];
    CHECK(loss.name == "loss");
    CHECK(loss.steps == std::vector<std::int64_t>{1, 2});
    CHECK(loss.times == std::vector<Microseconds>{1'700'000'000'000'000, 1'700'000'002'000'000});
    CHECK(loss.values[0] == 0.5);
    CHECK(std::isnan(loss.values[1]));
    CHECK(run.scalars[1].values == std::vector<double>{0.125});
    CHECK(run.scalars[2].name == "w/min");
    CHECK(run.scalars[2].values == std::vector<double>{-1});
    CHECK(run.scalars[3].values == std::vector<double>{3});
    CHECK(run.scalars[4].name == "w/mean");
    CHECK(run.scalars[4].values == std::vector<double>{0.5});
    CHECK(reading.report.skipped.empty());
    CHECK(reading.report.damaged_files.empty());
  }
}

TEST_CASE("a graph of any size is passed over, and tensors that are no scalars are left out") {
  const std::string graph = "\x09" + bytes_of(1.7e9) + field(4, std::string(6'000'000, 'g'));
  const std::string image = field(
      1, field(1, "image") + field(8, "\x08\x01" + field(4, bytes_of(1.0F) + bytes_of(2.0F))));
  const auto reading =
      read(kVersion + record(graph) + record(event(1.7e9, 1, image + simple("loss", 1.0F))));
  REQUIRE(reading.runs.size() == 1);
  REQUIRE(reading.runs.front().scalars.size() == 1);
  CHECK(reading.report.skipped.empty());
}

TEST_CASE("what is damaged costs only itself") {
  const std::string good = record(event(1.7e9, 1, simple("loss", 1.0F)));
  std::string bad = record(event(1.7e9, 2, simple("loss", 2.0F)));
  bad[bad.size() - 6] = static_cast<char>(bad[bad.size() - 6] + 1);
  const std::string last = record(event(1.7e9, 3, simple("loss", 3.0F)));
  const auto reading =
      read(kVersion + good + bad + "some junk between" + last + last.substr(0, 20));
  REQUIRE(reading.runs.size() == 1);
  CHECK(reading.runs.front().scalars.front().steps == std::vector<std::int64_t>{1, 3});
  CHECK(count_in(reading.report.skipped, "TensorBoard event with a wrong checksum") == 1);
  CHECK(count_in(reading.report.skipped, "bytes that are no TensorBoard event") == 1);
  CHECK(count_in(reading.report.damaged_files,
                 "ends within an event: cut off, or still being written") == 1);
}

TEST_CASE("a file cut off anywhere gives the events before the cut") {
  const std::string file = kVersion + record(event(1.7e9, 1, simple("loss", 1.0F))) +
                           record(event(1.7e9, 2, simple("loss", 2.0F)));
  for (std::size_t size = 0; size < file.size(); ++size) {
    const auto reading = read(file.substr(0, size));
    for (const ingest::LoggedRun& run : reading.runs)
      for (const job::ScalarSeries& series : run.scalars)
        for (std::size_t row = 0; row < series.size(); ++row)
          CHECK(series.values[row] == static_cast<double>(series.steps[row]));
  }
}

} // namespace test_tensorboard_reader
