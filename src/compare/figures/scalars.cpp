// What the training script logged: the first, the last, the lowest and the highest value of each
// scalar.
#include "compare/figures.h"
#include "result/json.h"
#include "result/main_curves.h"
#include "util/scalar_key.h"
#include "util/text.h"

#include <fmt/format.h>

#include <array>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace debrief::compare {

namespace {

using result::Curve;
using result::CurveSplit;
using result::CurveTopic;

constexpr std::string_view kScalar = "scalar.";

struct Statistic {
  std::string_view name;
  const char* label;
  std::optional<double> Curve::*value;
};

constexpr std::array kStatistics = {
    Statistic{"first", "first", &Curve::first}, Statistic{"last", "last", &Curve::last},
    Statistic{"min", "min", &Curve::min}, Statistic{"max", "max", &Curve::max}};

/// Only evaluations can be told better or worse: a value of training is one batch's.
Better direction(const Curve& curve, std::string_view statistic) {
  if (curve.split != CurveSplit::evaluation || statistic == "first") return Better::neither;
  if (curve.topic == CurveTopic::loss && statistic != "max") return Better::lower;
  if (curve.topic == CurveTopic::accuracy && statistic != "min") return Better::higher;
  return Better::neither;
}

/// The name of a scalar and its statistic; both empty where it is none.
std::pair<std::string_view, std::string_view> parts_of_name(std::string_view name) {
  if (!name.starts_with(kScalar)) return {};
  const std::string_view rest = name.substr(kScalar.size());
  const std::size_t dot = rest.rfind('.');
  if (dot == rest.npos || dot == 0) return {};
  for (const Statistic& statistic : kStatistics)
    if (rest.substr(dot + 1) == statistic.name) return {rest.substr(0, dot), statistic.name};
  return {};
}

} // namespace

std::string scalar_part(std::string_view name) {
  std::string part = scalar_key(name);
  for (char& c : part) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c & 0x80) != 0;
    if (!letter) c = '_';
  }
  return part;
}

bool is_scalar_name(std::string_view name) {
  return !parts_of_name(name).first.empty();
}

std::string canonical_name(std::string_view name) {
  const auto [scalar, statistic] = parts_of_name(name);
  if (scalar.empty()) return std::string{name};
  return fmt::format("{}{}.{}", kScalar, scalar_part(scalar), statistic);
}

std::vector<Figure> scalar_figures(const result::Result& result) {
  std::vector<Figure> out;
  std::set<std::string> known; // two tools may differ in a sign: the first is taken
  for (const Curve& curve : result.curves.curves) {
    const std::string part = scalar_part(curve.name);
    if (part.empty() || !known.insert(part).second) continue;
    for (const Statistic& statistic : kStatistics) {
      const std::optional<double>& value = curve.*statistic.value;
      if (!value || (statistic.name == "last" && !result::ends_finite(curve))) continue;
      Figure figure;
      figure.name = fmt::format("{}{}.{}", kScalar, part, statistic.name);
      figure.label = fmt::format("{}, {}", printable(curve.name), statistic.label);
      figure.better = direction(curve, statistic.name);
      figure.value = result::rounded_digits(*value);
      out.push_back(std::move(figure));
    }
  }
  return out;
}

} // namespace debrief::compare
