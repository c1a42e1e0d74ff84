// Incidents: the stretches of time in which a rule's condition held, merged per node and device.
#pragma once

#include "result/rules.h"

#include <map>
#include <string>
#include <vector>

namespace debrief::rules {

/// Collects stretches as a rule finds them, and hands them over merged.
class IncidentList {
public:
  void add(const std::string& node, const std::string& device, TimeSpan span,
           const std::string& what = "");

  /// Fills the incidents of a rule's outcome: all counted, the longest kept, by time.
  void move_to(result::RuleRow& row) &&;

private:
  struct Place {
    std::string node;
    std::string device;
    std::string what;
    auto operator<=>(const Place&) const = default;
  };

  std::map<Place, std::vector<TimeSpan>> spans_;
};

} // namespace debrief::rules
