#include "result/batch_size.h"

#include <cctype>
#include <charconv>
#include <string_view>

namespace debrief::result {

namespace {

constexpr std::int64_t kMaxBatch = 1'000'000'000;

} // namespace

std::optional<BatchSize> batch_size(const JobSummary& job) {
  std::optional<BatchSize> found;
  for (const auto& [name, text] : job.hyperparameters) {
    std::string plain;
    for (const char letter : name)
      if (std::isalpha(static_cast<unsigned char>(letter)) != 0)
        plain += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    // "per_device_train_batch_size" is, "eval_batch_size" and "batch_norm" are not.
    const bool means_it = plain == "bs" || plain == "batch" ||
                          (plain.ends_with("batchsize") && plain.find("eval") == plain.npos &&
                           plain.find("test") == plain.npos && plain.find("valid") == plain.npos);
    if (!means_it) continue;
    std::string_view digits = text;
    if (digits.size() > 1 && digits.front() == '"') digits = digits.substr(1, digits.size() - 2);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error == std::errc{} && end == digits.data() + digits.size() && value > 0 &&
        value <= kMaxBatch && !found)
      found = BatchSize{name, value};
  }
  return found;
}

std::optional<BatchSize> batch_size(const Result& result) {
  if (auto given = batch_size(result.job)) return given;
  const auto& loaded = result.data_loading.batch_size;
  if (!loaded || *loaded <= 0 || *loaded > kMaxBatch) return std::nullopt;
  return BatchSize{"batch_size", *loaded};
}

} // namespace debrief::result
