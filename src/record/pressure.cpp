#include "record/source.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace debrief::record {

namespace {

/// A line of a pressure file: "some avg10=0.00 avg60=0.00 avg300=0.00 total=1234", in microseconds.
struct Pressure {
  MetricLines::Id id = 0;
  std::optional<std::uint64_t> total{};
};

struct PressureFile {
  ProcFile file;
  Pressure some; ///< at least one task waited
  Pressure full; ///< all of them did
};

std::optional<std::uint64_t> total_of(std::string_view text, std::string_view kind) {
  while (!text.empty()) {
    const std::string_view line = next_line(text);
    constexpr std::string_view kKey = "total=";
    if (const std::size_t at = line.find(kKey); line.starts_with(kind) && at != line.npos)
      return to_number(line.substr(at + kKey.size()));
  }
  return std::nullopt;
}

class PressureSource : public Source {
public:
  explicit PressureSource(std::vector<PressureFile> files)
      : files_(std::move(files)) {}

  void sample(std::optional<double> seconds, Scratch& scratch, MetricLines& lines) override {
    for (PressureFile& it : files_) {
      const std::string_view text = it.file.read(scratch);
      add(it.some, total_of(text, "some"), seconds, lines);
      add(it.full, total_of(text, "full"), seconds, lines);
    }
  }

private:
  static void add(Pressure& pressure, std::optional<std::uint64_t> total,
                  std::optional<double> seconds, MetricLines& lines) {
    const auto before = std::exchange(pressure.total, total);
    if (!before || !total || !seconds) return;
    if (const auto gained = gain(*before, *total))
      lines.add(pressure.id, std::min(100.0, 100 * *gained / 1e6 / *seconds));
  }

  std::vector<PressureFile> files_;
};

} // namespace

std::unique_ptr<Source> make_pressure_source(const Roots& roots, MetricLines& lines) {
  std::vector<PressureFile> files;
  for (const char* resource : {"cpu", "io", "memory"}) {
    ProcFile file{roots.proc + "/pressure/" + resource};
    Scratch scratch(1024);
    // A kernel that has it switched off lets the file be opened, and no more.
    if (!total_of(file.read(scratch), "some")) continue;
    files.push_back({std::move(file),
                     {lines.add_series("pressure", resource, "SomePercent")},
                     {lines.add_series("pressure", resource, "FullPercent")}});
  }
  if (files.empty()) return nullptr;
  return std::make_unique<PressureSource>(std::move(files));
}

} // namespace debrief::record
