// A network's health while it trained: its loss, where rules on the model triggered, what they
// compare layer by layer, and how values were distributed.
#include "chart/heat_grid.h"
#include "render/parts/cells.h"
#include "render/parts/curve_chart.h"
#include "render/parts/format.h"
#include "render/parts/section.h"
#include "render/sections/sections.h"
#include "result/main_curves.h"
#include "util/number_text.h"
#include "util/step_columns.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <string>
#include <utility>
#include <vector>

namespace debrief::render {

namespace {

using result::Curve;
using result::CurveSplit;
using result::LayerMeasure;
using result::LayerRow;
using result::Model;
using result::RuleRow;

constexpr std::size_t kRulesSaid = 3;    ///< in the takeaway
constexpr std::size_t kLayersShown = 10; ///< rows of the table that are not folded away

std::vector<const RuleRow*> triggered(const std::vector<RuleRow>& rules) {
  std::vector<const RuleRow*> out;
  for (const RuleRow& rule : rules)
    if (rule.status == result::RuleStatus::issue_found && !rule.model.empty()) out.push_back(&rule);
  return out;
}

/// "VanishingGradient triggered at 6 steps, DeadRelu at 3 and 2 more rules."
std::string rules_sentence(const std::vector<const RuleRow*>& rules) {
  if (rules.empty()) return "No rule on the model triggered.";
  std::vector<std::string> parts;
  for (const RuleRow* rule : rules) {
    if (parts.size() == kRulesSaid) {
      parts.push_back(plural(static_cast<std::int64_t>(rules.size() - kRulesSaid), "more rule"));
      break;
    }
    parts.push_back(parts.empty() ? fmt::format("{} triggered at {}", printable(rule->rule),
                                                plural(rule->model.step_count, "step"))
                                  : fmt::format("{} at {}", printable(rule->rule),
                                                grouped(rule->model.step_count)));
  }
  return join_and(parts) + '.';
}

/// What the heat map of a measure is about, in a layer's words.
std::string subject_of(const LayerMeasure& measure) {
  constexpr std::pair<std::string_view, const char*> kSubjects[] = {
      {"VanishingGradient", "Gradient size"},
      {"WeightUpdateRatio", "Weight update over weight"},
      {"DeadRelu", "Dead ReLU units"},
      {"SaturatedActivation", "Saturated units"}};
  for (const auto& [rule, words] : kSubjects)
    if (rule == measure.rule) return words;
  return capitalized(printable(measure.what));
}

std::string value_words(const LayerMeasure& measure, double value) {
  return measure.is_percent() ? exact_percent_text(value) : scalar_text(value);
}

/// "1e-7", "10", "50%".
std::string threshold_words(const LayerMeasure& measure, double threshold) {
  constexpr double kLargest = 1e6;
  if (measure.is_percent() || threshold != std::floor(threshold) || threshold >= kLargest)
    return value_words(measure, threshold);
  return grouped(static_cast<std::int64_t>(threshold));
}

/// How many bytes of all names, up to a slash, are the same: "gradient/".
std::size_t common_prefix(const std::vector<LayerRow>& layers) {
  const std::size_t slash = layers.front().tensor.find('/');
  if (slash == std::string::npos) return 0;
  const std::string_view prefix = std::string_view{layers.front().tensor}.substr(0, slash + 1);
  return std::all_of(layers.begin(), layers.end(),
                     [&](const LayerRow& layer) { return layer.tensor.starts_with(prefix); })
             ? prefix.size()
             : 0;
}

/// The worst value of a measure.
struct Worst {
  const LayerRow* layer = nullptr;
  std::int64_t step = 0;
  double value = 0;
};

std::optional<Worst> worst_of(const LayerMeasure& measure, const LayerRow& layer) {
  const bool below = measure.relation == "below";
  std::optional<Worst> worst;
  for (std::size_t at = 0; at < layer.values.size(); ++at) {
    const std::optional<double>& value = layer.values[at];
    if (value && (!worst || (below ? *value < worst->value : *value > worst->value)))
      worst = Worst{&layer, measure.steps[at], *value};
  }
  return worst;
}

std::optional<Worst> worst_of(const LayerMeasure& measure) {
  const bool below = measure.relation == "below";
  std::optional<Worst> worst;
  for (const LayerRow& layer : measure.layers)
    if (const auto one = worst_of(measure, layer);
        one && (!worst || (below ? one->value < worst->value : one->value > worst->value)))
      worst = one;
  return worst;
}

/// "The smallest gradient was 3.2e-9 on average, in gradient/fc.weight at step 40."
std::string measure_sentence(const LayerMeasure& measure) {
  const auto worst = worst_of(measure);
  if (!worst) return "";
  const std::string where =
      fmt::format("{} at {}", truncate(worst->layer->tensor), step_words(worst->step));
  const std::string value = value_words(measure, worst->value);
  if (measure.rule == "VanishingGradient")
    return fmt::format("The smallest gradient was {} on average, in {}.", value, where);
  if (measure.rule == "WeightUpdateRatio")
    return fmt::format("The largest update was {} of the weight, in {}.",
                       exact_percent_text(100 * worst->value), where);
  if (measure.rule == "DeadRelu")
    return worst->value <= 0
               ? "No ReLU unit was dead."
               : fmt::format("Up to {} of the ReLU units were dead, in {}.", value, where);
  if (measure.rule == "SaturatedActivation")
    return worst->value <= 0
               ? "No activation was saturated."
               : fmt::format("Up to {} of the units were saturated, in {}.", value, where);
  return "";
}

std::string trigger_words(const LayerMeasure& measure) {
  return measure.threshold ? fmt::format("{} triggers {} {}", printable(measure.rule),
                                         printable(measure.relation),
                                         threshold_words(measure, *measure.threshold))
                           : printable(measure.rule);
}

std::optional<Chart> measure_chart(const LayerMeasure& measure) {
  chart::HeatGrid grid;
  for (const std::int64_t step : measure.steps)
    grid.columns.push_back(grouped(step));
  if (!worst_of(measure)) return std::nullopt;
  const std::size_t prefix = common_prefix(measure.layers);
  for (const LayerRow& layer : measure.layers) {
    grid.rows.push_back(printable(std::string_view{layer.tensor}.substr(prefix)));
    grid.values.push_back(layer.values);
  }
  grid.words = [&](double value) { return value_words(measure, value); };
  grid.logarithmic = !measure.is_percent();
  grid.label = fmt::format("{} by layer and step; {}", subject_of(measure), trigger_words(measure));
  const auto shown = static_cast<std::int64_t>(measure.layers.size());
  if (shown < measure.layer_count)
    grid.label += fmt::format("; {} of {} layers", grouped(shown), grouped(measure.layer_count));
  return drawn_chart(grid.label, [&] { return chart::draw(grid); }, {});
}

/// How often each rule triggered, over the steps.
std::optional<Chart> rules_chart(const std::vector<const RuleRow*>& rules) {
  std::vector<std::int64_t> steps;
  for (const RuleRow* rule : rules)
    steps.insert(steps.end(), rule->model.steps.begin(), rule->model.steps.end());
  std::sort(steps.begin(), steps.end());
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  if (steps.size() < 2) return std::nullopt;
  chart::HeatGrid grid;
  grid.label = "Steps at which rules triggered";
  const std::vector<std::int64_t> firsts = step_columns(steps, result::kMaxLayerColumns);
  for (const std::int64_t step : firsts)
    grid.columns.push_back(grouped(step));
  for (const RuleRow* rule : rules) {
    std::vector<std::optional<double>> cells(firsts.size());
    for (const std::int64_t step : rule->model.steps) {
      std::optional<double>& cell = cells[column_of(firsts, step)];
      cell = cell.value_or(0) + 1;
    }
    grid.rows.push_back(printable(rule->rule));
    grid.values.push_back(std::move(cells));
  }
  grid.words = [](double value) { return plural(static_cast<std::int64_t>(value), "step"); };
  return drawn_chart(grid.label, [&] { return chart::draw(grid); }, {});
}

std::optional<Chart> loss_chart(const result::Curves& curves) {
  std::vector<CurvePart> parts;
  for (const CurveSplit split : {CurveSplit::train, CurveSplit::evaluation})
    if (const Curve* loss = result::main_loss(curves, split))
      parts.push_back({printable(loss->name), loss});
  return curve_chart("Loss of the model", std::move(parts));
}

Table layers_table(const std::vector<LayerMeasure>& measures) {
  Table table("Layers", {{"Tensor", Kind::head},
                         {"Measure", Kind::text},
                         {"Worst", Kind::number},
                         {"At step", Kind::number},
                         {"Triggers", Kind::text, "", true}});
  for (const LayerMeasure& measure : measures)
    for (const LayerRow& layer : measure.layers)
      if (const auto worst = worst_of(measure, layer))
        table.add({printable(layer.tensor), subject_of(measure), value_words(measure, worst->value),
                   count_cell(worst->step),
                   measure.threshold ? fmt::format("{} {}", printable(measure.relation),
                                                   threshold_words(measure, *measure.threshold))
                                     : ""});
  return table;
}

/// A tensor's mean, least and greatest, small, under its collection.
void draw_courses(Section& section, const Model& model) {
  const auto count_of = [&](const std::string& collection) {
    return std::count_if(model.tensors.begin(), model.tensors.end(),
                         [&](const auto& course) { return course.collection == collection; });
  };
  for (const result::TensorCourse& course : model.tensors) {
    std::deque<Curve> curves; // parts refer to them
    std::vector<CurvePart> parts;
    const auto add = [&](const char* name, const std::vector<std::optional<double>>& values) {
      Curve& curve = curves.emplace_back();
      curve.steps = course.steps;
      curve.values = values;
      parts.push_back({name, &curve});
    };
    add("mean", course.mean);
    add("min", course.min);
    add("max", course.max);
    section.draw(small_curve_chart(printable(course.tensor), std::move(parts),
                                   fmt::format("Values of {} ({})", truncate(course.collection),
                                               plural(count_of(course.collection), "tensor"))));
  }
}

std::optional<Section> make_model(const result::Result& result) {
  const Model& model = result.model;
  if (model.empty()) return std::nullopt;
  Section section;
  if (result.timeline.empty()) section.lead(); // the job left nothing else
  const std::vector<const RuleRow*> rules = triggered(result.rules);
  section.say(rules_sentence(rules));
  for (const LayerMeasure& measure : model.measures)
    section.say(measure_sentence(measure));
  section.draw(loss_chart(result.curves));
  section.draw(rules_chart(rules));
  for (const LayerMeasure& measure : model.measures)
    section.draw(measure_chart(measure));
  if (const Table table = layers_table(model.measures); table.size() > 0)
    section.show(table, kLayersShown, "layers");
  draw_courses(section, model);
  if (model.tensors_left_out > 0)
    section.note(fmt::format("The job saved {} more that are not drawn.",
                             plural(model.tensors_left_out, "tensor")));
  return section;
}

} // namespace

const SectionSpec kModelSection = {
    .id = "model",
    .heading = "Model",
    .chapter = Chapter::training,
    .how_to_read =
        "In the maps, each row is a layer and each column a step; blank means NaN or not saved. A "
        "row of tiny gradients is a layer that no longer learns. Healthy updates are around 0.1% "
        "of the weights. Dead and saturated units pass on no gradient.",
    .how_computed =
        "Out of the tensors that the job saved; of several workers, the first one's. Gradient size "
        "is the mean of absolute values, the update ratio the mean absolute change over the mean "
        "absolute weight. Where there are more steps than columns, a column has the worst of its "
        "steps. Maps without a percentage color by orders of magnitude. The rules section says "
        "when each rule triggers.",
    .make = make_model,
};

} // namespace debrief::render
