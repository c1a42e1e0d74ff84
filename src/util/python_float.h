// Numbers as Python writes them, since SageMaker's files come from Python.
#pragma once

#include <string>

namespace debrief {

/// The shortest text that reads back as the same number, with ".0" where it is whole: 70.0,
/// 1678025720.50033, 5e-05. `value` is finite.
std::string python_float(double value);

/// round(value, decimals), as Python rounds: by the exact value, half to even only where it is
/// exact.
double python_round(double value, int decimals);

} // namespace debrief
