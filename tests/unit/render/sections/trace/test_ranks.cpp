#include "render/view_support.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace test_ranks_section {

using namespace debrief;
using Catch::Matchers::ContainsSubstring;

namespace {

result::Traces two_ranks(std::optional<double> waited) {
  result::Traces traces;
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    result::TraceFile& file = traces.files.emplace_back();
    file.process = "rank " + std::to_string(rank);
    file.rank = rank;
    result::StepBreakdown& step = traces.steps.emplace_back();
    step.process = file.process;
    step.number = 7;
    step.us = 1000 + 500 * static_cast<double>(rank);
    step.waited_us = waited;
  }
  traces.slowest = {{"step", "rank 1", 1, 1500, 1250}, {"CPU operators", "rank 0", 0, 300, 200}};
  return traces;
}

} // namespace

TEST_CASE("ranks are drawn by step, and the slowest is named by part") {
  const nlohmann::json view = view_of(render::kRanksSection, two_ranks(20));
  CHECK(take_away(view) ==
        "Rank 1 has the longest steps: mean 1.5 ms, all ranks' median 1.25 ms. Without waiting, "
        "ranks differ most in CPU operators: rank 0 spends 300 µs per step on it (median 200 µs).");
  REQUIRE(view.at("blocks").size() == 3);
  CHECK_THAT(view.at("blocks").at(0).at("svg").get<std::string>(),
             ContainsSubstring("rank 1, step 7: 1.5 ms"));
  CHECK_THAT(view.at("blocks").at(1).at("caption").get<std::string>(),
             ContainsSubstring("Wait in collectives"));
  CHECK(view.at("blocks").at(2).at("rows").at(1).at(0).at("text") == "CPU operators");
}

TEST_CASE("who waits for others is not taken for who is late") {
  result::Traces traces = two_ranks(20);
  traces.slowest.push_back({"communication", "rank 1", 1, 900, 450});
  traces.slowest.push_back({"waiting", "rank 1", 1, 850, 430});
  CHECK_THAT(take_away(view_of(render::kRanksSection, traces)),
             ContainsSubstring("Rank 1 waits longest for the others: 850 µs per step (median 430 "
                               "µs). Without waiting, ranks differ most in CPU operators"));
}

TEST_CASE("waiting that is not known is said to be so") {
  const nlohmann::json view = view_of(render::kRanksSection, two_ranks(std::nullopt));
  CHECK(view.at("blocks").size() == 2);
  CHECK_THAT(view.at("notes").at(0).get<std::string>(), ContainsSubstring("Waiting is unknown"));
}

TEST_CASE("one process has no such section") {
  result::Traces traces;
  traces.files.emplace_back();
  CHECK(view_of(render::kRanksSection, traces).is_null());
}

} // namespace test_ranks_section
