#include "render/diff/diff_head.h"

#include <catch2/catch_test_macros.hpp>

#include <string>

namespace test_diff_head {

using namespace debrief;
using compare::Change;
using compare::ChangeKind;

namespace {

Change change(const char* name, const char* unit, double before, double after, ChangeKind word) {
  Change out;
  out.before = {name, "Label", unit, compare::Better::lower, before, {}};
  out.after = {name, "Label", unit, compare::Better::lower, after, {}};
  out.difference = after - before;
  out.word = word;
  return out;
}

compare::Diff diff_of(std::vector<Change> figures, ChangeKind word) {
  compare::Diff out;
  out.before.name = "slow";
  out.after.name = "fast";
  out.figures = std::move(figures);
  out.outcome.word = word;
  return out;
}

} // namespace

TEST_CASE("the answer is how much faster an iteration is, or a step where waits are not known") {
  using enum ChangeKind;
  const Change iteration = change("job.seconds_per_step", "s", 1.75, 0.0625, improved);
  const Change step = change("steps.train.p50", "s", 0.02, 0.05, worse);
  CHECK(render::answer_text(diff_of({step, iteration}, improved)) ==
        "fast is 28× faster per iteration than slow.");
  CHECK(
      render::answer_text(diff_of({step}, worse)).ends_with("is 2.5× slower per step than slow."));
  const Change little = change("job.seconds_per_step", "s", 1.07, 1, improved);
  CHECK(render::answer_text(diff_of({little}, improved))
            .ends_with("is 7.0% faster per iteration than slow."));
}

TEST_CASE("without a judged speed the answer is the outcome") {
  using enum ChangeKind;
  const Change same = change("job.seconds_per_step", "s", 1, 1, no_change);
  CHECK(render::answer_text(diff_of({same}, no_change))
            .ends_with("performs like slow, within noise."));
  CHECK(render::answer_text(diff_of({}, worse)).ends_with("is worse than slow."));
  CHECK(render::answer_text(diff_of({}, changed)).ends_with("and worse in others."));
  CHECK(
      render::answer_text(diff_of({}, incomparable)).ends_with("no metric in common to compare."));
  compare::Diff alike = diff_of({}, improved);
  alike.before.name = alike.after.name;
  CHECK(render::answer_text(alike) == "The job after is better than the job before.");
}

TEST_CASE("a change is a percentage, from ten times on a factor, and of percentages in points") {
  using enum ChangeKind;
  const auto words = [](const char* unit, double before, double after, ChangeKind word = worse) {
    return render::change_words(change("x", unit, before, after, word));
  };
  CHECK(words("s", 1, 1.12) == "+12%");
  CHECK(words("s", 1, 0.62) == "−38%");
  CHECK(words("s", 1, 10) == "×10");
  CHECK(words("s", 1, 9.99) == "+899%");
  CHECK(words("s", 1, 103.4) == "×103");
  CHECK(words("s", 28, 1) == "÷28");
  CHECK(words("s", 0, 1) == "from 0");
  CHECK(words("s", 1, 0) == "to 0");
  CHECK(words("%", 90, 12) == "−78 points");
  CHECK(words("%", 0.5, 1.75) == "+1.25 points");
  CHECK(words("s", 1, 1.2, no_change) == "no change");
}

TEST_CASE("the head has the headline metrics that both jobs have, and findings that came or went") {
  using enum ChangeKind;
  compare::Diff diff = diff_of({change("job.seconds_per_step", "s", 1.75, 0.0625, improved),
                                change("gpu.p99", "%", 1, 2, improved),
                                change("job.duration", "s", 100, 101, no_change)},
                               improved);
  compare::FindingChange gone;
  gone.kind = result::FindingKind::input_bound;
  gone.before = compare::FindingSide{result::Severity::critical, "Waits <b>", 0.78};
  compare::FindingChange stayed = gone;
  stayed.after = stayed.before;
  diff.findings = {gone, stayed};
  render::Placeholders placeholders;
  const auto head = render::diff_head(diff, placeholders);
  REQUIRE(head["headlines"].size() == 2);
  CHECK(head["headlines"][0]["words"] == "÷28");
  CHECK(head["headlines"][0]["class"] == "healthy");
  CHECK(head["headlines"][1]["class"] == "plain");
  CHECK(head["answer"]["word"] == "Better");
  REQUIRE(head["answer"]["findings"].size() == 1);
  CHECK(head["answer"]["findings"][0]["word"] == "Gone");
  CHECK(head["answer"]["findings"][0]["share"] == "78%");
  CHECK(head["times"].is_null());
  CHECK(head["settings"].is_null());
}

} // namespace test_diff_head
