#include "record/source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sched.h>
#include <vector>

namespace debrief::record {

namespace {

/// In /proc/stat's order; "guest" and "guest nice" are part of "user" and "nice" already.
enum CpuTime { user, nice, system, idle, io_wait, irq, soft_irq, steal, cpu_times };

struct Core {
  MetricLines::Id busy = 0;
  MetricLines::Id waiting = 0;
  std::array<std::uint64_t, cpu_times> times{}; ///< ticks since boot
  bool seen = false;
};

bool may_run_on(std::uint64_t core) {
  // Beyond a set's size the system does not answer; then every core counts.
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0) return true;
  return core < CPU_SETSIZE && CPU_ISSET(core, &allowed);
}

/// "cpu12 …" -> 12; `line` continues after it. Nothing for the line of all cores together.
std::optional<std::uint64_t> take_core(std::string_view& line) {
  const std::string_view word = next_word(line);
  return word.starts_with("cpu") ? to_number(word.substr(3)) : std::nullopt;
}

class CpuSource : public Source {
public:
  CpuSource(ProcFile file, MetricLines& lines)
      : file_(std::move(file)) {
    Scratch scratch(kScratchBytes);
    std::string_view text = file_.read(scratch);
    while (text.starts_with("cpu")) {
      std::string_view line = next_line(text);
      const auto core = take_core(line);
      if (!core || *core > kMostCores || !may_run_on(*core)) continue;
      if (cores_.size() <= *core) cores_.resize(*core + 1);
      cores_[*core] = Core{};
      const std::string name = fmt::format("cpu{}", *core);
      cores_[*core]->busy = lines.add_series("cpu", name, "CPUUtilization");
      cores_[*core]->waiting = lines.add_series("cpu", name, "I/OWaitPercentage");
    }
  }

  void sample(std::optional<double> /*seconds*/, Scratch& scratch, MetricLines& lines) override {
    std::string_view text = file_.read(scratch);
    while (text.starts_with("cpu")) {
      std::string_view line = next_line(text);
      const auto number = take_core(line);
      if (!number || *number >= cores_.size() || !cores_[*number]) continue;
      std::array<std::uint64_t, cpu_times> times{};
      for (std::uint64_t& time : times)
        time = next_number(line).value_or(0);
      add(*cores_[*number], times, lines);
    }
  }

private:
  static constexpr std::uint64_t kMostCores = 8191;

  /// The share of its own time, so that a core that was off for a while counts right.
  static void add(Core& core, const std::array<std::uint64_t, cpu_times>& times,
                  MetricLines& lines) {
    double total = 0;
    std::array<double, cpu_times> gained{};
    for (std::size_t at = 0; at < times.size(); ++at) {
      gained[at] = gain(core.times[at], times[at]).value_or(0); // I/O wait may run back a little
      total += gained[at];
    }
    const bool seen = core.seen;
    core.times = times;
    core.seen = true;
    if (!seen || total <= 0) return;
    const double rest = gained[idle] + gained[io_wait];
    lines.add(core.busy, 100 * (total - rest) / total);
    lines.add(core.waiting, 100 * gained[io_wait] / total);
  }

  ProcFile file_;
  std::vector<std::optional<Core>> cores_; ///< by number; nothing: not this process's
};

} // namespace

std::unique_ptr<Source> make_cpu_source(const Roots& roots, MetricLines& lines) {
  ProcFile file{roots.proc + "/stat"};
  if (!file.is_open()) return nullptr;
  return std::make_unique<CpuSource>(std::move(file), lines);
}

} // namespace debrief::record
