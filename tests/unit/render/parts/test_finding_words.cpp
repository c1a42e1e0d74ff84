#include "render/parts/finding_words.h"
#include "render/parts/status_badge.h"
#include "result/full_result.h"

#include <catch2/catch_test_macros.hpp>

#include <set>
#include <string>

namespace test_finding_words {

using namespace debrief;

TEST_CASE("short numbers have three digits that count") {
  CHECK(render::short_number(0) == "0");
  CHECK(render::short_number(16) == "16");
  CHECK(render::short_number(1204.4) == "1,204");
  CHECK(render::short_number(12.54) == "12.5");
  CHECK(render::short_number(1.255) == "1.25");
  CHECK(render::short_number(0.5) == "0.5");
  CHECK(render::short_number(0.01389) == "0.0139");
  CHECK(render::short_number(0.0001) == "<0.001");
  CHECK(render::short_number(-3.5) == "-3.5");
}

TEST_CASE("shares and money below what is shown are not zero") {
  CHECK(render::share_words(0) == "0%");
  CHECK(render::share_words(0.0004) == "<0.1%");
  CHECK(render::share_words(0.256) == "26%");
  CHECK(render::money_words(0.004) == "<$0.01");
  CHECK(render::money_words(12.4) == "$12.40");
}

TEST_CASE("what a finding costs: share, hours, money") {
  result::Result result = test::full_result();
  const result::Finding& finding = result.findings.front();
  // 200 GPU-seconds at 3.5 USD an hour; a quarter of them lost here, an eighth elsewhere
  CHECK(render::cost_words(finding, result.waste) ==
        "29% of GPU time in the loop, 0.833 GPU-minutes, $0.05");
  CHECK(render::lost_words(result.waste) == "1.25 of 3.33 GPU-minutes lost (38%), $0.07 of $0.19");
  result.waste.price.reset();
  result.waste.parts.front().money.reset();
  result.waste.set_aside = result.waste.unmeasured = 0.009 * *result.waste.paid; // next to nothing
  CHECK(render::cost_words(finding, result.waste) == "29% of GPU time, 0.833 GPU-minutes");
  CHECK(render::lost_words(result.waste) == "1.25 of 3.33 GPU-minutes lost (38%)");
  result.waste.parts.clear();
  result.waste.other = *result.waste.paid / 4;
  CHECK(render::lost_words(result.waste) == "0.833 of 3.33 GPU-minutes lost (25%)");
  result.waste = {};
  CHECK(render::cost_words(finding, result.waste) == "29% of the job's time");
  CHECK(render::lost_words(result.waste).empty());
  result.findings.front().score = 0;
  CHECK(render::cost_words(finding, result.waste) == "no time lost");
}

TEST_CASE("what is wrong with the model costs a share of all, measured or not") {
  result::Waste waste;
  waste.unit = result::WasteUnit::node_hours;
  waste.paid = 0.486 / 3600;
  waste.unmeasured = 0.187 / 3600;
  result::WastePart& part = waste.parts.emplace_back();
  part.kind = result::FindingKind::vanishing_gradients;
  part.hours = 0.299 / 3600;
  part.percent = 61.5;
  result::Finding finding;
  finding.kind = part.kind;
  finding.score = 1; // of what was measured
  CHECK(render::cost_words(finding, waste) == "62% of the job's time, 299 milliseconds");
  CHECK(render::waste_time(waste, part.hours) == "299 ms");
  CHECK(render::where_it_went(waste) == "Where the time went");
  part.kind = finding.kind = result::FindingKind::input_bound;
  CHECK(render::cost_words(finding, waste).starts_with("100% of the job's time that was measured"));
  waste.set_aside = waste.unmeasured;
  CHECK(render::cost_words(finding, waste).starts_with("100% of the job's time in the loop"));
}

TEST_CASE("findings are read from the verdict's on, then from the gravest") {
  result::Result result;
  using result::Severity;
  for (const Severity severity :
       {Severity::info, Severity::warning, Severity::critical, Severity::info, Severity::warning})
    result.findings.emplace_back().severity = severity;
  CHECK(render::reading_order(result) == std::vector<std::size_t>{2, 1, 4, 0, 3});
  result.verdict.finding = 1;
  CHECK(render::reading_order(result) == std::vector<std::size_t>{1, 2, 4, 0, 3});
  CHECK(render::reading_order({}).empty());
}

TEST_CASE("evidence is said in its unit") {
  CHECK(render::evidence_words({"cores", 16, ""}) == "16");
  CHECK(render::evidence_words({"loss before", 4.664923e30, ""}) == "4.665e30");
  CHECK(render::evidence_words({"value", 1.5e-9, ""}) == "1.5e-9");
  CHECK(render::evidence_words({"busy", 0.948, "%"}) == "0.9%");
  CHECK(render::evidence_words({"wait", 125.3, "s"}) == "2 min 5 s");
  CHECK(render::evidence_words({"used", 1.25e9, "B"}) == "1.25 GB");
  CHECK(render::evidence_words({"read", 2e6, "B/s"}) == "2.00 MB/s");
  CHECK(render::evidence_words({"GPU", 33.333, "%"}) == "33%");
}

TEST_CASE("places say as much as is known of them") {
  CHECK(render::place_words({"algo-1", "gpu0", "algo-1-27", 0.25}) ==
        "gpu0 of algo-1, process algo-1-27 (25% of its time)");
  CHECK(render::place_words({"algo-1", "", "", 0}) == "algo-1");
  CHECK(render::place_words({"", "", "rank 0", 0}) == "process rank 0");
  CHECK(render::place_words({"", "", "", 0}) == "the whole job");
  CHECK(render::place_words({"a\nb", "", "", 0}) == "a\\nb");
}

TEST_CASE("what is how grave is told by word and by shape") {
  std::set<std::string> words;
  std::set<std::string> shapes;
  const auto add = [&](const render::StatusBadge& standing) {
    words.insert(standing.word);
    shapes.insert(standing.path);
  };
  for (const result::Severity severity :
       {result::Severity::info, result::Severity::warning, result::Severity::critical})
    add(render::badge_of(severity));
  result::VerdictSummary verdict;
  add(render::badge_of(verdict));
  CHECK(render::badge_of(verdict).word == std::string{"Healthy"});
  verdict.kind = result::FindingKind::insufficient_data;
  add(render::badge_of(verdict));
  CHECK(words.size() == 5);
  CHECK(shapes.size() == 5);
  verdict.kind = result::FindingKind::input_bound;
  verdict.severity = result::Severity::critical;
  CHECK(render::badge_of(verdict).word == std::string{"Critical"});
}

} // namespace test_finding_words
