// The command's processes. Each look lists /proc; only processes that were not there before are
// asked who their parent is, so that a machine with thousands of others costs little.
//
// A process's CPU time goes to its parent once that has waited for it, and orphans' time to this
// process, so the sum over the living and what was waited for here is the tree's time, however
// short its processes live.
#include "record/helpers.h"
#include "record/process_stat.h"
#include "record/source.h"

#include <fmt/format.h>

#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace debrief::record {

namespace {

/// Processes whose files stay open; others' are opened at each look.
constexpr std::size_t kMostOpen = 100;
/// What a tree has beyond is not looked at.
constexpr std::size_t kMostInTree = 20'000;

struct Member {
  pid_t pid = 0;
  std::uint64_t start = 0;
  ProcFile stat;
  ProcFile io;
};

/// Sums over the tree at one moment.
struct TreeTotals {
  std::uint64_t ticks = 0;
  std::uint64_t threads = 0;
  std::uint64_t pages = 0;
  std::uint64_t processes = 0;
  std::uint64_t read = 0;
  std::uint64_t written = 0;
  bool has_io = false;
};

class ProcessSource : public Source {
public:
  ProcessSource(const Roots& roots, MetricLines& lines, pid_t root,
                std::shared_ptr<const Helpers> helpers)
      : proc_(roots.proc)
      , root_(root)
      , helpers_(std::move(helpers))
      , folder_(::opendir(roots.proc.c_str()))
      , cores_(lines.add_series("process", "CPUCores", "Tree"))
      , resident_(lines.add_series("process", "ResidentBytes", "Tree", 0))
      , threads_(lines.add_series("process", "Threads", "Tree", 0))
      , processes_(lines.add_series("process", "Processes", "Tree", 0))
      , read_(lines.add_series("process", "ReadBytesPerSecond", "Tree", 0))
      , written_(lines.add_series("process", "WriteBytesPerSecond", "Tree", 0)) {}

  ~ProcessSource() override {
    if (folder_ != nullptr) ::closedir(folder_);
  }

  void sample(std::optional<double> seconds, Scratch& scratch, MetricLines& lines) override {
    find_members(scratch);
    TreeTotals now = sum(scratch);
    const auto ticks_per_second = static_cast<double>(::sysconf(_SC_CLK_TCK));
    const double reaped = helpers_ != nullptr ? time_of_reaped() - helpers_->seconds() : 0;
    const double time = static_cast<double>(now.ticks) / ticks_per_second + reaped;
    if (now.processes > 0) {
      lines.add(resident_,
                static_cast<double>(now.pages) * static_cast<double>(::sysconf(_SC_PAGESIZE)));
      lines.add(threads_, static_cast<double>(now.threads));
      lines.add(processes_, static_cast<double>(now.processes));
    }
    // Ticks are rounded, what was waited for is exact: the sum may go back by a tick per process.
    if (seconds && time_) {
      const double gained = time - *time_;
      if (gained > -0.1) lines.add(cores_, std::max(0.0, gained) / *seconds);
    }
    time_ = time;
    if (seconds && io_.has_io && now.has_io) {
      if (const auto gained = gain(io_.read, now.read)) lines.add(read_, *gained / *seconds);
      if (const auto gained = gain(io_.written, now.written))
        lines.add(written_, *gained / *seconds);
    }
    io_ = now;
  }

private:
  static double time_of_reaped() {
    rusage usage{};
    ::getrusage(RUSAGE_CHILDREN, &usage);
    const auto seconds = [](const timeval& time) {
      return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
  }

  bool is_helper(pid_t pid) const { return helpers_ != nullptr && helpers_->contains(pid); }

  std::string path_of(pid_t pid, const char* file) const {
    return fmt::format("{}/{}/{}", proc_, pid, file);
  }

  void find_members(Scratch& scratch) {
    list_processes();
    std::erase_if(members_, [&](const Member& member) { return !is_listed(member.pid); });
    std::erase_if(strangers_, [&](pid_t pid) { return !is_listed(pid); });
    fresh_.clear();
    for (const pid_t pid : listed_) {
      if (is_member(pid) || std::binary_search(strangers_.begin(), strangers_.end(), pid)) continue;
      ProcFile file{path_of(pid, "stat")};
      if (const auto stat = parse_process_stat(file.read(scratch)))
        fresh_.push_back({pid, stat->parent, stat->start});
    }
    bool found = true;
    while (found) { // a child may have a smaller number than its parent
      found = false;
      for (Fresh& it : fresh_) {
        const bool orphan = helpers_ != nullptr && it.parent == ::getpid() && !is_helper(it.pid);
        if (it.pid == 0 || (it.pid != root_ && !orphan && !is_member(it.parent))) continue;
        if (members_.size() < kMostInTree) insert_member(it);
        it.pid = 0;
        found = true;
      }
    }
    for (const Fresh& it : fresh_)
      if (it.pid != 0)
        strangers_.insert(std::lower_bound(strangers_.begin(), strangers_.end(), it.pid), it.pid);
  }

  void list_processes() {
    listed_.clear();
    if (folder_ == nullptr) return;
    ::rewinddir(folder_);
    while (const dirent* entry = ::readdir(folder_))
      if (const auto pid = to_number(entry->d_name)) listed_.push_back(static_cast<pid_t>(*pid));
    if (!std::is_sorted(listed_.begin(), listed_.end())) std::sort(listed_.begin(), listed_.end());
  }

  bool is_listed(pid_t pid) const {
    return std::binary_search(listed_.begin(), listed_.end(), pid);
  }

  std::vector<Member>::iterator place_of(pid_t pid) {
    return std::lower_bound(members_.begin(), members_.end(), pid,
                            [](const Member& member, pid_t wanted) { return member.pid < wanted; });
  }

  bool is_member(pid_t pid) {
    const auto at = place_of(pid);
    return at != members_.end() && at->pid == pid;
  }

  struct Fresh {
    pid_t pid;
    pid_t parent;
    std::uint64_t start;
  };

  void insert_member(const Fresh& fresh) {
    Member member;
    member.pid = fresh.pid;
    member.start = fresh.start;
    if (members_.size() < kMostOpen) {
      member.stat = ProcFile{path_of(fresh.pid, "stat")};
      member.io = ProcFile{path_of(fresh.pid, "io")};
    }
    members_.insert(place_of(fresh.pid), std::move(member));
  }

  TreeTotals sum(Scratch& scratch) {
    TreeTotals totals;
    for (Member& member : members_) {
      const bool kept = member.stat.is_open();
      const auto stat = parse_process_stat(
          kept ? member.stat.read(scratch) : ProcFile{path_of(member.pid, "stat")}.read(scratch));
      if (!stat || stat->start != member.start) continue; // it ended meanwhile
      totals.ticks += stat->ticks;
      if (stat->ended) continue;
      ++totals.processes;
      totals.threads += stat->threads;
      totals.pages += stat->pages;
      const std::string_view io =
          kept ? member.io.read(scratch) : ProcFile{path_of(member.pid, "io")}.read(scratch);
      const auto read = number_of(io, "read_bytes");
      const auto written = number_of(io, "write_bytes");
      if (!read || !written) continue;
      totals.has_io = true;
      totals.read += *read;
      totals.written += *written;
    }
    return totals;
  }

  std::string proc_;
  pid_t root_;
  std::shared_ptr<const Helpers> helpers_; ///< null: orphans of the tree are not adopted
  DIR* folder_;
  MetricLines::Id cores_;
  MetricLines::Id resident_;
  MetricLines::Id threads_;
  MetricLines::Id processes_;
  MetricLines::Id read_;
  MetricLines::Id written_;
  std::vector<Member> members_;  ///< by number
  std::vector<pid_t> strangers_; ///< known not to be of the tree, by number
  std::vector<pid_t> listed_;    ///< all that run
  std::vector<Fresh> fresh_;     ///< of these, those that were not there before
  std::optional<double> time_;   ///< of the tree, seconds, at the last look
  TreeTotals io_;                ///< at the last look
};

} // namespace

std::unique_ptr<Source> make_process_source(const Roots& roots, MetricLines& lines, pid_t root,
                                            std::shared_ptr<const Helpers> helpers) {
  return std::make_unique<ProcessSource>(roots, lines, root, std::move(helpers));
}

} // namespace debrief::record
