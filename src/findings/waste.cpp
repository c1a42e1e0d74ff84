#include "findings/waste.h"

#include <algorithm>

namespace debrief::findings {

namespace {

const char* basis_text(Basis basis) {
  switch (basis) {
  case Basis::samples:
    return "GPU utilization samples";
  case Basis::traces:
    return "PyTorch traces";
  case Basis::recorded:
    return "percentiles of SageMaker's rule outputs";
  case Basis::steps:
    return "steps";
  case Basis::cores:
    return "CPU utilization samples";
  case Basis::none:
    break;
  }
  return "";
}

} // namespace

result::Waste waste_of(const Ledger& ledger, const std::vector<result::Finding>& findings,
                       std::optional<double> price) {
  result::Waste waste;
  const double paid = ledger.paid() / 3600;
  if (ledger.basis == Basis::none || paid <= 0) return waste;
  waste.unit = ledger.of_gpus() ? "GPU-hours" : "node-hours";
  waste.basis = basis_text(ledger.basis);
  if (ledger.without_collectives) waste.basis += ", without collectives that compute does not hide";
  waste.paid = paid;
  waste.busy = ledger.busy() / 3600;
  waste.unmeasured = ledger.unmeasured() / 3600;
  waste.price = price;
  const double measured = ledger.measured() / 3600;
  double lost = std::max(0.0, paid - waste.busy - waste.unmeasured);
  for (const result::Finding& finding : findings) {
    if (finding.score <= 0) continue;
    result::WastePart part;
    part.kind = finding.kind;
    part.hours = std::min(finding.score * measured, lost);
    part.percent = 100 * part.hours / paid;
    if (price) part.money = part.hours * *price;
    lost -= part.hours;
    waste.parts.push_back(std::move(part));
  }
  waste.other = lost;
  return waste;
}

} // namespace debrief::findings
