// Plays libkineto's daemon, so that PyTorch records traces of an unmodified script: answers its
// socket with a window now and then, and makes the traces that come of it ready.
//
// A thread of its own answers, since libkineto waits 90 ms and no longer; another one compresses.
#pragma once

#include "record/process_rank.h"
#include "record/recorder_folder.h"
#include "record/shim_log.h"
#include "record/trace_windows.h"

#include <atomic>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace debrief::record {

class TraceDaemon {
public:
  struct Options {
    TraceWindows windows;
    /// Asked for on the command line: also with a PyTorch older than 2.7, and where nothing says
    /// which it is.
    bool asked = false;
    /// StepShim::log(); empty: no shim begins and ends windows, so there are none.
    std::filesystem::path shim_log;
  };

  /// Never throws: where it cannot listen, the recording does without, and a note says so.
  TraceDaemon(const RecorderFolder& folder, const Options& options,
              const std::filesystem::path& job_folder);
  ~TraceDaemon();
  TraceDaemon(const TraceDaemon&) = delete;
  TraceDaemon& operator=(const TraceDaemon&) = delete;

  /// What to set for the command; empty where there is no daemon.
  std::vector<std::pair<std::string, std::string>> environment() const;

  /// Never throws: where a thread is refused, a note says so.
  void start();

  /// The command has ended: stops listening, and packs what is left. Never throws.
  void stop();

  /// Sentences about what is missing and why; complete after stop().
  std::vector<std::string> notes() const { return notes_; }

  /// What is answered to this packet; empty: nothing. For one thread at a time.
  std::string answer(std::string_view packet, WindowPlan::Clock::time_point now);

  /// Looks how far the steps are, twice a second, and tells the shim of a window that is due.
  void look(WindowPlan::Clock::time_point now);

private:
  bool listen();
  void start_threads();
  void end_threads();
  void serve();
  void pack_while_running();
  void pack_all(bool ended);
  void explain_missing();
  /// Whether any process may get a window, by what the scripts say of themselves.
  bool may_trace();
  void note_steps(std::int32_t pid, WindowPlan::Clock::time_point now);

  std::string config_of(std::int64_t window, std::int32_t pid);

  Options options_;
  ShimLogReader shim_log_;
  std::filesystem::path traces_; ///< the folder for them, absolute
  std::string node_;
  const RecorderFolder& folder_;
  int socket_ = -1;
  int wake_ = -1; ///< an eventfd: stop
  WindowPlan plan_;
  WindowPlan::Clock::time_point looked_;
  bool own_profiler_ = false; ///< the script's
  bool graphs_ = false;       ///< a script captured a CUDA graph
  bool graphs_late_ = false;  ///< ... when a window had been decided already
  std::int32_t registered_ = 0;
  std::atomic<bool> too_large_ = false;
  std::atomic<bool> stopping_ = false;
  std::mutex ranks_mutex_;
  std::map<std::int32_t, ProcessRank> ranks_;
  std::thread server_;
  std::thread packer_;
  std::vector<std::string> notes_;
};

} // namespace debrief::record
