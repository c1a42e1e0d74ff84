#include "overview/entries.h"
#include "render/overview/overview_page.h"
#include "render/view_support.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace test_overview_page {

using namespace debrief;
using Catch::Matchers::ContainsSubstring;
using overview::Entry;

namespace {

std::vector<Entry> three_jobs() {
  return {test::job_entry("bad", 10, 4), test::job_entry("good", 5, 0),
          test::failed_entry("runs/none", "runs/none: nothing to report on")};
}

} // namespace

TEST_CASE("what jobs lost is in the unit of their sum") {
  const auto jobs = view_of(
      render::jobs_section({test::job_entry("a", 0.2, 0.1), test::job_entry("b", 0.4, 0.05)}));
  CHECK(cell(jobs, "Jobs", 0, "GPU-minutes lost") == "6");
  CHECK(cell(jobs, "Jobs", 1, "GPU-minutes lost") == "3");
}

TEST_CASE("the list says of each job its verdict and what it lost") {
  Entry bad = test::job_entry("bad", 10, 4);
  bad.seconds = 7200;
  bad.gpus = 5;
  bad.start = 1'600'000'000 * kSecond;
  const auto jobs = view_of(render::jobs_section({bad, test::job_entry("good", 5, 0)}));
  CHECK(take_away(jobs) == "2 jobs: 1 critical and 1 healthy.");
  CHECK(cell(jobs, "Jobs", 0, "Job") == "bad");
  CHECK(cell(jobs, "Jobs", 0, "Verdict") == "Critical");
  CHECK(cell(jobs, "Jobs", 0, "What") == "The GPUs wait for data");
  CHECK(cell(jobs, "Jobs", 0, "Start (UTC)") == "2020-09-13 12:26");
  CHECK(cell(jobs, "Jobs", 0, "Duration") == "2 h 0 min");
  CHECK(cell(jobs, "Jobs", 0, "GPUs") == "5");
  CHECK(cell(jobs, "Jobs", 0, "GPU-hours lost") == "4");
  CHECK(cell(jobs, "Jobs", 0, "Lost (%)") == "40.0");
  CHECK(cell(jobs, "Jobs", 1, "Verdict") == "Healthy");
  CHECK(cell(jobs, "Jobs", 1, "Duration") == "–");
  CHECK(cell(jobs, "Jobs", 0, "Lost (USD)") == "no such cell");
  CHECK(cell(jobs, "Jobs", 0, "Page") == "no such cell");
  CHECK(cell(jobs, "Jobs", 0, "Input") == "no such cell");
}

TEST_CASE("money and lost input are listed where there are any") {
  Entry entry = test::job_entry("a", 10, 4);
  entry.waste.price = 2.5;
  entry.complete = false;
  const auto jobs = view_of(render::jobs_section({entry}));
  CHECK(cell(jobs, "Jobs", 0, "Lost (USD)") == "10.00");
  CHECK(cell(jobs, "Jobs", 0, "Input") == "incomplete");
  CHECK_THAT(take_away(jobs), ContainsSubstring("1 job had incomplete input"));
}

TEST_CASE("jobs of one name are told apart by their pages") {
  Entry second = test::job_entry("a", 10, 4);
  second.page = "a-2.html";
  const auto jobs = view_of(render::jobs_section({test::job_entry("a", 10, 4), second}));
  CHECK(cell(jobs, "Jobs", 0, "Page").empty());
  CHECK(cell(jobs, "Jobs", 1, "Page") == "a-2.html");
}

TEST_CASE("the head has what all jobs come to") {
  const auto view = render::overview_head(three_jobs());
  const auto key = [&](std::string_view name) -> std::string {
    for (const auto& row : view["keys"])
      if (row["name"] == name) return row["value"];
    return "none";
  };
  CHECK(view["title"] == "Reports of 3 jobs");
  CHECK(view["notice"] == "1 job without a report.");
  CHECK(key("Jobs") == "3");
  CHECK(key("Critical") == "1");
  CHECK(key("Warning") == "none");
  CHECK(key("Healthy") == "1");
  CHECK(key("GPU-hours paid") == "15");
  CHECK(key("GPU-hours lost") == "4");
  CHECK_THAT(render::to_html(three_jobs()),
             ContainsSubstring("4 of 15\u00A0GPU-hours lost (27%)."));
}

TEST_CASE("jobs without a report are listed with why") {
  const auto part = view_of(*render::failures_section(three_jobs()));
  CHECK(take_away(part) == "1 of 3 jobs has no report.");
  CHECK(cell(part, "Jobs without", 0, "Job") == "runs/none");
  CHECK(cell(part, "Jobs without", 0, "Why") == "runs/none: nothing to report on");
  CHECK(!render::failures_section({test::job_entry("a", 1, 0)}));
}

TEST_CASE("a list of nothing but failures is a page") {
  const std::vector<Entry> entries = {test::failed_entry("a", "why")};
  CHECK_THAT(render::to_html(entries), ContainsSubstring("No job has a report."));
  CHECK(render::verdict_counts(entries).empty());
}

TEST_CASE("names and sentences of jobs never become markup in the list") {
  const std::string evil =
      "</table><script>alert(1)</script>\"><img src=x onerror=alert(1)>{{ 7*7 }}";
  Entry entry = test::job_entry("x", 10, 4);
  entry.name = entry.input = entry.verdict.title = evil;
  const std::string html = render::to_html({entry, test::failed_entry(evil, evil)});
  CHECK_THAT(html, !ContainsSubstring("<script>alert"));
  CHECK_THAT(html, !ContainsSubstring("<img"));
  CHECK_THAT(html, !ContainsSubstring(">49<"));
  CHECK_THAT(html, ContainsSubstring("<a href=\"x.html\">&lt;/table&gt;"));
}

} // namespace test_overview_page
