// The model no longer learned: what the GPUs did after that was for nothing.
#include "findings/detectors/detectors.h"
#include "findings/thresholds.h"
#include "findings/words.h"
#include "util/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

namespace debrief::findings {

namespace {

using result::FindingKind;

/// "527.9", "0.0123": a loss as a sentence has it.
std::string loss_text(double value, int digits = 4) {
  return fmt::format("{:.{}g}", value, digits);
}

/// Two losses with as many digits as it takes to tell them apart, up to a float's.
std::pair<std::string, std::string> loss_texts(double before, double after) {
  constexpr int kFloatDigits = 7;
  int digits = 4;
  while (digits < kFloatDigits && loss_text(before, digits) == loss_text(after, digits))
    ++digits;
  return {loss_text(before, digits), loss_text(after, digits)};
}

std::string_view noun(Measure measure) {
  switch (measure) {
  case Measure::perplexity:
    return "perplexity";
  case Measure::accuracy:
    return "accuracy";
  case Measure::loss:
    break;
  }
  return "loss";
}

std::string step_text(std::int64_t step) {
  return fmt::format("step {}", count_text(step));
}

void word_diverged(const ModelTrouble& trouble, result::Finding& finding) {
  finding.title = fmt::format("The {} diverged", noun(trouble.measure));
  if (trouble.not_finite) {
    const std::int64_t loss_step = trouble.step;
    finding.why = trouble.gradient_step
                      ? fmt::format("From {} on, {} and the gradient norm are NaN or infinite.",
                                    step_text(loss_step), trouble.scalar)
                      : fmt::format("From {} on, {} is NaN or infinite.", step_text(loss_step),
                                    trouble.scalar);
    if (trouble.before)
      finding.why += fmt::format(" The last finite {} was {}.", noun(trouble.measure),
                                 loss_text(*trouble.before));
  } else {
    finding.why =
        fmt::format("{} went from {} up to {} at {} and never came back.", trouble.scalar,
                    loss_text(*trouble.before), loss_text(*trouble.after), step_text(trouble.step));
  }
  // A run that broke at its start has no checkpoint worth going back to.
  constexpr std::int64_t kStart = 10; // the first tenth
  const bool early = trouble.step <= trouble.last_step / kStart;
  finding.actions = {
      fmt::format(
          "{} with a lower learning rate and clip gradients with "
          "torch.nn.utils.clip_grad_norm_().",
          early ? "Restart"
                : fmt::format("Restart from a checkpoint before {}", step_text(trouble.step))),
      "Stop runs like this early: 'debrief record --on diverged=stop', or check the loss with "
      "torch.isfinite() in the loop."};
}

/// What a language model shows that has learned how frequent tokens are and nothing of their order.
void word_plateau(const ModelTrouble& trouble, result::Finding& finding) {
  finding.title = "The model learned only token frequencies";
  const bool is_perplexity = trouble.measure == Measure::perplexity;
  const double perplexity = is_perplexity ? *trouble.after : std::exp(*trouble.after);
  const std::string in_words =
      is_perplexity ? ""
                    : fmt::format(" a perplexity of {},", count_text(std::llround(perplexity)));
  finding.why = fmt::format("{} fell from {} to {},{} and stayed there from {} on.", trouble.scalar,
                            loss_text(*trouble.before), loss_text(*trouble.after), in_words,
                            step_text(trouble.step));
  finding.actions = {"Check that inputs and labels are shifted by one token, and that position "
                     "embeddings and the attention mask are right.",
                     "Try a learning rate ten times lower, and overfit a single batch first."};
}

void word_constant(const ModelTrouble& trouble, result::Finding& finding) {
  finding.title = fmt::format("The evaluation {} does not move", noun(trouble.measure));
  finding.why = fmt::format("{} was {} in all {} evaluations, so they say nothing about the model.",
                            trouble.scalar, loss_text(*trouble.before), count_text(trouble.points));
  finding.actions = {
      "Check that evaluation runs the model that is trained: not a copy from before, "
      "and not one without its weights loaded.",
      "Check that its data, its labels and its metric depend on the model's output."};
}

/// What an evaluation says that is constant while training learns nothing either.
void word_unmoved(const ModelTrouble& trouble, result::Finding& finding) {
  finding.title = fmt::format("The evaluation {} does not move", noun(trouble.measure));
  finding.why = fmt::format("{} was {} in all {} evaluations. Most likely no weight of the model "
                            "changed.",
                            trouble.scalar, loss_text(*trouble.before), count_text(trouble.points));
  finding.actions = {
      "Check that parameters have requires_grad set, that the optimizer has them, and "
      "that the learning rate is not 0."};
}

void word_flat(const ModelTrouble& trouble, result::Finding& finding) {
  if (trouble.is_plateau) return word_plateau(trouble, finding);
  const std::string before = loss_text(*trouble.before);
  const std::string after = loss_text(*trouble.after);
  const bool fell = before != after && *trouble.after < *trouble.before;
  finding.title =
      fmt::format("The {} {} went down", noun(trouble.measure), fell ? "hardly" : "never");
  finding.why = before == after ? fmt::format("{} stayed at {}.", trouble.scalar, after)
                                : fmt::format("{} started at about {} and ended at about {}.",
                                              trouble.scalar, before, after);
  finding.actions = {"Check that the optimizer has the model's parameters, that gradients reach "
                     "them, and that labels match inputs.",
                     "Try a learning rate ten times higher and ten times lower on a small part of "
                     "the data."};
}

void word_past_best(const ModelTrouble& trouble, result::Finding& finding) {
  const bool overfits = trouble.kind == FindingKind::overfitting;
  finding.title =
      fmt::format("{} after {}", overfits ? "The model overfits" : "Validation stopped improving",
                  step_text(trouble.step));
  const auto [before, after] = loss_texts(*trouble.before, *trouble.after);
  finding.why =
      overfits ? fmt::format("{} was best at {} ({}) and {} to {}, while the training {} kept {}.",
                             trouble.scalar, step_text(trouble.step), before,
                             trouble.measure == Measure::accuracy ? "fell" : "rose", after,
                             noun(trouble.training),
                             trouble.training == Measure::accuracy ? "rising" : "falling")
               : fmt::format("{} was best at {} ({}), and no evaluation since then was better.",
                             trouble.scalar, step_text(trouble.step), loss_text(*trouble.before));
  finding.actions = {
      fmt::format("Stop early: use the checkpoint of {}, and let the trainer stop after a few "
                  "evaluations without improvement.",
                  step_text(trouble.step))};
  if (trouble.better) {
    const auto [from, to] = loss_texts(trouble.better->before, trouble.better->after);
    finding.why +=
        fmt::format(" Meanwhile {} still rose from {} to {}.", trouble.better->scalar, from, to);
    finding.actions = {
        fmt::format("Choose the checkpoint by what counts: {} if the {} does, the last one if {} "
                    "does.",
                    step_text(trouble.step), noun(trouble.measure), trouble.better->scalar)};
  }
  if (overfits)
    finding.actions.emplace_back("To learn more from the same steps, add data, augmentation, "
                                 "dropout or weight decay.");
}

} // namespace

std::string model_cost(const DiagnosisContext& ctx, const ModelTrouble& trouble, double score) {
  const std::int64_t steps = trouble.last_step - trouble.step;
  if (steps <= 0) return "";
  const bool from_start = trouble.kind == FindingKind::loss_not_decreasing && !trouble.is_plateau;
  const std::string counted = words::counted(steps, "step");
  std::string text = from_start ? fmt::format(" All {} were wasted", counted)
                                : fmt::format(" The {} after that were wasted", counted);
  if (ctx.ledger.basis == Basis::logged)
    text += fmt::format(": {} of the run's time",
                        words::percent(ctx.ledger.lost(Cause::model) / ctx.ledger.paid()));
  else if (score > 0)
    text += fmt::format(": {}", share_of_job(ctx, score));
  return text + ".";
}

std::optional<result::Finding> find_model_finding(const DiagnosisContext& ctx) {
  if (ctx.trouble == nullptr || ctx.trouble->kind == FindingKind::vanishing_gradients)
    return std::nullopt; // the latter has its own detector
  const ModelTrouble& trouble = *ctx.trouble;
  const bool diverged = trouble.kind == FindingKind::diverged;
  auto finding = trouble.wastes_steps() ? cost_finding(ctx, trouble.kind) : std::nullopt;
  if (!finding) {
    // Little of the job was lost to it, or how much is not known. A model that is broken at the end
    // is broken, whatever it cost.
    if (!diverged && trouble.time) return std::nullopt;
    finding.emplace();
    finding->kind = trouble.kind;
    finding->severity = result::Severity::warning;
  }
  finding->gain.reset();
  finding->where.clear();
  if (diverged)
    finding->severity = result::Severity::critical;
  else if (trouble.kind != FindingKind::loss_not_decreasing)
    finding->severity = std::min(finding->severity, result::Severity::warning);
  if (trouble.better) finding->severity = result::Severity::info;
  finding->confidence =
      diverged && trouble.not_finite ? result::Confidence::high : result::Confidence::medium;
  finding->ground =
      fmt::format("{} of {}", words::counted(trouble.points, "logged value"), trouble.scalar);
  if (diverged)
    word_diverged(trouble, *finding);
  else if (trouble.kind == FindingKind::loss_not_decreasing)
    word_flat(trouble, *finding);
  else if (trouble.kind == FindingKind::constant_evaluation)
    word_constant(trouble, *finding);
  else
    word_past_best(trouble, *finding);
  if (trouble.wastes_steps()) {
    finding->why += model_cost(ctx, trouble, finding->score);
    finding->evidence.push_back({"first wasted step", static_cast<double>(trouble.step), ""});
  }
  finding->evidence.push_back({"last step", static_cast<double>(trouble.last_step), ""});
  const std::string_view measured = noun(trouble.measure);
  if (trouble.before)
    finding->evidence.push_back({fmt::format("{} before", measured), *trouble.before, ""});
  if (trouble.after)
    finding->evidence.push_back({fmt::format("{} at the end", measured), *trouble.after, ""});
  return finding;
}

std::optional<result::Finding> find_unmoved_evaluation(const DiagnosisContext& ctx) {
  if (ctx.trouble == nullptr || ctx.trouble->beside.empty()) return std::nullopt;
  const ModelTrouble& trouble = ctx.trouble->beside.front();
  result::Finding finding;
  finding.kind = trouble.kind;
  finding.severity = result::Severity::warning;
  finding.confidence = result::Confidence::medium;
  finding.ground =
      fmt::format("{} of {}", words::counted(trouble.points, "logged value"), trouble.scalar);
  word_unmoved(trouble, finding);
  finding.evidence.push_back({"last step", static_cast<double>(trouble.last_step), ""});
  return finding;
}

} // namespace debrief::findings
