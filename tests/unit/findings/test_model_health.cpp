#include "findings/loss_levels.h"
#include "findings/model_health.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <utility>
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

TEST_CASE("a loss far above its best has diverged where most of its fall is lost") {
  const auto to = [](double best, double end) {
    return [=](int at) { return at < 50 ? 10 - (10 - best) * at / 49.0 : end; };
  };
  const double start = 10 - 2 * (10 - 2) / 49.0; // the first stretch's
  CHECK(trouble({series("loss", 100, to(2, 2.1 + (start - 2.1) / 2 + 0.2))})->kind ==
        FindingKind::diverged);
  CHECK(!trouble({series("loss", 100, to(2, 2.1 + (start - 2.1) / 2 - 0.2))}));
  // Less than twice its best: harder data.
  CHECK(!trouble({series("loss", 100, to(5, 9.9))}));
  CHECK(trouble({series("loss", 100, to(4, 9.9))})->kind == FindingKind::diverged);
}

TEST_CASE("a loss that regained a quarter of what it lost is coming back") {
  const auto after_jump = [](double regained) {
    return
        [=](int at) { return at < 50 ? 6 - 4 * at / 50.0 : 10 - regained * 8 * (at - 50) / 49.0; };
  };
  CHECK(trouble({series("loss", 100, after_jump(0.24))})->kind == FindingKind::diverged);
  CHECK(!trouble({series("loss", 100, after_jump(0.30))}));
}

TEST_CASE("a loss that rises while held-out data is at its best has another objective") {
  const auto rising = [](int at) { return at < 50 ? 0.2 : 0.9; };
  const auto best_at_end = [](int at) { return 2.4 - 0.1 * at; };
  CHECK(trouble({series("loss", 100, rising)})->kind == FindingKind::diverged);
  job::ScalarSeries evaluation = series("val_loss", 20, best_at_end);
  job::ScalarSeries accuracy = series("val_acc", 20, [](int at) { return 0.3 + at * 0.02; });
  for (auto* one : {&evaluation, &accuracy})
    for (std::int64_t& step : one->steps)
      step *= 5;
  CHECK(!trouble({series("loss", 100, rising), evaluation}));
  CHECK(!trouble({series("loss", 100, rising), accuracy}));
  evaluation.values.back() = 3;
  CHECK(trouble({series("loss", 100, rising), evaluation})->kind == FindingKind::diverged);
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
}

TEST_CASE("ten values without noise are enough to be flat, nine are too few") {
  const auto flat = [](int) { return 2.3; };
  CHECK(trouble({series("loss", 10, flat)}));
  CHECK(!trouble({series("loss", 9, flat)}));
  job::ScalarSeries resumed = series("loss", 10, flat);
  resumed.steps.front() += 1; // later than every tenth step would begin
  CHECK(!trouble({resumed}));
}

TEST_CASE(
    "noise that hides a fall by a seventh leaves a flat loss untold, of few values by a 100th") {
  for (const auto& [points, visible] : {std::pair{49, 0.01}, {50, 0.15}, {400, 0.15}}) {
    std::mt19937 random{3};
    std::normal_distribution<double> normal{0, 1};
    std::vector<double> noise(static_cast<std::size_t>(points));
    for (double& value : noise)
      value = normal(random);
    const double whole = 3 * 2 * findings::noise_of(noise) / std::sqrt(points);
    for (const auto& [times, is_enough] : {std::pair{0.97, true}, {1.03, false}}) {
      std::vector<double> values = noise;
      const double size = times * visible / whole;
      const double middle = findings::level(noise, 0, noise.size());
      for (double& value : values)
        value = 1 + size * (value - middle);
      CHECK(findings::is_enough_to_be_flat(values) == is_enough);
    }
  }
}

TEST_CASE("a sure fall by more than a 500th is one, by less it is none") {
  const auto falling_by = [](double share) {
    return [=](int at) { return 1.6 * (1 - share * at / 39.0); };
  };
  CHECK(trouble({series("loss", 40, falling_by(0.0019))}));
  CHECK(!trouble({series("loss", 40, falling_by(0.0023))}));
}

TEST_CASE("a single low stretch is no learning, two in a row are") {
  const auto low = [](int from, int to) {
    return [=](int at) { return at >= from && at < to ? 1.5 : 1.6; };
  };
  CHECK(trouble({series("loss", 100, low(50, 55))}));
  CHECK(!trouble({series("loss", 100, low(50, 60))}));
  CHECK(!trouble({series("loss", 100, low(95, 100))})); // it begins to learn
}

TEST_CASE("halves tell a fall by a tenth that noise hides in each stretch") {
  int told = 0;
  for (unsigned seed = 0; seed < 50; ++seed) {
    std::mt19937 random{seed};
    std::normal_distribution<double> normal{0, 0.25};
    const auto slowly = [&](int at) {
      return 2 - 0.2 * std::min(at, 100) / 100.0 + normal(random);
    };
    told += trouble({series("loss", 200, slowly)}).has_value();
  }
  CHECK(told <= 5);
}

TEST_CASE("a first value far above all others shows that the model learned at once") {
  const auto from = [](double first) {
    return [=](int at) { return at == 0 ? first : 1 + 0.01 * (at % 3); };
  };
  CHECK(!trouble({series("loss", 100, from(1.01 / 0.79))}));
  CHECK(trouble({series("loss", 100, from(1.01 / 0.81))}));
}

TEST_CASE("an evaluation that gets better refutes that nothing was learned") {
  const auto flat = [](int at) { return 1.5 + 0.01 * (at % 3); };
  const auto evaluation = [](double share) {
    return [=](int at) { return 1.4 * (1 - share * at / 5.0); };
  };
  CHECK(!trouble({series("loss", 60, flat), series("eval_loss", 6, evaluation(0.0025))}));
  CHECK(trouble({series("loss", 60, flat), series("eval_loss", 6, evaluation(0.0015))}));
  // Best early, and worse since: it had learned.
  const auto early = [](int at) { return at == 0 ? 1.4 : at < 3 ? 1.35 : 1.39; };
  const auto found = trouble({series("loss", 60, flat), series("eval_loss", 60, early)});
  REQUIRE(found);
  CHECK(found->kind == FindingKind::overtraining);
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

TEST_CASE("three evaluations after the best are enough if each is worse, by a tenth in all") {
  const auto training = [](int at) { return 2 * std::pow(0.97, at); };
  const auto judged = [&](std::vector<double> evaluations) {
    job::ScalarSeries eval = series("eval_loss", static_cast<int>(evaluations.size()), [&](int at) {
      return evaluations[static_cast<std::size_t>(at)];
    });
    for (std::int64_t& step : eval.steps)
      step *= 20;
    return trouble({series("loss", 100, training), eval});
  };
  const auto found = judged({1.0, 1.02, 1.06, 1.11});
  REQUIRE(found);
  CHECK(found->kind == FindingKind::overfitting);
  CHECK(found->after == Approx(1.11));
  CHECK(!judged({1.0, 1.02, 1.06, 1.09}));
  CHECK(!judged({1.0, 1.06, 1.05, 1.11}));
  CHECK(!judged({1.1, 1.0, 1.06, 1.12}));
}

TEST_CASE("few values of training have to fall each time, too") {
  const auto evaluation = [](int at) { return 1 + 0.06 * at; };
  const auto epochs = [&](double last) {
    return trouble({series("train_loss", 5, [=](int at) { return at == 4 ? last : 1 - 0.1 * at; }),
                    series("val_loss", 5, evaluation)});
  };
  REQUIRE(epochs(0.6));
  CHECK(epochs(0.6)->kind == FindingKind::overfitting);
  CHECK(!epochs(0.75));
}

TEST_CASE("an evaluation that rises with training's loss says nothing") {
  const auto annealed = [](int at) { return at < 20 ? 20.0 - at / 2.0 : 9 + at / 20.0; };
  const auto evaluation = [](int at) { return at < 2 ? 10.0 - at : 9 + at / 4.0; };
  job::ScalarSeries eval = series("val/loss", 20, evaluation);
  for (std::int64_t& step : eval.steps)
    step *= 10;
  CHECK(!trouble({series("train/loss", 200, annealed), eval}));
  CHECK(trouble({series("train/loss", 200, falling()), eval}));
}

TEST_CASE("a perplexity stands in for a loss that was not logged") {
  const auto training = [](int at) { return 4 + 15 * std::exp(-at / 5.0); };
  const auto turning = [](int at) { return at < 8 ? 17.0 - at : 9 + 0.2 * (at - 8); };
  const auto found = trouble({series("train_ppl", 40, training), series("val_ppl", 40, turning)});
  REQUIRE(found);
  CHECK(found->kind == FindingKind::overfitting);
  CHECK(found->measure == findings::Measure::perplexity);
  CHECK(found->scalar == "val_ppl");
  CHECK(found->before == Approx(9));
  CHECK(found->after == Approx(15.2));
  CHECK(!trouble({series("val_ppl", 40, [](int) { return 0.0; })})); // no perplexity
  const auto flat = trouble({series("perplexity", 60, [](int at) { return 900.0 + at % 3; })});
  REQUIRE(flat);
  CHECK(flat->kind == FindingKind::loss_not_decreasing);
  CHECK(!trouble({series("loss", 40, training), series("train_ppl", 60, [](int) { return 9.0; })}));
}

TEST_CASE("an accuracy stands in for an evaluation's loss, for overfitting alone") {
  const auto learning = [](int at) { return 1 - 0.8 * std::exp(-at / 10.0); };
  const auto turning = [](double end) {
    return [=](int at) { return at < 6 ? 0.4 + 0.05 * at : 0.7 - (0.7 - end) * (at - 6) / 50.0; };
  };
  const auto judged = [&](const std::string& training, double end) {
    return trouble({series(training, 60, learning), series("val_accuracy", 60, turning(end))});
  };
  const auto found = judged("train_accuracy", 0.6);
  REQUIRE(found);
  CHECK(found->kind == FindingKind::overfitting);
  CHECK(found->measure == findings::Measure::accuracy);
  CHECK(found->step == 70);
  CHECK(found->before == Approx(0.7));
  CHECK(!judged("train_accuracy", 0.67)); // less than a twentieth
  CHECK(!trouble({series("train_accuracy", 60, learning),
                  series("val_accuracy", 60, [](int at) { return at == 9 ? 0.71 : 0.7; })}));
  CHECK(!trouble({series("g_loss", 60, learning), series("d_loss", 60, learning),
                  series("accuracy", 60, learning), series("val_accuracy", 60, turning(0.6))}));
  const auto beside_loss = [](int at) { return 2 * std::exp(-at / 20.0); };
  CHECK(trouble({series("loss", 60, beside_loss), series("val_acc@1", 60, turning(0.6))}));
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

TEST_CASE("an evaluation that never moves stands beside a training that learns nothing") {
  const auto flat = [](int at) { return 1.6 + 0.01 * (at % 3); };
  const auto found =
      trouble({series("loss", 100, flat), series("val_loss", 15, [](int) { return 1.6; })});
  REQUIRE(found);
  CHECK(found->kind == FindingKind::loss_not_decreasing);
  REQUIRE(found->beside.size() == 1);
  CHECK(found->beside.front().kind == FindingKind::constant_evaluation);
  CHECK(found->beside.front().scalar == "val_loss");
  CHECK(!found->beside.front().time);
  const auto broken = [](int at) { return at < 40 ? 3.0 : kNan; };
  CHECK(trouble({series("loss", 100, broken), series("val_loss", 15, [](int) { return 1.6; })})
            ->beside.empty());
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
  // It had been far below: that is another trouble.
  const auto thrown_back = [](int at) {
    return at < 100 ? 2.7 + 8.2 * std::exp(-at / 4.0) : 7.3 + 0.3 * std::exp((100 - at) / 20.0);
  };
  CHECK(trouble({series("train/loss", 200, thrown_back)})->kind == FindingKind::diverged);
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
  CHECK(!trouble({series("loss", 100, flat), series("train/acc@1", 20, rising)}));
  // By a twentieth of itself, or of what it lacks.
  const auto rising_by = [](double start, double gain) {
    return [=](int at) { return start + gain * at / 19.0; };
  };
  CHECK(!trouble({series("loss", 100, flat), series("acc", 20, rising_by(0.2, 0.0105))}));
  CHECK(trouble({series("loss", 100, flat), series("acc", 20, rising_by(0.2, 0.0095))}));
  CHECK(!trouble({series("loss", 100, flat), series("acc", 20, rising_by(90, 0.52))}));
  CHECK(trouble({series("loss", 100, flat), series("acc", 20, rising_by(90, 0.48))}));
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
  // It was as good before.
  scalars[2].values.front() = scalars[2].values.back();
  const auto no_better = trouble(scalars);
  REQUIRE(no_better);
  CHECK(!no_better->better);
  CHECK(no_better->wastes_steps());
}

} // namespace test_model_health
