// What is demanded of a job: by options of `debrief check`, by a config file, or both.
#pragma once

#include "gate/fail_on.h"
#include "gate/require.h"
#include "gate/tolerance.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace debrief::gate {

/// What holds where nothing is demanded.
inline constexpr const char* kDefaultDemand = "severity>=critical";

struct Demands {
  std::vector<FailOn> fail_on;
  std::vector<Require> require;
  std::string baseline; ///< a result document or a job; empty: none
  Tolerances tolerances;

  bool empty() const { return fail_on.empty() && require.empty() && baseline.empty(); }

  /// Adds what `text` demands, once. Throws Error, which begins with `where`.
  void add_fail_on(const std::string& text, const std::string& where);
  void add_require(const std::string& text, const std::string& where);
};

/// Tests everything that is demanded, failed assertions first. `baseline` is the document of the
/// job to compare with, where there is one. Throws Error for what cannot be told of this job: that
/// is never a pass.
result::Gate evaluate(const Demands& demands, const result::Result& result,
                      const std::optional<nlohmann::json>& baseline);

} // namespace debrief::gate
