// Takes what debrief needs out of a saved XGBoost model while it is parsed, tree by tree.
#pragma once

#include "ingest/xgboost/document_stream.h"
#include "ingest/xgboost/tree_statistics.h"
#include "job/tree_model.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace debrief::ingest::xgboost {

class ModelParser final : public nlohmann::json_sax<nlohmann::json> {
public:
  explicit ModelParser(DocumentStream& stream)
      : stream_(stream) {}

  bool null() override;
  bool boolean(bool value) override;
  bool number_integer(number_integer_t value) override;
  bool number_unsigned(number_unsigned_t value) override;
  bool number_float(number_float_t value, const string_t& text) override;
  bool string(string_t& text) override;
  bool binary(binary_t& value) override;
  bool start_object(std::size_t size) override;
  bool key(string_t& name) override;
  bool end_object() override;
  bool start_array(std::size_t size) override;
  bool end_array() override;
  bool parse_error(std::size_t position, const std::string& token,
                   const nlohmann::detail::exception& error) override;

  /// Whether there is a booster at all: a configuration has none.
  bool has_booster() const { return has_booster_; }

  std::uint64_t broken_trees() const { return broken_trees_; }

  job::TreeModel finish() const;

private:
  /// Where in the document something stands.
  enum class Place : std::uint8_t {
    elsewhere,
    document,
    version,
    learner,
    attributes,
    feature_names,
    learner_parameters,
    objective,
    booster,
    model,
    model_parameters,
    rounds,
    trees,
    tree,
    left,
    right,
    feature,
    gain,
    cover,
  };

  static Place child_of(Place place, const std::string& key);

  Place here() const { return places_.empty() ? Place::elsewhere : places_.back(); }

  bool enter();
  bool leave();
  bool count_value();
  bool number(double value);
  void end_tree();

  DocumentStream& stream_;
  std::vector<Place> places_; ///< of what is open
  std::string key_;
  std::uint64_t values_ = 0;
  bool has_booster_ = false;
  std::uint64_t broken_trees_ = 0;
  bool too_large_ = false; ///< the tree at hand
  TreeNodes tree_;
  TreeStatistics statistics_;
  std::vector<std::string> names_;
  std::size_t name_bytes_ = 0;
  std::vector<std::int64_t> version_;
  std::int64_t round_marks_ = 0; ///< entries of iteration_indptr: one more than rounds
  std::optional<std::int64_t> parallel_trees_;
  job::TreeModel model_;
};

} // namespace debrief::ingest::xgboost
