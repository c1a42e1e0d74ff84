// What ended processes of a job: what they told the recorder, what it writes of that, and the job's
// file as anybody may have changed it.
#include "aggregate/job_failure.h"
#include "expect.h"
#include "findings/failure_kind.h"
#include "fuzz.h"
#include "ingest/failures_reader.h"
#include "record/failures.h"
#include "util/short_paths.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

using namespace debrief;

namespace {

void judge(std::vector<job::Failure> failures, std::string_view text) {
  for (const job::Failure& failure : failures) {
    fuzz::expect(failure.frames.size() <= job::kMostFrames, "few calls are kept", text);
    fuzz::expect(failure.message.size() <= job::kLongestFailureMessage + 3, "a message is short",
                 text);
  }
  const bool any = !failures.empty();
  job::Job job;
  job.failures = std::move(failures);
  const auto cause = aggregate::job_failure(job);
  fuzz::expect(cause.has_value() == any, "a job with a failure has failed", text);
  if (!cause) return;
  findings::kind_of(*cause);
  const auto memory = findings::failed_allocation(cause->message.value_or(""));
  fuzz::expect(memory.asked.value_or(0) >= 0 && memory.free.value_or(0) >= 0, "sizes", text);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  const ingest::FailuresReader reader;
  judge(fuzz::reading_of(reader, "failures/box-1.json", data, size).failures, text);

  const std::string written = record::to_failures_json(text, "box", "/home/me/run");
  const ingest::FileReading reading =
      fuzz::reading_of(reader, "failures/box-1.json",
                       reinterpret_cast<const std::uint8_t*>(written.data()), written.size());
  fuzz::expect(reading.report.skipped.empty(), "what the recorder writes is read whole", text);
  fuzz::expect(written.empty() || reading.report.damaged_files.empty(), "it is valid", text);
  fuzz::expect(written.empty() == reading.failures.empty(), "none is lost", text);

  const std::string paths = with_short_paths(text, "/home/me");
  fuzz::expect(paths.size() <= text.size(), "paths become shorter", text);
  return 0;
}
