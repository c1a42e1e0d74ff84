// What was paid for, and what became of it.
#include "compare/figures/parts.h"
#include "result/findings.h"

#include <fmt/format.h>

#include <string_view>

namespace debrief::compare {

namespace {

using nlohmann::json;

/// Time is lost to every kind but the one that says that nothing is known.
bool can_cost(std::string_view kind) {
  return kind != "insufficient_data";
}

std::string share_name(std::string_view kind) {
  return fmt::format("waste.{}_percent", kind);
}

constexpr const char* kHours[] = {"waste.paid", "waste.busy", "waste.lost"};

} // namespace

void declare_waste(std::vector<Declaration>& out) {
  const auto declare = [&](const std::string& name, const std::string& label, const char* unit,
                           Better better) {
    out.push_back({name, label, unit, better, Group::waste});
  };
  declare("waste.paid", "GPU time paid", "GPU-hours", Better::lower);
  declare("waste.busy", "GPU time busy", "GPU-hours", Better::neither);
  declare("waste.lost", "GPU time lost", "GPU-hours", Better::lower);
  declare("waste.busy_percent", "Share of GPU time busy", "%", Better::higher);
  declare("waste.lost_percent", "Share of GPU time lost", "%", Better::lower);
  for (const char* kind : result::kFindingKinds)
    if (can_cost(kind))
      declare(share_name(kind), fmt::format("Share of GPU time lost to {}", kind), "%",
              Better::lower);
}

void collect_waste(const json& document, Collector& out) {
  const json& waste = at(document, "waste");
  const auto paid = number_at(waste, "paid");
  if (!paid) return;
  const std::string unit = text_at(waste, "unit");
  double lost = number_at(waste, "other").value_or(0);
  // All that was lost is accounted for, so what is not among the parts lost nothing.
  for (const char* kind : result::kFindingKinds) {
    double percent = 0;
    for (const json* part : rows_at(waste, "parts"))
      if (text_at(*part, "kind") == kind) {
        percent += number_at(*part, "percent").value_or(0);
        lost += number_at(*part, "hours").value_or(0);
      }
    if (can_cost(kind)) out.add_share(share_name(kind), percent, unit);
  }
  const auto busy = number_at(waste, "busy");
  out.add("waste.paid", paid);
  out.add("waste.busy", busy);
  out.add("waste.lost", lost);
  out.add_share("waste.busy_percent", number_at(waste, "busy_percent"), unit);
  out.add_share("waste.lost_percent", number_at(waste, "lost_percent"), unit);
  for (const char* name : kHours)
    out.set_unit(name, unit);
}

} // namespace debrief::compare
