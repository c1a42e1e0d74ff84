#include "render/documents/junit.h"

#include <catch2/catch_test_macros.hpp>

namespace test_junit {

using namespace debrief;
using result::AssertionStatus;

TEST_CASE("each assertion is a test case, and the counts are theirs") {
  result::Result result;
  result.job.name = "a job";
  result.gate = result::Gate{
      false,
      "",
      {{"require", "gpu.p50 >= 70", AssertionStatus::failed, "at least 70%", "63%", "Low."},
       {"baseline", "steps.train.p50", AssertionStatus::skipped, "x", "y", "Too few steps."},
       {"fail-on", "step_stalls", AssertionStatus::passed, "not found", "not found", "None."}}};
  CHECK(render::to_junit(result) == R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="debrief check" tests="3" failures="1" errors="0" time="0">
  <testsuite name="a job" tests="3" failures="1" errors="0" skipped="1" time="0">
    <testcase classname="debrief.require" name="gpu.p50 &gt;= 70" time="0">
      <failure type="require" message="Low.">Low.
expected: at least 70%
found: 63%</failure>
    </testcase>
    <testcase classname="debrief.baseline" name="steps.train.p50" time="0">
      <skipped message="Too few steps."/>
    </testcase>
    <testcase classname="debrief.fail-on" name="step_stalls" time="0">
      <system-out>None.
expected: not found
found: not found</system-out>
    </testcase>
  </testsuite>
</testsuites>
)");
}

TEST_CASE("a hostile name stays a name in XML") {
  result::Result result;
  result.job.name = "\"><evil/>&amp;\x01\xff\n\xEF\xBF\xBF]]>";
  result.gate = result::Gate{};
  const std::string xml = render::to_junit(result);
  CHECK(
      xml.find("name=\"&quot;&gt;&lt;evil/&gt;&amp;amp;\\u{0001}\\x{ff}\\n\xEF\xBF\xBD]]&gt;\"") !=
      std::string::npos);
  CHECK(xml.find("<evil") == std::string::npos);
}

} // namespace test_junit
