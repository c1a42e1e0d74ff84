#include "cli/gate_lines.h"

#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace debrief::cli {

namespace {

using result::Assertion;
using result::AssertionStatus;

const char* color_of(AssertionStatus status) {
  switch (status) {
  case AssertionStatus::failed:
    return "\x1b[1;31m";
  case AssertionStatus::skipped:
    return "\x1b[33m";
  case AssertionStatus::passed:
    break;
  }
  return "\x1b[32m";
}

std::string colored(const std::string& text, AssertionStatus status, bool color) {
  return color ? fmt::format("{}{}\x1b[0m", color_of(status), text) : text;
}

/// "failed   require gpu.p50 >= 70: expected at least 70 %, found 63.2 %"; why, where it did not
/// pass.
std::string assertion_lines(const Assertion& assertion, bool color) {
  const std::string status =
      colored(fmt::format("{:<8}", result::to_text(assertion.status)), assertion.status, color);
  std::string lines = fmt::format("  {} {} {}: expected {}, found {}\n", status, assertion.kind,
                                  printable(assertion.name), printable(assertion.expected),
                                  printable(assertion.found));
  if (assertion.status != AssertionStatus::passed)
    lines += fmt::format("           {}\n", printable(assertion.message));
  return lines;
}

} // namespace

std::string gate_lines(const result::Gate& gate, bool color) {
  const auto count = [&](AssertionStatus status) {
    return std::count_if(gate.assertions.begin(), gate.assertions.end(),
                         [&](const Assertion& assertion) { return assertion.status == status; });
  };
  const auto outcome = gate.passed ? AssertionStatus::passed : AssertionStatus::failed;
  std::string lines =
      fmt::format("gate: {}; {} of {} failed, {} skipped\n",
                  colored(result::to_text(outcome), outcome, color), count(AssertionStatus::failed),
                  count_of(gate.assertions.size(), "check"), count(AssertionStatus::skipped));
  if (!gate.baseline.empty()) lines += fmt::format("baseline: {}\n", printable(gate.baseline));
  for (const Assertion& assertion : gate.assertions)
    lines += assertion_lines(assertion, color);
  return lines;
}

} // namespace debrief::cli
