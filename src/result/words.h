// The words that documents and pages have for the result's enumerations.
#pragma once

#include "result/findings.h"
#include "result/gate.h"

namespace debrief::result {

constexpr const char* to_text(Severity severity) {
  switch (severity) {
  case Severity::info:
    return "info";
  case Severity::warning:
    return "warning";
  case Severity::critical:
    break;
  }
  return "critical";
}

constexpr const char* to_text(Confidence confidence) {
  switch (confidence) {
  case Confidence::low:
    return "low";
  case Confidence::medium:
    return "medium";
  case Confidence::high:
    break;
  }
  return "high";
}

constexpr const char* to_text(AssertionStatus status) {
  switch (status) {
  case AssertionStatus::passed:
    return "passed";
  case AssertionStatus::failed:
    return "failed";
  case AssertionStatus::skipped:
    break;
  }
  return "skipped";
}

} // namespace debrief::result
