// A finished training job as data: what it says about itself, what its machines measured, what its
// framework recorded, and how well all of that could be read. Nothing here computes.
#pragma once

#include "job/description.h"
#include "job/events.h"
#include "job/failure.h"
#include "job/metrics.h"
#include "job/python_stacks.h"
#include "job/reading_report.h"
#include "job/rule_output.h"
#include "job/scalars.h"
#include "job/tensors.h"
#include "job/trace.h"
#include "job/tree_model.h"

#include <optional>
#include <string>
#include <vector>

namespace debrief::job {

struct Job {
  std::string
      input_name; ///< last part of the path that was given; names the job if nothing else does
  JobDescription description;
  std::vector<MetricSeries> metrics; ///< ordered by series_less
  EventTable events;
  std::vector<Trace> traces;            ///< ordered by path
  std::vector<RuleOutput> rule_outputs; ///< ordered by rule; SageMaker's own figures
  std::vector<ScalarSeries> scalars;    ///< ordered by run and name
  /// What other tools logged of the same scalars: it is not shown, but a loss that broke there has
  /// not gone well.
  std::vector<ScalarSeries> repeated_scalars;
  TrainingTotals training;
  TensorTable tensors;
  std::optional<TreeModel> tree_model;
  std::vector<Failure> failures; ///< ordered by time, those without one last
  PythonStacks python_stacks;
  ReadingReport reading;
};

} // namespace debrief::job
