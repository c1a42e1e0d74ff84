#include "record/trace_daemon.h"

#include "record/kineto_wire.h"
#include "record/node_name.h"
#include "record/trace_packer.h"

#include <fmt/format.h>

#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <poll.h>

namespace debrief::record {

namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr int kLeastMajor = 2; ///< of PyTorch: libkineto's client is reliable from here on
constexpr int kLeastMinor = 7;
/// Then no further windows are asked for.
constexpr std::uintmax_t kMostTraceBytes = std::uintmax_t{4} << 30U;
constexpr auto kPackEvery = 3s;
/// A trace that was not written to for this long is whole.
constexpr auto kSettled = 5s;
constexpr std::string_view kTraceEnd = ".pt.trace.json";
/// How far the steps are is looked at so often.
constexpr auto kLookEvery = 500ms;

/// libkineto reads lines of KEY=VALUE, cut at '#', and puts the process's number before the first
/// ".json" of the path.
bool fits_config(const std::string& path) {
  return path.find_first_of("\n\r#=") == path.npos && path.find(".json") == path.npos &&
         path.find(".pt.trace") == path.npos;
}

bool is_trace_name(const std::string& name) {
  return name.ends_with(kTraceEnd);
}

/// "box_4711.pt.trace.json" -> 4711.
std::int32_t pid_in(const std::string& name) {
  const std::size_t underscore = name.rfind('_');
  return underscore == name.npos ? 0 : std::atoi(name.c_str() + underscore + 1);
}

struct TraceFiles {
  std::vector<fs::path> unpacked;
  std::vector<fs::path> unfinished; ///< a process was killed in its window
  std::uintmax_t bytes = 0;
  std::size_t packed = 0;
};

TraceFiles list_traces(const fs::path& folder) {
  TraceFiles found;
  std::error_code error;
  fs::recursive_directory_iterator entry{folder, error};
  for (; !error && entry != fs::recursive_directory_iterator{}; entry.increment(error)) {
    std::error_code ignored;
    if (!entry->is_regular_file(ignored)) continue;
    const std::string name = entry->path().filename().string();
    const std::uintmax_t size = entry->file_size(ignored);
    if (!ignored) found.bytes += size;
    if (is_trace_name(name))
      found.unpacked.push_back(entry->path());
    else if (name.ends_with(".pt.trace.json.tmp"))
      found.unfinished.push_back(entry->path());
    else if (name.ends_with(".pt.trace.json.gz"))
      ++found.packed;
  }
  return found;
}

bool has_settled(const fs::path& trace) {
  std::error_code error;
  const auto written = fs::last_write_time(trace, error);
  return !error && fs::file_time_type::clock::now() - written >= kSettled;
}

} // namespace

TraceDaemon::TraceDaemon(const RecorderFolder& folder, const Options& options,
                         const fs::path& job_folder)
    : options_(options)
    , shim_log_(options.shim_log)
    , node_(node_name())
    , folder_(folder)
    , plan_(options.windows) {
  std::error_code error;
  traces_ = fs::absolute(job_folder, error) / "traces";
  std::string trouble = error ? error.message() : folder_.trouble();
  if (trouble.empty() && std::getenv("KINETO_USE_DAEMON") != nullptr)
    trouble = "KINETO_USE_DAEMON is set, so another daemon asks for them";
  if (trouble.empty() && !fits_config(traces_.string()))
    trouble = "the output folder's path contains '#', '=' or '.json', which libkineto cannot take";
  if (trouble.empty() && options_.shim_log.empty())
    trouble = "--no-steps leaves nothing to begin and end them";
  if (trouble.empty() && !listen()) trouble = std::strerror(errno);
  if (!trouble.empty()) notes_.push_back(fmt::format("No traces are recorded: {}.", trouble));
}

TraceDaemon::~TraceDaemon() {
  stop();
  if (socket_ >= 0) ::close(socket_);
  if (wake_ >= 0) ::close(wake_);
}

bool TraceDaemon::listen() {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = folder_.path().string() + "/dynolog";
  if (path.size() >= sizeof address.sun_path) {
    errno = ENAMETOOLONG;
    return false;
  }
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  socket_ = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  wake_ = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (socket_ >= 0 && wake_ >= 0 &&
      ::bind(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0)
    return true;
  const int code = errno;
  if (socket_ >= 0) ::close(std::exchange(socket_, -1));
  errno = code;
  return false;
}

std::vector<std::pair<std::string, std::string>> TraceDaemon::environment() const {
  if (socket_ < 0) return {};
  std::vector<std::pair<std::string, std::string>> variables{
      {"KINETO_IPC_SOCKET_DIR", folder_.path().string()},
      {"KINETO_ONDEMAND_TRACE_DIR", traces_.string()},
      // The shim sets KINETO_USE_DAEMON where PyTorch is new enough. Without it, nothing would see
      // to it that the process can end: see shim/debrief_windows.py.
      {"DEBRIEF_RECORD_TRACES", folder_.path().string()}};
  if (options_.asked) variables.emplace_back("DEBRIEF_RECORD_ANY_TORCH", "1");
  // Else libkineto writes to the command's stderr.
  if (std::getenv("KINETO_LOG_LEVEL") == nullptr) variables.emplace_back("KINETO_LOG_LEVEL", "99");
  return variables;
}

void TraceDaemon::start() {
  if (socket_ < 0 || server_.joinable()) return;
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  // Signals are for the thread that minds the command.
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    start_threads();
  } catch (const std::exception& error) { // the command runs: nothing may end this program
    end_threads();
    notes_.push_back(fmt::format("No traces are recorded: {}.", error.what()));
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void TraceDaemon::start_threads() {
  server_ = std::thread{[this] { serve(); }};
  packer_ = std::thread{[this] { pack_while_running(); }};
}

void TraceDaemon::end_threads() {
  stopping_ = true;
  ::eventfd_write(wake_, 1);
  for (std::thread* const thread : {&server_, &packer_})
    if (thread->joinable()) thread->join();
}

void TraceDaemon::serve() {
  std::array<char, kMaxPacket + 1> packet; // a byte more, so that longer ones are refused
  std::array<pollfd, 2> waits{{{socket_, POLLIN, 0}, {wake_, POLLIN, 0}}};
  while (!stopping_) {
    const int patience = static_cast<int>(std::chrono::milliseconds{kLookEvery}.count());
    if (::poll(waits.data(), waits.size(), patience) < 0 && errno != EINTR) return;
    look(WindowPlan::Clock::now());
    if ((waits[0].revents & POLLIN) == 0) continue;
    sockaddr_un sender{};
    socklen_t size = sizeof sender;
    const ssize_t count = ::recvfrom(socket_, packet.data(), packet.size(), 0,
                                     reinterpret_cast<sockaddr*>(&sender), &size);
    // Who has no name cannot be answered.
    if (count < 0 || size <= sizeof sender.sun_family) continue;
    try {
      const std::string reply =
          answer({packet.data(), static_cast<std::size_t>(count)}, WindowPlan::Clock::now());
      if (!reply.empty())
        ::sendto(socket_, reply.data(), reply.size(), MSG_DONTWAIT | MSG_NOSIGNAL,
                 reinterpret_cast<const sockaddr*>(&sender), size);
    } catch (const std::exception&) {
      // Out of memory, for now: the process asks again in 5 s.
    }
  }
}

std::string TraceDaemon::answer(std::string_view packet, WindowPlan::Clock::time_point now) {
  const auto request = parse_kineto_request(packet);
  if (!request) return {};
  if (request->registers) return kineto_count_reply(++registered_);
  const bool busy = (request->mask & kWantsActivities) == 0 || !may_trace();
  const std::int32_t pid = request->pids.front();
  plan_.hear(request->pids, now);
  note_steps(pid, now);
  const auto window = plan_.ask(request->pids, busy, now);
  return kineto_config_reply(window ? config_of(*window, pid) : std::string{});
}

void TraceDaemon::look(WindowPlan::Clock::time_point now) {
  if (now - looked_ < kLookEvery) return;
  looked_ = now;
  for (const std::int32_t pid : plan_.processes(now))
    note_steps(pid, now);
  if (!may_trace()) return;
  const auto window = plan_.decide(now);
  if (!window) return;
  // Processes read this at any moment, so it appears whole.
  const fs::path file = folder_.path() / "window";
  const fs::path pending = folder_.path() / "window.part";
  std::ofstream{pending} << window->number << ' ' << window->iteration << ' '
                         << options_.windows.steps << '\n';
  std::error_code error;
  fs::rename(pending, file, error);
}

/// The shim has libkineto detach CUPTI after a window, until a script captures a CUDA graph. A
/// profiler that was detached and comes back after that has crashed jobs, so there it stays away.
bool TraceDaemon::may_trace() {
  if (!(own_profiler_ && graphs_)) {
    const ShimLog& log = shim_log_.look();
    own_profiler_ = log.profiler;
    if (log.graphs && !graphs_) graphs_late_ = plan_.windows() > 0;
    graphs_ = log.graphs;
  }
  return !own_profiler_ && !graphs_late_ && !too_large_;
}

void TraceDaemon::note_steps(std::int32_t pid, WindowPlan::Clock::time_point now) {
  std::ifstream file{folder_.path() / fmt::format("steps.{}", pid)};
  std::int64_t steps = 0;
  if (file >> steps && steps >= 0) plan_.note_steps(pid, steps, now);
}

std::string TraceDaemon::config_of(std::int64_t window, std::int32_t pid) {
  const fs::path folder = traces_ / fmt::format("window-{}", window);
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return {};
  {
    const std::lock_guard lock{ranks_mutex_};
    ranks_[pid] = rank_of(pid);
  }
  // One iteration to get ready, one to record: the shim says when each begins and ends.
  return fmt::format("ACTIVITIES_LOG_FILE={}/{}{}\n", folder.string(), node_, kTraceEnd) +
         "PROFILE_START_ITERATION=0\nACTIVITIES_WARMUP_ITERATIONS=1\nACTIVITIES_ITERATIONS=1\n"
         "PROFILE_REPORT_INPUT_SHAPES=true\nPROFILE_PROFILE_MEMORY=false\n"
         "PROFILE_WITH_STACK=false\nPROFILE_WITH_FLOPS=false\nPROFILE_WITH_MODULES=false\n";
}

void TraceDaemon::pack_while_running() {
  // Linux has a nice value per thread: the command's threads go first.
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(::syscall(SYS_gettid)), 19);
  pollfd wait{wake_, POLLIN, 0};
  while (!stopping_) {
    ::poll(&wait, 1, static_cast<int>(std::chrono::milliseconds{kPackEvery}.count()));
    try {
      if (!stopping_) pack_all(false);
    } catch (const std::exception&) {
      // What is not packed now is packed in the end.
    }
  }
}

void TraceDaemon::pack_all(bool ended) {
  const TraceFiles files = list_traces(traces_);
  if (files.bytes > kMostTraceBytes) too_large_ = true;
  for (const fs::path& trace : files.unpacked) {
    if (stopping_ && !ended) return;
    if (!ended && (!has_settled(trace) || !is_whole_trace(trace))) continue;
    ProcessRank rank;
    {
      const std::lock_guard lock{ranks_mutex_};
      if (const auto known = ranks_.find(pid_in(trace.filename().string())); known != ranks_.end())
        rank = known->second;
    }
    pack_trace(trace, rank);
  }
  std::error_code error;
  if (ended)
    for (const fs::path& file : files.unfinished)
      fs::remove(file, error);
}

void TraceDaemon::stop() {
  if (!server_.joinable()) return;
  end_threads();
  try {
    pack_all(true);
    explain_missing();
  } catch (const std::exception&) {
    // Out of memory: traces stay as PyTorch wrote them.
  }
}

void TraceDaemon::explain_missing() {
  if (too_large_)
    notes_.emplace_back("Traces take more than 4 GB, so later windows were left out.");
  if (graphs_late_)
    notes_.emplace_back("Later windows were left out: the script captured a CUDA graph after the "
                        "first one, and a profiler that comes back after that can crash it.");
  const TraceFiles files = list_traces(traces_);
  if (files.packed + files.unpacked.size() > 0) return;
  const ShimLog& log = shim_log_.look();
  if (!options_.asked && log.torch.empty()) return; // the shim's note says why
  if (own_profiler_ || log.profiler)
    notes_.emplace_back("No traces were recorded: the script uses torch.profiler itself.");
  else if (const auto old = std::find_if(log.torch.begin(), log.torch.end(),
                                         [](const std::string& version) {
                                           return !is_at_least(version, kLeastMajor, kLeastMinor);
                                         });
           old != log.torch.end() && !options_.asked)
    notes_.push_back(fmt::format("No traces were recorded: PyTorch {} is older than 2.7. Ask for "
                                 "them with --trace.",
                                 *old));
  else if (!plan_.was_asked())
    notes_.emplace_back("No traces were recorded: no process of the command asked for a window, as "
                        "PyTorch 2.7 and newer do every 5 s.");
  else if (plan_.windows() == 0)
    notes_.push_back(fmt::format("No traces were recorded: the command ended after {} optimizer "
                                 "steps, before the first window (after={}).",
                                 plan_.most_steps(), options_.windows.after));
  else
    notes_.emplace_back(
        "No traces were recorded: the command ended before PyTorch had written one.");
}

} // namespace debrief::record
