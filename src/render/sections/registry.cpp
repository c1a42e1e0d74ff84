#include "render/sections/sections.h"

#include <array>

namespace debrief::render {

const char* to_text(Group group) {
  switch (group) {
  case Group::overview:
    return "Overview";
  case Group::steps:
    return "Steps";
  case Group::gpu:
    return "GPU";
  case Group::data_loading:
    return "Data loading and CPU";
  case Group::communication:
    return "Communication and balance";
  case Group::memory:
    return "Memory";
  case Group::operators:
    return "Operators and kernels";
  case Group::rules:
    return "Rules";
  case Group::data:
    break;
  }
  return "Job and data";
}

std::span<const SectionSpec* const> report_sections() {
  static constexpr std::array kSections = {
      &kGateSection,
      &kFindingsSection,
      &kTimelineSection,

      &kCurvesSection,
      &kXgboostSection,
      &kModelSection,
      &kStepsSection,
      &kFrameworkSection,
      &kStepBreakdownSection,
      &kOneStepSection,
      &kCriticalPathSection,
      &kAnnotationsSection,

      &kGpuUtilizationSection,
      &kGpuActivitySection,
      &kGpuTimeSection,
      &kBatchSizeSection,
      &kGraphsSection,

      &kDataLoadingSection,
      &kCpuBottlenecksSection,
      &kIoBottlenecksSection,

      &kCommunicationSection,
      &kRanksSection,
      &kLoadBalanceSection,

      &kGpuMemorySection,
      &kAllocatorSection,
      &kRecomputationSection,

      &kCpuOperatorsSection,
      &kGpuOperatorsSection,
      &kOperatorPerformanceSection,

      &kRulesSection,

      &kJobSection,
      &kSystemUsageSection,
      &kDataQualitySection,
      &kProvenanceSection,
  };
  return kSections;
}

} // namespace debrief::render
