#include "gate/demands.h"
#include "util/error.h"
#include "util/text.h"

#include <fmt/format.h>

#include <cmath>

namespace debrief::gate {

namespace {

/// Least tolerance of shares of the whole job, in percentage points: they move with its length,
/// since the same start-up is a larger share of a shorter or faster job.
constexpr double kSharesOfJob = 5;

Quantity parse_amount(const std::string& amount, const std::string& where) {
  const auto quantity = parse_quantity(amount);
  if (!quantity || quantity->number < 0)
    throw Error(fmt::format("{}: not a tolerance; write 5%, or for one metric also 2ms", where));
  return *quantity;
}

} // namespace

void Tolerances::set(const std::string& text, const std::string& where) {
  const std::size_t equals = text.rfind('=');
  if (equals == text.npos) return set_general(text, where);
  set_figure(std::string{trimmed(std::string_view{text}.substr(0, equals))},
             text.substr(equals + 1), where);
}

void Tolerances::set_general(const std::string& amount, const std::string& where) {
  const Quantity quantity = parse_amount(amount, where);
  if (quantity.unit != "%")
    throw Error(fmt::format("{}: applies to metrics of all units, so it must be a share; write 5%, "
                            "or name the metric (steps.train.p50=2ms)",
                            where));
  general_ = quantity.number / 100;
}

void Tolerances::set_figure(const std::string& name, const std::string& amount,
                            const std::string& where) {
  check_figure_name(name, where);
  figures_[compare::canonical_name(name)] = parse_amount(amount, where);
}

compare::Tolerance Tolerances::of(const compare::Figure& figure) const {
  const auto own = figures_.find(figure.name);
  if (own == figures_.end()) {
    compare::Tolerance usual = compare::default_tolerance(figure);
    if (general_) usual.relative = *general_;
    if (figure.unit == "%" && figure.name.starts_with("waste.")) usual.absolute = kSharesOfJob;
    return usual;
  }
  const Quantity& amount = own->second;
  if (amount.unit == "%") return {amount.number / 100, 0};
  const auto absolute = in_unit(amount, figure.unit);
  if (!absolute)
    throw Error(fmt::format(
        "tolerance for {}: '{}' is not its unit, which has {}; or write it as a share, 5%",
        printable(figure.name), printable(amount.unit), units_of(figure.unit)));
  return {0, *absolute};
}

std::string Tolerances::text_of(const compare::Figure& figure) const {
  const compare::Tolerance tolerance = of(figure);
  if (tolerance.relative > 0 && tolerance.relative * std::abs(figure.value) >= tolerance.absolute)
    return fmt::format("{:.4g}%", tolerance.relative * 100);
  return figure.unit == "%" ? fmt::format("{:.4g} percentage point{}", tolerance.absolute,
                                          tolerance.absolute == 1 ? "" : "s")
                            : value_text(tolerance.absolute, figure.unit);
}

} // namespace debrief::gate
