#include "aggregate/curves.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <string>

namespace test_curves_aggregate {

using namespace debrief;
using Catch::Approx;

namespace {

job::ScalarSeries series(const std::string& name, const std::vector<double>& values) {
  job::ScalarSeries out;
  out.name = name;
  for (const double value : values) {
    out.steps.push_back(static_cast<std::int64_t>(out.steps.size() + 1));
    out.values.push_back(value);
  }
  return out;
}

result::JobSummary lasting(Microseconds duration) {
  result::JobSummary summary;
  summary.span = {{0, duration}};
  return summary;
}

void add_checkpoint(job::EventTableBuilder& events, const std::string& process,
                    Microseconds duration) {
  job::Timeline timeline;
  timeline.process = process;
  job::Track track;
  track.timeline = events.timeline(timeline);
  job::EventTableBuilder::Event event;
  event.duration = duration;
  event.name = events.names.intern("save");
  event.phase = events.phases.intern("Checkpoint");
  event.track = events.track(track);
  events.add(event);
}

} // namespace

TEST_CASE("curves: what a scalar is about") {
  using result::CurveSplit;
  using result::CurveTopic;
  const auto topic = [](const char* name) { return aggregate::meaning_of_scalar(name, "").topic; };
  CHECK(topic("train/loss") == CurveTopic::loss);
  CHECK(topic("loss_scale") == CurveTopic::other);
  CHECK(topic("lr-AdamW") == CurveTopic::learning_rate);
  CHECK(topic("grad_norm") == CurveTopic::gradient_norm);
  CHECK(topic("train/acc@1") == CurveTopic::accuracy);
  CHECK(aggregate::meaning_of_scalar("loss", "run/validation").split == CurveSplit::evaluation);
  CHECK(aggregate::meaning_of_scalar("val_loss", "train").split == CurveSplit::evaluation);
}

TEST_CASE("curves: checkpoints that the script timed itself") {
  job::Job job;
  job.scalars = {series("save-checkpoint-time", {1.5, 2.5, -1}),
                 series("load-checkpoint-time", {100}), series("checkpoint-time-total", {100})};
  const auto speed = aggregate::curves(job, lasting(40'000'000)).speed;
  CHECK(speed.checkpoints == 2);
  CHECK(*speed.checkpoint_seconds == Approx(4));
  CHECK(*speed.checkpoint_percent == Approx(10));
}

TEST_CASE("curves: marked checkpoints count, of the process that waited longest") {
  job::Job job;
  job::EventTableBuilder events;
  add_checkpoint(events, "host-1", 2'000'000);
  add_checkpoint(events, "host-1", 4'000'000);
  add_checkpoint(events, "host-2", 1'000'000);
  job.events = std::move(events).finish();
  job.scalars = {series("save-checkpoint-time", {100})};
  const auto curves = aggregate::curves(job, lasting(60'000'000));
  CHECK(curves.speed.checkpoints == 2);
  CHECK(*curves.speed.checkpoint_seconds == Approx(6));
  CHECK(*curves.speed.checkpoint_percent == Approx(10));
  job.scalars.clear();
  CHECK_FALSE(aggregate::curves(job, lasting(60'000'000)).empty());
}

TEST_CASE(
    "curves: no share where more was waited than the job took, and none without checkpoints") {
  job::Job job;
  job.scalars = {series("checkpoint_seconds", {50})};
  CHECK_FALSE(aggregate::curves(job, lasting(40'000'000)).speed.checkpoint_percent);
  job.scalars = {series("loss", {2, 1})};
  CHECK_FALSE(aggregate::curves(job, lasting(40'000'000)).speed.checkpoints);
  CHECK(aggregate::curves(job::Job{}, lasting(40'000'000)).empty());
}

} // namespace test_curves_aggregate
