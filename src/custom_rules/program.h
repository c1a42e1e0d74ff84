// Runs the program of a custom rule, and makes a row of its answer. Whatever becomes of the program
// (a crash, a hang, no JSON), the row says so.
#pragma once

#include "custom_rules/custom_rule.h"
#include "custom_rules/program_output.h"
#include "result/result.h"

#include <string>

namespace debrief::custom_rules {

/// What a program may write, in bytes.
inline constexpr std::size_t kMaxProgramOutput = std::size_t{1} << 20U;

/// The row of an answer, without name and settings. Throws Error where it does not fit the job, as
/// parse_program_output() does.
result::RuleRow row_of_output(const ProgramOutput& output, const CustomRule& rule,
                              const result::Result& result);

/// `tables` is the folder with the job's tables. Never throws for what the program does.
result::RuleRow run_program(const CustomRule& rule, const std::string& tables,
                            const result::Result& result);

} // namespace debrief::custom_rules
