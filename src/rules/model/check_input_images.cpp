// CheckInputImages: are images scaled to zero mean?
#include "rules/model/model_rules.h"
#include "rules/model/tensor_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace debrief::rules::model {

namespace {

class InputImagesWatch final : public RuleWatch {
public:
  InputImagesWatch(TensorIds wanted, const ParameterValues& parameters, Firings& firings)
      : RuleWatch(std::move(wanted), firings)
      , mean_(parameters.number("threshold_mean"))
      , samples_(parameters.number("threshold_samples"))
      , channel_(parameters.count("channel")) {}

  void see(const SeenTensor& tensor) override {
    if (!tensor.has_numbers() || tensor.data->shape.size() != 4 || tensor.data->values.empty())
      return;
    const auto& shape = tensor.data->shape;
    const auto channels = static_cast<std::size_t>(shape[channel_]);
    if (sums_.empty()) sums_.resize(channels);
    if (sums_.size() != channels) return;
    std::size_t inner = 1; // values from one channel to the next
    for (std::size_t i = channel_ + 1; i < shape.size(); ++i)
      inner *= static_cast<std::size_t>(shape[i]);
    const std::vector<double>& values = tensor.data->values;
    for (std::size_t i = 0; i < values.size(); ++i)
      sums_[i / inner % channels] += values[i];
    per_channel_ += static_cast<double>(values.size() / channels);
    images_ += static_cast<double>(shape.front());
    if (images_ < samples_) {
      firings().explain(
          fmt::format("only {} images were seen, fewer than threshold_samples", images_));
      return;
    }
    firings().looked();
    double farthest = 0;
    for (const double sum : sums_)
      if (const double mean = sum / per_channel_; !(std::abs(mean) <= std::abs(farthest)))
        farthest = mean;
    if (std::abs(farthest) > mean_)
      firings().add(tensor.name, tensor.step.step,
                    {"mean of a channel", "farther from zero than", farthest, mean_});
  }

private:
  double mean_;
  double samples_;
  std::size_t channel_;
  double images_ = 0;
  double per_channel_ = 0; ///< values of each channel so far
  std::vector<double> sums_;
};

std::unique_ptr<TensorWatch>
watch_input_images(const WatchScope& scope, const ParameterValues& parameters, Firings& firings) {
  TensorIds wanted = scope.names.matching(parameters.list("regex"));
  if (wanted.size() > 1) wanted.resize(1); // the model has one input
  if (wanted.empty()) firings.explain("no saved input matches regex");
  return std::make_unique<InputImagesWatch>(std::move(wanted), parameters, firings);
}

} // namespace

Rule check_input_images_rule() {
  return {{.name = "CheckInputImages",
           .group = RuleGroup::applications,
           .looks_at = RuleInputKind::tensors,
           .description = "Checks that each color channel of the input images has a mean near "
                          "zero.",
           .recommendation = "Normalize images before training: subtract each channel's mean and "
                             "divide by its standard deviation.",
           .parameters = {{"threshold_mean", ParameterType::number, "0.2", 0, 1e9, "",
                           "Distance of a channel's mean from zero above which the rule triggers"},
                          {"threshold_samples", ParameterType::integer, "500", 0, 1e12, "images",
                           "Images to collect before the rule runs"},
                          patterns_parameter("regex", ".*hybridsequential0_input_0",
                                             "Regular expression of the model's input"),
                          {"channel", ParameterType::integer, "1", 0, 3, "",
                           "Dimension of the color channels: 1 for NCHW, 3 for NHWC"}}},
          nullptr,
          watch_input_images};
}

} // namespace debrief::rules::model
