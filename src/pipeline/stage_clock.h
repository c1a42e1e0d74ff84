// Time, rows, bytes and memory per stage of the pipeline, for --stats.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace debrief::pipeline {

struct StageCost {
  std::string stage;
  double seconds = 0;
  std::uint64_t bytes = 0;       ///< taken in (reading) or given out (writing); 0: not counted
  std::uint64_t rows = 0;        ///< samples, events or table rows; 0: not counted
  std::uint64_t peak_memory = 0; ///< of the whole process, when the stage ended, in bytes
};

class StageClock {
public:
  StageClock();

  /// Ends the stage that began when the last one ended.
  void end_stage(std::string stage, std::uint64_t bytes = 0, std::uint64_t rows = 0);

  /// Adds what another clock measured beside this one to the stages of the same names. The time of
  /// all stays this clock's own, and its next stage begins here.
  void absorb(const StageClock& other);

  /// An aligned table, one line per stage and one for all.
  std::string table() const;

private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point begin_;
  Clock::time_point last_;
  std::vector<StageCost> stages_;
};

} // namespace debrief::pipeline
