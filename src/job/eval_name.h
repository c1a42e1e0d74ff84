// Names of XGBoost's metrics: "validation-gamma-nloglik" is gamma-nloglik of the set validation.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace debrief::job {

/// Of these less is better. Where several were logged, the first says most.
inline constexpr std::array<std::string_view, 17> kLossMetrics = {"logloss",
                                                                  "mlogloss",
                                                                  "rmse",
                                                                  "rmsle",
                                                                  "mae",
                                                                  "mape",
                                                                  "mphe",
                                                                  "error",
                                                                  "merror",
                                                                  "poisson-nloglik",
                                                                  "gamma-nloglik",
                                                                  "gamma-deviance",
                                                                  "tweedie-nloglik",
                                                                  "cox-nloglik",
                                                                  "aft-nloglik",
                                                                  "quantile",
                                                                  "expectile"};

/// Of these more is better.
inline constexpr std::array<std::string_view, 6> kScoreMetrics = {
    "auc", "aucpr", "pre", "ndcg", "map", "interval-regression-accuracy"};

struct EvalName {
  std::string_view set;
  std::string_view metric; ///< with its parameter: "error@0.7"
};

/// "error@0.7" -> "error".
std::string_view without_parameter(std::string_view metric);

/// Whether it is one of XGBoost's, with or without a parameter.
bool is_eval_metric(std::string_view metric);

/// Nothing where the name ends in none of XGBoost's metrics.
std::optional<EvalName> eval_name(std::string_view scalar);

} // namespace debrief::job
