// What was read, skipped and repaired while a job was read: nothing is lost without a trace.
#pragma once

#include "util/time.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace debrief::job {

/// One kind of trouble: how often, and the first place where it was seen.
struct Trouble {
  std::uint64_t count = 0;
  std::string first_seen; ///< "system/incremental/…/1594662600.algo-1.json, line 12"
};

/// Reason -> how often. Reasons are short phrases: "line is not valid JSON".
using Troubles = std::map<std::string, Trouble>;

/// What one kind of file contributed.
struct SourceCounts {
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;         ///< on disk, compressed where the file is
  std::uint64_t decoded_bytes = 0; ///< after decompression
  std::uint64_t records = 0;       ///< lines or trace events, good and bad
  std::uint64_t samples = 0;       ///< metric values kept
  std::uint64_t events = 0;        ///< intervals kept

  void add(const SourceCounts& other) {
    files += other.files;
    bytes += other.bytes;
    decoded_bytes += other.decoded_bytes;
    records += other.records;
    samples += other.samples;
    events += other.events;
  }
};

/// A file that was found and not read, and why.
struct IgnoredFile {
  std::string path; ///< relative to the job's folder
  std::string reason;
};

/// Another job's data under the same folder, left out.
struct OtherJob {
  TimeSpan span;
  std::uint64_t samples = 0;
  std::uint64_t events = 0;
};

/// "profiler-output/…/1594662600.algo-1.json, line 12": where trouble was met.
inline std::string at_line(std::string_view path, std::uint64_t line) {
  return std::string{path} + ", line " + std::to_string(line);
}

inline std::string at_byte(std::string_view path, std::uint64_t byte) {
  return std::string{path} + ", byte " + std::to_string(byte);
}

struct ReadingReport {
  std::map<std::string, SourceCounts> sources; ///< by the reader's name
  Troubles skipped;                            ///< records that were lost
  Troubles repaired;                           ///< records that were corrected and kept
  Troubles damaged_files;                      ///< files that were read in part, or not at all
  std::vector<IgnoredFile> ignored;            ///< sorted by path
  std::vector<OtherJob> other_jobs;            ///< sorted by time

  /// Counts one more of `reason`; remembers `where` if it is the first.
  static void count(Troubles& troubles, const std::string& reason, const std::string& where,
                    std::uint64_t times = 1) {
    Trouble& trouble = troubles[reason];
    if (trouble.count == 0) trouble.first_seen = where;
    trouble.count += times;
  }

  /// Adds what another file's reading met; call in the files' order, so that "first seen" is
  /// stable.
  void absorb(const ReadingReport& other) {
    for (const auto& [name, counts] : other.sources)
      sources[name].add(counts);
    for (const auto& [reason, trouble] : other.skipped)
      count(skipped, reason, trouble.first_seen, trouble.count);
    for (const auto& [reason, trouble] : other.repaired)
      count(repaired, reason, trouble.first_seen, trouble.count);
    for (const auto& [reason, trouble] : other.damaged_files)
      count(damaged_files, reason, trouble.first_seen, trouble.count);
    ignored.insert(ignored.end(), other.ignored.begin(), other.ignored.end());
  }
};

} // namespace debrief::job
