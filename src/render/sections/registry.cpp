#include "render/sections/sections.h"

#include <array>

namespace debrief::render {

ChapterWords words_of(Chapter chapter) {
  switch (chapter) {
  case Chapter::gate:
    return {"gate", "Gate"};
  case Chapter::findings:
    return {"findings", "Findings"};
  case Chapter::timeline:
    return {"timeline", "Timeline"};
  case Chapter::training:
    return {"training", "Training"};
  case Chapter::gpu:
    return {"gpu", "GPU"};
  case Chapter::data_loading:
    return {"data-loading-and-cpu", "Data loading and CPU"};
  case Chapter::communication:
    return {"communication-and-balance", "Communication and balance"};
  case Chapter::memory:
    return {"memory", "Memory"};
  case Chapter::operators:
    return {"operators-and-kernels", "Operators and kernels"};
  case Chapter::rules:
    return {"rules", "Rules"};
  case Chapter::data:
    break;
  }
  return {"job-and-data", "Job and data"};
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
      &kPythonSection,

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
