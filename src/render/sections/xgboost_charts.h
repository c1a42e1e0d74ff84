// Charts of the section on an XGBoost model.
#pragma once

#include "render/parts/chart.h"
#include "result/curves.h"
#include "result/xgboost.h"

#include <optional>
#include <vector>

namespace debrief::render {

/// Each is absent where the report lacks what it draws.
std::optional<Chart> label_chart(const result::Xgboost& report);
std::optional<Chart> eval_loss_chart(const result::Xgboost& report, const result::Curves& curves);

/// By total gain, weight, gain and cover.
std::vector<Chart> importance_charts(const result::Xgboost& report);

std::optional<Chart> confusion_chart(const result::Xgboost& report);
std::optional<Chart> accuracy_chart(const result::Xgboost& report);
std::optional<Chart> roc_chart(const result::Xgboost& report);
std::optional<Chart> residual_chart(const result::Xgboost& report);
std::optional<Chart> label_bin_chart(const result::Xgboost& report);

/// "12.5 to 18.0": a bin of labels.
std::string bin_words(const result::LabelBin& bin);

} // namespace debrief::render
