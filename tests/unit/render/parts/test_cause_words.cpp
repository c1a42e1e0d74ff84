#include "render/parts/cause_words.h"
#include "result/full_result.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <set>

namespace test_cause_words {

using namespace debrief;
using result::Cause;
using result::FindingKind;

TEST_CASE("no two parts of what was paid have one color, and they sum to it") {
  result::Waste waste;
  waste.paid = 11 + static_cast<double>(result::kCauses);
  waste.busy = 10;
  waste.unmeasured = 1;
  for (std::size_t at = 0; at < result::kCauses; ++at)
    waste.causes.push_back({static_cast<Cause>(at), 1, 100.0 / *waste.paid, {}});
  const auto shares = render::time_shares(waste);
  std::set<Meaning> meanings;
  double hours = 0;
  double percent = 0;
  for (const render::TimeShare& share : shares) {
    CHECK(meanings.insert(share.meaning).second);
    hours += share.hours;
    percent += share.percent;
  }
  CHECK(hours == Catch::Approx(*waste.paid));
  CHECK(percent == Catch::Approx(100));
  CHECK(shares.front().name == "Computing");
  CHECK(shares.back().name == "Not measured");
}

TEST_CASE("causes of one meaning are named together") {
  result::Waste waste;
  waste.paid = 4;
  waste.busy = 1;
  waste.causes = {{Cause::start, 2, 50, {}}, {Cause::finish, 1, 25, {}}};
  const auto shares = render::time_shares(waste);
  REQUIRE(shares.size() == 2);
  CHECK(shares[1].name == "Startup, shutdown");
  CHECK(shares[1].percent == Catch::Approx(75));
  CHECK(shares[1].words == "Startup 50%, shutdown 25%");
  CHECK(shares[0].words == "Computing 25%");
}

TEST_CASE("what nothing explains is launch overhead where traces show it, else other idle") {
  result::Waste waste;
  CHECK(render::meaning_of(Cause::unexplained, waste) == Meaning::idle);
  CHECK(render::cause_name(Cause::unexplained, waste) == "Other idle");
  waste.parts = {{FindingKind::underutilized, 1, 10, {}}};
  CHECK(render::cause_name(Cause::unexplained, waste) == "Other idle");
  CHECK(render::lost_to(FindingKind::underutilized, waste) == "unexplained idle time");
  waste.launch_bound = true;
  CHECK(render::meaning_of(Cause::unexplained, waste) == Meaning::launch);
  CHECK(render::cause_name(Cause::unexplained, waste) == "Launch overhead");
  CHECK(render::lost_to(FindingKind::underutilized, waste) == "launch overhead");
  CHECK(render::lost_to(FindingKind::input_bound, waste) == "waiting on data");
}

TEST_CASE("a result without causes, as older ones are, has its parts") {
  result::Waste waste = test::full_result().waste;
  waste.causes.clear();
  const auto shares = render::time_shares(waste);
  REQUIRE(shares.size() == 5);
  CHECK(shares[1].name == "Waiting on data");
  CHECK(shares[2].name == "Other idle");
  CHECK(shares[3].name == "Startup and shutdown");
}

} // namespace test_cause_words
