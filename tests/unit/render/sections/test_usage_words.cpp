#include "render/sections/usage_words.h"

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <vector>

namespace test_usage_words {

using namespace debrief;
using render::usage_sentences;

namespace {

using Rows = std::vector<result::UsageRow>;

void add(Rows& rows, const std::string& node, const std::string& metric, double p50, double p95) {
  result::UsageRow row;
  row.node = node;
  row.metric = metric;
  row.unit = "%";
  row.p50 = p50;
  row.p95 = p95;
  rows.push_back(row);
}

/// The sentences on a node with these medians; its GPU's p95 is 10 points above.
std::vector<std::string> of_node(double cpu, double gpu, double io) {
  Rows rows;
  add(rows, "algo-1", "CPU", cpu, cpu);
  add(rows, "algo-1", "GPU", gpu, gpu + 10);
  add(rows, "algo-1", "I/O", io, io);
  return usage_sentences(rows);
}

using Sentences = std::vector<std::string>;

} // namespace

TEST_CASE("a node's use is judged just above and just below each limit") {
  CHECK(of_node(99, 70, 99) == Sentences{"algo-1 is well used: GPUs at 70.0 % in the median."});
  CHECK(of_node(80, 69.9, 19.9) ==
        Sentences{"algo-1 is limited by CPU: GPUs at 69.9 % in the median while CPUs are at "
                  "80.0 %."});
  CHECK(of_node(80, 69.9, 20) ==
        Sentences{"algo-1 waits for storage: I/O wait 20.0 %, GPUs at 69.9 % in the median."});
  CHECK(of_node(79.9, 0, 0) ==
        Sentences{"algo-1 is underused: GPUs at 0.0 % in the median, 10.0 % at the 95th percentile "
                  "while CPUs are at 79.9 %."});
  Rows idle;
  add(idle, "algo-1", "GPU", 0, 9.9);
  CHECK(usage_sentences(idle) ==
        Sentences{"algo-1 hardly uses its GPUs: 0.0 % in the median, 9.9 % at the 95th "
                  "percentile."});
}

TEST_CASE("what was not recorded is said, not taken for idle") {
  Rows rows;
  add(rows, "algo-1", "CPU", 5, 6);
  add(rows, "algo-2", "Network", 5, 6);
  CHECK(usage_sentences(rows) ==
        Sentences{"algo-1 recorded no GPU; CPUs at 5.0 % in the median, 6.0 % at the 95th "
                  "percentile.",
                  "Of algo-2 neither GPU nor CPU was recorded."});
  CHECK(usage_sentences({}).empty());
}

TEST_CASE("nodes that are used alike share a sentence") {
  Rows rows;
  for (int node = 1; node <= 5; ++node)
    add(rows, "algo-" + std::to_string(node), "GPU", 80 + node, 95);
  add(rows, "algo-6", "GPU", 1, 2);
  CHECK(usage_sentences(rows) ==
        Sentences{"algo-1, algo-2 and 3 more nodes are well used: GPUs at 81.0 to 85.0 % in the "
                  "median.",
                  "algo-6 hardly uses its GPUs: 1.0 % in the median, 2.0 % at the 95th "
                  "percentile."});
}

} // namespace test_usage_words
