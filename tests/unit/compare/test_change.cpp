#include "compare/change.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

namespace test_change {

using namespace debrief::compare;
using Catch::Matchers::WithinAbs;

namespace {

Figure step(double value, std::vector<double> blocks) {
  return {
      "steps.train.p50", "TRAIN step, median", "s", Better::lower, value, std::move(blocks), true};
}

Figure share(double value, Better better = Better::higher) {
  return {"gpu.p50", "GPU utilization, median", "%", better, value, {}, false};
}

ChangeKind word_of(const Figure& before, const Figure& after) {
  return compare(before, after, default_tolerance(before)).word;
}

} // namespace

TEST_CASE("A figure that is the same has not changed by anything") {
  const Change change = compare(share(80), share(80), {});
  CHECK(change.word == ChangeKind::no_change);
  CHECK(change.reason == "the same");
  CHECK(change.difference == 0);
  CHECK(change.relative == 0.0);
}

TEST_CASE("The direction that is better decides between improved and worse") {
  CHECK(word_of(share(50), share(60)) == ChangeKind::improved);
  CHECK(compare(share(50), share(60), {0.05, 0}).reason == "more than 5%");
  CHECK(word_of(share(60), share(50)) == ChangeKind::worse);
  CHECK(word_of(share(50, Better::lower), share(60, Better::lower)) == ChangeKind::worse);
  CHECK(word_of(share(50, Better::neither), share(60, Better::neither)) == ChangeKind::changed);
}

TEST_CASE("A change is relative to the value before, and has the difference's sign") {
  const Change change = compare(share(50), share(40), {});
  CHECK(change.difference == -10);
  CHECK_THAT(*change.relative, WithinAbs(-0.2, 1e-12));
}

TEST_CASE("The larger of both tolerances holds, up to its very value") {
  CHECK(compare(share(80), share(84), {0.05, 0}).word == ChangeKind::no_change);
  CHECK(compare(share(80), share(84), {0.05, 0}).reason == "within 5%");
  CHECK(compare(share(80), share(84.01), {0.05, 0}).word == ChangeKind::improved);
  CHECK(compare(share(80), share(84.01), {0.05, 5}).word == ChangeKind::no_change);
  CHECK(compare(share(80), share(84.01), {0.05, 5}).reason == "within 5 points");
}

TEST_CASE("From 0 on there is no relative change, and only an absolute tolerance") {
  const Change change = compare(share(0), share(2), {0.5, 1});
  CHECK_FALSE(change.relative);
  CHECK(change.word == ChangeKind::improved);
  CHECK(compare(share(0), share(1), {0.5, 1}).word == ChangeKind::no_change);
}

TEST_CASE("A change of steps counts only where it is larger than their noise") {
  // Means 1.0 and 1.1. Both scatter by half of that, or by a thousandth.
  const std::vector<double> wide = {0.5, 1.5, 0.7, 1.3};
  const std::vector<double> wide_after = {0.6, 1.6, 0.8, 1.4};
  const Change noise = compare(step(1.0, wide), step(1.1, wide_after), {});
  CHECK(noise.word == ChangeKind::no_change);
  CHECK(noise.reason.starts_with("within noise (p = 0.7"));
  const Change change =
      compare(step(1.0, {0.999, 1.001, 1.0, 1.0}), step(1.1, {1.099, 1.101, 1.1, 1.1}), {});
  CHECK(change.word == ChangeKind::worse);
  CHECK(change.reason == "more than noise (p < 0.0001)");
}

TEST_CASE("A significant change within the tolerance is none") {
  const Change change =
      compare(step(1.0, {0.999, 1.001, 1.0, 1.0}), step(1.04, {1.039, 1.041, 1.04, 1.04}), {});
  CHECK(*change.p_value < kSignificance);
  CHECK(change.word == ChangeKind::no_change);
  CHECK(change.reason == "within 5%");
}

TEST_CASE("Steps without blocks cannot be compared, steps that do not vary can") {
  const Change few = compare(step(1, {}), step(2, {2, 2.1}), {});
  CHECK(few.word == ChangeKind::incomparable);
  CHECK(few.reason == "too few steps to rule out noise");
  CHECK(compare(step(1, {}), step(1.01, {}), {}).word == ChangeKind::no_change);
  const Change even = compare(step(1, {1, 1, 1}), step(2, {2, 2, 2}), {});
  CHECK(even.word == ChangeKind::worse);
  CHECK_FALSE(even.p_value);
}

TEST_CASE("Few steps are compared by their ranks") {
  const auto few = [](double value, std::vector<double> steps) {
    Figure figure = step(value, std::move(steps));
    figure.few_steps = true;
    return figure;
  };
  const Change apart =
      compare(few(1, {1, 1, 1.1, 0.9, 1, 9}), few(2, {12, 12, 11, 10, 13, 14}), {});
  CHECK(apart.word == ChangeKind::worse);
  CHECK_THAT(*apart.p_value, WithinAbs(2.0 / 924, 1e-12));
  CHECK(compare(few(1, {1, 2, 3, 4, 5, 6}), few(2, {1.5, 2.5, 3.5, 4.5, 5.5, 6.5}), {}).word ==
        ChangeKind::no_change);
  // Four against five cannot be told from noise, whatever they are; of the same length they can.
  CHECK(compare(few(1, {1, 1, 1, 1}), few(9, {9, 9, 9, 9, 9}), {}).word ==
        ChangeKind::incomparable);
  CHECK(compare(few(1, {1, 1, 1, 1}), few(1, {1, 1, 1, 1, 1}), {}).word == ChangeKind::no_change);
  // Six steps of a trace against the blocks of a long job.
  CHECK(compare(few(1, {1, 1, 1, 1, 1, 1}), step(2, {2, 2.1, 2, 1.9, 2}), {}).word ==
        ChangeKind::worse);
}

TEST_CASE("One side that does not vary is compared by the other's noise") {
  CHECK(compare(step(1, {1, 1, 1, 1}), step(2, {1.99, 2.01, 2, 2}), {}).word == ChangeKind::worse);
  CHECK(compare(step(1, {1, 1, 1, 1}), step(2, {0, 4, 1, 3}), {}).word == ChangeKind::no_change);
}

TEST_CASE("Figures in different units cannot be compared") {
  Figure after = share(50);
  after.unit = "hours";
  CHECK(compare(share(50), after, {}).word == ChangeKind::incomparable);
}

TEST_CASE("The fewer values decide a figure, the more it may change") {
  const auto relative = [](const char* name) {
    Figure figure = step(1, {});
    figure.name = name;
    return default_tolerance(figure).relative;
  };
  CHECK(relative("steps.train.p50") == 0.05);
  CHECK(relative("steps.train[a.max].p95") == 0.10);
  CHECK(relative("steps.train.p99") == 0.25);
  CHECK(relative("steps.train.max") == 0.50);
  CHECK(default_tolerance(share(1)).absolute == 1);
  CHECK(default_tolerance(step(1, {})).absolute == 0);
}

} // namespace test_change
