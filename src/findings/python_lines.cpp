#include "findings/python_lines.h"

#include "aggregate/python_lines.h"
#include "findings/thresholds.h"
#include "findings/words.h"
#include "util/text.h"

#include <fmt/format.h>

#include <optional>
#include <vector>

namespace debrief::findings {

namespace {

using result::FindingKind;

/// When the processes were in an activity, within the loop.
std::vector<TimeSpan> times_in(const DiagnosisContext& ctx,
                               std::vector<TimeSpan> ProcessTime::*activity) {
  std::vector<TimeSpan> out;
  for (const ProcessTime& process : ctx.processes)
    if (!process.profiled)
      for (const TimeSpan& span : process.*activity)
        if (ctx.loop.span.contains(span.first)) out.push_back(span);
  return out;
}

/// Whose stacks tell of a finding's time, and when that is.
struct Question {
  aggregate::StacksOf of;
  std::vector<TimeSpan> windows;
  const char* during; ///< "of these waits": what the share is of
};

std::optional<Question> question_of(const DiagnosisContext& ctx, FindingKind kind) {
  const auto& loading = ctx.result.data_loading;
  switch (kind) {
  case FindingKind::input_bound:
    if (loading.num_workers.value_or(0) > 0)
      return Question{{.loader_workers = true}, {ctx.loop.span}, "of the workers' time"};
    return Question{{}, times_in(ctx, &ProcessTime::input), "of these waits"};
  case FindingKind::python_bound:
    return Question{{.outside_pytorch = true}, {ctx.loop.span}, "of the training loop"};
  case FindingKind::underutilized: // without a trace nothing else tells
    if (!ctx.result.traces.empty()) return std::nullopt;
    return Question{{}, {ctx.loop.span}, "of the training loop"};
  case FindingKind::cpu_bound:
  case FindingKind::slow_start: {
    const Cause cause = *spec_of(kind).cause;
    return Question{{}, ctx.ledger.windows[index_of(cause)], "of that time"};
  }
  case FindingKind::between_steps:
    return Question{{}, times_in(ctx, &ProcessTime::between), "of that time"};
  case FindingKind::step_stalls:
    return Question{{}, times_in(ctx, &ProcessTime::stall), "of these stalls"};
  case FindingKind::save_bound:
    return Question{{}, times_in(ctx, &ProcessTime::saving), "of that time"};
  case FindingKind::gc_bound:
    return Question{{}, times_in(ctx, &ProcessTime::collecting), "of that time"};
  case FindingKind::compile_bound:
    return Question{{}, times_in(ctx, &ProcessTime::compiling), "of that time"};
  case FindingKind::idle:
    if (ctx.ledger.basis != Basis::cores) return std::nullopt;
    return Question{{}, {ctx.loop.span}, "of the time"};
  default:
    return std::nullopt;
  }
}

/// Names of a job are untrusted, and may be long.
std::string name_words(const std::string& name) {
  constexpr std::size_t kLongest = 80; // bytes
  return printable(cut_off(name, kLongest));
}

/// "bookkeeping (train.py:9)"; of code outside of functions "train.py:9".
std::string code_words(const result::PythonPlace& place) {
  std::string where = name_words(place.file);
  if (place.line > 0) where += fmt::format(":{}", place.line);
  if (place.function.empty() || place.function == "<module>") return where;
  return fmt::format("{} ({})", name_words(place.function), where);
}

/// `least`: of the sampled time, that its function has to have.
std::optional<result::PythonLine> telling_line(const DiagnosisContext& ctx,
                                               const Question& question, double least) {
  if (question.windows.empty()) return std::nullopt;
  auto line = aggregate::top_line(*ctx.stacks, question.of, question.windows);
  if (!line || line->place.origin != result::CodeOrigin::own || line->own_share < least ||
      line->sampled < thresholds::kMinSampledShare)
    return std::nullopt;
  return line;
}

/// " 48% of the training loop was in bookkeeping (train.py:9), which calls dumps (json/…:231), and
/// 31% in tokenize (data.py:20)."
std::string line_words(const Question& question, const result::PythonLine& line) {
  constexpr double kAsMuch = 0.5; // of the first: then the second is named, too
  std::string out = fmt::format(" {} {} was in {}{}", words::percent(line.own_share),
                                question.during, code_words(line.place),
                                line.callee ? ", which calls " + code_words(*line.callee) : "");
  if (line.second && line.second->origin == result::CodeOrigin::own &&
      line.second_share >= kAsMuch * line.own_share)
    out +=
        fmt::format(", and {} in {}", words::percent(line.second_share), code_words(*line.second));
  return out + '.';
}

} // namespace

void name_line(const DiagnosisContext& ctx, result::Finding& finding) {
  if (ctx.stacks == nullptr) return;
  const auto question = question_of(ctx, finding.kind);
  if (!question) return;
  // Of this one only a part of the loop is the finding's.
  const double part = finding.kind == FindingKind::python_bound ? finding.score : 1;
  const auto line = telling_line(ctx, *question, thresholds::kMinLineShare * part);
  if (!line) return;
  finding.line =
      result::CodeLine{line->place.function, line->place.file, line->place.line, line->own_share};
  finding.why += line_words(*question, *line);
  if (finding.kind == FindingKind::python_bound)
    finding.actions.front() = fmt::format("Start with {}.", code_words(line->place));
}

std::string longest_line(const DiagnosisContext& ctx) {
  if (ctx.stacks == nullptr) return "";
  const Question question{{}, {ctx.loop.span}, "of the time"};
  const auto line = telling_line(ctx, question, thresholds::kMinLineShare);
  return line ? line_words(question, *line) : "";
}

} // namespace debrief::findings
