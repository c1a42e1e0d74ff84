#include "rules/model/model_rules.h"

namespace debrief::rules::model {

Parameter tensor_regex_parameter(std::string patterns) {
  return patterns_parameter("tensor_regex", std::move(patterns),
                            "Regular expressions of the tensors to look at, separated by commas");
}

std::vector<Parameter> selection_parameters(std::string collections, std::string patterns) {
  return {text_parameter("collection_names", std::move(collections),
                         "Collections to look at, separated by commas, together with tensor_regex"),
          tensor_regex_parameter(std::move(patterns))};
}

} // namespace debrief::rules::model
