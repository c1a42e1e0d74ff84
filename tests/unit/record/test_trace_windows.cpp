#include "record/trace_windows.h"
#include "util/error.h"

#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <vector>

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

TEST_CASE("a process that has stepped gets ready, and begins its window after some steps") {
  Plan plan{{20, 4, 600s}};
  CHECK_FALSE(plan.ask({7, 1}, false, at(0)));
  plan.note_steps(7, 1, at(4));
  CHECK_FALSE(plan.decide(at(4)));
  CHECK_FALSE(plan.ask({7, 1}, true, at(5)));
  CHECK(plan.ask({7, 1}, false, at(10)) == 1);
  CHECK(plan.ask({7, 1}, false, at(15)) == 1); // it may have missed that
  plan.note_steps(7, 19, at(16));
  CHECK_FALSE(plan.decide(at(16)));
  plan.note_steps(7, 20, at(17));
  const auto window = plan.decide(at(17));
  REQUIRE(window);
  CHECK(window->number == 1);
  CHECK(window->iteration == 0); // it has no others to wait for
  CHECK_FALSE(plan.decide(at(18)));
  CHECK(plan.windows() == 1);
  CHECK(plan.most_steps() == 20);
}

TEST_CASE("slow steps are recorded 15 s after the first, unless the user said after how many") {
  for (const bool said : {false, true}) {
    record::TraceWindows windows;
    if (said) windows = record::parse_trace_windows("after=20");
    Plan plan{windows};
    plan.ask({7}, false, at(0));
    plan.note_steps(7, 1, at(4));
    CHECK(plan.ask({7}, false, at(5)) == 1);
    plan.note_steps(7, 2, at(18));
    CHECK_FALSE(plan.decide(at(18.9)));
    CHECK(plan.decide(at(19)).has_value() == !said);
  }
}

TEST_CASE("all processes record the same steps, which none has reached") {
  Plan plan{{20, 4, 600s}};
  // 100 steps a second on two ranks, from 9.8 s on; rank 1 asks 4.9 s after rank 0.
  plan.ask({10, 5, 1}, false, at(5));
  plan.ask({11, 5, 1}, false, at(9.7));
  plan.ask({5, 1}, false, at(9.75)); // the launcher
  for (int second = 0; second <= 4; ++second) {
    plan.note_steps(10, second * 100 + 1, at(9.8 + second));
    plan.note_steps(11, second * 100 + 1, at(9.9 + second));
    CHECK_FALSE(plan.decide(at(10 + second)));
    if (second == 0) CHECK(plan.ask({10, 5, 1}, false, at(10)) == 1);
  }
  CHECK_FALSE(plan.ask({5, 1}, false, at(14.6)));
  CHECK(plan.ask({11, 5, 1}, false, at(14.7)) == 1);
  const auto window = plan.decide(at(14.8));
  REQUIRE(window);
  CHECK(window->number == 1);
  // They are at 501 by then, and read it within a second.
  CHECK(window->iteration > 601);
  CHECK(window->iteration < 1200);
}

TEST_CASE("a process that has ended or never asks keeps none waiting") {
  Plan plan{{20, 4, 600s}};
  plan.ask({10}, false, at(0));
  plan.ask({11}, false, at(0));
  for (int second = 1; second <= 20; ++second) {
    plan.note_steps(10, second * 50, at(second));
    if (second == 1) plan.note_steps(11, 50, at(second));
  }
  CHECK(plan.ask({10}, false, at(5)) == 1);
  CHECK_FALSE(plan.decide(at(6))); // 11 may still get ready
  CHECK_FALSE(plan.decide(at(14.9)));
  CHECK(plan.decide(at(15)).has_value()); // it has not asked for 15 s
  CHECK(plan.processes(at(16)) == std::vector<std::int32_t>{10});
}

TEST_CASE("a process that does not get ready is left out") {
  Plan plan{{20, 4, 600s}};
  for (int second = 0; second <= 16; ++second)
    for (const int pid : {10, 11}) {
      plan.ask({pid}, pid == 11, at(second));
      plan.note_steps(pid, second * 50 + 1, at(second));
    }
  CHECK_FALSE(plan.decide(at(16)));
  plan.ask({11}, true, at(25));
  plan.ask({10}, false, at(25));
  CHECK_FALSE(plan.decide(at(25.9)));
  CHECK(plan.decide(at(26)).has_value());
}

TEST_CASE("a process is ready for one window after the other") {
  Plan plan{{20, 4, 600s}};
  plan.ask({10}, false, at(0));
  plan.note_steps(10, 100, at(1));
  CHECK(plan.ask({10}, false, at(5)) == 1);
  REQUIRE(plan.decide(at(6)));
  CHECK(plan.ask({10}, false, at(10)) == 2);
  CHECK(plan.ask({10}, false, at(15)) == 2);
  CHECK_FALSE(plan.decide(at(20)));
  plan.ask({10}, false, at(600));
  CHECK_FALSE(plan.decide(at(605)));
  const auto next = plan.decide(at(606));
  REQUIRE(next);
  CHECK(next->number == 2);
}

TEST_CASE("one window only where there is no interval") {
  Plan plan{{20, 4, 0s}};
  plan.ask({10}, false, at(0));
  plan.note_steps(10, 100, at(1));
  CHECK(plan.ask({10}, false, at(5)) == 1);
  REQUIRE(plan.decide(at(6)));
  CHECK_FALSE(plan.ask({10}, false, at(10)));
  CHECK_FALSE(plan.decide(at(10)));
}

} // namespace test_trace_windows
