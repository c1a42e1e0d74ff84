#include "record/source.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace debrief::record {

namespace {

constexpr double kKilobyte = 1024;

class MemorySource : public Source {
public:
  MemorySource(const Roots& roots, ProcFile memory, MetricLines& lines)
      : memory_(std::move(memory))
      , counters_(roots.proc + "/vmstat")
      , load_(roots.proc + "/loadavg")
      , used_percent_(lines.add_series("memory", "MemoryUsedPercent", ""))
      , used_(lines.add_series("memory", "MemoryUsedBytes", "", 0))
      , swap_(lines.add_series("memory", "SwapUsedBytes", "", 0))
      , kills_(lines.add_series("memory", "OOMKills", "", 0))
      , load_average_(lines.add_series("load", "LoadAverage1", "")) {}

  void sample(std::optional<double> /*seconds*/, Scratch& scratch, MetricLines& lines) override {
    add_memory(memory_.read(scratch), lines);
    if (const auto kills = number_of(counters_.read(scratch), "oom_kill")) {
      if (!first_kills_) first_kills_ = *kills;
      lines.add(kills_, gain(*first_kills_, *kills));
    }
    std::string_view text = load_.read(scratch);
    const std::string_view word = next_word(text);
    double load = 0;
    if (std::from_chars(word.data(), word.data() + word.size(), load).ec == std::errc{})
      lines.add(load_average_, load);
  }

private:
  void add_memory(std::string_view text, MetricLines& lines) const {
    const auto total = number_of(text, "MemTotal");
    const auto available = number_of(text, "MemAvailable");
    if (total && available && *total > 0) {
      const auto used = static_cast<double>(*total - std::min(*available, *total));
      lines.add(used_percent_, 100 * used / static_cast<double>(*total));
      lines.add(used_, kKilobyte * used);
    }
    const auto swap = number_of(text, "SwapTotal");
    const auto free_swap = number_of(text, "SwapFree");
    if (swap && free_swap && *swap > 0)
      lines.add(swap_, kKilobyte * static_cast<double>(*swap - std::min(*free_swap, *swap)));
  }

  ProcFile memory_;
  ProcFile counters_;
  ProcFile load_;
  MetricLines::Id used_percent_;
  MetricLines::Id used_;
  MetricLines::Id swap_;
  MetricLines::Id kills_;
  MetricLines::Id load_average_;
  std::optional<std::uint64_t> first_kills_; ///< before the recording: since boot
};

} // namespace

std::unique_ptr<Source> make_memory_source(const Roots& roots, MetricLines& lines) {
  ProcFile memory{roots.proc + "/meminfo"};
  if (!memory.is_open()) return nullptr;
  return std::make_unique<MemorySource>(roots, std::move(memory), lines);
}

} // namespace debrief::record
