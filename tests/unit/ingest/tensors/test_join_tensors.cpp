#include "event_bytes.h"
#include "ingest/read_job.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>
#include <fmt/format.h>

namespace test_join_tensors {

using namespace debrief;
using test::count_in;
using test::float_tensor;
using test::tensor_event;

namespace {

struct Saved {
  std::string name;
  std::vector<float> values;
};

/// Writes one worker's step: index and events.
void save(const test::Folder& folder, int step, const std::string& mode,
          const std::vector<Saved>& tensors, const std::string& worker = "worker_0",
          const std::string& trial = "debug-output") {
  std::string events;
  std::string payload;
  for (const Saved& tensor : tensors) {
    const std::string frame = tensor_event(tensor.name, float_tensor(tensor.values), step);
    payload += fmt::format(R"({}{{"tensorname": "{}", "start_idx": {}, "length": {}}})",
                           payload.empty() ? "" : ", ", tensor.name, events.size(), frame.size());
    events += frame;
  }
  const std::string file = fmt::format("events/{0:012d}/{0:012d}_{1}.tfevents", step, worker);
  folder.write(fmt::format("{}/{}", trial, file), events);
  folder.write(fmt::format("{}/index/{:09d}/{:012d}_{}.json", trial, step / 1000, step, worker),
               fmt::format(R"({{"meta": {{"mode": "{}", "mode_step": {}, "event_file_name": "{}"}},
                             "tensor_payload": [{}]}})",
                           mode, step, file, payload));
}

std::vector<std::string> loaded(const job::TensorTable& table, std::size_t step,
                                job::Troubles& lost) {
  std::vector<job::TensorSource::Wanted> wanted;
  for (const job::TensorRecord& record : table.records_of(table.steps[step]))
    wanted.push_back({record, table.names[record.tensor]});
  std::vector<std::string> out;
  table.source->load(
      table.steps[step], wanted,
      [&](std::size_t i, const job::TensorData& data) {
        out.push_back(fmt::format("{}={}", wanted[i].tensor, fmt::join(data.values, ",")));
      },
      lost);
  return out;
}

} // namespace

TEST_CASE("steps of all workers become one table, and values are read when asked for") {
  const test::Folder folder;
  save(folder, 10, "EVAL", {{"w", {1, 2}}, {"a", {3}}});
  save(folder, 2, "TRAIN", {{"w", {4}}, {"smdebug/reductions/abs_mean/g", {5}}, {"w", {6, 7}}});
  save(folder, 2, "TRAIN", {{"w", {8}}}, "worker_1");
  folder.write("debug-output/collections/000000000/worker_0_collections.json",
               R"({"collections": {"weights": {"tensor_names": ["w"], "include_regex": []}}})");
  folder.write("debug-output/training_job_end.ts", "");
  const job::Job job = ingest::read_job(folder.path(), {});
  const job::TensorTable& table = job.tensors;
  CHECK(table.folder == "debug-output");
  CHECK(table.ended);
  CHECK(table.workers == std::vector<std::string>{"worker_0", "worker_1"});
  CHECK(table.names == std::vector<std::string>{"a", "g", "w"});
  REQUIRE(table.steps.size() == 3);
  CHECK(table.steps[0].step == 2);
  CHECK(table.steps[0].worker == 0);
  CHECK(table.steps[1].worker == 1);
  CHECK(table.steps[2].mode == job::TensorMode::eval);
  REQUIRE(table.collections.size() == 1);
  CHECK(job.reading.damaged_files.empty());
  CHECK(job.reading.ignored.empty());
  job::Troubles lost;
  // Of two values of one name in a step the last one counts.
  CHECK(loaded(table, 0, lost) == std::vector<std::string>{"g=5", "w=6,7"});
  CHECK(loaded(table, 1, lost) == std::vector<std::string>{"w=8"});
  CHECK(loaded(table, 2, lost) == std::vector<std::string>{"w=1,2", "a=3"});
  CHECK(lost.empty());
  CHECK(table.records_of(table.steps[0])[0].kind() == job::Reduction::abs_mean);
}

TEST_CASE("files that are missing, cut off or half-written are counted") {
  const test::Folder folder;
  save(folder, 0, "TRAIN", {{"w", {1, 2, 3}}, {"v", {4}}});
  save(folder, 1, "TRAIN", {{"w", {1}}});
  save(folder, 2, "TRAIN", {{"w", {1}}});
  std::filesystem::remove_all(folder.path("debug-output/events/000000000001"));
  std::filesystem::remove_all(
      folder.path("debug-output/index/000000000/000000000002_worker_0.json"));
  folder.write("debug-output/index/000000000/000000000003_worker_0.json.tmp", "{");
  folder.write("debug-output/events/000000000003/000000000003_worker_0.tfevents.tmp", "x");
  const std::string events = "debug-output/events/000000000000/000000000000_worker_0.tfevents";
  std::filesystem::resize_file(folder.path(events),
                               std::filesystem::file_size(folder.path(events)) - 1);
  const job::Job job = ingest::read_job(folder.path(), {});
  const auto& damaged = job.reading.damaged_files;
  CHECK(count_in(damaged, "is missing: its step's tensors are lost") == 1);
  CHECK(count_in(damaged, "has no index: its tensors are lost") == 1);
  CHECK(count_in(damaged, "was still being written when the job ended: its tensors are lost") == 2);
  REQUIRE(job.tensors.steps.size() == 1);
  job::Troubles lost;
  CHECK(loaded(job.tensors, 0, lost) == std::vector<std::string>{"w=1,2,3"});
  CHECK(count_in(lost, "tensor beyond the end of its file: cut off") == 1);
  std::filesystem::remove(folder.path(events));
  CHECK(loaded(job.tensors, 0, lost).empty());
  CHECK(lost.size() == 2);
}

TEST_CASE("an index that leads out of the folder, or wants more than a file has, gives nothing") {
  const test::Folder folder;
  save(folder, 0, "TRAIN", {{"w", {1}}});
  save(folder, 2, "TRAIN", {{"w", {1}}}); // with an index that is replaced below
  folder.write("outside/secret", "x");
  folder.write(
      "debug-output/index/000000000/000000000001_worker_0.json",
      R"({"meta": {"mode": "TRAIN", "mode_step": 1, "event_file_name": "../outside/secret"},
                   "tensor_payload": [{"tensorname": "w", "start_idx": 0, "length": 1}]})");
  folder.write("debug-output/index/000000000/000000000002_worker_0.json",
               R"({"meta": {"mode": "TRAIN", "mode_step": 2, "event_file_name":
                   "events/000000000002/000000000002_worker_0.tfevents"},
                   "tensor_payload": [{"tensorname": "w", "start_idx": 0, "length": 1},
                   {"tensorname": "v", "start_idx": 18446744073709551615, "length": 4294967295}]})");
  const job::Job job = ingest::read_job(folder.path(), {});
  CHECK(count_in(job.reading.damaged_files, "is missing: its step's tensors are lost") == 1);
  REQUIRE(job.tensors.steps.size() == 2);
  job::Troubles lost;
  CHECK(loaded(job.tensors, 1, lost).empty());
  CHECK(lost.size() == 2);
}

TEST_CASE("of two folders with tensors the first is the job's") {
  const test::Folder folder;
  save(folder, 0, "TRAIN", {{"w", {1}}}, "worker_0", "a/debug-output");
  save(folder, 0, "TRAIN", {{"w", {1}}}, "worker_0", "b/debug-output");
  const job::Job job = ingest::read_job(folder.path(), {});
  CHECK(job.tensors.folder == "a/debug-output");
  REQUIRE(job.reading.ignored.size() == 1);
  CHECK(job.reading.ignored.front().path == "b/debug-output");
}

} // namespace test_join_tensors
