#include "render/documents/markdown.h"
#include "result/full_result.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>
#include <string>

namespace test_markdown {

using namespace debrief;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

namespace {

std::ptrdiff_t lines(const std::string& text) {
  return std::count(text.begin(), text.end(), '\n');
}

} // namespace

TEST_CASE("the summary has verdict, gate, findings, waste and key figures") {
  const std::string text = render::to_markdown(test::full_result());
  CHECK_THAT(text,
             StartsWith("## Report of job\n\n**Critical: The GPUs wait for data.** A quarter "));
  CHECK_THAT(text, ContainsSubstring("\n**Next:** Set num\\_workers=8 (now 4).\n"));
  CHECK_THAT(text, ContainsSubstring("\n1.25 of 3.33 GPU-minutes lost (38%), \\$0.07 of "
                                     "\\$0.19; high confidence.\n"));
  CHECK_THAT(text, ContainsSubstring("**Failed.** 1 of 3 checks failed"));
  CHECK_THAT(text, ContainsSubstring("| failed | gpu.p50 &gt;\\= 80 | &gt;\\= 80% | 70% |\n"));
  CHECK_THAT(text, ContainsSubstring(
                       "- **Critical: The GPUs wait for data** (29% of GPU time in the loop"));
  CHECK_THAT(text, ContainsSubstring("| Waiting on data | 0.833 | 25.0% | 0.05 |\n"));
  CHECK_THAT(text, ContainsSubstring("| Total | 3.33 | 100.0% | 0.19 |\n"));
  CHECK_THAT(text, ContainsSubstring("| Iteration | 1.5\u00A0s | mean, step \\+ wait |"));
}

TEST_CASE("the summary of a job of which little is known is short") {
  result::Result result;
  result.job.name = "job";
  result::Finding& finding = result.findings.emplace_back();
  finding.kind = result::FindingKind::insufficient_data;
  finding.title = "Too little was recorded";
  finding.why = "There is nothing.";
  result.verdict.finding = 0;
  CHECK(render::to_markdown(result) ==
        "## Report of job\n\n**Not enough data: Too little was recorded.** There is nothing.\n\n"
        "Low confidence.\n\n### Findings\n\n"
        "- **Note: Too little was recorded** (no time lost). Low confidence.\n");
}

TEST_CASE("the summary keeps to its lines, however much there is") {
  result::Result result = test::full_result();
  const result::Finding finding = result.findings.front();
  const result::WastePart part = result.waste.parts.front();
  const result::Assertion assertion = result.gate->assertions.front();
  for (int i = 0; i < 40; ++i) {
    result.findings.push_back(finding);
    result.waste.parts.push_back(part);
    result.gate->assertions.push_back(assertion);
  }
  for (const auto metric : {result::Metric::gpu, result::Metric::gpu_memory, result::Metric::cpu})
    result.system_usage.push_back({"algo-1", metric, "%", 1, 1, 1, 1, 1, 10});
  const std::string text = render::to_markdown(result);
  CHECK(lines(text) <= static_cast<std::ptrdiff_t>(render::kMarkdownLines));
  CHECK(lines(text) > 50); // all parts are there
  CHECK_THAT(text, ContainsSubstring("- and 36 more in the report\n"));
}

} // namespace test_markdown
