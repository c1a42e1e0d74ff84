#include "job/rule_output.h"

#include <nlohmann/json.hpp>

namespace debrief::job {

nlohmann::json RuleOutput::details() const {
  return details_.empty() ? nlohmann::json{} : nlohmann::json::from_cbor(details_);
}

void RuleOutput::set_details(const nlohmann::json& details) {
  details_ = nlohmann::json::to_cbor(details);
}

} // namespace debrief::job
