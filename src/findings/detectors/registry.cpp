#include "findings/detectors/detectors.h"

namespace debrief::findings {

std::span<const Detector> detectors_of_time() {
  static constexpr Detector kOfTime[] = {
      find_input_bound,         find_cpu_bound,      find_io_bound,    find_underutilized,
      find_idle_gpus,           find_load_imbalance, find_step_stalls, find_slow_start,
      find_slow_finish,         find_between_steps,  find_copy_bound,  find_host_sync,
      find_communication_bound, find_compile_bound,  find_save_bound,  find_gc_bound,
      find_python_bound,
  };
  return kOfTime;
}

std::span<const Detector> other_detectors() {
  static constexpr Detector kOthers[] = {
      find_failed,        find_model_finding,   find_unmoved_evaluation, find_vanishing_gradients,
      find_dead_units,    find_class_imbalance, find_memory_growth,      find_memory_pressure,
      find_gpu_throttled, find_cpu_throttled,
  };
  return kOthers;
}

} // namespace debrief::findings
