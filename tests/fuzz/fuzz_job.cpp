// A whole job of several files (job_parts.h), read, joined, analyzed and written down.
#include "compare/figures.h"
#include "expect.h"
#include "job_parts.h"
#include "markup.h"
#include "pipeline/analyze.h"
#include "render/documents/markdown.h"
#include "render/documents/rule_outputs.h"
#include "render/page/html.h"
#include "result/json.h"
#include "util/error.h"
#include "util/parallel.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>

using namespace debrief;

namespace {

/// By the kind of a part.
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
    for (const fuzz::JobPart& part : fuzz::parts_of(text))
      std::ofstream{path_ / kFiles[part.kind % kFiles.size()], std::ios::binary} << part.text;
  }

private:
  std::filesystem::path path_;
};

} // namespace

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

/// Half of the inputs are changed as jobs, half as bytes, by which the fuzzer's words get in.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  if (seed % 2 == 0) return LLVMFuzzerMutate(data, size, most);
  const std::string job =
      fuzz::mutated_job({reinterpret_cast<const char*>(data), size}, most, seed, LLVMFuzzerMutate);
  std::copy(job.begin(), job.end(), data);
  return job.size();
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const JobFolder folder;
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  if (fuzz::parts_of(text).empty()) return 0;
  folder.fill(text);
  // One thread: such small jobs are done before a second one has started. No machine has more
  // cores.
  static const std::array<CoreShare, 1024> all_cores_but_one;
  const std::size_t chosen = std::hash<std::string_view>{}(text);
  pipeline::StageClock clock;
  try {
    const result::Result result =
        pipeline::analyze(pipeline::ingest(folder.path(), {}, clock), {}, clock);
    for (const compare::Figure& figure : compare::figures_of(result))
      fuzz::expect(std::isfinite(figure.value), "a figure is a number", figure.name);
    render::to_markdown(result);
    for (const result::RuleRow& rule : result.rules)
      render::rule_output_text(rule);
    // The document takes twice as long as all of that and the page twenty times, and both have
    // targets of their own: they are made of some, chosen by the input.
    if (chosen % 8 == 0)
      fuzz::expect(nlohmann::json::accept(result::to_json_text(result)), "a result is JSON");
    if (chosen % 64 == 0) fuzz::expect_markup(render::to_html(result));
  } catch (const Error&) {
    // A folder with nothing to report on is one sentence.
  }
  return 0;
}
