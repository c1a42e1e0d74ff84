// Operators and kernels by name.
#include "compare/catalog.h"
#include "compare/diff.h"
#include "compare/document.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace debrief::compare {

namespace {

using nlohmann::json;

/// Work of which both jobs do less than this, in percent of all such work, is not worth a word.
constexpr double kMinPercent = 0.5;

/// One call or step of work that nobody touched differs by this much from run to run: clocks and
/// caches; few of them are recorded, and nothing says how they scatter.
constexpr Tolerance kTolerance{0.10, 0};

/// A list of work in a document.
struct Listing {
  std::map<std::string, WorkSide> rows;
  std::string source;
  double steps = 0; ///< that the work is of; 0: not known
  bool is_cut = false;
};

double profiled_steps(const json& document) {
  double steps = 0;
  for (const json* row : rows_at(at(document, "traces"), "processes"))
    steps += number_at(*row, "steps").value_or(0);
  return steps;
}

Listing operators_of(const json& document, const char* kind) {
  const json& framework = at(document, "framework");
  Listing out;
  out.source = text_at(framework, "operator_source");
  if (out.source == "PyTorch traces") out.steps = profiled_steps(document);
  const auto rows = rows_at(framework, std::string{kind} + "s");
  for (const json* row : rows) {
    WorkSide side;
    side.total_us = number_at(*row, "total_us").value_or(0);
    side.self_us = number_at(*row, "self_us");
    side.calls = number_at(*row, "calls");
    side.percent = number_at(*row, "self_percent");
    if (!side.percent) side.percent = number_at(*row, "percent");
    out.rows.try_emplace(text_at(*row, "operator"), side);
  }
  out.is_cut = number_at(framework, std::string{kind} + "_count").value_or(0) >
               static_cast<double>(rows.size());
  return out;
}

Listing kernels_of(const json& document) {
  const json& kernels = at(at(document, "traces"), "kernels");
  Listing out;
  out.steps = profiled_steps(document);
  const auto rows = rows_at(kernels, "rows");
  for (const json* row : rows) {
    WorkSide side;
    side.total_us = number_at(*row, "total_us").value_or(0);
    side.self_us = side.total_us;
    side.calls = number_at(*row, "calls");
    side.percent = number_at(*row, "percent");
    out.rows.try_emplace(text_at(*row, "name"), side);
  }
  out.is_cut = number_at(kernels, "names").value_or(0) > static_cast<double>(rows.size());
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
  WorkChange out{name, before, after, {}, {}, Word::incomparable, "calls are not recorded"};
  if (!before.each_us || !after.each_us) return out;
  const auto figure = [](double us) -> Figure {
    return {"", "", "µs", Better::lower, us, {}, false};
  };
  const Change change = compare(figure(*before.each_us), figure(*after.each_us), kTolerance);
  out.difference = change.difference;
  out.relative = change.relative;
  out.word = change.word;
  out.reason = change.reason;
  if (change.word != Word::no_change && is_little(before) && is_little(after)) {
    out.word = Word::no_change;
    out.reason = "less than 0.5 % of all";
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

Works join(const char* id, Listing before, Listing after) {
  Works out;
  out.id = id;
  out.per_step = before.steps > 0 && after.steps > 0;
  out.is_cut = before.is_cut || after.is_cut;
  set_each(before, out.per_step);
  set_each(after, out.per_step);
  for (const auto& [name, side] : before.rows)
    if (const auto found = after.rows.find(name); found != after.rows.end())
      out.rows.push_back(compare_work(name, side, found->second));
    else
      out.rows.push_back({name, side, {}, {}, {}, Word::incomparable, "only before"});
  for (const auto& [name, side] : after.rows)
    if (!before.rows.contains(name))
      out.rows.push_back({name, {}, side, {}, {}, Word::incomparable, "only after"});
  const auto order = [&](const WorkChange& change) {
    const int group = !change.before || !change.after ? 2 : change.word == Word::no_change ? 1 : 0;
    return std::tuple(group, -weight(change, out.per_step), -most_us(change));
  };
  std::stable_sort(out.rows.begin(), out.rows.end(),
                   [&](const WorkChange& a, const WorkChange& b) { return order(a) < order(b); });
  return out;
}

} // namespace

std::vector<Works> diff_works(const json& before, const json& after) {
  std::vector<Works> out;
  const auto add = [&](const char* id, Listing first, Listing second) {
    if (!first.rows.empty() || !second.rows.empty())
      out.push_back(join(id, std::move(first), std::move(second)));
  };
  add("cpu_operators", operators_of(before, "cpu_operator"), operators_of(after, "cpu_operator"));
  // GPU operators out of traces are the kernels.
  Listing first = operators_of(before, "gpu_operator");
  Listing second = operators_of(after, "gpu_operator");
  if (first.source != "PyTorch traces" && second.source != "PyTorch traces")
    add("gpu_operators", std::move(first), std::move(second));
  add("kernels", kernels_of(before), kernels_of(after));
  return out;
}

} // namespace debrief::compare
