#include "finding_support.h"
#include "findings/host_causes.h"

namespace test_host_causes {

using namespace debrief;
using namespace debrief::test;

namespace {

using Causes = std::vector<std::optional<findings::Cause>>;

constexpr auto kNone = std::nullopt;

/// A node with one sample in half a second; 100 of them where nothing else is given.
struct Host4 {
  std::vector<double> gpu;
  std::vector<double> cpu = {};     ///< percent of each of four cores; empty: not recorded
  std::vector<double> waiting = {}; ///< the same, in I/O wait
  bool with_hints = true;
};

Causes causes(const Host4& host) {
  job::Job job;
  add(job, test::gpu(0), host.gpu);
  if (!host.cpu.empty()) add_cores(job, 4, host.cpu);
  if (!host.waiting.empty()) add_io_wait(job, 4, host.waiting);
  const std::vector<aggregate::NodeSeries> series = aggregate::node_series(job);
  const aggregate::NodeSeries& node = series.at(0);
  const std::vector<findings::GpuUse> uses = {{true, 0.5}};
  return findings::host_causes(
      {node, *node.find(result::Metric::gpu), uses, *analyzed(job).job.span, 1, host.with_hints});
}

} // namespace

TEST_CASE("storage comes before cores, and cores before hints") {
  const Causes found = causes({{100, 0, 0, 0, 100}, {10, 95, 95, 60, 10}, {0, 90, 0, 0, 0}});
  REQUIRE(found.size() == 5);
  CHECK(found[1] == findings::Cause::io);
  CHECK(found[2] == findings::Cause::cpu);
  CHECK(found[3] == findings::Cause::input);
}

TEST_CASE("hints are not looked for where events tell") {
  const Causes found = causes({{100, 0, 0, 100}, {10, 60, 95, 10}, {}, false});
  CHECK(found[1] == kNone);
  CHECK(found[2] == findings::Cause::cpu);
}

TEST_CASE("half a cause at its edge takes over what its neighbor shows in full") {
  const Causes found = causes({{100, 100, 40, 0, 40, 100, 100}, {10, 10, 50, 95, 50, 10, 10}});
  CHECK(found[0] == kNone);
  CHECK(found[2] == findings::Cause::cpu);
  CHECK(found[3] == findings::Cause::cpu);
  CHECK(found[4] == findings::Cause::cpu);
  CHECK(found[6] == kNone);
}

TEST_CASE("short pauses are between steps, long ones among much work are stalls") {
  std::vector<double> use = flat(100, 95);
  use[10] = 0;
  const Causes brief = causes({use});
  CHECK(brief[10] == findings::Cause::between);
  for (std::size_t i = 50; i < 62; ++i)
    use[i] = 0;
  const Causes both = causes({use});
  CHECK(both[10] == findings::Cause::between);
  CHECK(both[55] == findings::Cause::stall);
}

TEST_CASE("a GPU that pauses for most of the loop has the habit, and does not stall") {
  const Causes found = causes({flat(10, 95) + flat(80, 0) + flat(9, 95)});
  CHECK(found[50] == findings::Cause::between);
}

TEST_CASE("pauses of a GPU that does little anyway are not explained") {
  std::vector<double> use = flat(100, 45);
  use[10] = 0;
  CHECK(causes({use})[10] == kNone);
}

TEST_CASE("loading takes more cores than training does") {
  // In a pause training takes one core: 1.75 are loading.
  CHECK(causes({{95, 0, 95}, {10, 44, 10}})[1] == findings::Cause::input);   // 1.76
  CHECK(causes({{95, 0, 95}, {10, 43, 10}})[1] == findings::Cause::between); // 1.72
}

TEST_CASE("samples outside of the loop, without a value or of unused GPUs have no cause") {
  aggregate::NodeSeries node;
  node.node = "algo-1";
  aggregate::NodeMetricSeries gpu;
  gpu.metric = result::Metric::gpu;
  gpu.devices = {"gpu0"};
  for (int i = 0; i < 10; ++i)
    gpu.times.push_back(at(i));
  gpu.values = {{95, 0, NAN, 0, 95, 95, 95, 95, 0, 95}};
  gpu.combined.assign(gpu.values[0].begin(), gpu.values[0].end());
  node.metrics.push_back(gpu);
  const TimeSpan loop{at(0), at(7)};
  const std::vector<findings::GpuUse> used = {{true, 0}};
  const Causes found = findings::host_causes({node, node.metrics[0], used, loop, 1, true});
  CHECK(found[1] == findings::Cause::between);
  CHECK(found[2] == kNone);
  CHECK(found[8] == kNone);
  const std::vector<findings::GpuUse> unused = {{false, 0}};
  for (const auto& cause : findings::host_causes({node, node.metrics[0], unused, loop, 1, true}))
    CHECK(cause == kNone);
}

TEST_CASE("the host's state is absent where it was not recorded") {
  findings::HostState none;
  CHECK_FALSE(none.saturated());
  CHECK_FALSE(none.waits_for_storage());
  aggregate::NodeSeries node;
  findings::Host host{node, 2};
  const findings::HostState state = host.at(at(0));
  CHECK_FALSE(state.cpu);
  CHECK_FALSE(state.waiting_cores);
  CHECK(state.exchange == 0);
}

TEST_CASE("how many cores work is not known of a mean over all of them") {
  const auto state = [](const std::string& device) {
    aggregate::NodeSeries node;
    aggregate::NodeMetricSeries cpu;
    cpu.metric = result::Metric::cpu;
    cpu.times = {at(0)};
    cpu.combined = {95};
    cpu.devices = {device};
    node.metrics.push_back(cpu);
    return findings::Host{node, 1}.at(at(0));
  };
  CHECK(state("cpu0").working_cores == 0.95);
  CHECK_FALSE(state("all cores").working_cores);
  CHECK(state("all cores").saturated());
}

TEST_CASE("what nodes exchange goes both ways, and has to be seen both ways") {
  const auto exchange = [](float receive, float transmit, std::size_t nodes) {
    aggregate::NodeSeries node;
    aggregate::NodeMetricSeries network;
    network.metric = result::Metric::network;
    network.times = {at(0)};
    network.combined = {0};
    network.devices = {"receive", "transmit"};
    network.values = {{receive}, {transmit}};
    node.metrics.push_back(network);
    findings::Host host{node, nodes};
    return host.at(at(1)).exchange;
  };
  CHECK(exchange(80e6F, 40e6F, 2) == 40e6);
  CHECK(exchange(80e6F, 39e6F, 2) == 0);
  CHECK(exchange(9e6F, 9e6F, 2) == 0);
  CHECK(exchange(80e6F, 80e6F, 1) == 0);
  CHECK(exchange(80e6F, NAN, 2) == 0);
  CHECK(exchange(NAN, 80e6F, 2) == 0);
}

} // namespace test_host_causes
