#include "pipeline/stage_clock.h"

#include "util/text.h"

#include <fmt/format.h>

#include <sys/resource.h>

#include <algorithm>
#include <utility>

namespace debrief::pipeline {

namespace {

std::uint64_t peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024; // kilobytes on Linux
}

std::string line(std::string_view stage, double seconds, std::uint64_t bytes, std::uint64_t rows,
                 std::uint64_t memory) {
  return fmt::format(
      "{:<10} {:>10} {:>10} {:>12} {:>12} {:>11}\n", stage, fmt::format("{:.1f} ms", seconds * 1e3),
      bytes > 0 ? to_human_bytes(static_cast<double>(bytes)) : "-",
      bytes > 0 && seconds > 0 ? to_human_bytes(static_cast<double>(bytes) / seconds) + "/s" : "-",
      rows > 0 ? std::to_string(rows) : "-", to_human_bytes(static_cast<double>(memory)));
}

} // namespace

StageClock::StageClock()
    : begin_(Clock::now())
    , last_(begin_) {}

void StageClock::end_stage(std::string stage, std::uint64_t bytes, std::uint64_t rows) {
  const auto now = Clock::now();
  const std::chrono::duration<double> spent = now - std::exchange(last_, now);
  stages_.push_back({std::move(stage), spent.count(), bytes, rows, peak_memory()});
}

void StageClock::absorb(const StageClock& other) {
  for (const StageCost& cost : other.stages_) {
    const auto known = std::find_if(stages_.begin(), stages_.end(), [&](const StageCost& stage) {
      return stage.stage == cost.stage;
    });
    StageCost& sum =
        known == stages_.end() ? stages_.emplace_back(StageCost{cost.stage, 0, 0, 0, 0}) : *known;
    sum.seconds += cost.seconds;
    sum.bytes += cost.bytes;
    sum.rows += cost.rows;
    sum.peak_memory = std::max(sum.peak_memory, cost.peak_memory);
  }
  last_ = Clock::now();
}

std::string StageClock::table() const {
  std::string out = fmt::format("{:<10} {:>10} {:>10} {:>12} {:>12} {:>11}\n", "stage", "time",
                                "bytes", "speed", "rows", "peak memory");
  for (const StageCost& stage : stages_)
    out += line(stage.stage, stage.seconds, stage.bytes, stage.rows, stage.peak_memory);
  const std::chrono::duration<double> all = last_ - begin_;
  out += line("all", all.count(), 0, 0, peak_memory());
  return out;
}

} // namespace debrief::pipeline
