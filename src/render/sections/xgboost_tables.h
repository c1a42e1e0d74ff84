// Tables of the section on an XGBoost model.
#pragma once

#include "render/parts/table.h"
#include "result/xgboost.h"

namespace debrief::render {

/// What is known of model, data and predictions in single values.
Table xgboost_facts(const result::Xgboost& report);

Table eval_loss_table(const result::Xgboost& report);
Table importance_table(const result::Xgboost& report);
Table class_table(const result::Xgboost& report);
Table average_table(const result::Xgboost& report);
Table mistake_table(const result::Xgboost& report);
Table class_accuracy_table(const result::Xgboost& report);
/// The threshold in use, and the best.
Table threshold_table(const result::Xgboost& report);
Table roc_table(const result::Xgboost& report);
Table residual_table(const result::Xgboost& report);
Table label_bin_table(const result::Xgboost& report);

/// Counts behind a histogram.
Table bin_table(std::string caption, const result::Histogram& histogram);

} // namespace debrief::render
