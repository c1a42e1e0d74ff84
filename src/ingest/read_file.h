// One file of a job, from opening it to what it contributes.
#pragma once

#include "ingest/discover.h"
#include "ingest/reader.h"

#include <cstdint>
#include <string>

namespace debrief::ingest {

/// Never throws for what is wrong with the file. `path` is one of `files`; `most_unpacked` is as in
/// open_file.h. With `without_traces` a trace's events are not read (see
/// FileReading::trace_left_out).
FileReading read_file(const FoundFiles& files, const std::string& path, std::uint32_t most_unpacked,
                      bool without_traces);

/// Whether the file at a path holds something of a job, by its content and name.
bool is_job_file(const std::string& path);

/// Whether parts of one job lie right in a folder, so that all that is in it came with the job: a
/// description called job.json, profiler-output, or another of SageMaker's folders.
bool has_parts_of_job(const std::string& folder);

/// Whether a file or folder of this name, at this place below a job's folder, is what a job leaves,
/// whatever it holds.
bool has_place_of_job(const std::string& path);

} // namespace debrief::ingest
