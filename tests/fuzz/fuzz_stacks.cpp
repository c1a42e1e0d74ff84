// Sampled Python stacks: the file as anybody may have changed it, joined and summed.
#include "aggregate/python_lines.h"
#include "aggregate/python_stacks.h"
#include "expect.h"
#include "fuzz.h"
#include "ingest/join_stacks.h"
#include "ingest/stacks_reader.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

using namespace debrief;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  const ingest::StacksReader reader;
  std::vector<job::PythonStacks> files;
  for (int i = 0; i < 2; ++i) // as if another process had the same
    files.push_back(std::move(*fuzz::reading_of(reader, "a.stacks", data, size).python_stacks));
  job::ReadingReport report;
  const job::PythonStacks joined = ingest::join_stacks(std::move(files), std::nullopt, report);
  for (std::size_t row = 1; row < joined.size(); ++row)
    fuzz::expect(joined.thread[row] != joined.thread[row - 1] ||
                     joined.start[row] >= joined.start[row - 1] + joined.duration[row - 1],
                 "runs of a thread do not overlap", text);

  result::JobSummary summary;
  summary.training_loop_start = 1'700'000'001'000'000;
  summary.training_loop_end = 1'700'000'002'000'000;
  const result::PythonStacks found = aggregate::python_stacks(joined, {}, summary);
  for (const result::PythonProfile& profile : found.profiles)
    for (const result::PythonFunction& function : profile.functions)
      fuzz::expect(function.self_seconds <= function.total_seconds &&
                       function.total_seconds <= profile.seconds * (1 + 1e-9),
                   "a part is no longer than the whole", text);
  const TimeSpan window{kEarliestTime, kLatestTime};
  for (const bool workers : {false, true})
    if (const auto line = aggregate::top_line(joined, {"", std::nullopt, workers}, {&window, 1}))
      fuzz::expect(line->share > 0 && line->share <= 1 && line->function_share >= line->share &&
                       line->sampled > 0 && line->sampled <= 1,
                   "shares are shares", text);
  return 0;
}
