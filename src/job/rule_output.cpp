#include "job/rule_output.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace debrief::job {

const nlohmann::json& RuleOutput::details() const {
  static const nlohmann::json none;
  return details_ == nullptr ? none : *details_;
}

void RuleOutput::set_details(nlohmann::json details) {
  details_ = std::make_shared<const nlohmann::json>(std::move(details));
}

} // namespace debrief::job
