// Entries of jobs whose waste is told in plain numbers.
#pragma once

#include "overview/entry.h"

#include <utility>

namespace debrief::test {

/// A job with `lost` of `paid` hours lost to input, the rest busy.
inline overview::Entry job_entry(std::string name, double paid, double lost,
                                 result::WasteUnit unit = result::WasteUnit::gpu_hours) {
  overview::Entry entry;
  entry.input = "runs/" + name;
  entry.page = name + ".html";
  entry.name = std::move(name);
  if (lost > 0) entry.verdict.kind = result::FindingKind::input_bound;
  entry.verdict.severity = lost > 0 ? result::Severity::critical : result::Severity::info;
  entry.verdict.title = lost > 0 ? "The GPUs wait for data" : "Nothing is wrong";
  entry.waste.unit = unit;
  entry.waste.basis = "GPU utilization samples";
  entry.waste.paid = paid;
  entry.waste.busy = paid - lost;
  if (lost > 0)
    entry.waste.parts.push_back({result::FindingKind::input_bound, lost, 100 * lost / paid, {}});
  return entry;
}

/// One that could not be read.
inline overview::Entry failed_entry(const std::string& path, std::string why) {
  overview::Entry entry;
  entry.input = path;
  entry.error = std::move(why);
  return entry;
}

} // namespace debrief::test
