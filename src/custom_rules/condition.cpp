#include "custom_rules/condition.h"

#include "compare/figures.h"
#include "custom_rules/series_kinds.h"
#include "util/duration_text.h"
#include "util/error.h"
#include "util/text.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <utility>
#include <vector>

namespace debrief::custom_rules {

namespace {

constexpr std::string_view kFor = " for ";
constexpr std::string_view kScalar = "scalar.";
constexpr std::string_view kTensor = "tensor.";
constexpr std::int64_t kMostSteps = 1'000'000'000;
constexpr Microseconds kLongest = kHour * 24 * 30;

/// "for 3 steps" or "for 5min".
struct ForClause {
  std::optional<std::int64_t> steps;
  std::optional<Microseconds> duration;
};

[[noreturn]] void refuse_clause(std::string_view clause, const std::string& where) {
  throw Error(fmt::format("{}: '{}' says neither how many steps nor how long; write it as 'for 3 "
                          "steps' or 'for 5min'",
                          where, printable(clause)));
}

ForClause parse_clause(std::string_view clause, const std::string& where) {
  std::int64_t number = 0;
  const char* const end = clause.data() + clause.size();
  const auto [rest, error] = std::from_chars(clause.data(), end, number);
  const std::string_view noun =
      gate::trimmed(clause.substr(static_cast<std::size_t>(rest - clause.data())));
  if (noun == "steps" || noun == "step") {
    if (error != std::errc{} || number < 1 || number > kMostSteps) refuse_clause(clause, where);
    return {number, std::nullopt};
  }
  std::string text{clause};
  std::erase(text, ' ');
  const auto duration = parse_duration(text);
  // A number alone is milliseconds elsewhere; here it might as well be steps.
  if (!duration || noun.empty()) refuse_clause(clause, where);
  const Microseconds length = std::chrono::microseconds{*duration}.count();
  if (length > kLongest)
    throw Error(fmt::format("{}: '{}' is longer than 30 days; write a shorter time", where,
                            printable(clause)));
  return {std::nullopt, length};
}

/// What a quantile or a mean is called; nothing for other words.
std::optional<Statistic> parse_statistic(std::string_view word) {
  if (word == "mean") return Statistic{"mean", std::nullopt};
  if (word == "min") return Statistic{"min", 0.0};
  if (word == "max") return Statistic{"max", 1.0};
  int percent = 0;
  const char* const end = word.data() + word.size();
  if (!word.starts_with('p') || word.size() < 2) return std::nullopt;
  const auto [rest, error] = std::from_chars(word.data() + 1, end, percent);
  if (error != std::errc{} || rest != end || percent < 0 || percent > 100) return std::nullopt;
  return Statistic{std::string{word}, percent / 100.0};
}

/// Before the last dot and after it; the latter empty where there is none.
std::pair<std::string_view, std::string_view> split_last(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  if (dot == name.npos) return {name, {}};
  return {name.substr(0, dot), name.substr(dot + 1)};
}

bool has_wildcard(std::string_view text) {
  return text.find_first_of("*?") != text.npos;
}

void refuse_unit(const gate::Quantity& value, std::string_view name, std::string_view unit,
                 const std::string& where) {
  if (gate::in_unit(value, unit)) return;
  throw Error(fmt::format("{}: '{}' is not a unit of {}, which has {}", where,
                          printable(value.unit), printable(name), gate::units_of(unit)));
}

/// Series have a time, scalars and tensors steps, metrics neither.
void refuse_steps(const ForClause& clause, std::string_view name, const std::string& where) {
  if (clause.steps)
    throw Error(fmt::format("{}: {} is sampled over time, not by step; write 'for 5min' or the "
                            "like",
                            where, printable(name)));
}

std::int64_t steps_of(const ForClause& clause, std::string_view name, const std::string& where) {
  if (clause.duration)
    throw Error(fmt::format("{}: {} has values at steps; write 'for 3 steps' or the like", where,
                            printable(name)));
  return clause.steps.value_or(1);
}

bool take_series(std::string_view name, const ForClause& clause, const std::string& where,
                 Condition& out) {
  const std::string plain = compare::without_place(name);
  const auto [front, back] = split_last(plain);
  const auto statistic = parse_statistic(back);
  const bool other = plain.starts_with(kOtherSeries) && plain.size() > kOtherSeries.size();
  const bool whole =
      other ? !statistic || front.size() < kOtherSeries.size() : find_series_kind(plain) != nullptr;
  if (!whole && !(statistic && (other || find_series_kind(front) != nullptr))) return false;
  out.subject = Subject::series;
  out.name = whole ? plain : std::string{front};
  out.place = compare::place_of(name);
  if (!whole) out.statistic = statistic;
  refuse_steps(clause, name, where);
  out.duration = clause.duration.value_or(0);
  if (out.statistic && !clause.duration)
    throw Error(fmt::format("{}: {} is of a window of time; write 'for 5min' or the like after the "
                            "number",
                            where, printable(name)));
  const SeriesKind* kind = find_series_kind(out.name);
  refuse_unit(out.value, out.name, kind == nullptr ? "" : kind->unit, where);
  return true;
}

/// Names of scalars are compared as metrics have them: "Eval/loss" is "eval_loss".
std::string scalar_pattern(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const char small = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    const bool kept = (small >= 'a' && small <= 'z') || (small >= '0' && small <= '9') ||
                      (small & 0x80) != 0 || small == '*' || small == '?';
    out += kept ? small : '_';
  }
  return out;
}

bool take_scalar(std::string_view name, const ForClause& clause, const std::string& where,
                 Condition& out) {
  if (!name.starts_with(kScalar) || name.size() == kScalar.size()) return false;
  if (compare::is_scalar_name(name) && !has_wildcard(name)) return false; // of the whole job
  const std::string_view own = name.substr(kScalar.size());
  out.subject = Subject::scalar;
  out.name = has_wildcard(own) ? scalar_pattern(own) : compare::scalar_part(own);
  out.steps = steps_of(clause, name, where);
  refuse_unit(out.value, name, "", where);
  return true;
}

bool take_tensor(std::string_view name, const ForClause& clause, const std::string& where,
                 Condition& out) {
  const bool marked = name.starts_with(kTensor);
  if (!marked && name.find_first_of("*?/") == name.npos) return false;
  const auto [pattern, word] = split_last(marked ? name.substr(kTensor.size()) : name);
  const auto reduction = job::reduction_of(word);
  if (pattern.empty() || !reduction) {
    const auto names = job::reduction_names();
    const std::vector<std::string> known(names.begin(), names.end());
    throw Error(fmt::format("{}: '{}' is not a reduction of tensors{}; end the name with one of {}",
                            where, printable(word), did_you_mean(word, known),
                            fmt::join(known, ", ")));
  }
  out.subject = Subject::tensor;
  out.name = pattern;
  out.reduction = *reduction;
  out.steps = steps_of(clause, name, where);
  refuse_unit(out.value, name, "", where);
  return true;
}

bool take_metric(std::string_view name, const ForClause& clause, const std::string& where,
                 Condition& out) {
  const compare::Declaration* declared = compare::find_declaration(name);
  if (declared == nullptr) return false;
  if (clause.steps || clause.duration)
    throw Error(fmt::format("{}: {} is one number of the whole job, so it takes no 'for'; name a "
                            "series (gpu.util), a scalar (scalar.loss) or a tensor instead",
                            where, printable(name)));
  out.subject = Subject::metric;
  out.name = name;
  refuse_unit(out.value, name, declared->unit, where);
  return true;
}

std::string nearest_subject(std::string_view name) {
  std::vector<std::string> known;
  for (const SeriesKind& kind : series_kinds())
    known.emplace_back(kind.name);
  for (const compare::Declaration& declared : compare::catalog())
    known.push_back(declared.name);
  const std::string plain = compare::without_place(name);
  const auto [front, back] = split_last(plain);
  const std::string whole = did_you_mean(plain, known);
  return whole.empty() && parse_statistic(back) ? did_you_mean(front, known) : whole;
}

} // namespace

Condition parse_condition(const std::string& text, const std::string& where) {
  Condition out;
  out.text = gate::trimmed(text);
  const std::string text_to_cut = out.text + " "; // a "for" at the end is one, too
  std::string_view rest = text_to_cut;
  ForClause clause;
  if (const std::size_t at = rest.rfind(kFor); at != rest.npos) {
    clause = parse_clause(gate::trimmed(rest.substr(at + kFor.size())), where);
    rest = rest.substr(0, at);
  }
  const auto comparison = gate::parse_comparison(rest);
  if (!comparison)
    throw Error(fmt::format("{}: not a condition; write it as 'gpu.util.p50 < 30 for 5min' or "
                            "'gradient/*.abs_mean > 10 for 3 steps'",
                            where));
  out.op = comparison->op;
  out.value = comparison->value;
  const std::string& name = comparison->name;
  if (take_series(name, clause, where, out) || take_scalar(name, clause, where, out) ||
      take_metric(name, clause, where, out) || take_tensor(name, clause, where, out))
    return out;
  throw Error(fmt::format("{}: unknown metric, series, scalar or tensor '{}'{}; "
                          "docs/custom-rules.md says how to name them",
                          where, printable(name), nearest_subject(name)));
}

} // namespace debrief::custom_rules
