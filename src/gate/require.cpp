#include "gate/demands.h"
#include "util/error.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace debrief::gate {

namespace {

using result::Assertion;
using result::AssertionStatus;

struct OperatorWord {
  std::string_view sign;
  Operator op;
  std::string_view words;
};

/// Longer signs first, since they begin like the shorter ones.
constexpr std::array kOperators = {
    OperatorWord{"<=", Operator::at_most, "at most"},
    OperatorWord{">=", Operator::at_least, "at least"},
    OperatorWord{"==", Operator::equal, "exactly"},
    OperatorWord{"!=", Operator::unequal, "anything but"},
    OperatorWord{"<", Operator::less, "less than"},
    OperatorWord{">", Operator::greater, "more than"},
};

std::string_view words_for(Operator op) {
  return std::find_if(kOperators.begin(), kOperators.end(),
                      [&](const OperatorWord& word) { return word.op == op; })
      ->words;
}

bool holds(double found, Operator op, double wanted) {
  switch (op) {
  case Operator::less:
    return found < wanted;
  case Operator::at_most:
    return found <= wanted;
  case Operator::greater:
    return found > wanted;
  case Operator::at_least:
    return found >= wanted;
  case Operator::equal:
    return found == wanted;
  case Operator::unequal:
    break;
  }
  return found != wanted;
}

/// Where the operator begins: what stands in brackets is a name of the job, and may hold anything.
std::size_t operator_place(const std::string& text) {
  const std::size_t open = text.find('[');
  const std::size_t first = text.find_first_of("<>=!");
  if (open == text.npos || first < open) return first;
  const std::size_t close = text.rfind(']');
  return close == text.npos ? first : text.find_first_of("<>=!", close);
}

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
  const auto refuse = [&] {
    return Error(fmt::format("{}: not a condition; write a metric, an operator and a number, such "
                             "as 'gpu.p50 >= 70' or 'steps.train.p95 < 80ms'",
                             where));
  };
  const std::size_t place = operator_place(text);
  if (place == text.npos) throw refuse();
  const auto sign =
      std::find_if(kOperators.begin(), kOperators.end(), [&](const OperatorWord& word) {
        return std::string_view{text}.substr(place).starts_with(word.sign);
      });
  if (sign == kOperators.end()) throw refuse();
  const std::string_view all{text};
  Require demand{
      std::string{trimmed(all)}, std::string{trimmed(all.substr(0, place))}, sign->op, {}};
  const auto value = parse_quantity(all.substr(place + sign->sign.size()));
  if (demand.figure.empty() || !value) throw refuse();
  demand.value = *value;
  check_figure_name(demand.figure, where);
  return demand;
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
  const auto wanted = in_unit_of(demand.value, *figure);
  if (!wanted)
    throw Error(fmt::format("require {}: '{}' is not a unit of {}, which has {}",
                            printable(demand.text), printable(demand.value.unit), demand.figure,
                            units_of(*figure)));
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
