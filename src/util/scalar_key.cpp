#include "util/scalar_key.h"

namespace debrief {

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

} // namespace debrief
