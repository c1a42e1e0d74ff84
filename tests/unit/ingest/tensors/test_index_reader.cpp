#include "ingest/tensors/collections_reader.h"
#include "ingest/tensors/index_reader.h"
#include "ingest/tensors/trial_path.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>

namespace test_index_reader {

using namespace debrief;
using namespace debrief::ingest;
using test::count_in;

namespace {

const std::string kPath = "debug-output/index/000000001/000000001200_worker_0.json";

FileReading read(const std::string& text) {
  return test::read_text(TensorIndexReader{}, kPath, text, 13);
}

} // namespace

TEST_CASE("files of debug-output are known by their place") {
  const auto index = tensors::trial_path(kPath);
  REQUIRE(index);
  CHECK(index->file == tensors::TrialFile::index);
  CHECK(index->folder == "debug-output");
  CHECK(index->step == 1200);
  CHECK(index->worker == "worker_0");
  CHECK_FALSE(index->unfinished);
  CHECK(tensors::trial_path(kPath + ".tmp")->unfinished);
  const auto device =
      tensors::trial_path("events/000000000010/000000000010__task-1_GPU-0.tfevents");
  REQUIRE(device);
  CHECK(device->folder.empty());
  CHECK(device->worker == "_task-1_GPU-0");
  CHECK(tensors::holds_tensor_values("a/events/000000000010/000000000010_worker_0.tfevents"));
  CHECK(tensors::trial_path("x/collections/000000000/worker_0_collections.json")->worker ==
        "worker_0");
  for (const char* other : {"index/0/x_worker_0.json", "index/0/5_.json", "index/0/5.json",
                            "5_w.json", "index/5_w.json", "index/a/5_w.json", "indexes/0/5_w.json",
                            "collections/0/_collections.json", "runs/1/events.out.tfevents.1.h",
                            "index/0/9999999999999999999_w.json"}) {
    INFO(other);
    CHECK_FALSE(tensors::trial_path(other));
  }
}

TEST_CASE("an index says where each tensor of its step is") {
  const auto reading = read(R"({"meta": {"mode": "TRAIN", "mode_step": 7,
    "event_file_name": "events/000000001200/000000001200_worker_0.tfevents"},
    "tensor_payload": [{"tensorname": "w", "start_idx": 0, "length": 520},
                       {"tensorname": "loss", "start_idx": 520, "length": 90}],
    "shape_payload": []})");
  REQUIRE(reading.tensor_index);
  const TensorIndex& index = *reading.tensor_index;
  CHECK(index.step == 1200);
  CHECK(index.mode_step == 7);
  CHECK(index.mode == job::TensorMode::train);
  CHECK(index.names == "wloss");
  REQUIRE(index.entries.size() == 2);
  CHECK(index.entries[1].offset == 520);
  CHECK(index.entries[1].length == 90);
  CHECK(reading.report.damaged_files.empty());
}

TEST_CASE("an index that is not valid costs its step only") {
  for (const char* text : {"", "{", "[]", R"({"meta": {"mode": "DANCE", "mode_step": 1}})",
                           R"({"meta": {"mode": "TRAIN"}})", R"({"tensor_payload": []})"}) {
    INFO(text);
    const auto reading = read(text);
    CHECK_FALSE(reading.tensor_index);
    CHECK(count_in(reading.report.damaged_files,
                   "is not a valid index of tensors: its step is lost") == 1);
  }
  const auto reading = read(R"({"meta": {"mode": "GLOBAL", "mode_step": 1, "event_file_name": "e"},
    "tensor_payload": [{"tensorname": "w", "start_idx": -1, "length": 1}, 5, {"start_idx": 0},
      {"tensorname": "w", "start_idx": 0, "length": 5000000000},
      {"tensorname": "v", "start_idx": 3, "length": 4}]})");
  REQUIRE(reading.tensor_index);
  CHECK(reading.tensor_index->entries.size() == 1);
  CHECK(count_in(reading.report.skipped, "tensor without a name or a place") == 4);
}

TEST_CASE("collections have names and patterns") {
  const std::string path = "debug-output/collections/000000000/worker_0_collections.json";
  const auto reading = test::read_text(TensorCollectionsReader{}, path, R"({"collections": {
    "losses": {"tensor_names": ["b", 3], "include_regex": ["loss$"]}, "odd": 5},
    "_meta": {"num_workers": 1}})");
  REQUIRE(reading.tensor_collections);
  REQUIRE(reading.tensor_collections->collections.size() == 1);
  const job::TensorCollection& losses = reading.tensor_collections->collections.front();
  CHECK(losses.name == "losses");
  CHECK(losses.names == std::vector<std::string>{"b"});
  CHECK(losses.patterns == std::vector<std::string>{"loss$"});
  CHECK(count_in(reading.report.skipped, "tensor collection that is not valid") == 1);
  const auto broken = test::read_text(TensorCollectionsReader{}, path, "{\"collections\": ");
  CHECK_FALSE(broken.tensor_collections);
  CHECK(count_in(broken.report.damaged_files, "is not a valid list of tensor collections") == 1);
}

} // namespace test_index_reader
