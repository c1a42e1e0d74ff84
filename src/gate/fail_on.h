// `--fail-on`: what must not be found in a job. A kind of finding ("step_stalls"), one of
// SageMaker's rules ("LowGPUUtilization"), or every finding from a severity on
// ("severity>=critical").
#pragma once

#include "result/result.h"

#include <string>

namespace debrief::gate {

struct FailOn {
  enum class What { finding, rule, severity };

  std::string text; ///< as written
  What what = What::finding;
  std::string name; ///< of the finding's kind or of the rule
  result::Severity least = result::Severity::critical;
};

/// Throws Error, a sentence that begins with `where`, for what is none of these.
FailOn parse_fail_on(const std::string& text, const std::string& where);

/// Throws Error where the job does not let it be told: a rule that was not evaluated, findings that
/// could not be made. That is no pass.
result::Assertion evaluate(const FailOn& demand, const result::Result& result);

} // namespace debrief::gate
