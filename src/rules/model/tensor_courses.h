// How the values of weights, gradients and activations were distributed over the steps: least, mean
// and greatest of each tensor.
#pragma once

#include "result/model.h"
#include "rules/model/tensor_watch.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace debrief::rules::model {

class TensorCourses final : public TensorWatch {
public:
  explicit TensorCourses(const TensorNames& names);

  const TensorIds& wanted() const override { return wanted_; }

  void see(const SeenTensor& tensor) override;

  /// Adds what was seen; of tensors with several steps only.
  void add_to(result::Model& model) const;

private:
  struct Range {
    double min = 0;
    double mean = 0;
    double max = 0;
    double weight = 0; ///< steps of which the mean is; 0: none had a finite value
  };

  static Range range_of(const SeenTensor& tensor);
  static Range merged(const Range& a, const Range& b);

  struct Course {
    std::string collection;
    std::string tensor;
    ThinnedSteps<Range> ranges{result::kMaxCoursePoints};
  };

  TensorIds wanted_;
  std::map<std::uint32_t, Course> courses_;
  std::int64_t left_out_ = 0;
};

} // namespace debrief::rules::model
