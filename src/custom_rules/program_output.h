// What the program of a custom rule answers: one JSON object on its standard output.
//
//   {"triggered": true, "reason": "3 steps took twice as long as their neighbors",
//    "rows": [{"step": 12, "name": "step", "value": 0.41, "threshold": 0.2, "what": "duration"},
//             {"time": "2026-11-14T23:48:10Z", "end": "2026-11-14T23:48:12Z", "node": "algo-1"}]}
//
// It is untrusted: all texts are printable and cut, and whatever does not fit is an Error.
#pragma once

#include "result/findings.h"
#include "util/time.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace debrief::custom_rules {

/// Where a rule triggered: at a step, or at a time. Exactly one of them is set.
struct OutputRow {
  std::optional<std::int64_t> step = {};
  std::optional<TimeSpan> span = {};
  std::string name = {};   ///< of a row with a step: what it is about
  std::string node = {};   ///< of a row with a time
  std::string device = {}; ///< the same
  std::string what = {};
  std::optional<double> value = {};
  std::optional<double> threshold = {};
};

struct ProgramOutput {
  std::optional<bool> triggered; ///< absent: the program could not judge; `reason` says why
  std::string reason;
  std::optional<std::string> description; ///< these go over what the config file has
  std::optional<std::string> recommendation;
  std::optional<result::Severity> severity;
  std::optional<std::int64_t> samples; ///< how many values it looked at
  std::vector<OutputRow> rows;
};

/// Throws Error, the end of a sentence that begins with the program: "wrote no JSON object: …".
ProgramOutput parse_program_output(std::string_view text);

} // namespace debrief::custom_rules
