#include "gate/demands.h"
#include "util/error.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace debrief::gate {

namespace {

using result::Assertion;
using result::AssertionStatus;

/// "GPU utilization, median of algo-1" of a figure of one place.
std::string label_of(const compare::Figure& figure) {
  const std::string_view place = compare::place_of(figure.name);
  return place.empty() ? figure.label : fmt::format("{} of {}", figure.label, printable(place));
}

} // namespace

void check_figure_name(const std::string& name, const std::string& where) {
  if (compare::is_scalar_name(name)) return;
  const std::string plain = compare::without_place(name);
  if (compare::is_known_name(plain)) return;
  throw Error(fmt::format("{}: unknown metric '{}'{}; docs/figures.md lists them", where,
                          printable(name), compare::nearest_name(plain)));
}

Require parse_require(const std::string& text, const std::string& where) {
  auto comparison = parse_comparison(text);
  if (!comparison)
    throw Error(fmt::format("{}: not a condition; write a metric, an operator and a number, such "
                            "as 'gpu.p50 >= 70' or 'steps.train.p95 < 80ms'",
                            where));
  check_figure_name(comparison->name, where);
  return {std::string{trimmed(text)}, std::move(comparison->name), comparison->op,
          std::move(comparison->value)};
}

const compare::Figure* find_figure(std::span<const compare::Figure> figures,
                                   const std::string& name) {
  const std::string wanted = compare::canonical_name(name);
  const auto found =
      std::find_if(figures.begin(), figures.end(),
                   [&](const compare::Figure& figure) { return figure.name == wanted; });
  return found == figures.end() ? nullptr : &*found;
}

Assertion evaluate(const Require& demand, std::span<const compare::Figure> figures) {
  const compare::Figure* figure = find_figure(figures, demand.figure);
  if (figure == nullptr)
    throw Error(fmt::format("require {}: this job has no metric {}, which is not a pass; record "
                            "the data it needs, or drop this check",
                            printable(demand.text), printable(demand.figure)));
  const auto wanted = in_unit(demand.value, figure->unit);
  if (!wanted)
    throw Error(fmt::format("require {}: '{}' is not a unit of {}, which has {}",
                            printable(demand.text), printable(demand.value.unit), demand.figure,
                            units_of(figure->unit)));
  const TextPair texts = told_apart(figure->value, *wanted, figure->unit);
  const bool good = holds(figure->value, demand.op, *wanted);
  const std::string expected = fmt::format("{} {}", words_for(demand.op), texts.second);
  return {"require",
          demand.text,
          good ? AssertionStatus::passed : AssertionStatus::failed,
          expected,
          texts.first,
          fmt::format("{} is {}; it {} {}.", label_of(*figure), texts.first,
                      good ? "had to be" : "has to be", expected),
          figure->value,
          *wanted};
}

} // namespace debrief::gate
