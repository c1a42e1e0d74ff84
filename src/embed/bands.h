// What has stretches of time of its own beside the samples: bands behind the charts.
#pragma once

#include "result/findings.h"
#include "result/rules.h"

#include <span>

namespace debrief::embed {

/// It refers to them; they must outlive it.
struct Bands {
  std::span<const result::Finding> findings;
  std::span<const result::RuleRow> rules;
};

} // namespace debrief::embed
