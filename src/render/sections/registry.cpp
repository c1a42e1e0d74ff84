#include "render/sections/sections.h"

#include <array>

namespace debrief::render {

const char* to_text(Group group) {
  switch (group) {
  case Group::overview:
    return "Overview";
  case Group::framework:
    return "Framework";
  case Group::traces:
    return "PyTorch traces";
  case Group::analysis:
    return "Analysis";
  case Group::data:
    break;
  }
  return "Data";
}

std::span<const SectionSpec* const> report_sections() {
  static constexpr std::array kSections = {
      &kGateSection,
      &kFindingsSection,
      &kTimelineSection,
      &kJobSection,
      &kSystemUsageSection,

      &kFrameworkSection,
      &kCpuOperatorsSection,
      &kGpuTimeSection,
      &kGpuOperatorsSection,

      &kStepBreakdownSection,
      &kOneStepSection,
      &kCriticalPathSection,
      &kGpuActivitySection,
      &kOperatorPerformanceSection,
      &kCommunicationSection,
      &kRanksSection,
      &kRecomputationSection,
      &kGraphsSection,
      &kAllocatorSection,
      &kAnnotationsSection,

      &kRulesSection,
      &kStepsSection,
      &kGpuUtilizationSection,
      &kLoadBalanceSection,
      &kDataLoadingSection,
      &kBatchSizeSection,
      &kCpuBottlenecksSection,
      &kIoBottlenecksSection,
      &kGpuMemorySection,

      &kDataQualitySection,
      &kProvenanceSection,
  };
  return kSections;
}

} // namespace debrief::render
