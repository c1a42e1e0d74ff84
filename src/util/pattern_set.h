// Patterns of which any may match: what a job's collections of tensors are made of. All of it is
// untrusted, so that searching many names for many patterns ends after work in proportion to the
// names.
#pragma once

#include "util/pattern.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace debrief {

class PatternSet {
public:
  /// How many a collection may have; SageMaker's own have at most ten.
  static constexpr std::size_t kMost = 64;

  /// A text that is no pattern finds nothing.
  explicit PatternSet(std::span<const std::string> texts);

  /// Whether one matches somewhere in `text`. Where patterns have taken far more steps than such
  /// texts need, nothing is found any more.
  bool finds(std::string_view text);

private:
  std::vector<Pattern> patterns_;
  std::uint64_t left_; ///< steps
};

} // namespace debrief
