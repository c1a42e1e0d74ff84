#include "render/page/html.h"
#include "render/page/view.h"
#include "render/parts/incident_lanes.h"
#include "render/parts/waste.h"
#include "render/view_support.h"
#include "result/full_result.h"
#include "support.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>

namespace test_findings_view {

using namespace debrief;
using Catch::Matchers::ContainsSubstring;
using nlohmann::json;
using test::at;

namespace {

/// With a timeline as long as the job.
result::Result example() {
  result::Result result = test::full_result();
  result.timeline.span = {at(0), at(100)};
  result.timeline.nodes = {{"algo-1", {}}};
  return result;
}

/// As the page has it, with links to the other sections.
json findings_of(const result::Result& result) {
  for (const render::MadeSection& section : render::make_sections(result))
    if (section.spec == &render::kFindingsSection) return view_of(section.content);
  return nullptr;
}

} // namespace

TEST_CASE("a card has cost, confidence, evidence, places and links") {
  const result::Result result = example();
  const json view = findings_of(result);
  REQUIRE(view["items"].size() == 1);
  CHECK(view["take_away"] == "1 critical finding.");
  const json& card = view["items"][0];
  CHECK(card["id"] == "finding-input_bound");
  CHECK(card["word"] == "Critical");
  CHECK(card["small"] == false);
  CHECK(card["cost"] == "29% of GPU time in the loop, 0.833 GPU-minutes, $0.05");
  CHECK(card["confidence"] == "High confidence (200 samples, 11 steps)");
  CHECK(card["evidence"][1] == json{{"name", "time waiting for data"}, {"value", "25 s"}});
  CHECK(card["where"] == "Where: gpu0 of algo-1, process algo-1-27 (25% of its time).");
  CHECK(card["section"] == json{{"id", "data-loading"}, {"text", "Data loading"}});
  REQUIRE(card["windows"].size() == 1);
  CHECK(card["windows"][0]["span"] == "20000..45000");
  CHECK(card["node"] == "algo-1");
  CHECK(card["band"] == "input bound");
}

TEST_CASE("cards link to nothing that is not there") {
  result::Result result = example();
  result.timeline = {};
  result.traces = {};
  result.findings.front().kind = result::FindingKind::communication_bound;
  result.findings.front().where.clear();
  result.findings.front().evidence.clear();
  const json card = findings_of(result)["items"][0];
  CHECK(card["section"].is_null());
  CHECK(card["windows"].empty());
  CHECK(card["where"].is_null());
  CHECK(card["evidence"].empty());
  CHECK(card["node"] == "");
}

TEST_CASE("of many windows and places the first are shown") {
  result::Result result = example();
  result::Finding& finding = result.findings.front();
  finding.windows = {
      {at(1), at(2)}, {at(10), at(20)}, {at(30), at(31)}, {at(40), at(45)}, {at(50), at(53)}};
  finding.window_count = 70;
  finding.window_seconds = 90;
  finding.where.clear();
  for (int i = 0; i < 8; ++i)
    finding.where.push_back({i < 4 ? "a" : "b", "gpu" + std::to_string(i), "", 0});
  const json card = findings_of(result)["items"][0];
  REQUIRE(card["windows"].size() == 3);
  CHECK(card["windows"][0]["span"] == "10000..20000");
  CHECK(card["windows"][1]["span"] == "40000..45000");
  CHECK(card["windows"][2]["span"] == "50000..53000");
  CHECK(card["when"] == "70 times, 1 min 30 s total. Show the longest on timeline:");
  CHECK(card["where"] == "Where: gpu0 of a, gpu1 of a, gpu2 of a, gpu3 of a, gpu4 of b, gpu5 of b "
                         "and 2 more.");
  CHECK(card["node"] == "");
}

TEST_CASE("every kind has a section to go to") {
  for (const result::FindingKind kind : result::kFindingKinds) {
    INFO(to_text(kind));
    result::Result result = example();
    result.findings.front().kind = kind;
    const json view = view_of(render::kFindingsSection, result);
    const auto sections = render::report_sections();
    CHECK(std::any_of(sections.begin(), sections.end(), [&](const render::SectionSpec* spec) {
      return view["items"][0]["see"] == spec->id;
    }));
  }
}

TEST_CASE("without findings the section says so") {
  const json view = view_of(render::kFindingsSection, result::Result{});
  CHECK(view["take_away"] == "No findings.");
  CHECK(view["items"].empty());
  CHECK(view["blocks"].empty());
}

TEST_CASE("notes are folded, and names of a finding are text") {
  result::Result result = example();
  result.findings.front().severity = result::Severity::info;
  result.findings.front().title = "<img src=x onerror=alert(1)>";
  result.findings.front().where.front().node = "</script><b>";
  result.findings.front().evidence.front().name = "{{ 7*7 }}";
  const std::string html = render::to_html(result);
  CHECK_THAT(html, ContainsSubstring("<details id=\"finding-input_bound\""));
  CHECK_THAT(html, ContainsSubstring("{{ 7*7 }}"));
  CHECK_THAT(html, ContainsSubstring("data-node=\"&lt;/script&gt;&lt;b&gt;\""));
  CHECK_THAT(html, ContainsSubstring("data-window=\"20000..45000\""));
  CHECK_THAT(html, !ContainsSubstring("<img"));
  CHECK_THAT(html, !ContainsSubstring("</script><b>"));
}

TEST_CASE("the parts of what was paid sum to it") {
  const result::Waste waste = test::full_result().waste;
  const auto rows = render::waste_rows({&waste, 1});
  REQUIRE(rows.size() == 5);
  CHECK(rows[0].name == "Computing");
  CHECK(rows[1].name == "Waiting on data");
  CHECK(rows[2].name == "Launch overhead");
  CHECK(rows[3].name == "Startup and shutdown");
  CHECK(rows[4].name == "Not measured");
  double sum = 0;
  for (const auto& row : rows)
    sum += row.hours;
  CHECK(sum == Catch::Approx(*waste.paid));
}

TEST_CASE("what several jobs lost is named as in each of them") {
  result::Waste launches;
  launches.unit = result::WasteUnit::gpu_hours;
  launches.paid = 3;
  launches.busy = 1;
  launches.other = 2;
  launches.causes = {{result::Cause::unexplained, 2, 100 * 2.0 / 3, {}}};
  result::Waste other = launches;
  launches.launch_bound = true;
  other.causes = {{result::Cause::start, 1.5, 50, {}},
                  {result::Cause::unexplained, 0.5, 100.0 / 6, {}}};
  const std::vector<render::WasteRow> rows =
      render::waste_rows(std::vector<result::Waste>{launches, other});
  REQUIRE(rows.size() == 4);
  CHECK(rows[0].name == "Computing");
  CHECK(rows[0].hours == 2);
  CHECK(rows[1].name == "Launch overhead");
  CHECK(rows[1].hours == 2);
  CHECK(rows[2].name == "Startup");
  CHECK(rows[3].name == "Other idle");
  CHECK(rows[3].hours == 0.5);
}

TEST_CASE("waste is a bar and a table, with money where a price is given") {
  result::Waste waste = test::full_result().waste;
  render::Section section;
  render::add_waste_of_jobs(section, waste, {&waste, 1});
  json view = view_of(section);
  REQUIRE(view["blocks"].size() == 2);
  CHECK(view["blocks"][0]["caption"] ==
        "Where the GPU time went (3.33 GPU-minutes, from GPU utilization samples)");
  CHECK(view["blocks"][1]["columns"].size() == 4);
  CHECK(view["blocks"][1]["rows"][1][3]["text"] == "0.05");
  CHECK(view["blocks"][1]["rows"].back()[2]["text"] == "100.0%");
  waste.price.reset();
  render::Section cheap;
  render::add_waste_of_jobs(cheap, waste, {&waste, 1});
  CHECK(view_of(cheap)["blocks"][1]["columns"].size() == 3);
  waste.paid.reset();
  render::Section none;
  render::add_waste_of_jobs(none, waste, {&waste, 1});
  CHECK(none.empty());
}

TEST_CASE("findings have lanes above those of rules") {
  const result::Result result = example();
  const auto gpu = render::incident_lanes(result);
  REQUIRE(gpu.size() == 2);
  CHECK(gpu[0].name == "input bound");
  REQUIRE(gpu[0].stretches.size() == 1);
  CHECK(gpu[0].stretches[0].span == TimeSpan{at(20), at(45)});
  CHECK_THAT(gpu[0].stretches[0].tip, ContainsSubstring("The GPUs wait for data"));
  CHECK(gpu[1].name == "LowGPUUtilization");
}

} // namespace test_findings_view
