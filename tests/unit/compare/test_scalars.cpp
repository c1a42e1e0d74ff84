#include "compare/change.h"
#include "compare/diff.h"
#include "compare/figures.h"
#include "result/main_curves.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace test_scalar_figures {

using namespace debrief;
using namespace debrief::compare;
using result::Curve;
using result::CurveSplit;
using result::CurveTopic;

namespace {

Curve evaluation(const std::string& name, double best, double last) {
  Curve out;
  out.name = name;
  out.topic = CurveTopic::loss;
  out.split = CurveSplit::evaluation;
  out.count = 3;
  out.first = 4;
  out.last = last;
  out.min = best;
  out.max = 4;
  out.steps = {1, 2, 3};
  out.values = {4.0, best, last};
  return out;
}

result::Result job_with(std::vector<Curve> curves) {
  result::Result out;
  out.curves.curves = std::move(curves);
  return out;
}

const Figure* find(const std::vector<Figure>& figures, const std::string& name) {
  const auto found = std::find_if(figures.begin(), figures.end(),
                                  [&](const Figure& figure) { return figure.name == name; });
  return found == figures.end() ? nullptr : &*found;
}

} // namespace

TEST_CASE("a scalar's name is the same in every tool, and the statistic stands last") {
  CHECK(canonical_name("scalar.eval/loss.min") == "scalar.eval_loss.min");
  CHECK(canonical_name("scalar.Eval_Loss.min") == "scalar.eval_loss.min");
  CHECK(canonical_name("scalar.train/loss.last") == "scalar.loss.last");
  CHECK(canonical_name("scalar.top.1 acc[0].max") == "scalar.top_1_acc_0_.max");
  CHECK(canonical_name("gpu[a/b].p50") == "gpu[a/b].p50");
  CHECK(is_known_name("scalar.anything at all.first"));
  for (const char* name :
       {"scalar.loss", "scalar.loss.p50", "scalar..min", "scalar.min", "scalar."})
    CHECK_FALSE(is_known_name(name));
}

TEST_CASE("every scalar has its first, last, lowest and highest value as metrics") {
  const auto figures = figures_of(job_with({evaluation("eval/loss", 1.94921875, 2.5)}));
  REQUIRE(find(figures, "scalar.eval_loss.min") != nullptr);
  CHECK(find(figures, "scalar.eval_loss.min")->value == 1.949219); // as documents have it
  CHECK(find(figures, "scalar.eval_loss.min")->label == "eval/loss, min");
  CHECK(find(figures, "scalar.eval_loss.min")->better == Better::lower);
  CHECK(find(figures, "scalar.eval_loss.first")->better == Better::neither);
  CHECK(find(figures, "scalar.eval_loss.last")->value == 2.5);
  CHECK(find(figures, "scalar.eval_loss.max")->value == 4);
}

TEST_CASE("a scalar that ended in NaN has no last value, so that no check on it passes") {
  Curve curve = evaluation("eval_loss", 1.9, 2.0);
  curve.values.back() = std::nullopt;
  curve.not_finite = 1;
  const auto figures = figures_of(job_with({curve}));
  CHECK(find(figures, "scalar.eval_loss.last") == nullptr);
  CHECK(find(figures, "scalar.eval_loss.min") != nullptr);
}

TEST_CASE("learning rates keep their digits, and training is neither better nor worse") {
  Curve rate = evaluation("lr", 3.00000012e-7, 5e-7);
  rate.topic = CurveTopic::learning_rate;
  rate.split = CurveSplit::unknown;
  const auto figures = figures_of(job_with({rate}));
  CHECK(find(figures, "scalar.lr.min")->value == Catch::Approx(3e-7).epsilon(1e-6));
  CHECK(find(figures, "scalar.lr.min")->better == Better::neither);
}

TEST_CASE("a loss counts as changed by more than 5%, its lowest value too") {
  const Diff diff = make_diff(job_with({evaluation("eval/loss", 2.0, 2.0)}),
                              job_with({evaluation("eval_loss", 2.2, 2.08)}));
  REQUIRE(find_change(diff, "scalar.eval_loss.min") != nullptr);
  CHECK(find_change(diff, "scalar.eval_loss.min")->word == ChangeKind::worse);
  CHECK(find_change(diff, "scalar.eval_loss.last")->word == ChangeKind::no_change);
}

TEST_CASE("losses of both jobs are there to be drawn, if both have them") {
  Curve train = evaluation("loss", 1, 1);
  train.split = CurveSplit::unknown;
  const result::Result both = job_with({train, evaluation("eval_loss", 2, 2)});
  const result::Result one = job_with({evaluation("val_loss", 2, 2)});
  CHECK(loss_curves(both, both).size() == 4);
  const auto drawn = loss_curves(both, one);
  REQUIRE(drawn.size() == 2);
  CHECK(drawn[0].is_before);
  CHECK(drawn[0].curve.name == "eval_loss");
  CHECK(drawn[1].curve.name == "val_loss");
}

TEST_CASE("the main loss is the one with the most values; evaluation by the batch is none") {
  result::Curves curves;
  curves.curves = {evaluation("val_loss_step", 1, 1), evaluation("val_loss_epoch", 1, 1)};
  curves.curves[0].count = 1000;
  CHECK(result::main_loss(curves, CurveSplit::evaluation)->name == "val_loss_epoch");
  CHECK(result::main_loss(curves, CurveSplit::train) == nullptr);
}

} // namespace test_scalar_figures
