#include "render/example.h"
#include "render/page/html.h"
#include "render/view_support.h"
#include "result/full_result.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace test_xgboost_view {

using namespace debrief;
using Catch::Matchers::ContainsSubstring;
using result::ProblemType;
using result::XgboostGap;

namespace {

result::Result classifier() {
  result::Result result = test::full_result();
  result.xgboost.regression = {};
  result.xgboost.labels = {};
  return result;
}

result::Result values() {
  result::Result result = test::full_result();
  result.xgboost.problem = ProblemType::regression;
  result.xgboost.classification = {};
  result.xgboost.roc = {};
  return result;
}

std::vector<std::string> captions(const nlohmann::json& view, const char* kind) {
  std::vector<std::string> out;
  for (const auto& block : blocks(view, kind))
    out.push_back(block["caption"]);
  return out;
}

} // namespace

TEST_CASE("xgboost section: absent for jobs of others") {
  CHECK(view_of(render::kXgboostSection, result::Result{}).is_null());
}

TEST_CASE("xgboost section: how good a classifier is, and by which features") {
  const auto view = view_of(render::kXgboostSection, classifier());
  CHECK_THAT(take_away(view),
             ContainsSubstring("The model is right for 90.0% of 10 validation rows (round 9, AUC "
                               "0.960). Recall is lowest for class 1: 80.0% of its 5 rows."));
  CHECK_THAT(take_away(view), ContainsSubstring("f0 brings "));
  CHECK(captions(view, "chart") ==
        std::vector<std::string>{"Validation labels by class", "Feature importance by total gain",
                                 "Feature importance by weight", "Feature importance by gain",
                                 "Feature importance by cover", "Confusion matrix",
                                 "Accuracy by class over rounds (%)", "ROC curve"});
  CHECK(cell(view, "Precision and recall by class", 0, "Precision") == "83.3%");
  CHECK(cell(view, "Precision, recall and F1", 1, "Average") == "Macro");
  CHECK(cell(view, "Mistakes", 0, "Predicted") == "0");
  CHECK(cell(view, "Classification thresholds", 1, "Value") == "0.2500");
  CHECK(cell(view, "Model and validation data", 0, "Value") == "Binary classification");
  CHECK(has_note(view, "Left out for a NaN or infinite label or prediction: 1 row."));
}

TEST_CASE("xgboost section: residuals and error by label of a regression") {
  const auto view = view_of(render::kXgboostSection, values());
  CHECK_THAT(take_away(view),
             ContainsSubstring("Predictions for 10 validation rows are off by 0.2500 on average "
                               "(RMSE 0.5000, R² 0.750) in round 9."));
  const auto drawn = captions(view, "chart");
  CHECK(std::find(drawn.begin(), drawn.end(), "Residuals: label minus prediction") != drawn.end());
  CHECK(std::find(drawn.begin(), drawn.end(), "Mean absolute error by label over rounds") !=
        drawn.end());
  CHECK(cell(view, "Mean absolute error by label", 0, "Last round") == "0.2500");
  CHECK(cell(view, "Prediction error", 0, "Value") == "0.5000");
}

TEST_CASE("xgboost section: what was not recorded, and why") {
  result::Result result;
  result.xgboost.model = result::SavedModel{};
  result.xgboost.gaps = {XgboostGap::no_labels, XgboostGap::no_predictions,
                         XgboostGap::no_importance, XgboostGap::no_loss};
  const auto view = view_of(render::kXgboostSection, result);
  CHECK(view["notes"].size() == 3);
  CHECK(has_note(view, "Labels and predictions were not saved"));
  CHECK(has_note(view, "The model has no trees"));
  CHECK(has_note(view, "evals_result"));
  for (std::size_t gap = 0; gap < result::kNames<XgboostGap>.size(); ++gap) {
    result.xgboost.gaps = {static_cast<XgboostGap>(gap)};
    CHECK(view_of(render::kXgboostSection, result)["notes"].size() == 1);
  }
}

TEST_CASE("xgboost section: more classes than colors are a heat map") {
  result::Result result = classifier();
  auto& classes = result.xgboost.classification;
  classes.over_rounds.clear();
  for (std::int64_t label = 0; label < 9; ++label)
    classes.over_rounds.push_back({label, {0.5, 0.75}});
  const auto drawn = captions(view_of(render::kXgboostSection, result), "chart");
  CHECK(std::find(drawn.begin(), drawn.end(), "Accuracy by class over rounds") != drawn.end());
}

TEST_CASE("xgboost section: names of features never become markup") {
  result::Result result = classifier();
  result.xgboost.importance[0].name = kEvil;
  result.xgboost.objective = kEvil;
  result.xgboost.loss = kEvil;
  result.xgboost.losses[0].set = kEvil;
  result.xgboost.model->file = kEvil;
  const std::string html = render::to_html(result);
  CHECK_THAT(html, !ContainsSubstring("<img src=x"));
  CHECK_THAT(html, ContainsSubstring("&lt;img src=x"));
}

} // namespace test_xgboost_view
