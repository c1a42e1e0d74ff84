#include "actions/observer.h"
#include "result/full_result.h"

#include <catch2/catch_test_macros.hpp>

namespace debrief::actions {

namespace {

using std::chrono::minutes;

Observer observer_of(const std::string& text) {
  return Observer{{parse_trigger(text, "--on")}};
}

const Found kStarved{result::FindingKind::input_bound, result::Severity::critical, "Starved",
                     "It waits."};
const Found kSlowStart{result::FindingKind::slow_start, result::Severity::info, "Slow", "It is."};
const Found kTooLittle{result::FindingKind::insufficient_data, result::Severity::critical, "Little",
                       "Wait."};

const Observer::Clock::time_point kNow{};

} // namespace

TEST_CASE("a trigger is due once, when its finding is there") {
  Observer observer = observer_of("input_bound=stop");
  CHECK(observer.see_findings(std::vector{kSlowStart}, kNow).empty());
  const auto due = observer.see_findings(std::vector{kSlowStart, kStarved}, kNow);
  REQUIRE(due.size() == 1);
  CHECK(due[0].trigger == 0);
  CHECK(due[0].why == "Starved. It waits.");
  CHECK(observer.see_findings(std::vector{kStarved}, kNow).empty());
}

TEST_CASE("a severity counts from itself on, and too little data is nothing to act on") {
  Observer observer = observer_of("severity>=warning=stop");
  CHECK(observer.see_findings(std::vector{kSlowStart, kTooLittle}, kNow).empty());
  CHECK(observer.see_findings(std::vector{kStarved}, kNow).size() == 1);
}

TEST_CASE("a finding that has to hold is due only without a break") {
  Observer observer = observer_of("input_bound for 10min=stop");
  CHECK(observer.see_findings(std::vector{kStarved}, kNow).empty());
  CHECK(observer.see_findings(std::vector{kStarved}, kNow + minutes{9}).empty());
  CHECK(observer.see_findings(std::vector{kSlowStart}, kNow + minutes{10}).empty());
  CHECK(observer.see_findings(std::vector{kStarved}, kNow + minutes{11}).empty());
  CHECK(observer.see_findings(std::vector{kStarved}, kNow + minutes{20}).empty());
  const auto due = observer.see_findings(std::vector{kStarved}, kNow + minutes{21});
  REQUIRE(due.size() == 1);
  CHECK(due[0].why == "Starved. It waits. This lasted 10 min.");
}

TEST_CASE("GPUs that were idle for long enough need no finding") {
  Observer observer = observer_of("idle_gpus for 10min=stop");
  CHECK(observer.awaits_idle_gpus());
  CHECK(observer.see_idle_gpus(minutes{10} - std::chrono::milliseconds{1}).empty());
  const auto due = observer.see_idle_gpus(minutes{10});
  REQUIRE(due.size() == 1);
  CHECK(due[0].why == "No GPU has been busy for 10 min.");
  CHECK(observer.see_idle_gpus(minutes{11}).empty());
}

TEST_CASE("idle GPUs matter only to a trigger that names them and a time") {
  for (const char* text :
       {"idle_gpus=stop", "idle for 10min=stop", "severity>=info for 1min=stop"}) {
    Observer observer = observer_of(text);
    CHECK_FALSE(observer.awaits_idle_gpus());
    CHECK(observer.see_idle_gpus(minutes{60}).empty());
  }
}

TEST_CASE("what a look tells is read as it was written") {
  const result::Result result = test::full_result();
  REQUIRE(result.findings.size() == 1);
  const auto found = parse_look_text(to_look_text(result));
  REQUIRE(found);
  REQUIRE(found->size() == 1);
  CHECK(found->front().kind == result.findings[0].kind);
  CHECK(found->front().severity == result.findings[0].severity);
  CHECK(found->front().title == result.findings[0].title);
  CHECK(found->front().why == result.findings[0].why);
}

TEST_CASE("what is no look is not taken for one") {
  for (const char* text :
       {"", "{", "[]", "{}", R"({"findings": 1})", R"({"findings": [1]})",
        R"({"findings": [{"kind": "no_such_kind", "severity": "info", "title": "", "why": ""}]})",
        R"({"findings": [{"kind": "idle", "severity": "info", "title": ""}]})"})
    CHECK_FALSE(parse_look_text(text));
}

} // namespace debrief::actions
