#include "render/page/chapters.h"
#include "render/page/head.h"
#include "render/page/view.h"
#include "render/parts/quality_words.h"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>

namespace test_head_view {

using namespace debrief;
using nlohmann::json;

namespace {

json find(const json& rows, const char* key, const std::string& value) {
  for (const json& row : rows)
    if (row[key] == value) return row;
  return nullptr;
}

json link(const json& nav, const std::string& id) {
  for (const json& chapter : nav)
    if (const json found = find(chapter["links"], "id", id); !found.is_null()) return found;
  return find(nav, "id", id);
}

result::RuleRow rule(const std::string& name, result::RuleStatus status) {
  result::RuleRow row;
  row.rule = name;
  row.status = status;
  return row;
}

} // namespace

TEST_CASE("links mark the sections of findings that call for action, not those of rules") {
  result::Result result;
  result.rules = {rule("BatchSize", result::RuleStatus::issue_found)};
  result::StepRow steps;
  steps.process = "algo-1-27";
  steps.mode = "TRAIN";
  steps.count = 1;
  result.steps = {steps};
  result::Finding stalls;
  stalls.kind = result::FindingKind::step_stalls;
  stalls.severity = result::Severity::info;
  result.findings = {stalls};
  json nav = render::nav_view(render::make_sections(result));
  CHECK(link(nav, "batch-size").is_null()); // without data it is no section, so nothing to mark
  CHECK(link(nav, "steps")["class"] == "plain");
  result.findings.front().severity = result::Severity::warning;
  nav = render::nav_view(render::make_sections(result));
  CHECK(link(nav, "steps")["class"] == "found warning");
  CHECK(link(nav, "steps")["words"] == " (issue found)");
  CHECK(link(nav, "training")["class"] == "found warning"); // and so is its chapter
  CHECK(link(nav, "batch-size").is_null()); // without data it is no section, so nothing to mark
}

TEST_CASE("what has no data is one section, with a line for each") {
  result::Result result;
  result.rules = {rule("BatchSize", result::RuleStatus::issue_found),
                  rule("IOBottleneck", result::RuleStatus::no_issue)};
  const auto sections = render::make_sections(result);
  const json nav = render::nav_view(sections);
  CHECK(link(nav, "steps").is_null());
  for (const char* id : {"rules", "provenance", "findings", "not-recorded"}) {
    INFO(id);
    CHECK(link(nav, id)["class"] == "plain");
  }
  CHECK(link(nav, "gate").is_null());
  const render::MadeSection* missing = render::find_with_data(sections, "not-recorded");
  REQUIRE(missing != nullptr);
  const auto& lines = missing->content.items();
  const auto steps = std::find_if(lines.begin(), lines.end(), [](const render::SectionItem& item) {
    return item.words["id"] == "steps";
  });
  REQUIRE(steps != lines.end());
  CHECK(steps->words["why"].get<std::string>().starts_with("No steps"));
}

TEST_CASE("the overview and what a finding leads to is open at first, and nothing else") {
  result::Result result;
  result::StepRow row;
  row.process = "algo-1-27";
  row.mode = "TRAIN";
  row.count = 1;
  result.steps = {row};
  const auto is_open = [&](const char* id) {
    const auto sections = render::make_sections(result);
    const render::MadeSection* found = render::find_with_data(sections, id);
    REQUIRE(found != nullptr);
    return render::opens_at_first(*found);
  };
  CHECK(is_open("findings"));
  CHECK_FALSE(is_open("steps"));
  CHECK_FALSE(is_open("data-quality"));
  result::Finding stalls;
  stalls.kind = result::FindingKind::step_stalls;
  stalls.severity = result::Severity::warning;
  result.findings = {stalls};
  CHECK(is_open("steps"));
  CHECK_FALSE(is_open("data-quality"));
}

TEST_CASE("links say that the gate failed and that something was found") {
  result::Result result;
  result::Finding finding;
  finding.severity = result::Severity::info;
  result.findings = {finding};
  result.gate = result::Gate{.passed = true, .baseline = "", .assertions = {}};
  json nav = render::nav_view(render::make_sections(result));
  CHECK(link(nav, "findings")["class"] == "plain");
  CHECK(link(nav, "gate")["class"] == "plain");
  result.findings.front().severity = result::Severity::warning;
  result.gate->passed = false;
  nav = render::nav_view(render::make_sections(result));
  CHECK(link(nav, "findings")["class"] == "found warning");
  CHECK(link(nav, "gate")["class"] == "found critical");
}

TEST_CASE("the navigation has the page's chapters, and their sections in the page's order") {
  const auto sections = render::make_sections({});
  const json nav = render::nav_view(sections);
  std::vector<std::string> chapters;
  std::vector<std::string> ids;
  for (const json& chapter : nav) {
    chapters.push_back(chapter["text"]);
    if (chapter["links"].empty()) ids.push_back(chapter["id"]); // it is all of its chapter
    for (const json& one : chapter["links"])
      ids.push_back(one["id"]);
  }
  // The others have no data.
  CHECK(chapters == std::vector<std::string>{"Findings", "Job and data"});
  REQUIRE(ids.size() == sections.size());
  for (std::size_t at = 0; at < ids.size(); ++at)
    CHECK(ids[at] == sections[at].spec->id);
}

TEST_CASE("there are ten chapters, and one more where a gate was checked") {
  std::vector<std::string> chapters;
  for (const render::SectionSpec* spec : render::report_sections()) {
    const std::string heading = render::words_of(spec->chapter).heading;
    if (chapters.empty() || chapters.back() != heading) chapters.push_back(heading);
  }
  CHECK(chapters == std::vector<std::string>{"Gate", "Findings", "Timeline", "Training", "GPU",
                                             "Data loading and CPU", "Communication and balance",
                                             "Memory", "Operators and kernels", "Rules",
                                             "Job and data"});
}

TEST_CASE("nodes and devices that were not sampled all the time are named in the head") {
  result::DataQuality quality;
  quality.complete = false;
  result::NodeSampling node;
  node.node = "algo-1";
  node.unsampled_at_start = 60;
  node.unsampled_at_end = 90;
  node.less_sampled = {{"gpu3", 10, 40}};
  node.less_sampled_count = 101;
  node.missing_devices = {"gpu2"};
  quality.nodes = {node};
  CHECK(render::quality_notice(quality) ==
        "No samples at the job's start on algo-1; no samples at the job's end on algo-1; sampled "
        "only part of the time: algo-1 gpu3 and 100 more; no samples from algo-1 gpu2; up to 2 min "
        "30 s without samples on a node.");
}

TEST_CASE("what figures do not cover is said in the head") {
  result::DataQuality quality;
  CHECK(render::quality_notice(quality) == "");
  quality.complete = false;
  quality.skipped = {{"not JSON", 3, "a.json:1"}};
  result::NodeSampling node;
  node.gap_count = 1;
  node.gap_seconds = 3600;
  quality.nodes = {node};
  quality.other_jobs.emplace_back();
  quality.clock_skew = {{"algo-2", 37}};
  CHECK(render::quality_notice(quality) ==
        "3 records skipped; 1 gap in the samples; data of another job in the same folder skipped; "
        "up to 1 h 0 min without samples on a node; the clock of algo-2 is probably 37 s ahead.");
}

} // namespace test_head_view
