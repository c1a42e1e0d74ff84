#include "job/scalars.h"

#include "util/scalar_key.h"

namespace debrief::job {

std::string_view to_string(ScalarSource source) {
  switch (source) {
  case ScalarSource::tensorboard:
    return "TensorBoard";
  case ScalarSource::wandb:
    return "W&B";
  case ScalarSource::mlflow:
    return "MLflow";
  case ScalarSource::trainer_state:
    return "Hugging Face trainer_state.json";
  case ScalarSource::lightning_csv:
    return "Lightning metrics.csv";
  case ScalarSource::xgboost:
    return "XGBoost evals_result";
  case ScalarSource::debugger:
    break;
  }
  return "SageMaker Debugger";
}

std::string scalar_key(std::string_view name) {
  return debrief::scalar_key(name);
}

} // namespace debrief::job
