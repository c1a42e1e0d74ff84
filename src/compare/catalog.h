// Every figure there is, declared once: its name, what it is called, its unit, which direction is
// better and which of several places is the worst.
#pragma once

#include "compare/figure.h"

#include <string>
#include <string_view>
#include <vector>

namespace debrief::compare {

/// What figures are listed by where there are many.
enum class Group { utilization, steps, time, waste, data_loading, traces, memory, counts };

struct Declaration {
  std::string name;  ///< "gpu.p50"
  std::string label; ///< "GPU utilization, median"
  std::string unit;  ///< as Figure has it
  Better better = Better::neither;
  Group group = Group::counts;
};

/// All of them, in the order in which figures are listed.
const std::vector<Declaration>& catalog();

/// Nothing where no figure has this name; brackets are left out of account.
const Declaration* find_declaration(std::string_view name);

/// "gpu[algo-1].p50" -> "gpu.p50".
std::string without_place(std::string_view name);

/// "algo-1" of "gpu[algo-1].p50"; empty: of none in particular.
std::string_view place_of(std::string_view name);

/// "gpu.p50", "algo-1" -> "gpu[algo-1].p50".
std::string with_place(std::string_view name, std::string_view place);

} // namespace debrief::compare
