#include "ingest/kineto/join.h"

#include <catch2/catch_test_macros.hpp>

#include <optional>
#include <string>
#include <vector>

namespace test_join {

using namespace debrief;

namespace {

struct Traced {
  std::string node;
  std::optional<std::int64_t> world_size = {};
};

std::vector<job::MetricSeries> gpus(const std::vector<std::string>& nodes) {
  std::vector<job::MetricSeries> out;
  for (const std::string& node : nodes)
    for (const char* gpu : {"gpu0", "gpu1"})
      out.push_back(job::make_series(node, {"gpu", gpu, "GPUUtilization"}, {{1}, {50}}));
  return out;
}

std::vector<std::string> named(const std::vector<Traced>& of,
                               const std::vector<job::MetricSeries>& metrics) {
  std::vector<job::Trace> traces(of.size());
  for (std::size_t at = 0; at < of.size(); ++at) {
    traces[at].node = of[at].node;
    traces[at].world_size = of[at].world_size;
  }
  ingest::kineto::name_nodes(traces, metrics);
  std::vector<std::string> out;
  for (const job::Trace& trace : traces)
    out.push_back(trace.node);
  return out;
}

using Names = std::vector<std::string>;

} // namespace

TEST_CASE("traces of a job on one machine are from there, whatever their files are called") {
  CHECK(named({{"fit-lightning"}, {"fit-lightning"}}, gpus({"algo-1"})) ==
        Names{"algo-1", "algo-1"});
  CHECK(named({{"ip-10-0-0-1", 2}, {""}}, gpus({"algo-1"})) == Names{"algo-1", ""});
}

TEST_CASE("a host keeps its name where it may be another machine") {
  CHECK(named({{"b", 3}}, gpus({"a"})) == Names{"b"}); // of three ranks one trace
  CHECK(named({{"b", 3}, {"b", 3}, {"b", 3}}, gpus({"a"})) == Names{"a", "a", "a"});
  CHECK(named({{"b"}, {"c"}}, gpus({"a"})) == Names{"b", "c"});
  CHECK(named({{"b"}}, gpus({"a", "c"})) == Names{"b"});
  CHECK(named({{"b"}}, {}) == Names{"b"});
}

} // namespace test_join
