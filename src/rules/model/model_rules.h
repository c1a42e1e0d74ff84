// Makers of SageMaker's rules on the model itself, one file each.
#pragma once

#include "rules/rule.h"

#include <vector>

namespace debrief::rules::model {

Rule all_zero_rule();
Rule check_input_images_rule();
Rule class_imbalance_rule();
Rule confusion_rule();
Rule dead_relu_rule();
Rule exploding_tensor_rule();
Rule feature_importance_overweight_rule();
Rule loss_not_decreasing_rule();
Rule nlp_sequence_ratio_rule();
Rule overfit_rule();
Rule overtraining_rule();
Rule poor_weight_initialization_rule();
Rule saturated_activation_rule();
Rule similar_across_runs_rule();
Rule stalled_training_rule();
Rule tensor_variance_rule();
Rule tree_depth_rule();
Rule unchanged_tensor_rule();
Rule vanishing_gradient_rule();
Rule weight_update_ratio_rule();

/// "collection_names" and "tensor_regex", whose union a rule looks at.
std::vector<Parameter> selection_parameters(std::string collections, std::string patterns);

/// "tensor_regex" alone.
Parameter tensor_regex_parameter(std::string patterns);

} // namespace debrief::rules::model
