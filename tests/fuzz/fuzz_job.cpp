// A whole job of several files, read, joined, analyzed and written down. A byte 0x1E in the input
// begins a file; the byte after it says which of the names below it has.
#include "compare/figures.h"
#include "expect.h"
#include "markup.h"
#include "pipeline/analyze.h"
#include "render/documents/markdown.h"
#include "render/documents/rule_outputs.h"
#include "render/page/html.h"
#include "result/json.h"
#include "util/error.h"

#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

using namespace debrief;

namespace {

constexpr char kBorder = '\x1E';

constexpr std::array kFiles = {
    "job.json",
    "profiler-output/system/incremental/2026111500/1794703200.algo-1.json",
    "profiler-output/system/incremental/2026111500/1794703260.algo-2.json",
    "profiler-output/framework/pevents/2026111500/1794703277124594_553-algo-1_pythontimeline.json",
    "profiler-output/framework/pevents/2026111500/1794703277124594_27-algo-2_horovod_timeline.json",
    "traces/algo-1_553.1794703225965598720.pt.trace.json",
    "traces/rank1.1794703225955671808.pt.trace.json",
    "profiler-reports/StepOutlier.json",
    "profiler-reports/OverallFrameworkMetrics.json",
    "profiler-reports/OverallSystemUsage.json",
    "profiler-reports/Dataloader.json",
    "notes.txt",
};

/// One folder for all inputs, in memory where the system has such a place.
class JobFolder {
public:
  JobFolder() {
    std::string pattern = std::filesystem::is_directory("/dev/shm") ? "/dev/shm/" : "/tmp/";
    pattern += "debrief-fuzz-XXXXXX";
    path_ = ::mkdtemp(pattern.data());
    for (const char* file : kFiles)
      std::filesystem::create_directories((path_ / file).parent_path());
  }

  ~JobFolder() { std::filesystem::remove_all(path_); }

  JobFolder(const JobFolder&) = delete;
  JobFolder& operator=(const JobFolder&) = delete;

  std::string path() const { return path_.string(); }

  void fill(std::string_view text) const {
    for (const char* file : kFiles)
      std::filesystem::remove(path_ / file);
    for (std::size_t at = text.find(kBorder); at + 1 < text.size();) {
      const auto kind = static_cast<unsigned char>(text[at + 1]);
      const std::size_t next = std::min(text.find(kBorder, at + 2), text.size());
      std::ofstream{path_ / kFiles[kind % kFiles.size()], std::ios::binary}
          << text.substr(at + 2, next - at - 2);
      at = next;
    }
  }

private:
  std::filesystem::path path_;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const JobFolder folder;
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  if (text.find(kBorder) == text.npos) return 0;
  folder.fill(text);
  pipeline::StageClock clock;
  try {
    const result::Result result =
        pipeline::analyze(pipeline::ingest(folder.path(), {}, clock), {}, clock);
    fuzz::expect(nlohmann::json::accept(result::to_json_text(result)), "a result is JSON");
    for (const compare::Figure& figure : compare::figures_of(result))
      fuzz::expect(std::isfinite(figure.value), "a figure is a number", figure.name);
    render::to_markdown(result);
    for (const result::RuleRow& rule : result.rules)
      render::rule_output_text(rule);
    // The page takes as long as all of that many times: it is made of some, chosen by the input.
    if (size % 16 == 0) fuzz::expect_markup(render::to_html(result));
  } catch (const Error&) {
    // A folder with nothing to report on is one sentence.
  }
  return 0;
}
