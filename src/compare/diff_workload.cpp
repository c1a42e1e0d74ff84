// Operators and kernels by name.
#include "compare/diff.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace debrief::compare {

namespace {

using result::Result;

/// Work of which both jobs do less than this, in percent of all such work, is not worth a word.
constexpr double kMinPercent = 0.5;

/// One call or step of work that nobody touched differs by this much from run to run: clocks and
/// caches; few of them are recorded, and nothing says how they scatter.
constexpr Tolerance kTolerance{0.10, 0};

/// A list of work in a result.
struct Listing {
  std::map<std::string, WorkSide> rows;
  std::string source;
  double steps = 0; ///< that the work is of; 0: not known
  bool is_cut = false;
};

double profiled_steps(const Result& result) {
  double steps = 0;
  for (const result::ProcessBreakdown& process : result.traces.processes)
    steps += static_cast<double>(process.steps);
  return steps;
}

bool is_cut_at(std::int64_t count, std::size_t rows) {
  return count > static_cast<std::int64_t>(rows);
}

Listing operators_of(const Result& result, const result::OperatorTable& operators) {
  Listing out;
  out.source = result.framework.operator_source;
  if (out.source == result::kFromTraces) out.steps = profiled_steps(result);
  for (const result::OperatorRow& row : operators.rows) {
    WorkSide side;
    side.total_us = static_cast<double>(row.total_us);
    if (row.self_us) side.self_us = static_cast<double>(*row.self_us);
    if (row.calls) side.calls = static_cast<double>(*row.calls);
    side.percent = row.self_percent;
    if (!side.percent && std::isfinite(row.percent)) side.percent = row.percent;
    out.rows.try_emplace(row.name, side);
  }
  out.is_cut = is_cut_at(operators.count, operators.rows.size());
  return out;
}

Listing kernels_of(const Result& result) {
  const result::Kernels& kernels = result.traces.kernels;
  Listing out;
  out.steps = profiled_steps(result);
  for (const result::KernelRow& row : kernels.rows) {
    WorkSide side;
    side.total_us = std::isfinite(row.total_us) ? row.total_us : 0;
    side.self_us = side.total_us;
    side.calls = static_cast<double>(row.calls);
    if (std::isfinite(row.percent)) side.percent = row.percent;
    out.rows.try_emplace(row.name, side);
  }
  out.is_cut = is_cut_at(kernels.names, kernels.rows.size());
  return out;
}

void set_each(Listing& listing, bool per_step) {
  for (auto& [name, side] : listing.rows) {
    const double by = per_step ? listing.steps : side.calls.value_or(0);
    if (side.self_us && by > 0) side.each_us = *side.self_us / by;
  }
}

bool is_little(const WorkSide& side) {
  return side.percent.value_or(0) < kMinPercent;
}

WorkChange compare_work(const std::string& name, const WorkSide& before, const WorkSide& after) {
  WorkChange out{name, before, after, {}, {}, ChangeKind::incomparable, "calls are not recorded"};
  if (!before.each_us || !after.each_us) return out;
  const auto figure = [](double us) -> Figure {
    return {"", "", "µs", Better::lower, us, {}, false};
  };
  const Change change = compare(figure(*before.each_us), figure(*after.each_us), kTolerance);
  out.difference = change.difference;
  out.relative = change.relative;
  out.word = change.word;
  out.reason = change.reason;
  if (change.word != ChangeKind::no_change && is_little(before) && is_little(after)) {
    out.word = ChangeKind::no_change;
    out.reason = "less than 0.5% of all";
  }
  return out;
}

/// Microseconds that the change cost or saved in what was recorded.
double weight(const WorkChange& change, bool per_step) {
  if (!change.difference) return 0;
  const double calls =
      per_step ? 1 : std::min(change.before->calls.value_or(0), change.after->calls.value_or(0));
  return std::abs(*change.difference) * calls;
}

double most_us(const WorkChange& change) {
  return std::max(change.before ? change.before->total_us : 0,
                  change.after ? change.after->total_us : 0);
}

Workload join(const char* id, Listing before, Listing after) {
  Workload out;
  out.id = id;
  out.per_step = before.steps > 0 && after.steps > 0;
  out.is_cut = before.is_cut || after.is_cut;
  set_each(before, out.per_step);
  set_each(after, out.per_step);
  for (const auto& [name, side] : before.rows)
    if (const auto found = after.rows.find(name); found != after.rows.end())
      out.rows.push_back(compare_work(name, side, found->second));
    else
      out.rows.push_back({name, side, {}, {}, {}, ChangeKind::incomparable, "only before"});
  for (const auto& [name, side] : after.rows)
    if (!before.rows.contains(name))
      out.rows.push_back({name, {}, side, {}, {}, ChangeKind::incomparable, "only after"});
  const auto order = [&](const WorkChange& change) {
    const int group = !change.before || !change.after        ? 2
                      : change.word == ChangeKind::no_change ? 1
                                                             : 0;
    return std::tuple(group, -weight(change, out.per_step), -most_us(change));
  };
  std::stable_sort(out.rows.begin(), out.rows.end(),
                   [&](const WorkChange& a, const WorkChange& b) { return order(a) < order(b); });
  return out;
}

} // namespace

std::vector<Workload> diff_workload(const Result& before, const Result& after) {
  std::vector<Workload> out;
  const auto add = [&](const char* id, Listing first, Listing second) {
    if (!first.rows.empty() || !second.rows.empty())
      out.push_back(join(id, std::move(first), std::move(second)));
  };
  add("cpu_operators", operators_of(before, before.framework.cpu_operators),
      operators_of(after, after.framework.cpu_operators));
  // GPU operators out of traces are the kernels.
  Listing first = operators_of(before, before.framework.gpu_operators);
  Listing second = operators_of(after, after.framework.gpu_operators);
  if (first.source != result::kFromTraces && second.source != result::kFromTraces)
    add("gpu_operators", std::move(first), std::move(second));
  add("kernels", kernels_of(before), kernels_of(after));
  return out;
}

} // namespace debrief::compare
