// What an XGBoost job says about its model: how good its predictions are, and by which features.
#include "render/parts/format.h"
#include "render/parts/rule_words.h"
#include "render/parts/section.h"
#include "render/sections/sections.h"
#include "render/sections/xgboost_charts.h"
#include "render/sections/xgboost_tables.h"
#include "util/number_text.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace debrief::render {

namespace {

using result::Xgboost;
using result::XgboostGap;

/// "The model is right for 98.3% of 600 validation rows (round 58, AUC 0.984)."
std::string quality_sentence(const Xgboost& report) {
  if (!report.round) return "";
  const std::string rows = plural(report.rows, "validation row");
  if (report.classification.accuracy) {
    std::string out = fmt::format("The model is right for {} of {} (round {}",
                                  exact_percent_text(100 * *report.classification.accuracy), rows,
                                  grouped(*report.round));
    if (!report.roc.empty()) out += fmt::format(", AUC {:.3f}", report.roc.auc);
    return out + ").";
  }
  if (report.regression.rmse && report.regression.mae) {
    std::string out =
        fmt::format("Predictions for {} are off by {} on average (RMSE {}", rows,
                    scalar_text(*report.regression.mae), scalar_text(*report.regression.rmse));
    if (report.regression.r2) out += fmt::format(", R² {:.3f}", *report.regression.r2);
    return out + fmt::format(") in round {}.", grouped(*report.round));
  }
  return "";
}

/// The class that is found least, where that is far from the rest.
std::string worst_class_sentence(const Xgboost& report) {
  constexpr double kFar = 0.05;
  const result::ClassRow* worst = nullptr;
  for (const result::ClassRow& row : report.classification.classes)
    if (row.recall && (worst == nullptr || *row.recall < *worst->recall)) worst = &row;
  if (worst == nullptr || !report.classification.accuracy ||
      *worst->recall > *report.classification.accuracy - kFar)
    return "";
  return fmt::format("Recall is lowest for class {}: {} of its {}.", worst->label,
                     exact_percent_text(100 * *worst->recall), plural(worst->rows, "row"));
}

std::string residual_sentence(const Xgboost& report) {
  const result::Distribution& residuals = report.regression.residuals;
  if (!residuals.mean || !residuals.skewness) return "";
  return fmt::format("The mean residual is {} with a skewness of {}.", scalar_text(*residuals.mean),
                     scalar_text(*residuals.skewness));
}

/// "The loss (validation rmse) went from 22.41 to 6.249; its best was 6.100 in round 40."
std::string loss_words(const Xgboost& report) {
  const auto of_validation =
      std::find_if(report.losses.begin(), report.losses.end(),
                   [](const result::EvalLoss& loss) { return !loss.set.starts_with("train"); });
  const result::EvalLoss* loss = of_validation != report.losses.end() ? &*of_validation
                                 : report.losses.empty()              ? nullptr
                                                                      : &report.losses.front();
  if (loss == nullptr || !loss->first || !loss->last || !loss->best || !loss->best_round) return "";
  std::string out =
      fmt::format("The loss ({} {}) went from {} to {}", truncate(loss->set), truncate(report.loss),
                  scalar_text(*loss->first), scalar_text(*loss->last));
  if (loss->best_round != loss->last_round)
    out += fmt::format("; its best was {} in round {}", scalar_text(*loss->best),
                       grouped(*loss->best_round));
  return out + '.';
}

std::string importance_sentence(const Xgboost& report) {
  double all = 0;
  for (const result::FeatureImportance& feature : report.importance)
    all += feature.total_gain.value_or(0);
  if (report.importance.empty() || !(all > 0) || !report.importance.front().total_gain) return "";
  const result::FeatureImportance& top = report.importance.front();
  return fmt::format("{} brings {} of the total gain.", truncate(top.name),
                     percent_text(std::clamp(100 * *top.total_gain / all, 0.0, 100.0)));
}

/// Rules whose subject is here.
std::string rules_sentence(const result::Result& result) {
  std::vector<std::string> triggered;
  for (const char* name : {"ClassImbalance", "Confusion", "FeatureImportanceOverweight", "Overfit",
                           "Overtraining", "TreeDepth"})
    if (const result::RuleRow* rule = find_rule(result, name);
        rule != nullptr && rule->status == result::RuleStatus::issue_found)
      triggered.emplace_back(name);
  if (triggered.empty()) return "";
  return fmt::format("Rules that triggered: {}.", join_and(triggered));
}

bool has_gap(const Xgboost& report, XgboostGap gap) {
  return std::find(report.gaps.begin(), report.gaps.end(), gap) != report.gaps.end();
}

/// Empty where another gap says it.
std::string gap_words(XgboostGap gap, const Xgboost& report) {
  switch (gap) {
  case XgboostGap::no_labels:
    if (has_gap(report, XgboostGap::no_predictions))
      return "Labels and predictions were not saved, so how good predictions are is unknown. "
             "Save the collections labels and predictions with SageMaker Debugger's hook.";
    return "Labels were not saved. Add the collection labels to the hook, with validation_data, to "
           "see their distribution and how good predictions are.";
  case XgboostGap::no_predictions:
    if (has_gap(report, XgboostGap::no_labels)) return "";
    return "Predictions were not saved. Add the collection predictions to the hook, with "
           "validation_data, to compare them with labels.";
  case XgboostGap::rows_differ:
    return "Labels and predictions differ in their number of rows, so they can't be compared.";
  case XgboostGap::labels_not_whole:
    return "Labels aren't whole numbers, so they are treated as values, not as classes.";
  case XgboostGap::predictions_not_classes:
    return "Predictions are neither classes nor a share for each class, so there is no confusion "
           "matrix.";
  case XgboostGap::too_many_classes:
    return fmt::format("There are more than {} classes, so there is no confusion matrix.",
                       result::kMaxClasses / 2);
  case XgboostGap::one_class:
    return "All labels are of one class, so there is no ROC curve and no AUC.";
  case XgboostGap::not_finite:
    return fmt::format("Left out for a NaN or infinite label or prediction: {}.",
                       plural(report.rows_left_out, "row"));
  case XgboostGap::labels_reused:
    return "Some rounds have predictions but no labels. They use the labels of the last round "
           "that has some.";
  case XgboostGap::workers_joined:
    return fmt::format("Rows of {} are put together.", plural(report.workers, "worker"));
  case XgboostGap::workers_alike:
    return fmt::format("All {} saved the same rows, which count once.",
                       plural(report.workers, "worker"));
  case XgboostGap::margins:
    return "Predictions are margins, not probabilities. Those above 0 count as class 1.";
  case XgboostGap::rounds_left_out:
    return fmt::format("Charts over rounds show {} of {} saved rounds.",
                       grouped(std::ssize(report.rounds)), grouped(report.saved_rounds));
  case XgboostGap::no_importance:
    return report.model && report.model->trees == 0
               ? "The model has no trees, so there is no feature importance."
               : "Feature importance was not recorded. Save the collection feature_importance, or "
                 "put the saved model (model.json or model.ubj) into the job's folder.";
  case XgboostGap::no_loss:
    break;
  }
  return "No loss was recorded. Save the collection metrics, or put evals_result as JSON into the "
         "job's folder.";
}

void show_loss(Section& section, const Xgboost& report, const result::Result& result) {
  section.draw(eval_loss_chart(report, result.curves));
  if (!report.losses.empty()) section.show(eval_loss_table(report));
}

void show_importance(Section& section, const Xgboost& report) {
  for (Chart& chart : importance_charts(report))
    section.draw(std::move(chart));
  if (!report.importance.empty()) section.show(importance_table(report), 10, "features");
}

void show_classes(Section& section, const Xgboost& report) {
  if (report.classification.empty()) return;
  section.draw(confusion_chart(report));
  if (report.classification.accuracy) section.show(average_table(report));
  section.show(class_table(report), kRowsShown, "classes");
  if (!report.classification.mistakes.empty()) section.show(mistake_table(report), 10, "mistakes");
  section.draw(accuracy_chart(report));
  if (report.rounds.size() > 1 && !report.classification.over_rounds.empty())
    section.show_folded(class_accuracy_table(report), "Accuracy by class and round");
  section.draw(roc_chart(report));
  if (!report.roc.empty()) section.show(threshold_table(report));
  if (!report.roc.empty()) section.show_folded(roc_table(report), "Points of the ROC curve");
}

void show_values(Section& section, const Xgboost& report) {
  if (report.regression.empty()) return;
  section.draw(residual_chart(report));
  section.show(residual_table(report));
  if (!report.regression.residuals.histogram.empty())
    section.show_folded(bin_table("Residuals by bin", report.regression.residuals.histogram),
                        "Residuals by bin");
  section.draw(label_bin_chart(report));
  if (!report.regression.bins.empty()) section.show(label_bin_table(report));
}

std::optional<Section> make_xgboost(const result::Result& result) {
  const Xgboost& report = result.xgboost;
  if (report.empty()) return std::nullopt;
  Section section;
  section.lead();
  section.say(quality_sentence(report));
  section.say(worst_class_sentence(report));
  section.say(residual_sentence(report));
  section.say(loss_words(report));
  section.say(importance_sentence(report));
  section.say(rules_sentence(result));
  for (const XgboostGap gap : report.gaps)
    if (const std::string words = gap_words(gap, report); !words.empty()) section.note(words);
  section.draw(label_chart(report));
  if (const Table facts = xgboost_facts(report); facts.size() > 0) section.show(facts);
  if (report.classification.empty() && !report.labels.histogram.empty())
    section.show_folded(bin_table("Validation labels by bin", report.labels.histogram),
                        "Validation labels by bin");
  show_loss(section, report, result);
  show_importance(section, report);
  show_classes(section, report);
  show_values(section, report);
  return section;
}

} // namespace

const SectionSpec kXgboostSection = {
    .id = "xgboost",
    .heading = "XGBoost model",
    .chapter = Chapter::training,
    .how_to_read =
        "Classes with few labels make accuracy look better than it is, so compare recall by class. "
        "An evaluation loss that rises while the training loss falls means overfitting. "
        "A feature that brings nearly all of the gain may give the label away. Residuals should be "
        "centered at 0 and look like a bell. An AUC of 0.5 is chance, 1 is perfect.",
    .how_computed =
        "Labels and predictions are those of the validation data in the last saved round. Above "
        "0.5 a probability counts as class 1; of a probability for each class the largest counts. "
        "Precision, recall, F1 and AUC are scikit-learn's. Weight is the number of splits by a "
        "feature, gain their mean gain, cover the mean number of samples they see, weighted by "
        "second derivatives. Residuals are label minus prediction. Error by label has ten bins of "
        "equal width.",
    .make = make_xgboost,
};

} // namespace debrief::render
