#include "rules/model/tensor_courses.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

namespace debrief::rules::model {

namespace {

/// Collections that are no part of a network, or that have all of its tensors.
constexpr std::array<std::string_view, 8> kNoLayers = {
    "all", "default", "losses", "metrics", "sm_metrics", "scalars", "searchable_scalars", "inputs"};

bool has_layers(const job::TensorCollection& collection) {
  return std::find(kNoLayers.begin(), kNoLayers.end(), collection.name) == kNoLayers.end();
}

} // namespace

TensorCourses::TensorCourses(const TensorNames& names) {
  if (names.of_xgboost()) return; // its tensors are about features and trees
  for (const job::TensorCollection& collection : names.table().collections) {
    if (!has_layers(collection)) continue;
    std::size_t count = 0;
    for (const std::uint32_t id : names.in_collections(std::array{collection.name})) {
      if (courses_.contains(id)) continue;
      if (count++ >= result::kMaxCourses)
        ++left_out_;
      else
        courses_[id] = {collection.name, names[id]};
    }
  }
  for (const auto& [id, course] : courses_)
    wanted_.push_back(id);
}

TensorCourses::Range TensorCourses::range_of(const SeenTensor& tensor) {
  if (!tensor.has_numbers()) {
    const auto reduced = [&](job::Reduction reduction) {
      const auto& value = tensor.reductions[static_cast<std::size_t>(reduction)];
      return value && std::isfinite(*value) ? value : std::nullopt;
    };
    const auto min = reduced(job::Reduction::min);
    const auto mean = reduced(job::Reduction::mean);
    const auto max = reduced(job::Reduction::max);
    return min && mean && max ? Range{*min, *mean, *max, 1} : Range{};
  }
  Range range{std::numeric_limits<double>::infinity(), 0, -std::numeric_limits<double>::infinity(),
              0};
  std::size_t count = 0;
  for (const double value : tensor.data->values) {
    if (!std::isfinite(value)) continue;
    range.min = std::min(range.min, value);
    range.max = std::max(range.max, value);
    range.mean += (value - range.mean) / static_cast<double>(++count);
  }
  if (count == 0) return {};
  range.weight = 1;
  return range;
}

TensorCourses::Range TensorCourses::merged(const Range& a, const Range& b) {
  if (a.weight <= 0) return b;
  if (b.weight <= 0) return a;
  const double weight = a.weight + b.weight;
  return {std::min(a.min, b.min), a.mean + (b.mean - a.mean) * (b.weight / weight),
          std::max(a.max, b.max), weight};
}

void TensorCourses::see(const SeenTensor& tensor) {
  courses_.at(tensor.tensor).ranges.add(tensor.step.step, range_of(tensor), merged);
}

void TensorCourses::add_to(result::Model& model) const {
  std::vector<const Course*> all;
  for (const auto& [id, course] : courses_) {
    const auto& points = course.ranges.points();
    if (points.size() > 1 && std::any_of(points.begin(), points.end(),
                                         [](const auto& point) { return point.value.weight > 0; }))
      all.push_back(&course);
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Course* a, const Course* b) { return a->collection < b->collection; });
  for (const Course* course : all) {
    result::TensorCourse& out = model.tensors.emplace_back();
    out.collection = course->collection;
    out.tensor = course->tensor;
    for (const auto& [step, range] : course->ranges.points()) {
      const bool known = range.weight > 0;
      out.steps.push_back(step);
      out.min.push_back(known ? std::optional(range.min) : std::nullopt);
      out.mean.push_back(known ? std::optional(range.mean) : std::nullopt);
      out.max.push_back(known ? std::optional(range.max) : std::nullopt);
    }
  }
  model.tensors_left_out += left_out_;
}

} // namespace debrief::rules::model
