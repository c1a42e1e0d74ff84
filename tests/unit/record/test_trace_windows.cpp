#include "record/trace_windows.h"
#include "util/error.h"

#include <catch2/catch_test_macros.hpp>

namespace test_trace_windows {

using namespace debrief;
using namespace std::chrono_literals;

namespace {

using Plan = record::WindowPlan;

Plan::Clock::time_point at(double seconds) {
  return Plan::Clock::time_point{} +
         std::chrono::duration_cast<Plan::Clock::duration>(std::chrono::duration<double>{seconds});
}

} // namespace

TEST_CASE("windows are given in words") {
  const auto windows = record::parse_trace_windows("after=100,steps=2,every=1h");
  CHECK(windows.after == 100);
  CHECK(windows.steps == 2);
  CHECK(windows.every == 3600s);
  CHECK(record::parse_trace_windows("").after == 20);
  CHECK(record::parse_trace_windows("every=90").every == 90s);
  CHECK(record::parse_trace_windows("every=5min").every == 300s);
  CHECK(record::parse_trace_windows("every=0").every == 0s);
  for (const char* wrong : {"after", "after=", "after=x", "after=-1", "steps=0", "every=1day",
                            "every=min", "window=3", "after=1;steps=2", "=1", ",", "steps=1e3"})
    CHECK_THROWS_AS(record::parse_trace_windows(wrong), Error);
}

TEST_CASE("the first window comes after some steps, at a step that is still to come") {
  Plan plan{{20, 4, 600s}};
  CHECK_FALSE(plan.ask({7, 1}, std::nullopt, true, at(0)));
  CHECK_FALSE(plan.ask({7, 1}, 19, true, at(5)));
  const auto window = plan.ask({7, 1}, 20, true, at(10));
  REQUIRE(window);
  CHECK(window->number == 1);
  REQUIRE(window->iteration);
  CHECK(*window->iteration > 20);
  CHECK_FALSE(plan.ask({7, 1}, 40, true, at(15)));
}

TEST_CASE("all processes record the same steps, whenever they ask") {
  Plan plan{{20, 4, 600s}};
  // 100 steps a second on two ranks, from 9.8 s on; rank 1 asks 4.9 s after rank 0.
  CHECK_FALSE(plan.ask({10, 5, 1}, std::nullopt, true, at(0)));
  CHECK_FALSE(plan.ask({11, 5, 1}, std::nullopt, true, at(4.9)));
  CHECK_FALSE(plan.ask({5, 1}, std::nullopt, true, at(4.95))); // the launcher
  CHECK_FALSE(plan.ask({10, 5, 1}, std::nullopt, true, at(5)));
  CHECK_FALSE(plan.ask({11, 5, 1}, 10, true, at(9.9)));
  CHECK_FALSE(plan.ask({10, 5, 1}, 20, true, at(10))); // its pace is not known yet
  const auto first = plan.ask({11, 5, 1}, 510, true, at(14.9));
  const auto second = plan.ask({10, 5, 1}, 520, true, at(15));
  REQUIRE(first);
  REQUIRE(second);
  CHECK(first->iteration == second->iteration);
  CHECK(first->number == second->number);
  CHECK_FALSE(plan.ask({5, 1}, std::nullopt, true, at(14.95)));
}

TEST_CASE("a window lies beyond what each process reaches before it asks again") {
  Plan plan{{2000, 4, 600s}};
  plan.ask({10}, 1000, true, at(5));
  plan.ask({11}, 1400, true, at(9));
  plan.ask({10}, 1500, true, at(10));
  plan.ask({11}, 1900, true, at(14));
  const auto window = plan.ask({10}, 2000, true, at(15));
  REQUIRE(window);
  // Process 11 is at 2000, too, asks at 19 s, where it is at 2400, and hears of it then.
  CHECK(*window->iteration > 2400);
  CHECK(*window->iteration < 3500);
  const auto other = plan.ask({11}, 2400, true, at(19));
  REQUIRE(other);
  CHECK(other->iteration == window->iteration);
}

TEST_CASE("a process that has ended keeps none waiting") {
  Plan plan{{20, 4, 600s}};
  CHECK_FALSE(plan.ask({11}, std::nullopt, true, at(0)));
  CHECK_FALSE(plan.ask({10}, 100, true, at(5))); // 11 may be its peer
  CHECK(plan.ask({10}, 100, true, at(20)).has_value());
}

TEST_CASE("a process that comes late waits for the next window") {
  Plan plan{{20, 4, 600s}};
  REQUIRE(plan.ask({10}, 100, true, at(10)));
  CHECK_FALSE(plan.ask({11}, 100, true, at(20)));
  CHECK_FALSE(plan.ask({11}, 900, true, at(605)));
  CHECK_FALSE(plan.ask({10}, 1000, true, at(606)));
  const auto next = plan.ask({11}, 1000, true, at(610));
  REQUIRE(next);
  CHECK(next->number == 2);
  CHECK(plan.ask({10}, 1000, true, at(611)).has_value());
  CHECK(plan.windows() == 2);
}

TEST_CASE("one window only where there is no interval") {
  Plan plan{{20, 4, 0s}};
  REQUIRE(plan.ask({10}, 100, true, at(10)));
  CHECK_FALSE(plan.ask({10}, 100000, true, at(100000)));
}

TEST_CASE("where steps are not counted, windows begin at the same moment") {
  Plan plan{{20, 4, 600s}};
  CHECK_FALSE(plan.ask({5, 1}, std::nullopt, false, at(0)));
  CHECK_FALSE(plan.ask({10, 5, 1}, std::nullopt, false, at(1)));
  CHECK_FALSE(plan.ask({11, 5, 1}, std::nullopt, false, at(2)));
  CHECK_FALSE(plan.ask({10, 5, 1}, std::nullopt, false, at(20)));
  CHECK_FALSE(plan.ask({5, 1}, std::nullopt, false, at(20.5))); // the launcher of both
  const auto first = plan.ask({10, 5, 1}, std::nullopt, false, at(21));
  const auto second = plan.ask({11, 5, 1}, std::nullopt, false, at(25));
  REQUIRE(first);
  REQUIRE(second);
  CHECK_FALSE(first->iteration);
  CHECK(first->delay == 7s);
  CHECK(second->delay == 3s);
}

} // namespace test_trace_windows
