// What the training script logged over its steps: losses, learning rates, and how fast it trained.
#include "render/parts/cells.h"
#include "render/parts/curve_chart.h"
#include "render/parts/format.h"
#include "render/parts/scalar_groups.h"
#include "render/parts/section.h"
#include "render/sections/sections.h"
#include "result/main_curves.h"
#include "util/number_text.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace debrief::render {

namespace {

using result::Curve;
using result::Curves;
using result::CurveSplit;
using result::CurveTopic;
using result::TrainingSpeed;

constexpr std::size_t kMaxSpeedCharts = 3;

struct TopicWords {
  CurveTopic topic;
  const char* words;
};

constexpr TopicWords kTopics[] = {{CurveTopic::loss, "loss"},
                                  {CurveTopic::loss_part, "part of a loss"},
                                  {CurveTopic::accuracy, "accuracy"},
                                  {CurveTopic::reward, "reward"},
                                  {CurveTopic::learning_rate, "learning rate"},
                                  {CurveTopic::gradient_norm, "gradient norm"},
                                  {CurveTopic::throughput, "throughput"},
                                  {CurveTopic::other, "other"}};

const char* words_of(CurveTopic topic) {
  return std::find_if(std::begin(kTopics), std::end(kTopics),
                      [&](const TopicWords& row) { return row.topic == topic; })
      ->words;
}

/// "The loss (train/loss) went from 4.170 at step 10 to 1.982 at step 200."
std::string loss_sentence(const Curve* loss) {
  if (loss == nullptr || !loss->first || !loss->last) return "";
  const std::string name = truncate(loss->name);
  if (loss->count == 1)
    return fmt::format("The loss ({}) was logged once: {} at {}.", name, scalar_text(*loss->first),
                       step_words(loss->first_step));
  if (!result::ends_finite(*loss))
    return fmt::format("The loss ({}) began at {} and ended as NaN or infinite at {}.", name,
                       scalar_text(*loss->first), step_words(loss->last_step));
  return fmt::format("The loss ({}) went from {} at {} to {} at {}.", name,
                     scalar_text(*loss->first), step_words(loss->first_step),
                     scalar_text(*loss->last), step_words(loss->last_step));
}

std::string evaluation_sentence(const Curve* loss) {
  if (loss == nullptr || !loss->min || !loss->min_step) return "";
  std::string out = fmt::format("The best evaluation loss ({}) was {} at {}", truncate(loss->name),
                                scalar_text(*loss->min), step_words(*loss->min_step));
  if (result::ends_finite(*loss) && loss->last && *loss->min_step != loss->last_step)
    out += fmt::format("; the last was {} at {}", scalar_text(*loss->last),
                       step_words(loss->last_step));
  return out + '.';
}

/// Of losses and gradients, the one that stopped being finite first; of several the loss.
std::string broken_sentence(const Curves& curves) {
  const Curve* first = nullptr;
  for (const Curve& curve : curves.curves) {
    if (curve.topic != CurveTopic::loss && curve.topic != CurveTopic::gradient_norm) continue;
    if (!curve.first_not_finite) continue;
    if (first == nullptr || *curve.first_not_finite < *first->first_not_finite) first = &curve;
  }
  if (first == nullptr) return "";
  return fmt::format("The {} ({}) was NaN or infinite in {} of {} values, first at {}.",
                     words_of(first->topic), truncate(first->name), grouped(first->not_finite),
                     grouped(first->count), step_words(*first->first_not_finite));
}

/// "Evaluation took 12.3% of the time, checkpoints 4.1%."
std::string share_sentence(const TrainingSpeed& speed) {
  const auto percent = [](double value) { return exact_percent_text(value); };
  if (speed.evaluation_percent && speed.checkpoint_percent)
    return fmt::format("Evaluation took {} of the time, checkpoints {}.",
                       percent(*speed.evaluation_percent), percent(*speed.checkpoint_percent));
  if (speed.evaluation_percent)
    return fmt::format("Evaluation took {} of the time.", percent(*speed.evaluation_percent));
  if (speed.checkpoint_percent)
    return fmt::format("Checkpoints took {} of the time.", percent(*speed.checkpoint_percent));
  return "";
}

/// The main ones first, so that they have the first colors and are drawn where not all are.
std::vector<CurvePart> parts_of(const Curves& curves, CurveTopic topic) {
  const Curve* train = result::main_loss(curves, CurveSplit::train);
  const Curve* evaluation = result::main_loss(curves, CurveSplit::evaluation);
  const auto rank = [&](const Curve* curve) {
    return curve == train ? 0 : curve == evaluation ? 1 : curve->count > 1 ? 2 : 3;
  };
  std::vector<CurvePart> parts;
  for (const Curve& curve : curves.curves)
    if (curve.topic == topic) parts.push_back({printable(curve.name), &curve});
  std::stable_sort(parts.begin(), parts.end(), [&](const CurvePart& a, const CurvePart& b) {
    return rank(a.curve) < rank(b.curve);
  });
  // A summary that was logged once at the end ("train_loss") is in the table.
  std::erase_if(parts, [&](const CurvePart& part) { return rank(part.curve) == 3; });
  return parts;
}

/// "train/samples_per_second", "eval_samples_per_second" -> "samples_per_second": what can share an
/// axis.
std::string rate_of(std::string_view name) {
  name.remove_prefix(name.rfind('/') + 1); // npos + 1 is 0
  for (const std::string_view prefix : {"train_", "eval_", "val_", "test_"})
    if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  return std::string{name};
}

/// "samples_per_second" -> "Throughput: samples per second".
std::string rate_caption(std::string rate) {
  if (rate == "runtime") return "Runtime in seconds";
  std::replace(rate.begin(), rate.end(), '_', ' ');
  return "Throughput: " + truncate(rate);
}

/// The section's charts, and which scalars they show.
class Charts {
public:
  explicit Charts(Section& section)
      : section_(section) {}

  /// Nothing where no part has two values.
  void draw(const std::string& caption, std::vector<CurvePart> parts) {
    std::optional<Chart> chart = curve_chart(caption, parts);
    if (!chart) return;
    section_.draw(std::move(chart));
    if (parts.size() > chart::kSeries) parts.resize(chart::kSeries);
    for (const CurvePart& part : parts)
      drawn_.insert(part.curve);
  }

  /// What is not drawn yet, small and folded away by prefix. What never changed is a number of the
  /// table.
  void draw_rest(const Curves& curves) {
    std::vector<const Curve*> rest;
    for (const Curve& curve : curves.curves)
      if (curve.values.size() > 1 && !(curve.not_finite == 0 && curve.min == curve.max) &&
          !drawn_.contains(&curve))
        rest.push_back(&curve);
    for (const ScalarGroup& group : group_scalars(rest))
      for (const Curve* curve : group.curves)
        section_.draw(small_curve_chart(printable(curve->name), {{printable(curve->name), curve}},
                                        group.heading));
  }

private:
  Section& section_;
  std::set<const Curve*> drawn_;
};

void draw_rates(Charts& charts, const Curves& curves) {
  std::vector<std::pair<std::string, std::vector<CurvePart>>> rates;
  for (const CurvePart& part : parts_of(curves, CurveTopic::throughput)) {
    const std::string rate = rate_of(part.curve->name);
    const auto found = std::find_if(rates.begin(), rates.end(),
                                    [&](const auto& known) { return known.first == rate; });
    if (found != rates.end())
      found->second.push_back(part);
    else if (rates.size() < kMaxSpeedCharts)
      rates.push_back({rate, {part}});
  }
  for (auto& [rate, parts] : rates)
    charts.draw(rate_caption(rate), std::move(parts));
}

Table speed_table(const TrainingSpeed& speed) {
  Table table("Training speed", {{"Metric", Kind::head}, {"Value", Kind::number}});
  const auto add = [&](const char* name, const std::optional<double>& value) {
    if (value) table.add({name, scalar_cell(value)});
  };
  if (speed.steps) table.add({"Last step", count_cell(speed.steps)});
  add("Steps per second", speed.steps_per_second);
  add("Samples per second", speed.samples_per_second);
  add("Tokens per second", speed.tokens_per_second);
  if (speed.runtime) table.add({"Training time, with evaluation", duration_cell(speed.runtime)});
  if (speed.evaluations) table.add({"Evaluations", count_cell(speed.evaluations)});
  if (speed.evaluation_seconds)
    table.add({"Time in evaluation", duration_cell(speed.evaluation_seconds)});
  if (speed.evaluation_percent)
    table.add({"Share of time in evaluation", exact_percent_text(*speed.evaluation_percent)});
  if (speed.checkpoints) table.add({"Checkpoints", count_cell(speed.checkpoints)});
  if (speed.checkpoint_seconds)
    table.add({"Time in checkpoints", duration_cell(speed.checkpoint_seconds)});
  if (speed.checkpoint_percent)
    table.add({"Share of time in checkpoints", exact_percent_text(*speed.checkpoint_percent)});
  add("TFLOP/s, all GPUs", speed.tflops_rate);
  if (speed.mfu_percent)
    table.add({fmt::format("Model FLOPs utilization, of {} peak", printable(speed.mfu_precision)),
               exact_percent_text(*speed.mfu_percent)});
  return table.narrow();
}

Table scalars_table(const Curves& curves) {
  Table table("Logged scalars", {{"Scalar", Kind::head, "scalar"},
                                 {"Topic", Kind::text, "", true},
                                 {"Source", Kind::text, "", true},
                                 {"Values", Kind::number, "count"},
                                 {"First", Kind::number, "first"},
                                 {"Last", Kind::number, "last"},
                                 {"Min", Kind::number, "min"},
                                 {"Min at step", Kind::number, "min_step", true},
                                 {"Max", Kind::number, "max"},
                                 {"Max at step", Kind::number, "max_step", true},
                                 {"Not finite", Kind::number, "not_finite"}});
  for (const Curve& curve : curves.curves)
    table.add({printable(curve.name), words_of(curve.topic), printable(curve.source),
               count_cell(curve.count), scalar_cell(curve.first), scalar_cell(curve.last),
               scalar_cell(curve.min), count_cell(curve.min_step), scalar_cell(curve.max),
               count_cell(curve.max_step), count_cell(curve.not_finite)});
  return table;
}

std::optional<Section> make_curves(const result::Result& result) {
  const Curves& curves = result.curves;
  if (curves.empty())
    return missing("No loss or other scalar was found. Log to TensorBoard, W&B or MLflow, or keep "
                   "trainer_state.json or metrics.csv in the job's folder.");
  Section section;
  if (result.timeline.empty()) section.lead(); // the job left nothing else
  const Curve* train = result::main_loss(curves, CurveSplit::train);
  const Curve* evaluation = result::main_loss(curves, CurveSplit::evaluation);
  section.say(loss_sentence(train));
  section.say(evaluation_sentence(evaluation));
  section.say(broken_sentence(curves));
  if (section.takeaway().empty() && !curves.curves.empty())
    section.say(
        fmt::format("The logs have {}, but no loss.", plural(std::ssize(curves.curves), "scalar")));
  section.say(share_sentence(curves.speed));
  Charts charts{section};
  charts.draw("Loss", parts_of(curves, CurveTopic::loss));
  charts.draw("Parts of the loss", parts_of(curves, CurveTopic::loss_part));
  charts.draw("Accuracy", parts_of(curves, CurveTopic::accuracy));
  charts.draw("Reward", parts_of(curves, CurveTopic::reward));
  charts.draw("Learning rate", parts_of(curves, CurveTopic::learning_rate));
  charts.draw("Gradient norm", parts_of(curves, CurveTopic::gradient_norm));
  draw_rates(charts, curves);
  charts.draw_rest(curves);
  if (const Table table = speed_table(curves.speed); table.size() > 0) section.show(table);
  if (!curves.curves.empty()) section.show(scalars_table(curves), kRowsShown, "scalars");
  if (curves.left_out > 0)
    section.note(fmt::format("The logs have {} more that the page does not list.",
                             plural(curves.left_out, "scalar")));
  return section;
}

} // namespace

const SectionSpec kCurvesSection = {
    .id = "curves",
    .heading = "Training curves",
    .chapter = Chapter::training,
    .how_to_read = "A loss that falls and levels off is healthy. An evaluation loss that rises "
                   "while the training loss falls means overfitting. Values that are NaN or "
                   "infinite are gaps; a red dashed line marks the first.",
    .how_computed =
        "Values as the training script logged them. Smoothing, where you turn it on, is "
        "TensorBoard's moving average. Charts show at most 400 points of a scalar and "
        "keep its extremes, small ones at most 60. Scalars that never changed are in the table "
        "only. The table counts every value; first, last, min and max are "
        "of finite ones.",
    .make = make_curves,
};

} // namespace debrief::render
