// What `debrief record` does while the command runs: now and then a report of it (--live), and what
// findings call for (--on).
//
// Each look is a process of its own, `debrief watch --once`, with the lowest priority: whatever it
// meets, recording and command go on.
#pragma once

#include "actions/observer.h"
#include "actions/send.h"
#include "actions/trigger.h"
#include "record/command.h"
#include "record/description.h"
#include "record/helpers.h"
#include "record/stopping.h"
#include "trust/permission.h"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace debrief::cli {

struct LiveOptions {
  std::string job;  ///< the folder
  std::string page; ///< what each look writes; empty: nothing
  std::string name; ///< of the job
  std::string host;
  std::chrono::milliseconds every{30'000};
  std::vector<std::string> report_options; ///< that the final report has, too
  actions::Plan plan;
  trust::Permission permission; ///< of the config that the plan has triggers of
  bool quiet = false;
  /// For how long no GPU has been busy; nothing where there is none.
  std::function<std::optional<std::chrono::milliseconds>()> gpus_idle_for;
  std::function<void()> before_look; ///< what looks read is to be up to date
  /// Called on each change of what was done.
  std::function<void(const std::vector<record::TakenAction>&)> took;
};

class LiveLooks : public record::Meanwhile {
public:
  /// Throws Error where something is to be sent and the machine has no libcurl.
  explicit LiveLooks(LiveOptions options);
  ~LiveLooks() override;

  /// What is observed; before anything is waited for.
  void begin(pid_t command, std::shared_ptr<record::Helpers> helpers);

  // Neither throws: the command runs.
  std::chrono::milliseconds look() override;
  void child_ended(pid_t pid, int status, const rusage& used) override;

  /// After the command's end: ends the look that runs, what a stopped command left behind, and
  /// waits for messages and programs that are under way, for a while.
  void finish();

  /// Whether an action has ended the command.
  bool has_stopped() const { return stopping_ != nullptr; }

  /// What a person should know, after finish().
  std::vector<std::string> notes() const;

private:
  using Clock = std::chrono::steady_clock;

  /// A program that an action runs.
  struct Program {
    pid_t pid = 0;
    std::size_t action = 0; ///< in taken_
  };

  std::chrono::milliseconds act();
  void take_child(pid_t pid, int status, const rusage& used);
  void start_look();
  void end_look(int status);
  void take(const std::vector<actions::DueTrigger>& due);
  void take(const actions::Trigger& trigger, const std::string& why);
  void run(const actions::Trigger& trigger, const actions::Event& event, std::size_t action);
  void collect_deliveries();
  void end_action(std::size_t action, std::string outcome);
  void wait_for_programs();

  LiveOptions options_;
  actions::Observer observer_;
  std::optional<actions::Outbox> outbox_;
  std::shared_ptr<record::Helpers> helpers_;
  pid_t command_ = 0;
  Clock::time_point next_look_;
  pid_t look_ = 0;  ///< the process that makes one; 0: none
  int answer_ = -1; ///< a file in memory that it writes to
  Clock::time_point look_began_;
  std::vector<Program> programs_;
  std::vector<record::TakenAction> taken_;
  std::unique_ptr<record::Stopping> stopping_;
  std::size_t stop_action_ = 0; ///< in taken_
  std::size_t good_looks_ = 0;
  std::size_t failed_looks_ = 0;
  bool out_of_resources_ = false; ///< memory or a thread was refused
};

} // namespace debrief::cli
