// The ledger as the reader sees it: hours, by finding.
#pragma once

#include "findings/ledger.h"
#include "result/findings.h"

#include <optional>
#include <vector>

namespace debrief::findings {

result::Waste waste_of(const Ledger& ledger, const std::vector<result::Finding>& findings,
                       std::optional<double> price);

} // namespace debrief::findings
