// The sections of the report. Each has a file of its own, called as its address ("system-usage" is
// in system_usage.cpp), with everything that is said about it; registry.cpp has their order, and
// the chapters that they stand in.
#pragma once

#include "render/parts/section.h"
#include "result/result.h"

#include <optional>
#include <span>

namespace debrief::render {

/// The page's numbered headings, in its order, which is that of the navigation.
enum class Chapter {
  gate,
  findings,
  timeline,
  training,
  gpu,
  data_loading,
  communication,
  memory,
  operators,
  rules,
  data
};

struct ChapterWords {
  /// Its address within the page. A section with the same address is all of its chapter.
  const char* id;
  const char* heading; ///< links call it the same
};

ChapterWords words_of(Chapter chapter);

struct SectionSpec {
  /// Its address within the page: "system-usage".
  const char* id;
  const char* heading; ///< links call it the same
  Chapter chapter;
  /// The rule whose outcome belongs to the section; null: none.
  const char* rule = nullptr;
  const char* how_to_read = nullptr;
  const char* how_computed = nullptr;
  /// Absent if the page is better off without the section. One that lacks its data says so.
  std::optional<Section> (*make)(const result::Result& result);
  /// Its template, if it has markup of its own.
  const char* body = "parts/section.html";
  /// An address that it had before: old links still lead to it.
  const char* old_id = nullptr;
};

extern const SectionSpec kGateSection;
extern const SectionSpec kFindingsSection;
extern const SectionSpec kTimelineSection;
extern const SectionSpec kJobSection;
extern const SectionSpec kSystemUsageSection;
extern const SectionSpec kFrameworkSection;
extern const SectionSpec kCpuOperatorsSection;
extern const SectionSpec kGpuTimeSection;
extern const SectionSpec kGpuOperatorsSection;
extern const SectionSpec kStepBreakdownSection;
extern const SectionSpec kOneStepSection;
extern const SectionSpec kCriticalPathSection;
extern const SectionSpec kGpuActivitySection;
extern const SectionSpec kOperatorPerformanceSection;
extern const SectionSpec kCommunicationSection;
extern const SectionSpec kRanksSection;
extern const SectionSpec kRecomputationSection;
extern const SectionSpec kGraphsSection;
extern const SectionSpec kAllocatorSection;
extern const SectionSpec kAnnotationsSection;
extern const SectionSpec kRulesSection;
extern const SectionSpec kStepsSection;
extern const SectionSpec kCurvesSection;
extern const SectionSpec kXgboostSection;
extern const SectionSpec kModelSection;
extern const SectionSpec kGpuUtilizationSection;
extern const SectionSpec kLoadBalanceSection;
extern const SectionSpec kDataLoadingSection;
extern const SectionSpec kBatchSizeSection;
extern const SectionSpec kCpuBottlenecksSection;
extern const SectionSpec kIoBottlenecksSection;
extern const SectionSpec kPythonSection;
extern const SectionSpec kGpuMemorySection;
extern const SectionSpec kNotRecordedSection; ///< the page puts it where something is missing
extern const SectionSpec kDataQualitySection;
extern const SectionSpec kProvenanceSection;

/// In the order of the page, which is that of its navigation; those of a chapter are neighbors.
std::span<const SectionSpec* const> report_sections();

} // namespace debrief::render
