#include "findings/loss_levels.h"
#include "findings/model_health.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <vector>

namespace test_model_health {

using namespace debrief;
using Catch::Approx;
using findings::find_model_trouble;
using result::FindingKind;

namespace {

const double kNan = std::numeric_limits<double>::quiet_NaN();

/// `points` values, ten steps apart, a second each.
job::ScalarSeries series(const std::string& name, int points,
                         const std::function<double(int)>& value) {
  job::ScalarSeries out;
  out.name = name;
  for (int at = 0; at < points; ++at) {
    out.steps.push_back(10 * (at + 1));
    out.times.push_back(1'700'000'000 * kSecond + at * kSecond);
    out.values.push_back(value(at));
  }
  return out;
}

/// A loss that falls from 6 to 2 with this much noise.
std::function<double(int)> falling(double noise = 0.05, unsigned seed = 1) {
  std::mt19937 random{seed};
  std::normal_distribution<double> normal{0, noise};
  return [=](int at) mutable { return 2 + 4 * std::exp(-at / 30.0) + normal(random); };
}

std::optional<findings::ModelTrouble> trouble(std::vector<job::ScalarSeries> scalars) {
  return find_model_trouble(scalars);
}

} // namespace

TEST_CASE("a trend is sure where values rise or fall, not where they vary") {
  CHECK(findings::trend_z(std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8}) > 1.96);
  CHECK(findings::trend_z(std::vector<double>{8, 7, 6, 5, 4, 3, 2, 1}) < -1.96);
  CHECK(std::abs(findings::trend_z(std::vector<double>{3, 1, 4, 1, 5, 2, 3, 3})) < 1.96);
  CHECK(findings::trend_z(std::vector<double>{1, 2}) == 0);
  // By hand: S = 10, variance of five values 16.67.
  CHECK(findings::trend_z(std::vector<double>{1, 2, 3, 4, 5}) == Approx(9 / std::sqrt(16.6667)));
}

TEST_CASE("a loss that stays NaN has diverged, from its first NaN on") {
  const auto found =
      trouble({series("train/loss", 100, [](int at) { return at < 40 ? 3.0 : kNan; })});
  REQUIRE(found);
  CHECK(found->kind == FindingKind::diverged);
  CHECK(found->not_finite);
  CHECK(found->step == 410);
  CHECK(found->last_step == 1000);
  CHECK(found->time == 1'700'000'040 * kSecond);
  CHECK(found->before == 3.0);
}

TEST_CASE("a row behind the NaN does not make a model whole") {
  const auto nan_but_last = [](int at) { return at < 10 ? 3.0 : at < 99 ? kNan : 1.0; };
  const auto found = trouble({series("loss", 100, nan_but_last)});
  REQUIRE(found);
  CHECK(found->kind == FindingKind::diverged);
  CHECK(found->step == 110);
  const auto recovered = [](int at) { return at < 10 ? 3.0 : at < 60 ? kNan : 1.0 - at / 200.0; };
  CHECK(!trouble({series("loss", 100, recovered)}));
  const auto risen_but_last = [](int at) {
    return at < 5 ? 3.0 - at / 10.0 : at < 19 ? 40.0 : 1.0;
  };
  const auto risen = trouble({series("loss", 20, risen_but_last)});
  REQUIRE(risen);
  CHECK(risen->kind == FindingKind::diverged);
}

TEST_CASE("every run of a job is judged, and what other tools have of it") {
  const auto of_run = [](job::ScalarSeries one, const std::string& run) {
    one.run = run;
    return one;
  };
  const auto nan = [](int at) { return at < 40 ? 3.0 : kNan; };
  const auto found = trouble({of_run(series("loss", 200, falling()), "runs/a"),
                              of_run(series("loss", 100, nan), "runs/b")});
  REQUIRE(found);
  CHECK(found->kind == FindingKind::diverged);
  CHECK(found->scalar == "runs/b/loss");
  const std::vector<job::ScalarSeries> shown = {series("loss", 200, falling())};
  std::vector<job::ScalarSeries> repeated = {series("loss", 100, nan)};
  repeated[0].source = job::ScalarSource::trainer_state;
  const auto other = find_model_trouble(shown, repeated);
  REQUIRE(other);
  CHECK(other->scalar == "loss (Hugging Face trainer_state.json)");
  // Keras logs validation into a folder of its own.
  const auto keras =
      trouble({of_run(series("epoch_loss", 100, falling()), "logs/train"),
               of_run(series("epoch_loss", 20, [](int at) { return at < 5 ? 3.0 - at : at * 0.5; }),
                      "logs/validation")});
  REQUIRE(keras);
  CHECK(keras->kind == FindingKind::overfitting);
}

TEST_CASE("an evaluation that breaks has diverged, too") {
  const auto found = trouble({series("loss", 100, falling()),
                              series("eval/loss", 10, [](int at) { return at < 6 ? 2.0 : kNan; })});
  REQUIRE(found);
  CHECK(found->scalar == "eval/loss");
  CHECK(found->step == 70);
}

TEST_CASE("a single NaN is no divergence") {
  auto loss = falling();
  CHECK(!trouble({series("loss", 100, [&](int at) { return at == 40 ? kNan : loss(at); })}));
}

TEST_CASE("the Trainer's loss of 0 is NaN where the gradient says so") {
  const auto loss = [](int at) { return at < 2 ? 60.0 * (at + 1) : 0.0; };
  const auto found =
      trouble({series("train/loss", 50, loss),
               series("train/grad_norm", 50, [](int at) { return at < 1 ? 2e8 : kNan; })});
  REQUIRE(found);
  CHECK(found->kind == FindingKind::diverged);
  CHECK(found->gradient_step == 20);
  CHECK(found->step == 20);
  CHECK(found->before == 120.0);
  // A loss that is really 0 is a model that knows it all.
  CHECK(!trouble(
      {series("train/loss", 50, loss), series("train/grad_norm", 50, [](int) { return 0.1; })}));
}

TEST_CASE("gradients may overflow now and then") {
  auto loss = falling();
  CHECK(!trouble({series("loss", 100, loss),
                  series("grad_norm", 100, [](int at) { return at > 97 ? kNan : 1.0; })}));
}

TEST_CASE("a loss that rises and stays up has diverged; one that comes back has not") {
  const auto jump = [](double level) {
    auto loss = falling();
    return [=](int at) mutable { return at < 60 ? loss(at) : level + 0.01 * (at % 7); };
  };
  const auto found = trouble({series("loss", 100, jump(8))});
  REQUIRE(found);
  CHECK(found->kind == FindingKind::diverged);
  CHECK(!found->not_finite);
  CHECK(found->step >= 550);
  CHECK(found->step <= 650);
  CHECK(!trouble({series("loss", 100, jump(3))})); // a new task, harder than the last
  auto loss = falling();
  const auto curriculum = [&](int at) { return at < 60 ? loss(at) : loss(at - 60) + 1.5; };
  CHECK(!trouble({series("loss", 100, curriculum)}));
  auto other = falling();
  const auto restart = [&](int at) { return other(at % 50 + 20); }; // warm restarts
  CHECK(!trouble({series("loss", 150, restart)}));
}

TEST_CASE("just above three times the start is an explosion, just below is none") {
  const auto rising = [](double end) {
    return [=](int at) { return at < 50 ? 1.0 + 0.001 * (at % 5) : end + 0.001 * (at % 5); };
  };
  CHECK(trouble({series("loss", 100, rising(3.1))})->kind == FindingKind::diverged);
  const auto below = trouble({series("loss", 100, rising(2.9))});
  REQUIRE(below); // it never went down either
  CHECK(below->kind == FindingKind::loss_not_decreasing);
}

TEST_CASE("a loss that never falls is told, at any noise") {
  for (const double noise : {0.0, 0.05, 0.5}) {
    std::mt19937 random{7};
    std::normal_distribution<double> normal{0, 1};
    const auto found =
        trouble({series("loss", 200, [&](int) { return 2.3 + noise * normal(random); })});
    REQUIRE(found);
    CHECK(found->kind == FindingKind::loss_not_decreasing);
    CHECK(found->step == 10);
  }
  CHECK(!trouble({series("loss", 49, [](int) { return 2.3; })})); // too few to say
}

TEST_CASE("noise, small batches and resumed runs are no trouble") {
  for (unsigned seed = 0; seed < 50; ++seed) {
    CHECK(!trouble({series("loss", 300, falling(0.5, seed))}));
    CHECK(!trouble({series("loss", 60, falling(0.2, seed)),
                    series("eval/loss", 20, [noise = falling(0.02, seed + 100)](int at) mutable {
                      return noise(6 * at) + 0.1;
                    })}));
  }
  job::ScalarSeries resumed = series("loss", 200, [](int at) { return 2 + 0.01 * (at % 3); });
  for (std::int64_t& step : resumed.steps)
    step += 5000;
  CHECK(!trouble({resumed}));
}

TEST_CASE("an evaluation that rises while training falls is overfitting, from its best on") {
  auto loss = falling();
  const auto evaluation = [](int at) { return at <= 8 ? 4 - 0.2 * at : 2.4 + 0.08 * (at - 8); };
  job::ScalarSeries eval = series("eval/loss", 20, evaluation);
  for (std::int64_t& step : eval.steps)
    step *= 10;
  const auto found = trouble({series("train/loss", 200, loss), eval});
  REQUIRE(found);
  CHECK(found->kind == FindingKind::overfitting);
  CHECK(found->step == 900);
  CHECK(found->before == Approx(2.4));
  CHECK(found->time);
}

TEST_CASE("an evaluation without a better one for long is overtraining") {
  auto loss = falling();
  const auto flat = [](int best) {
    return [=](int at) {
      return at < best ? 4 - 0.1 * at : at == best ? 2.0 : 2.03 + 0.01 * (at % 3);
    };
  };
  const auto found = trouble({series("train/loss", 200, loss), series("val_loss", 30, flat(12))});
  REQUIRE(found);
  CHECK(found->kind == FindingKind::overtraining);
  CHECK(found->step == 130);
  CHECK(!trouble({series("train/loss", 200, falling()), series("val_loss", 30, flat(17))}));
}

TEST_CASE("nothing is said without a loss") {
  CHECK(!trouble({}));
  CHECK(!trouble({series("learning_rate", 100, [](int) { return 0.1; })}));
  CHECK(!trouble({series("loss_scale", 100, [](int) { return 65536.0; })}));
  // A broken evaluation alone may be its own fault.
  CHECK(!trouble(
      {series("train/loss", 100, falling()), series("eval/loss", 10, [](int) { return kNan; })}));
}

TEST_CASE("parts of a loss are never judged, nor is a loss that follows rewards") {
  const auto rising = [](int at) { return 0.5 + at / 20.0; };
  const auto flat = [](int at) { return 1.4 + 0.01 * (at % 3); };
  CHECK(!trouble({series("train/entropy_loss", 100, flat), series("train/loss", 100, falling())}));
  CHECK(!trouble({series("kl_loss", 100, rising), series("recon_loss", 100, falling())}));
  CHECK(!trouble({series("d_loss", 100, flat), series("g_loss", 100, rising)}));
  CHECK(!trouble({series("train/loss", 100, rising), series("rollout/ep_rew_mean", 100, rising)}));
  CHECK(trouble({series("train/loss", 100, [](int at) { return at < 40 ? 3.0 : kNan; }),
                 series("rollout/ep_rew_mean", 100, rising)}));
  CHECK(trouble({series("train/loss", 100, rising)}));
}

TEST_CASE("zeros between evaluations are no evaluations") {
  const auto now_and_then = [](int at) { return at % 10 == 9 ? 600.0 - at : 0.0; };
  CHECK(!trouble({series("loss", 100, falling()), series("val_loss", 100, now_and_then)}));
  const auto near_zero = [](int at) {
    return at < 10 ? 0.001 * (10 - at) : at == 12 ? 0.0 : 0.002;
  };
  CHECK(trouble({series("loss", 100, falling()), series("val_loss", 40, near_zero)})); // it was 0
}

TEST_CASE("five evaluations of which the first is the best are enough for overfitting") {
  const double evaluations[] = {.321, .3585, .3937, .4123, .42};
  job::ScalarSeries eval = series("eval_loss", 5, [&](int at) { return evaluations[at]; });
  for (std::int64_t& step : eval.steps)
    step *= 20;
  const auto training = [](int at) { return 0.3 * std::pow(0.95, at); };
  const auto found = trouble({series("loss", 100, training), eval});
  REQUIRE(found);
  CHECK(found->kind == FindingKind::overfitting);
  CHECK(found->step == 200);
}

TEST_CASE("an evaluation that never moves says nothing about the model") {
  const auto found = trouble({series("loss", 100, falling()), series("val_loss", 65, [](int at) {
                                return 615.2847290039062 - (at >= 7 && at < 10 ? 0.00006 : 0);
                              })});
  REQUIRE(found);
  CHECK(found->kind == FindingKind::constant_evaluation);
  CHECK(found->of_evaluation);
  CHECK(!found->wastes_steps());
  CHECK(!found->time);
  CHECK(!trouble({series("loss", 100, falling()),
                  series("val_loss", 5, [](int at) { return 615 - at / 100.0; })}));
}

TEST_CASE("a language model that knows only how frequent tokens are has not learned") {
  const auto to = [](double end) {
    return
        [=](int at) { return end + (10.9 - end) * std::exp(-at / 5.0) + 0.02 * std::sin(at * at); };
  };
  const auto found = trouble({series("train/loss", 200, to(7.55))});
  REQUIRE(found);
  CHECK(found->kind == FindingKind::loss_not_decreasing);
  CHECK(found->is_plateau);
  CHECK(found->before == Approx(10.9));
  CHECK(found->after == Approx(7.55).margin(0.03));
  CHECK(!trouble({series("train/loss", 200, to(3.2))}));
  const auto still_falls = [](int at) { return 7.2 + 3.7 * std::exp(-at / 80.0); };
  CHECK(!trouble({series("train/loss", 200, still_falls)}));
}

TEST_CASE("a flat loss in a warm-up of the learning rate is nothing") {
  const auto flat = [](int at) { return 8.3 + 0.01 * (at % 3); };
  CHECK(!trouble(
      {series("train/loss", 120, flat), series("lr", 120, [](int at) { return 1e-9 * at; })}));
  const auto long_over = [](int at) { return 1e-6 * std::min(at, 20); };
  CHECK(trouble({series("train/loss", 120, flat), series("lr", 120, long_over)}));
}

TEST_CASE("a flat loss with an accuracy that rises is nothing") {
  const auto flat = [](int at) { return 0.69 + 0.001 * (at % 3); };
  const auto rising = [](int at) { return 0.5 + at / 300.0; };
  CHECK(trouble({series("loss", 100, flat)}));
  CHECK(!trouble({series("loss", 100, flat), series("eval_accuracy", 20, rising)}));
}

TEST_CASE("an accuracy that rises with the evaluation's loss is said with it") {
  const auto evaluation = [](int at) {
    return at <= 2 ? 0.36 - 0.03 * at : 0.3 + 0.035 * (at - 2);
  };
  std::vector<job::ScalarSeries> scalars = {
      series("loss", 120, [](int at) { return 1.2 * std::exp(-at / 25.0); }),
      series("eval_loss", 12, evaluation),
      series("eval_accuracy", 12, [](int at) { return 0.86 + 0.09 * (1 - std::exp(-at / 4.0)); })};
  for (std::size_t at : {1U, 2U})
    for (std::int64_t& step : scalars[at].steps)
      step *= 10;
  const auto found = trouble(scalars);
  REQUIRE(found);
  CHECK(found->kind == FindingKind::overfitting);
  REQUIRE(found->better);
  CHECK(found->better->scalar == "eval_accuracy");
  CHECK(found->better->after > found->better->before);
  CHECK(!found->wastes_steps());
}

} // namespace test_model_health
