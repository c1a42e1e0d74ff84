#include "ingest/timeline_name.h"

#include <catch2/catch_test_macros.hpp>

#include <vector>

namespace test_timeline_name {

using namespace debrief;

TEST_CASE("node ids are split into node, process and rank") {
  const job::Timeline sagemaker = ingest::timeline_of_node_id("27-algo-1");
  CHECK(sagemaker.node == "algo-1");
  CHECK(sagemaker.process == "algo-1-27");
  CHECK(sagemaker.rank == 27);

  const job::Timeline other = ingest::timeline_of_node_id("88359-8c859046be41.ant.amazon.com");
  CHECK(other.node == "8c859046be41.ant.amazon.com");
  CHECK(other.process == "88359-8c859046be41.ant.amazon.com");
  CHECK(other.rank == 88359);

  const job::Timeline old = ingest::timeline_of_node_id("0001");
  CHECK(old.node.empty());
  CHECK(old.process == "0001");
  CHECK_FALSE(old.rank);

  const job::Timeline named = ingest::timeline_of_node_id("worker-a");
  CHECK(named.node.empty());
  CHECK(named.process == "worker-a");
}

TEST_CASE("a timeline's path says who wrote it") {
  const auto check = [](const char* path, job::TimelineKind kind, const char* process) {
    CAPTURE(path);
    CHECK(ingest::timeline_of_path(path).kind == kind);
    CHECK(ingest::timeline_of_path(path).process == process);
  };
  check("framework/pevents/2020071317/1594662614815222_905-b88ab1bb8259_model_timeline.json",
        job::TimelineKind::model, "905-b88ab1bb8259");
  check("a/1794700348613476_605-algo-1_pythontimeline.json.gz", job::TimelineKind::python,
        "algo-1-605");
  check("1593673051472361_88359-host.example.com_horovod_timeline.json", job::TimelineKind::horovod,
        "88359-host.example.com");
  check("1593673051472361_0-algo-2_smdataparallel_timeline.json", job::TimelineKind::smdataparallel,
        "algo-2-0");
  check("1589930988000000_4487_0000_pythontimeline.json", job::TimelineKind::python, "4487");
  check("1589314018481947000_1234-testhost_model_timeline.json", job::TimelineKind::model,
        "1234-testhost"); // nanoseconds
  check("horovod_timeline_small.json", job::TimelineKind::horovod, "");
  check("ip-172-31-19-241.trace.json.gz", job::TimelineKind::tensorflow_profiler, "");
  check("trace.json", job::TimelineKind::other, "");
}

TEST_CASE("a TensorFlow trace's origin is in its neighbor's name") {
  const std::string folder = "framework/tensorflow/detailed_profiling/2020080513/000000000/";
  const std::string trace = folder + "plugins/profile/2020_08_05_13_37_44/host.trace.json.gz";
  const std::vector<std::string> paths = {
      folder + "80807-8c859046be41.ant.amazon.com_1596659864545103_1596659864854168.metadata",
      folder + "events.out",
      trace,
  };
  const auto origin = ingest::find_trace_origin(trace, paths);
  REQUIRE(origin);
  CHECK(origin->node_id == "80807-8c859046be41.ant.amazon.com");
  CHECK(origin->start == 1596659864545103);

  CHECK_FALSE(ingest::find_trace_origin(trace, std::vector<std::string>{trace}));
  CHECK_FALSE(ingest::find_trace_origin("host.trace.json.gz", paths));
  CHECK_FALSE(
      ingest::find_trace_origin(trace, std::vector<std::string>{folder + "a_b_c.metadata", trace}));
}

} // namespace test_timeline_name
