#include "render/sections/trace/example_traces.h"
#include "render/view_support.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace test_communication_view {

using namespace debrief;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("communication says how much is hidden, who comes late and who is missing") {
  const auto view = view_of(render::kCommunicationSection, test::full_traces());
  CHECK(take_away(view) == "Communication takes 10.0% of the profiled time; 20.0% of it overlaps "
                           "with compute. Exposed communication is 8.0% of the time. Rank 0, "
                           "algo-1-0 arrives last at 1 of 2 matched collectives, 12.5 µs after the "
                           "first on average; the mean skew is 16.1 µs. Missing traces: rank 1.");
  CHECK(cell(view, "Communication overlap", 0, "Overlap (%)") == "20.00");
  CHECK(cell(view, "Communication overlap", 0, "Exposed (% of time)") == "8.00");
  CHECK(cell(view, "Stragglers", 0, "Total wait for the last") == "7.25 µs");
  CHECK(cell(view, "Collectives", 0, "Bytes") == "1.00 MB");
  const auto legend = blocks(view, "chart")[0]["legend"];
  CHECK(legend[0]["words"] == "compute only: 52.0% (520 µs)");
  CHECK(legend[3]["words"] == "neither: 38.0% (380 µs)"); // 1000 - 540 - 80
}

TEST_CASE("of several ranks the one with the most exposed communication is named") {
  CHECK_THAT(take_away(view_of(render::kCommunicationSection, example_traces())),
             ContainsSubstring("9.0% of the time, up to 10.0% (rank 1, algo-1-1)."));
}

TEST_CASE("many missing ranks are counted") {
  result::Traces traces = test::full_traces();
  auto& communication = traces.communication;
  communication.missing_ranks.clear();
  for (std::int64_t rank = 1; rank <= 100; ++rank)
    communication.missing_ranks.push_back(rank);
  communication.missing_count = 511;
  CHECK_THAT(take_away(view_of(render::kCommunicationSection, traces)),
             ContainsSubstring("Missing traces: ranks 1, 2, 3, ") &&
                 ContainsSubstring(", 20 and 491 more."));
}

TEST_CASE("what cannot be compared is said in one line") {
  result::Traces traces = test::full_traces();
  traces.communication.stragglers.clear();
  traces.communication.skew_us.reset();
  const auto view = view_of(render::kCommunicationSection, traces);
  CHECK(has_note(view, "Stragglers are unknown"));
  CHECK(cell(view, "Stragglers", 0, "Process") == "no such cell");
  traces.communication.collectives.clear();
  CHECK(only_note(view_of(render::kCommunicationSection, traces)) ==
        "The traces have no collectives. Missing traces: rank 1.");
  traces.communication = {};
  CHECK_THAT(only_note(view_of(render::kCommunicationSection, traces)),
             ContainsSubstring("works on its own data"));
  CHECK(view_of(render::kCommunicationSection, result::Result{}).is_null());
}

} // namespace test_communication_view
