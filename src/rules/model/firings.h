// Where a model rule's condition was true: at which steps, for which tensors, with which value
// against which threshold. Becomes the rule's row.
#pragma once

#include "result/rules.h"
#include "rules/model/condition.h"
#include "rules/model/layer_log.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace debrief::rules::model {

class Firings {
public:
  /// What follows is of this worker; empty where there is only one.
  void set_worker(std::string worker) {
    worker_ = std::move(worker);
    running_.clear();
  }

  /// Counts one more value that the rule compared.
  void looked() { ++looked_; }

  std::int64_t looks() const { return looked_; }

  /// The condition was true for a tensor at a step. Steps of one tensor come in their order.
  void add(const std::string& tensor, std::int64_t step, const Condition& condition);

  /// Compares a tensor at a step: looked(), and add() where `fired`. Knows from when on a tensor's
  /// condition is true up to the end. `slot` is small and of this tensor and condition alone.
  void look(std::uint32_t slot, const std::string& tensor, std::int64_t step, bool fired,
            const Condition& condition);

  /// Why the rule could not compare anything; the first reason counts.
  void explain(std::string reason) {
    if (reason_.empty()) reason_ = std::move(reason);
  }

  /// From now on, what it looks at is kept layer by layer, or no longer.
  void keep_layers(bool keep) { keeps_layers_ = keep; }

  const LayerLog& layers() const { return layers_; }

  /// For rules that do not look(): what they compared of a tensor.
  void note(std::uint32_t slot, const std::string& tensor, std::int64_t step, bool fired,
            const Condition& condition) {
    if (keeps_layers_) layers_.note(slot, tensor, step, fired, condition);
  }

  /// What triggered is noise: the rule found no issue, and says so.
  void take_for_noise() { is_noise_ = true; }

  /// The rule's row, without name, texts and parameters.
  result::RuleRow row() &&;

private:
  result::TensorFinding& entry(const std::string& tensor, const char* what);

  std::string worker_;
  std::int64_t looked_ = 0;
  std::int64_t violations_ = 0;
  bool is_noise_ = false;
  bool keeps_layers_ = false;
  LayerLog layers_;
  std::string reason_;
  std::set<std::int64_t> steps_;
  std::vector<char> running_;       ///< by slot: whether its condition was true at the last look
  std::int64_t tensors_looked_ = 0; ///< by look()
  std::map<std::pair<std::string, std::string>, result::TensorFinding> tensors_; ///< and condition
};

} // namespace debrief::rules::model
