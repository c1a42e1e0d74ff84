// The lines of one sample, as SageMaker's agent writes them:
// {"Type":"cpu","Name":"cpu0","Dimension":"CPUUtilization","Value":3.50,"NodeId":"a","Timestamp":1.5}
//
// All but value and time of a line is made once, so that a sample takes no memory.
#pragma once

#include "util/time.h"

#include <string>
#include <string_view>
#include <vector>

namespace debrief::record {

class MetricLines {
public:
  /// Names a series; ids count from 0.
  using Id = std::size_t;

  /// `node` is the NodeId of all lines; letters, digits, '.', '-' and '_' only.
  explicit MetricLines(std::string node);

  /// The texts are this program's own, or have gone through safe_file_name.
  Id add_series(std::string_view type, std::string_view name, std::string_view dimension,
                int decimals = 2);

  /// Starts a sample; forgets the last one.
  void begin(Microseconds time);

  /// A value that is not finite is left out.
  void add(Id series, double value);
  void add(Id series, std::optional<double> value);

  /// Whole lines, each with its newline.
  std::string_view bytes() const { return bytes_; }

private:
  struct Series {
    std::string prefix; ///< up to the value
    int decimals;
  };

  std::string node_;
  std::vector<Series> series_;
  std::string suffix_; ///< from behind the value to the end of the line
  std::string bytes_;
};

} // namespace debrief::record
