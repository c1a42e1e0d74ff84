#include "render/documents/junit.h"

#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace debrief::render {

namespace {

using result::Assertion;
using result::AssertionStatus;

/// Text as XML 1.0 can hold it, in elements and attributes: printable() makes controls and invalid
/// UTF-8 visible; the two noncharacters that XML forbids besides become U+FFFD.
std::string xml_text(std::string_view untrusted) {
  const std::string text = printable(untrusted);
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = std::string_view{text}.substr(i);
    if (rest.starts_with("\xEF\xBF\xBE") || rest.starts_with("\xEF\xBF\xBF")) {
      out += "\xEF\xBF\xBD";
      i += 2;
    } else if (text[i] == '&') {
      out += "&amp;";
    } else if (text[i] == '<') {
      out += "&lt;";
    } else if (text[i] == '>') {
      out += "&gt;";
    } else if (text[i] == '"') {
      out += "&quot;";
    } else {
      out += text[i];
    }
  }
  return out;
}

std::string comparison(const Assertion& assertion) {
  return fmt::format("expected: {}\nfound: {}", xml_text(assertion.expected),
                     xml_text(assertion.found));
}

std::string body(const Assertion& assertion) {
  const std::string message = xml_text(assertion.message);
  switch (assertion.status) {
  case AssertionStatus::failed:
    return fmt::format("      <failure type=\"{}\" message=\"{}\">{}\n{}</failure>\n",
                       xml_text(assertion.kind), message, message, comparison(assertion));
  case AssertionStatus::skipped:
    return fmt::format("      <skipped message=\"{}\"/>\n", message);
  case AssertionStatus::passed:
    break;
  }
  return fmt::format("      <system-out>{}\n{}</system-out>\n", message, comparison(assertion));
}

std::string test_case(const Assertion& assertion) {
  return fmt::format("    <testcase classname=\"debrief.{}\" name=\"{}\" time=\"0\">\n{}"
                     "    </testcase>\n",
                     xml_text(assertion.kind), xml_text(assertion.name), body(assertion));
}

} // namespace

std::string to_junit(const result::Result& result) {
  const auto& assertions = result.gate->assertions;
  const auto count = [&](AssertionStatus status) {
    return std::count_if(assertions.begin(), assertions.end(),
                         [&](const Assertion& assertion) { return assertion.status == status; });
  };
  const std::string counts = fmt::format(R"(tests="{}" failures="{}" errors="0")",
                                         assertions.size(), count(AssertionStatus::failed));
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  out += fmt::format("<testsuites name=\"debrief check\" {} time=\"0\">\n", counts);
  out += fmt::format("  <testsuite name=\"{}\" {} skipped=\"{}\" time=\"0\">\n",
                     xml_text(result.job.name), counts, count(AssertionStatus::skipped));
  for (const Assertion& assertion : assertions)
    out += test_case(assertion);
  return out + "  </testsuite>\n</testsuites>\n";
}

} // namespace debrief::render
