#include "ingest/xgboost/model_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

namespace debrief::ingest::xgboost {

namespace {

constexpr std::size_t kDeepestPlace = 64; ///< UBJSON's parser calls itself for each
constexpr std::size_t kMostNodes = std::size_t{1} << 24U;
constexpr std::size_t kMostNameBytes = std::size_t{64} * 1024 * 1024;
constexpr std::size_t kMostText = 200; ///< of an objective's name and the like

/// XGBoost writes whole numbers as texts.
std::optional<std::int64_t> whole_number(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

std::int32_t as_node(double value) {
  constexpr std::int32_t kNone = -2; // no node has it
  if (!(std::abs(value) <= std::numeric_limits<std::int32_t>::max()) || value != std::trunc(value))
    return kNone;
  return static_cast<std::int32_t>(value);
}

} // namespace

ModelParser::Place ModelParser::child_of(Place place, const std::string& key) {
  static const std::vector<std::pair<std::pair<Place, std::string_view>, Place>> children = {
      {{Place::document, "version"}, Place::version},
      {{Place::document, "learner"}, Place::learner},
      {{Place::learner, "attributes"}, Place::attributes},
      {{Place::learner, "feature_names"}, Place::feature_names},
      {{Place::learner, "learner_model_param"}, Place::learner_parameters},
      {{Place::learner, "objective"}, Place::objective},
      {{Place::learner, "gradient_booster"}, Place::booster},
      {{Place::booster, "gbtree"}, Place::booster}, // of dart
      {{Place::booster, "model"}, Place::model},
      {{Place::model, "gbtree_model_param"}, Place::model_parameters},
      {{Place::model, "iteration_indptr"}, Place::rounds},
      {{Place::model, "trees"}, Place::trees},
      {{Place::tree, "left_children"}, Place::left},
      {{Place::tree, "right_children"}, Place::right},
      {{Place::tree, "split_indices"}, Place::feature},
      {{Place::tree, "loss_changes"}, Place::gain},
      {{Place::tree, "sum_hessian"}, Place::cover},
  };
  if (place == Place::trees) return Place::tree;
  const auto found = std::find_if(children.begin(), children.end(), [&](const auto& child) {
    return child.first.first == place && child.first.second == key;
  });
  return found == children.end() ? Place::elsewhere : found->second;
}

/// UBJSON has arrays of values that take no bytes, and says how many there are.
bool ModelParser::count_value() {
  constexpr std::uint64_t kMore = 4096;
  stream_.end_value();
  return ++values_ <= stream_.taken() + kMore;
}

bool ModelParser::enter() {
  if (places_.size() >= kDeepestPlace || !count_value()) return false;
  const Place place = places_.empty() ? Place::document : child_of(here(), key_);
  places_.push_back(place);
  if (place == Place::model) has_booster_ = true;
  if (place == Place::tree) {
    tree_.clear();
    too_large_ = false;
  }
  return true;
}

bool ModelParser::leave() {
  if (here() == Place::tree) end_tree();
  if (!places_.empty()) places_.pop_back();
  return count_value();
}

void ModelParser::end_tree() {
  if (too_large_ || !statistics_.add(tree_)) ++broken_trees_;
  tree_.clear();
}

bool ModelParser::number(double value) {
  switch (here()) {
  case Place::left:
  case Place::right:
  case Place::feature: {
    auto& column = here() == Place::left    ? tree_.left
                   : here() == Place::right ? tree_.right
                                            : tree_.feature;
    if (column.size() < kMostNodes)
      column.push_back(as_node(value));
    else
      too_large_ = true;
    break;
  }
  case Place::gain:
  case Place::cover: {
    auto& column = here() == Place::gain ? tree_.gain : tree_.cover;
    if (column.size() < kMostNodes)
      column.push_back(static_cast<float>(value));
    else
      too_large_ = true;
    break;
  }
  case Place::version:
    if (version_.size() < 3 && std::abs(value) < 1e6)
      version_.push_back(static_cast<std::int64_t>(value));
    break;
  case Place::rounds:
    ++round_marks_;
    break;
  default:
    break;
  }
  return count_value();
}

bool ModelParser::null() {
  return number(std::numeric_limits<double>::quiet_NaN());
}

bool ModelParser::boolean(bool /*value*/) {
  return count_value();
}

bool ModelParser::number_integer(number_integer_t value) {
  return number(static_cast<double>(value));
}

bool ModelParser::number_unsigned(number_unsigned_t value) {
  return number(static_cast<double>(value));
}

bool ModelParser::number_float(number_float_t value, const string_t& /*text*/) {
  return number(value);
}

bool ModelParser::string(string_t& text) {
  const std::string cut = text.substr(0, kMostText);
  switch (here()) {
  case Place::feature_names:
    name_bytes_ += text.size();
    if (name_bytes_ <= kMostNameBytes) names_.push_back(std::move(text));
    break;
  case Place::objective:
    if (key_ == "name") model_.objective = cut;
    break;
  case Place::booster:
    if (key_ == "name") model_.booster = cut; // dart's own comes after that of its trees
    break;
  case Place::attributes:
    if (key_ == "best_iteration") model_.best_round = whole_number(cut);
    break;
  case Place::learner_parameters:
    if (key_ == "num_feature") model_.features = whole_number(cut);
    if (key_ == "num_class") {
      model_.classes = whole_number(cut);
      if (model_.classes && *model_.classes < 2) model_.classes.reset();
    }
    break;
  case Place::model_parameters:
    if (key_ == "num_parallel_tree") parallel_trees_ = whole_number(cut);
    break;
  default:
    break;
  }
  return count_value();
}

bool ModelParser::binary(binary_t& /*value*/) {
  return count_value();
}

bool ModelParser::start_object(std::size_t /*size*/) {
  return enter();
}

bool ModelParser::key(string_t& name) {
  key_ = std::move(name);
  stream_.end_value();
  return true;
}

bool ModelParser::end_object() {
  return leave();
}

bool ModelParser::start_array(std::size_t /*size*/) {
  return enter();
}

bool ModelParser::end_array() {
  return leave();
}

bool ModelParser::parse_error(std::size_t /*position*/, const std::string& /*token*/,
                              const nlohmann::detail::exception& /*error*/) {
  return false;
}

job::TreeModel ModelParser::finish() const {
  job::TreeModel model = model_;
  statistics_.finish(names_, model);
  model.version = fmt::format("{}", fmt::join(version_, "."));
  if (round_marks_ > 1)
    model.rounds = round_marks_ - 1;
  else if (model.trees > 0 && broken_trees_ == 0) { // before XGBoost 1.7
    const std::int64_t of_a_round = std::max<std::int64_t>(model.classes.value_or(1), 1) *
                                    std::max<std::int64_t>(parallel_trees_.value_or(1), 1);
    if (of_a_round > 0 && model.trees % of_a_round == 0) model.rounds = model.trees / of_a_round;
  }
  return model;
}

} // namespace debrief::ingest::xgboost
