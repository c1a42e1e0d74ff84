#include "aggregate/trace/figures.h"
#include "aggregate/trace/trace_maker.h"

#include <catch2/catch_test_macros.hpp>
#include <fmt/format.h>

namespace test_modules {

using namespace debrief;
using test::TraceMaker;

namespace {

std::string text_of(const std::vector<job::Trace>& traces) {
  std::vector<aggregate::TraceIndex> indices;
  for (const job::Trace& trace : traces)
    indices.emplace_back(trace);
  std::string text;
  for (const result::ModuleRow& row : aggregate::module_rows(indices))
    text +=
        fmt::format("{} x{}: host {:g}/{:g}, device {:g}/{:g}\n", row.name, row.calls,
                    row.host_total_us, row.host_self_us, row.device_total_us, row.device_self_us);
  return text;
}

} // namespace

TEST_CASE("a module's own time is without the modules inside, its total with them") {
  TraceMaker maker;
  maker.cpu(job::SliceKind::module, "nn.Module: Net_0", 0, 100'000);
  maker.cpu(job::SliceKind::module, "nn.Module: Linear_0", 10'000, 40'000);
  maker.cpu(job::SliceKind::module, "nn.Module: Linear_1", 50'000, 60'000);
  maker.cpu(job::SliceKind::op, "aten::linear", 11'000, 39'000);
  maker.launched("gemm", 12'000, 200'000, 205'000);
  maker.launched("gemm", 51'000, 205'000, 206'000);
  maker.launched("relu", 70'000, 206'000, 208'000);
  maker.launched("adam", 150'000, 208'000, 209'000); // in no module
  CHECK(text_of(test::list_of(maker.make())) == "Linear_0 x1: host 30/30, device 5/5\n"
                                                "Net_0 x1: host 100/60, device 8/2\n"
                                                "Linear_1 x1: host 10/10, device 1/1\n");
}

TEST_CASE("a module inside of one of its name counts once in the total") {
  TraceMaker maker;
  maker.cpu(job::SliceKind::module, "nn.Module: Block_0", 0, 10'000);
  maker.cpu(job::SliceKind::module, "nn.Module: Block_0", 1000, 5000);
  maker.launched("gemm", 2000, 20'000, 23'000);
  CHECK(text_of(test::list_of(maker.make())) == "Block_0 x2: host 10/10, device 3/3\n");
}

TEST_CASE("a module is one over all processes; without modules there are no rows") {
  TraceMaker first{"rank 0"};
  first.cpu(job::SliceKind::module, "nn.Module: Net_0", 0, 1000);
  TraceMaker second{"rank 1"};
  second.cpu(job::SliceKind::module, "nn.Module: Net_0", 0, 3000);
  CHECK(text_of(test::list_of(first.make(), second.make())) == "Net_0 x2: host 4/4, device 0/0\n");
  TraceMaker none;
  none.cpu(job::SliceKind::op, "aten::add", 0, 1000);
  CHECK(text_of(test::list_of(none.make())).empty());
}

} // namespace test_modules
