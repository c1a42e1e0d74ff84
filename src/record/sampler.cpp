#include "record/sampler.h"

#include "record/metric_lines.h"
#include "record/minute_files.h"
#include "record/source.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace debrief::record {

namespace {

using Clock = std::chrono::steady_clock;

/// A shorter last interval is left out: counters have ticks of 10 ms.
constexpr std::chrono::milliseconds kShortestInterval{50};
/// How long stop() waits for a thread that hangs in a driver.
constexpr std::chrono::seconds kPatience{5};

Microseconds now_in_microseconds() {
  return std::chrono::duration_cast<std::chrono::microseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

/// What CUDA_VISIBLE_DEVICES leaves to the job. Where a launcher starts several ranks on a machine,
/// each may see others, and all count.
std::optional<std::string> visible_to_job() {
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  const char* tasks = std::getenv("SLURM_NTASKS");
  if (visible == nullptr || (tasks != nullptr && std::atoi(tasks) > launched_nodes()))
    return std::nullopt;
  return visible;
}

} // namespace

struct Sampler::State {
  explicit State(SamplerOptions chosen)
      : options(std::move(chosen)) {}

  void run();
  void record();
  void sample_until_asked(MinuteFiles& files);
  bool wait_until(Clock::time_point time);
  void say(std::string note);
  void note_gpus(const std::vector<std::unique_ptr<Source>>& sources, Clock::time_point now);

  SamplerOptions options;
  std::mutex mutex;
  std::condition_variable changed;
  bool asked_to_stop = false;
  bool running = false;
  std::vector<std::string> notes;
  std::optional<Clock::time_point> gpus_idle_since; ///< the end of the last sample that was busy
  Clock::time_point last_gpu_sample;
};

void Sampler::State::note_gpus(const std::vector<std::unique_ptr<Source>>& sources,
                               Clock::time_point now) {
  std::optional<double> busiest;
  for (const auto& source : sources)
    if (const auto busy = source->busiest_gpu()) busiest = std::max(busiest.value_or(0), *busy);
  if (!busiest) return;
  const std::lock_guard lock{mutex};
  if (*busiest >= kIdleGpuPercent || !gpus_idle_since) gpus_idle_since = now;
  last_gpu_sample = now;
}

/// Whether it was reached; not where the thread is asked to stop.
bool Sampler::State::wait_until(Clock::time_point time) {
  std::unique_lock lock{mutex};
  return !changed.wait_until(lock, time, [&] { return asked_to_stop; });
}

void Sampler::State::say(std::string note) {
  const std::lock_guard lock{mutex};
  notes.push_back(std::move(note));
}

/// The thread: nothing may leave it, not even where there is no memory for a note.
void Sampler::State::run() {
  try {
    record();
  } catch (const std::exception&) {
    // What is missing is seen.
  }
  const std::lock_guard lock{mutex};
  running = false;
  changed.notify_all();
}

void Sampler::State::sample_until_asked(MinuteFiles& files) {
  MetricLines lines{options.node};
  std::vector<std::unique_ptr<Source>> sources;
  const auto add = [&](std::unique_ptr<Source> source) {
    if (source != nullptr) sources.push_back(std::move(source));
  };
  add(make_cpu_source(options.roots, lines));
  add(make_memory_source(options.roots, lines));
  add(make_network_source(options.roots, lines));
  add(make_disk_source(options.roots, lines));
  add(make_pressure_source(options.roots, lines));
  add(make_cgroup_source(options.roots, lines));
  add(make_process_source(options.roots, lines, options.root, options.helpers));

  GpuInventory gpus;
  add(make_nvidia_source(lines, visible_to_job(), gpus));
  add(make_amd_source(options.roots, lines, gpus));
  if (options.found_gpus) options.found_gpus(gpus);

  Scratch scratch(kScratchBytes);
  std::optional<Clock::time_point> last;
  const auto sample = [&] {
    const Clock::time_point begin = Clock::now();
    std::optional<double> seconds;
    if (last) seconds = std::chrono::duration<double>(begin - *last).count();
    const Microseconds time = now_in_microseconds();
    lines.begin(time);
    for (const auto& source : sources)
      source->sample(seconds, scratch, lines);
    last = begin;
    files.append(time, lines.bytes());
    note_gpus(sources, begin);
  };

  Clock::time_point next = Clock::now();
  do {
    sample();
    next += options.interval;
    if (next < Clock::now()) next = Clock::now() + options.interval; // the machine was asleep
  } while (wait_until(next));
  if (Clock::now() - *last >= kShortestInterval) sample();
}

void Sampler::State::record() {
  try {
    MinuteFiles files{options.folder, options.node};
    try {
      sample_until_asked(files);
    } catch (const std::exception& error) {
      say(fmt::format("sampling ended early: {}", printable(error.what())));
    }
    files.finish();
    if (files.lost() > 0)
      say(fmt::format("{} of {} could not be written ({}); make room there and record again",
                      files.lost(), count_of(files.lost() + files.written(), "sample"),
                      files.trouble()));
  } catch (const std::exception& error) {
    say(fmt::format("no samples were taken: {}", printable(error.what())));
  }
}

Sampler::Sampler(SamplerOptions options)
    : state_(std::make_shared<State>(std::move(options))) {}

Sampler::~Sampler() {
  stop();
}

void Sampler::start() {
  state_->running = true;
  try {
    std::thread{[state = state_] { state->run(); }}.detach();
  } catch (const std::exception& error) {
    state_->running = false;
    state_->say(fmt::format("no samples were taken: {}", printable(error.what())));
  }
}

void Sampler::stop() {
  std::unique_lock lock{state_->mutex};
  if (state_->asked_to_stop) return;
  state_->asked_to_stop = true;
  state_->changed.notify_all();
  if (!state_->changed.wait_for(lock, kPatience, [&] { return !state_->running; }))
    state_->notes.emplace_back("the sampler hangs in a driver; its last samples are lost");
}

std::optional<std::chrono::milliseconds> Sampler::gpus_idle_for() const {
  const std::lock_guard lock{state_->mutex};
  if (!state_->gpus_idle_since) return std::nullopt;
  return std::chrono::duration_cast<std::chrono::milliseconds>(state_->last_gpu_sample -
                                                               *state_->gpus_idle_since);
}

std::vector<std::string> Sampler::notes() const {
  const std::lock_guard lock{state_->mutex};
  return state_->notes;
}

} // namespace debrief::record
