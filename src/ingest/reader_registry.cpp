#include "ingest/reader_registry.h"

#include "ingest/failures_reader.h"
#include "ingest/job_description_reader.h"
#include "ingest/kineto/reader.h"
#include "ingest/rule_output_reader.h"
#include "ingest/stacks_reader.h"
#include "ingest/system_metrics_reader.h"
#include "ingest/tensors/collections_reader.h"
#include "ingest/tensors/index_reader.h"
#include "ingest/timeline_reader.h"
#include "ingest/trackers/metrics_csv_reader.h"
#include "ingest/trackers/mlflow_db_reader.h"
#include "ingest/trackers/mlflow_files_reader.h"
#include "ingest/trackers/nvidia_smi_dmon_reader.h"
#include "ingest/trackers/nvidia_smi_reader.h"
#include "ingest/trackers/tensorboard_reader.h"
#include "ingest/trackers/trainer_state_reader.h"
#include "ingest/trackers/wandb_reader.h"
#include "ingest/xgboost/evals_reader.h"
#include "ingest/xgboost/model_reader.h"

#include <array>

namespace debrief::ingest {

std::span<const Reader* const> readers() {
  static const SystemMetricsReader system_metrics;
  static const TimelineReader timeline;
  static const RuleOutputReader rule_output;
  static const JobDescriptionReader job_description;
  static const FailuresReader failures;
  static const StacksReader stacks;
  static const KinetoReader kineto;
  static const TensorBoardReader tensorboard;
  static const TrainerStateReader trainer_state;
  static const MetricsCsvReader metrics_csv;
  static const WandbReader wandb;
  static const MlflowDatabaseReader mlflow_database;
  static const MlflowFilesReader mlflow_files;
  static const NvidiaSmiReader nvidia_smi;
  static const NvidiaSmiDmonReader nvidia_smi_dmon;
  static const TensorIndexReader tensor_index;
  static const TensorCollectionsReader tensor_collections;
  static const XgboostModelReader xgboost_model;
  static const EvalsResultReader evals_result;
  // The first two know their files by their place; of the others all but the last four by content
  // that no other format has.
  static const std::array<const Reader*, 19> all = {
      &tensor_index, &tensor_collections, &system_metrics,  &timeline,     &kineto,
      &stacks,       &tensorboard,        &trainer_state,   &wandb,        &mlflow_database,
      &nvidia_smi,   &nvidia_smi_dmon,    &xgboost_model,   &evals_result, &mlflow_files,
      &failures,     &rule_output,        &job_description, &metrics_csv};
  return all;
}

} // namespace debrief::ingest
