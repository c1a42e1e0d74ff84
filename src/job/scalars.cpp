#include "job/scalars.h"

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
    break;
  }
  return "Lightning metrics.csv";
}

std::string scalar_key(std::string_view name) {
  // The Trainer logs "loss" into its own state and "train/loss" into TensorBoard.
  constexpr std::string_view kPrefix = "train/";
  if (name.starts_with(kPrefix)) name.remove_prefix(kPrefix.size());
  std::string key{name};
  for (char& c : key) {
    if (c == '/' || c == '_' || c == '.' || c == '-') c = ' ';
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return key;
}

} // namespace debrief::job
