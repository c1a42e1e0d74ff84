#include "aggregate/xgboost/report.h"
#include "rules/model/tensor_job.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cmath>

namespace test_xgboost_report {

using namespace debrief;
using Catch::Approx;
using result::ProblemType;
using result::XgboostGap;
using test::Saved;
using test::TensorJob;

namespace {

/// That makes it XGBoost's.
const Saved kFeature{"feature_importance/weight/f0", {1}};

result::Xgboost report_of(const job::Job& job) {
  job::Troubles lost;
  return aggregate::xgboost_report(job, lost);
}

result::Xgboost report_of(const TensorJob& job, const std::string& objective = "") {
  job::Job made = job.job();
  if (!objective.empty()) made.description.hyperparameters["objective"] = objective;
  return report_of(made);
}

bool has(const result::Xgboost& report, XgboostGap gap) {
  return std::find(report.gaps.begin(), report.gaps.end(), gap) != report.gaps.end();
}

TensorJob one_round(const std::vector<double>& labels, const std::vector<double>& predictions,
                    std::vector<std::int64_t> shape = {}) {
  TensorJob job;
  job.step(0, {kFeature, {"labels", labels}, {"predictions", predictions, std::move(shape)}},
           job::TensorMode::global);
  return job;
}

} // namespace

TEST_CASE("xgboost: jobs of others have no report") {
  CHECK(report_of(job::Job{}).empty());
  TensorJob job;
  job.step(0, {{"labels", {0, 1}}, {"predictions", {0, 1}}});
  CHECK(report_of(job).empty());
}

TEST_CASE("xgboost: the objective says what is predicted, else the values do") {
  CHECK(report_of(one_round({0, 1, 1}, {0.2, 0.7, 0.4})).problem == ProblemType::binary);
  CHECK(report_of(one_round({0, 1, 2}, {0, 1, 1})).problem == ProblemType::multiclass);
  CHECK(report_of(one_round({0, 1, 2}, {0.1, 1.2, 1.9})).problem == ProblemType::regression);
  CHECK(report_of(one_round({0, 2}, {0.1, 0.8, 0.1, 0.2, 0.3, 0.5}, {2, 3})).problem ==
        ProblemType::multiclass);
  CHECK(report_of(one_round({0, 1}, {0, 1}), "reg:squarederror").problem ==
        ProblemType::regression);
  CHECK(report_of(one_round({0, 1}, {0.1, 0.8}), "reg:logistic").problem == ProblemType::binary);
  const auto ranking = report_of(one_round({0, 1, 3}, {-1, 0.5, 2}), "rank:ndcg");
  CHECK(ranking.problem == ProblemType::ranking);
  CHECK(ranking.regression.empty());
  CHECK(ranking.labels.count == 3);
}

TEST_CASE("xgboost: a probability of each class, in rows or in one long row") {
  const std::vector<double> shares = {0.1, 0.8, 0.1, 0.2, 0.3, 0.5};
  const auto table = report_of(one_round({1, 0}, shares, {2, 3}), "multi:softprob");
  CHECK(table.classification.accuracy == Approx(0.5));
  CHECK(table.classification.matrix.size() == 3); // class 2 is only predicted
  const auto flat = report_of(one_round({1, 0}, shares), "multi:softprob");
  CHECK(flat.classification.accuracy == Approx(0.5));
}

TEST_CASE("xgboost: margins count from 0 on, and their ROC is that of probabilities") {
  const auto by_name = report_of(one_round({0, 1, 1}, {-2, 0.3, 0.6}), "binary:logitraw");
  CHECK(has(by_name, XgboostGap::margins));
  CHECK(by_name.classification.accuracy == 1.0);
  CHECK(by_name.roc.auc == 1);
  CHECK(by_name.roc.used.threshold == 0.0);
  CHECK(has(report_of(one_round({0, 1}, {-2, 1.5})), XgboostGap::margins));
}

TEST_CASE("xgboost: labels of one class have no AUC, and it says so") {
  const auto report = report_of(one_round({1, 1}, {0.2, 0.7}), "binary:logistic");
  CHECK(has(report, XgboostGap::one_class));
  CHECK(report.roc.empty());
  CHECK(report.classification.accuracy == Approx(0.5));
}

TEST_CASE("xgboost: rows that are not finite are left out and counted") {
  const auto report = report_of(one_round({0, 1, NAN, 1}, {0.2, NAN, 0.7, 0.9}), "binary:logistic");
  CHECK(report.rows == 2);
  CHECK(report.rows_left_out == 2);
  CHECK(has(report, XgboostGap::not_finite));
  CHECK(report.roc.auc == 1);
}

TEST_CASE("xgboost: labels of a classifier that are no classes are values") {
  const auto report = report_of(one_round({0.25, 1, 0}, {0.2, 0.7, 0.1}), "binary:logistic");
  CHECK(has(report, XgboostGap::labels_not_whole));
  CHECK(report.classification.empty());
  CHECK(report.regression.mae);
  const auto shares = report_of(one_round({0, 1, 2}, {0.5, 1.5, 2.5}), "multi:softmax");
  CHECK(has(shares, XgboostGap::predictions_not_classes));
  CHECK(shares.classification.empty());
}

TEST_CASE("xgboost: what was not saved") {
  TensorJob labels;
  labels.step(0, {kFeature, {"labels", {0, 1, 1}}});
  const auto only_labels = report_of(labels, "binary:logistic");
  CHECK(has(only_labels, XgboostGap::no_predictions));
  CHECK_FALSE(has(only_labels, XgboostGap::no_labels));
  CHECK(only_labels.classification.classes[1].rows == 2);
  CHECK_FALSE(only_labels.classification.accuracy);
  TensorJob predictions;
  predictions.step(0, {kFeature, {"predictions", {0.3, 0.6}}});
  const auto only_predictions = report_of(predictions, "binary:logistic");
  CHECK(has(only_predictions, XgboostGap::no_labels));
  CHECK(only_predictions.classification.empty());
  CHECK(only_predictions.rows == 2);
  TensorJob nothing;
  nothing.step(0, {kFeature});
  CHECK(has(report_of(nothing), XgboostGap::no_labels));
  CHECK(has(report_of(nothing), XgboostGap::no_predictions));
  CHECK(has(report_of(one_round({0, 1, 1}, {0.1, 0.2})), XgboostGap::rows_differ));
}

TEST_CASE("xgboost: rounds without labels use the last that were saved") {
  TensorJob job;
  job.step(0, {kFeature, {"labels", {0, 1}}, {"predictions", {0.6, 0.7}}});
  job.step(5, {{"predictions", {0.2, 0.7}}});
  const auto report = report_of(job, "binary:logistic");
  CHECK(has(report, XgboostGap::labels_reused));
  CHECK(report.round == 5);
  CHECK(report.rounds == std::vector<std::int64_t>{0, 5});
  REQUIRE(report.classification.over_rounds.size() == 2);
  CHECK(report.classification.over_rounds[0].values ==
        std::vector<std::optional<double>>{0.0, 1.0});
}

TEST_CASE("xgboost: workers with rows of their own are joined, those with the same count once") {
  const auto worker = [](TensorJob& job, const char* name, std::vector<double> labels,
                         std::vector<double> predictions) {
    job.step(0, {kFeature, {"labels", std::move(labels)}, {"predictions", std::move(predictions)}},
             job::TensorMode::global, 1, name);
  };
  TensorJob apart;
  worker(apart, "worker_0", {0, 1}, {0.1, 0.9});
  worker(apart, "worker_1", {1}, {0.2});
  const auto joined = report_of(apart, "binary:logistic");
  CHECK(has(joined, XgboostGap::workers_joined));
  CHECK(joined.rows == 3);
  CHECK(joined.workers == 2);
  TensorJob alike;
  worker(alike, "worker_0", {0, 1}, {0.1, 0.9});
  worker(alike, "worker_1", {0, 1}, {0.1, 0.9});
  const auto once = report_of(alike, "binary:logistic");
  CHECK(has(once, XgboostGap::workers_alike));
  CHECK(once.rows == 2);
  TensorJob lacking;
  worker(lacking, "worker_0", {0, 1}, {0.1, 0.9});
  lacking.step(0, {{"labels", {0, 0}}}, job::TensorMode::global, 1, "worker_1");
  CHECK(report_of(lacking, "binary:logistic").rows == 2);
}

TEST_CASE("xgboost: of many rounds an even choice is evaluated") {
  TensorJob job;
  for (std::int64_t round = 0; round < 250; ++round)
    job.step(round, {kFeature, {"labels", {0, 1}}, {"predictions", {0.1, 0.9}}});
  const auto report = report_of(job, "binary:logistic");
  CHECK(report.saved_rounds == 250);
  CHECK(report.rounds.size() == result::kMaxRounds);
  CHECK(report.rounds.front() == 0);
  CHECK(report.rounds.back() == 249);
  CHECK(has(report, XgboostGap::rounds_left_out));
}

TEST_CASE("xgboost: importance of the last round that has some, by gain") {
  TensorJob job;
  job.step(0, {{"feature_importance/weight/f0", {1}}});
  job.step(3, {{"feature_importance/weight/a/b", {0.75}},
               {"feature_importance/gain/a/b", {0.25}},
               {"feature_importance/total_gain/a/b", {0.4}},
               {"feature_importance/total_gain/f0", {0.6}},
               {"feature_importance/other/f0", {9}}});
  const auto report = report_of(job);
  REQUIRE(report.importance.size() == 2);
  CHECK(report.importance[0].name == "f0");
  CHECK(report.importance[1].name == "a/b");
  CHECK(report.importance[1].weight == 0.75);
  CHECK_FALSE(report.importance[0].weight);
  CHECK(report.importance_round == 3);
}

TEST_CASE("xgboost: a saved model goes before what the hook saved") {
  job::Job job = one_round({0, 1}, {0.1, 0.9}).job();
  job.tree_model = {.path = "model.json",
                    .version = {},
                    .booster = "gbtree",
                    .objective = "binary:logistic",
                    .trees = 1,
                    .rounds = 1,
                    .best_round = {},
                    .features = 2,
                    .classes = {},
                    .splits = 2,
                    .leaves = 3,
                    .trees_by_depth = {0, 0, 1},
                    .used = {{"age", 2, 5, 30}}};
  const auto report = report_of(job);
  CHECK(report.importance_source == "model.json");
  REQUIRE(report.importance.size() == 1);
  CHECK(report.importance[0].gain == 2.5);
  CHECK(report.importance[0].total_cover == 30.0);
  CHECK(report.objective == "binary:logistic");
}

TEST_CASE("xgboost: the loss of the objective, else the first that is one") {
  job::Job job;
  job.tree_model = job::TreeModel{};
  job.tree_model->objective = "binary:logistic";
  job.scalars = {test::logged("validation-auc", {0.5, 0.9}),
                 test::logged("validation-error", {0.5, 0.2}),
                 test::logged("validation-logloss", {0.6, 0.3, 0.4}),
                 test::logged("train-logloss", {0.6, 0.2, 0.1})};
  auto report = report_of(job);
  CHECK(report.loss == "logloss");
  REQUIRE(report.losses.size() == 2);
  CHECK(report.losses[0].set == "train");
  CHECK(report.losses[1].best_round == 1);
  CHECK(report.losses[1].last == 0.4);
  job.scalars = {test::logged("valid-gamma-nloglik", {3, 2})};
  report = report_of(job);
  CHECK(report.loss == "gamma-nloglik");
  CHECK(report.losses[0].set == "valid");
  job.scalars = {test::logged("validation-auc", {0.5, 0.9})};
  CHECK(has(report_of(job), XgboostGap::no_loss));
}

} // namespace test_xgboost_report
