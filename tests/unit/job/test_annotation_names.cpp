#include "job/annotation_names.h"

#include <catch2/catch_test_macros.hpp>

namespace test_annotation_names {

using namespace debrief;

TEST_CASE("the profiler's own ranges are known by their names") {
  CHECK(job::is_profiler_step("ProfilerStep#22"));
  CHECK(job::profiler_step_number("ProfilerStep#22") == 22);
  CHECK(job::is_profiler_step("ProfilerStep#"));
  CHECK_FALSE(job::profiler_step_number("ProfilerStep#"));
  CHECK_FALSE(job::profiler_step_number("ProfilerStep#x"));
  CHECK_FALSE(job::profiler_step_number("step 22"));
  CHECK(job::is_data_loader("enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__"));
  CHECK_FALSE(job::is_data_loader("DataLoader"));
}

} // namespace test_annotation_names
