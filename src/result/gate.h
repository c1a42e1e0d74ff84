// The outcome of `debrief check`: what was demanded of the job, and what was found.
#pragma once

#include "result/enum_names.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace debrief::result {

/// skipped: there is a figure on both sides, but too little behind it to tell a change from noise.
enum class AssertionStatus { passed, failed, skipped };

template <>
inline constexpr auto kNames<AssertionStatus> = std::to_array<const char*>({"passed", "failed",
                                                                            "skipped"});

struct Assertion {
  std::string kind; ///< "fail-on", "require", "baseline"
  std::string name; ///< as written: "gpu.p50 >= 70", "step_stalls"; of a baseline the figure
  AssertionStatus status = AssertionStatus::passed;
  std::string expected;             ///< ready to show
  std::string found;                ///< ready to show
  std::string message;              ///< one sentence
  std::optional<double> value = {}; ///< of the figure, in its unit; absent: it is no number
  std::optional<double> bound = {}; ///< what it may reach and no more, or no less
};

struct Gate {
  bool passed = true;                ///< no assertion failed
  std::string baseline;              ///< name of the job that it was compared with; empty: none
  std::vector<Assertion> assertions; ///< failed first, then skipped, then passed
};

} // namespace debrief::result
