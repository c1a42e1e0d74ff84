#include "gate/comparison.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace debrief::gate {

namespace {

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

/// Where the operator begins: what stands in brackets is a name of the job, and may hold anything.
std::size_t operator_place(std::string_view text) {
  const std::size_t open = text.find('[');
  const std::size_t first = text.find_first_of("<>=!");
  if (open == text.npos || first < open) return first;
  const std::size_t close = text.rfind(']');
  return close == text.npos ? first : text.find_first_of("<>=!", close);
}

} // namespace

std::optional<Comparison> parse_comparison(std::string_view text) {
  const std::size_t place = operator_place(text);
  if (place == text.npos) return std::nullopt;
  const auto sign =
      std::find_if(kOperators.begin(), kOperators.end(), [&](const OperatorWord& word) {
        return text.substr(place).starts_with(word.sign);
      });
  if (sign == kOperators.end()) return std::nullopt;
  const auto value = parse_quantity(text.substr(place + sign->sign.size()));
  Comparison out{std::string{trimmed(text.substr(0, place))}, sign->op, {}};
  if (out.name.empty() || !value) return std::nullopt;
  out.value = *value;
  return out;
}

std::string_view words_for(Operator op) {
  return std::find_if(kOperators.begin(), kOperators.end(),
                      [&](const OperatorWord& word) { return word.op == op; })
      ->words;
}

bool holds(double found, Operator op, double wanted) {
  if (std::isnan(found)) return false;
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

} // namespace debrief::gate
