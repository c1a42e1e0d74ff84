// NLPSequenceRatio: how much of the input is padding, or another token of which there should be
// little?
#include "rules/model/model_rules.h"
#include "rules/model/tensor_watch.h"

#include <algorithm>
#include <charconv>

namespace debrief::rules::model {

namespace {

/// Numbers of a list; what is none is left out.
std::vector<double> numbers_of(const std::vector<std::string>& texts) {
  std::vector<double> out;
  for (const std::string& text : texts) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc{} && end == text.data() + text.size()) out.push_back(value);
  }
  return out;
}

class SequenceRatioWatch final : public RuleWatch {
public:
  SequenceRatioWatch(TensorIds wanted, const ParameterValues& parameters, Firings& firings)
      : RuleWatch(std::move(wanted), firings)
      , tokens_(numbers_of(parameters.list("token_values")))
      , thresholds_(numbers_of(parameters.list("token_thresholds_percent"))) {
    if (tokens_.empty() || tokens_.size() != thresholds_.size())
      firings.explain("token_values and token_thresholds_percent are not as many numbers each");
  }

  void see(const SeenTensor& tensor) override {
    if (!tensor.has_numbers() || tensor.data->values.empty() ||
        tokens_.size() != thresholds_.size() || tokens_.empty())
      return;
    firings().looked();
    const std::vector<double>& values = tensor.data->values;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const double percent =
          100.0 * static_cast<double>(std::count(values.begin(), values.end(), tokens_[i])) /
          static_cast<double>(values.size());
      if (percent <= thresholds_[i]) continue;
      firings().add(tensor.name, tensor.step.step,
                    {"percentage of a token", "above", percent, thresholds_[i]});
      return;
    }
  }

private:
  std::vector<double> tokens_;
  std::vector<double> thresholds_; ///< percent, one per token
};

std::unique_ptr<TensorWatch>
watch_sequence_ratio(const WatchScope& scope, const ParameterValues& parameters, Firings& firings) {
  TensorIds wanted = scope.names.matching(parameters.list("tensor_regex"));
  if (wanted.empty()) firings.explain("no saved input matches tensor_regex");
  return std::make_unique<SequenceRatioWatch>(std::move(wanted), parameters, firings);
}

} // namespace

Rule nlp_sequence_ratio_rule() {
  return {{.name = "NLPSequenceRatio",
           .group = RuleGroup::applications,
           .looks_at = RuleInputKind::tensors,
           .description = "Measures how much of the input sequences is one token, such as padding.",
           .recommendation = "Put sequences of similar length into a batch where padding is too "
                             "much. Use another vocabulary where unknown tokens are.",
           .parameters = {tensor_regex_parameter(".*embedding0_input_0"),
                          text_parameter("token_values", "0",
                                         "Tokens to count, as numbers "
                                         "separated by commas"),
                          text_parameter("token_thresholds_percent", "50",
                                         "Percentage of each token above which the rule "
                                         "triggers, separated by commas")}},
          nullptr,
          watch_sequence_ratio};
}

} // namespace debrief::rules::model
