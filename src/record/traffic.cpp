// Network and disks: counters of many devices, summed.
#include "record/source.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

namespace debrief::record {

namespace {

namespace fs = std::filesystem;

/// A counter over time, as a rate per second.
class Rate {
public:
  explicit Rate(MetricLines::Id id)
      : id_(id) {}

  void add(std::uint64_t now, std::optional<double> seconds, MetricLines& lines) {
    const auto before = std::exchange(before_, now);
    if (!before || !seconds) return;
    if (const auto gained = gain(*before, now)) lines.add(id_, *gained / *seconds);
  }

private:
  MetricLines::Id id_;
  std::optional<std::uint64_t> before_;
};

/// Names of a folder's entries, sorted.
std::vector<std::string> entries_of(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator{folder, error})
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

/// Those that are hardware: what is built of them (bridges, bonds, RAID) would count twice.
std::vector<std::string> hardware_in(const std::string& folder) {
  std::vector<std::string> names = entries_of(folder);
  std::error_code error;
  std::erase_if(names, [&](const std::string& name) {
    return !fs::exists(fs::path{folder} / name / "device", error);
  });
  return names;
}

bool has(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

class NetworkSource : public Source {
public:
  NetworkSource(const Roots& roots, ProcFile file, MetricLines& lines)
      : file_(std::move(file))
      , hardware_(hardware_in(roots.sys + "/class/net"))
      , received_(lines.add_series("network", "ReceiveBytesPerSecond", "Algorithm", 0))
      , sent_(lines.add_series("network", "TransmitBytesPerSecond", "Algorithm", 0)) {
    const std::string infiniband = roots.sys + "/class/infiniband";
    for (const std::string& device : entries_of(infiniband)) {
      const std::string ports = fmt::format("{}/{}/ports", infiniband, device);
      for (const std::string& port : entries_of(ports)) {
        const std::string counters = fmt::format("{}/{}/counters/port_", ports, port);
        ports_received_.emplace_back(counters + "rcv_data");
        ports_sent_.emplace_back(counters + "xmit_data");
      }
    }
    if (ports_received_.empty()) return;
    rdma_received_.emplace(lines.add_series("network", "ReceiveBytesPerSecond", "InfiniBand", 0));
    rdma_sent_.emplace(lines.add_series("network", "TransmitBytesPerSecond", "InfiniBand", 0));
  }

  void sample(std::optional<double> seconds, Scratch& scratch, MetricLines& lines) override {
    std::uint64_t received = 0;
    std::uint64_t sent = 0;
    std::string_view text = file_.read(scratch);
    if (text.empty()) return;
    while (!text.empty()) {
      std::string_view line = next_line(text);
      const std::size_t colon = line.find(':');
      if (colon == line.npos) continue;
      std::string_view head = line.substr(0, colon);
      const std::string_view name = next_word(head);
      line.remove_prefix(colon + 1);
      if (!counts(name)) continue;
      received += next_number(line).value_or(0);
      for (int skipped = 0; skipped < 7; ++skipped)
        next_word(line);
      sent += next_number(line).value_or(0);
    }
    received_.add(received, seconds, lines);
    sent_.add(sent, seconds, lines);
    if (rdma_received_) rdma_received_->add(bytes_of(ports_received_, scratch), seconds, lines);
    if (rdma_sent_) rdma_sent_->add(bytes_of(ports_sent_, scratch), seconds, lines);
  }

private:
  /// In a container nothing is hardware: then all but the loopback counts.
  bool counts(std::string_view name) const {
    return hardware_.empty() ? name != "lo" : has(hardware_, name);
  }

  static std::uint64_t bytes_of(const std::vector<ProcFile>& ports, Scratch& scratch) {
    constexpr std::uint64_t kWord = 4; // the counters count words
    std::uint64_t sum = 0;
    for (const ProcFile& port : ports) {
      std::string_view text = port.read(scratch);
      sum += kWord * to_number(next_line(text)).value_or(0);
    }
    return sum;
  }

  ProcFile file_;
  std::vector<std::string> hardware_;
  Rate received_;
  Rate sent_;
  std::vector<ProcFile> ports_received_;
  std::vector<ProcFile> ports_sent_;
  std::optional<Rate> rdma_received_;
  std::optional<Rate> rdma_sent_;
};

class DiskSource : public Source {
public:
  DiskSource(ProcFile file, std::vector<std::string> disks, MetricLines& lines)
      : file_(std::move(file))
      , disks_(std::move(disks))
      , operations_(lines.add_series("i/o", "IOPS", ""))
      , read_(lines.add_series("i/o", "ReadThroughputInBytesPerSecond", "", 0))
      , written_(lines.add_series("i/o", "WriteThroughputInBytesPerSecond", "", 0)) {}

  void sample(std::optional<double> seconds, Scratch& scratch, MetricLines& lines) override {
    constexpr std::uint64_t kSector = 512; // whatever the disk's own is
    std::uint64_t operations = 0;
    std::uint64_t read = 0;
    std::uint64_t written = 0;
    std::string_view text = file_.read(scratch);
    if (text.empty()) return;
    while (!text.empty()) {
      std::string_view line = next_line(text);
      next_word(line); // major and minor number
      next_word(line);
      if (!has(disks_, next_word(line))) continue;
      operations += next_number(line).value_or(0);
      next_word(line); // merged
      read += kSector * next_number(line).value_or(0);
      next_word(line); // milliseconds
      operations += next_number(line).value_or(0);
      next_word(line);
      written += kSector * next_number(line).value_or(0);
    }
    operations_.add(operations, seconds, lines);
    read_.add(read, seconds, lines);
    written_.add(written, seconds, lines);
  }

private:
  ProcFile file_;
  std::vector<std::string> disks_;
  Rate operations_;
  Rate read_;
  Rate written_;
};

} // namespace

std::unique_ptr<Source> make_network_source(const Roots& roots, MetricLines& lines) {
  ProcFile file{roots.proc + "/net/dev"};
  if (!file.is_open()) return nullptr;
  return std::make_unique<NetworkSource>(roots, std::move(file), lines);
}

std::unique_ptr<Source> make_disk_source(const Roots& roots, MetricLines& lines) {
  ProcFile file{roots.proc + "/diskstats"};
  std::vector<std::string> disks = hardware_in(roots.sys + "/block");
  if (!file.is_open() || disks.empty()) return nullptr;
  return std::make_unique<DiskSource>(std::move(file), std::move(disks), lines);
}

} // namespace debrief::record
