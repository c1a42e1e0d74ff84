// What a gate is asked for, a demand in each line, and what is said of a job that is held against
// it. The line's first letter says which option it is of: f --fail-on, r --require, t --tolerance.
#include "compare/figures.h"
#include "gate/demands.h"
#include "markup.h"
#include "render/documents/junit.h"
#include "render/documents/markdown.h"
#include "render/example.h"
#include "util/error.h"

#include <cstdint>
#include <sstream>

using namespace debrief;

namespace {

/// A job with most figures, and findings of each severity.
result::Result job() {
  result::Result out = example_result();
  using result::FindingKind;
  for (const FindingKind kind :
       {FindingKind::input_bound, FindingKind::step_stalls, FindingKind::slow_start})
    out.findings.push_back(
        {.kind = kind, .ground = {}, .title = to_text(kind), .why = {}, .next = {}});
  out.verdict.finding = 0;
  out.findings[0].severity = result::Severity::critical;
  out.findings[1].severity = result::Severity::warning;
  return out;
}

void add(gate::Demands& demands, const std::string& line) {
  const std::string text = line.substr(1);
  if (line[0] == 'f') demands.add_fail_on(text, "--fail-on");
  if (line[0] == 'r') demands.add_require(text, "--require");
  if (line[0] == 't') demands.tolerances.set(text, "--tolerance");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static result::Result result = job();
  static const result::Result baseline = job();
  gate::Demands demands;
  std::istringstream lines{{reinterpret_cast<const char*>(data), size}};
  for (std::string line; std::getline(lines, line);) {
    try {
      if (!line.empty()) add(demands, line);
    } catch (const Error&) {
      // A demand that means nothing is one sentence.
    }
  }
  try {
    result.gate = gate::evaluate(demands, result, &baseline);
  } catch (const Error&) {
    return 0; // what cannot be told of this job
  }
  fuzz::expect_markup(render::to_junit(result));
  render::to_markdown(result);
  return 0;
}
