// A limit may be set on any group from the process's own up to the top: the tightest one counts,
// and usage and throttling are read where it is set.
#include "record/source.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <utility>
#include <vector>

namespace debrief::record {

namespace {

/// Files of both versions, and how each writes what it has.
struct CgroupFiles {
  const char* memory_limit;
  const char* memory_used;
  const char* inactive_key; ///< of memory.stat: page cache that is given back at once
  const char* memory_events;
  bool quota_and_period; ///< in one file, cpu.max; else in two
};

constexpr CgroupFiles kVersion2{"memory.max", "memory.current", "inactive_file", "memory.events",
                                true};
constexpr CgroupFiles kVersion1{"memory.limit_in_bytes", "memory.usage_in_bytes",
                                "total_inactive_file", "memory.oom_control", false};

/// Where a controller's groups of this process are, from its own upward.
struct Groups {
  std::vector<std::string> folders;
  const CgroupFiles* files = &kVersion2;
};

/// `mount` and the group's folders below it. In a container the path may be that outside of it:
/// then the mount itself is the group.
std::vector<std::string> upward(const std::string& mount, std::string_view path) {
  std::vector<std::string> folders;
  std::error_code error;
  while (path.size() > 1) {
    std::string folder = mount + std::string{path};
    if (std::filesystem::is_directory(folder, error)) folders.push_back(std::move(folder));
    path = path.substr(0, path.rfind('/'));
  }
  folders.push_back(mount);
  return folders;
}

bool lists(std::string_view names, std::string_view wanted) {
  while (!names.empty()) {
    const std::size_t comma = std::min(names.find(','), names.size());
    if (names.substr(0, comma) == wanted) return true;
    names.remove_prefix(std::min(comma + 1, names.size()));
  }
  return false;
}

/// A line of /proc/self/cgroup is "4:memory:/path"; version 2's is "0::/path".
Groups groups_of(const Roots& roots, std::string_view controller) {
  Scratch scratch(kScratchBytes);
  const ProcFile file{roots.proc + "/self/cgroup"};
  std::string_view text = file.read(scratch);
  const std::string top = roots.sys + "/fs/cgroup";
  Groups unified;
  while (!text.empty()) {
    const std::string_view line = next_line(text);
    const std::size_t first = line.find(':');
    const std::size_t second = first == line.npos ? first : line.find(':', first + 1);
    if (second == line.npos) continue;
    const std::string_view controllers = line.substr(first + 1, second - first - 1);
    const std::string_view path = line.substr(second + 1);
    if (lists(controllers, controller)) {
      for (const std::string_view folder : {controllers, controller}) {
        const std::string mount = fmt::format("{}/{}", top, folder);
        std::error_code error;
        if (std::filesystem::is_directory(mount, error)) return {upward(mount, path), &kVersion1};
      }
    }
    if (controllers.empty()) unified.folders = upward(top, path);
  }
  return unified;
}

/// Bytes; nothing where there is no limit. Version 1 writes "none" as the largest number of pages.
std::optional<std::uint64_t> memory_limit_in(const std::string& folder, const CgroupFiles& files) {
  constexpr std::uint64_t kNone = std::uint64_t{1} << 60U;
  const auto limit = to_number(first_line_of(folder + "/" + files.memory_limit));
  return limit && *limit < kNone ? limit : std::nullopt;
}

/// In cores; nothing where there is no limit: "max 100000" or a quota of -1.
std::optional<double> core_limit_in(const std::string& folder, const CgroupFiles& files) {
  std::optional<std::uint64_t> quota;
  std::optional<std::uint64_t> period;
  if (files.quota_and_period) {
    const std::string line = first_line_of(folder + "/cpu.max");
    std::string_view text = line;
    quota = next_number(text);
    period = next_number(text);
  } else {
    quota = to_number(first_line_of(folder + "/cpu.cfs_quota_us"));
    period = to_number(first_line_of(folder + "/cpu.cfs_period_us"));
  }
  if (!quota || !period || *period == 0) return std::nullopt;
  return static_cast<double>(*quota) / static_cast<double>(*period);
}

class MemoryLimit {
public:
  MemoryLimit(const Roots& roots, MetricLines& lines) {
    const Groups groups = groups_of(roots, "memory");
    const std::string* tightest = nullptr;
    for (const std::string& folder : groups.folders)
      if (const auto limit = memory_limit_in(folder, *groups.files);
          limit && (tightest == nullptr || *limit < limit_)) {
        limit_ = *limit;
        tightest = &folder;
      }
    const std::string& folder = tightest != nullptr ? *tightest : groups.folders.front();
    if (tightest != nullptr) {
      used_ = ProcFile{folder + "/" + groups.files->memory_used};
      details_ = ProcFile{folder + "/memory.stat"};
      inactive_key_ = groups.files->inactive_key;
      limit_id_ = lines.add_series("cgroup", "MemoryLimitBytes", "", 0);
      used_id_ = lines.add_series("cgroup", "MemoryUsedBytes", "", 0);
      share_id_ = lines.add_series("cgroup", "MemoryOfLimitPercent", "");
    }
    events_ = ProcFile{folder + "/" + groups.files->memory_events};
    if (events_.is_open()) kills_id_ = lines.add_series("cgroup", "OOMKills", "", 0);
  }

  bool is_measured() const { return used_.is_open() || events_.is_open(); }

  void sample(Scratch& scratch, MetricLines& lines) {
    if (used_.is_open() && limit_ > 0) {
      std::string_view text = used_.read(scratch);
      if (const auto used = to_number(next_line(text))) {
        const auto inactive = number_of(details_.read(scratch), inactive_key_).value_or(0);
        const auto kept = static_cast<double>(*used - std::min(*used, inactive));
        lines.add(limit_id_, static_cast<double>(limit_));
        lines.add(used_id_, kept);
        lines.add(share_id_, std::min(100.0, 100 * kept / static_cast<double>(limit_)));
      }
    }
    if (const auto kills = number_of(events_.read(scratch), "oom_kill")) {
      if (!first_kills_) first_kills_ = *kills;
      lines.add(kills_id_, gain(*first_kills_, *kills));
    }
  }

private:
  std::uint64_t limit_ = 0; ///< bytes
  ProcFile used_;
  ProcFile details_;
  ProcFile events_;
  const char* inactive_key_ = "";
  MetricLines::Id limit_id_ = 0;
  MetricLines::Id used_id_ = 0;
  MetricLines::Id share_id_ = 0;
  MetricLines::Id kills_id_ = 0;
  std::optional<std::uint64_t> first_kills_; ///< before the recording
};

class CoreLimit {
public:
  CoreLimit(const Roots& roots, MetricLines& lines) {
    const Groups groups = groups_of(roots, "cpu");
    for (const std::string& folder : groups.folders)
      if (const auto limit = core_limit_in(folder, *groups.files);
          limit && (!limit_ || *limit < *limit_)) {
        limit_ = limit;
        statistics_ = ProcFile{folder + "/cpu.stat"};
      }
    if (!limit_) return;
    limit_id_ = lines.add_series("cgroup", "CPULimitCores", "");
    throttled_id_ = lines.add_series("cgroup", "CPUThrottledPercent", "");
  }

  bool is_measured() const { return limit_.has_value(); }

  void sample(Scratch& scratch, MetricLines& lines) {
    if (!limit_) return;
    lines.add(limit_id_, *limit_);
    const std::string_view text = statistics_.read(scratch);
    const auto periods = number_of(text, "nr_periods");
    const auto throttled = number_of(text, "nr_throttled");
    const auto periods_before = std::exchange(periods_, periods);
    const auto throttled_before = std::exchange(throttled_, throttled);
    if (!periods || !throttled || !periods_before || !throttled_before) return;
    const auto gained = gain(*periods_before, *periods);
    // A group that did nothing has no periods, and was not throttled.
    if (gained && *gained > 0)
      lines.add(throttled_id_,
                std::min(100.0, 100 * gain(*throttled_before, *throttled).value_or(0) / *gained));
    else if (gained)
      lines.add(throttled_id_, 0.0);
  }

private:
  std::optional<double> limit_;
  ProcFile statistics_;
  MetricLines::Id limit_id_ = 0;
  MetricLines::Id throttled_id_ = 0;
  std::optional<std::uint64_t> periods_;
  std::optional<std::uint64_t> throttled_;
};

class CgroupSource : public Source {
public:
  CgroupSource(MemoryLimit memory, CoreLimit cores)
      : memory_(std::move(memory))
      , cores_(std::move(cores)) {}

  void sample(std::optional<double> /*seconds*/, Scratch& scratch, MetricLines& lines) override {
    memory_.sample(scratch, lines);
    cores_.sample(scratch, lines);
  }

private:
  MemoryLimit memory_;
  CoreLimit cores_;
};

} // namespace

std::unique_ptr<Source> make_cgroup_source(const Roots& roots, MetricLines& lines) {
  if (groups_of(roots, "memory").folders.empty() || groups_of(roots, "cpu").folders.empty())
    return nullptr;
  MemoryLimit memory{roots, lines};
  CoreLimit cores{roots, lines};
  if (!memory.is_measured() && !cores.is_measured()) return nullptr;
  return std::make_unique<CgroupSource>(std::move(memory), std::move(cores));
}

} // namespace debrief::record
