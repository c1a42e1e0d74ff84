// The page, the summary, the tests of a gate and the page that compares two jobs, of a job whose
// every name is the fuzzer's: lines of the input are names, in turn.
#include "compare/diff.h"
#include "expect.h"
#include "markup.h"
#include "render/diff/diff_page.h"
#include "render/documents/junit.h"
#include "render/documents/markdown.h"
#include "render/documents/rule_outputs.h"
#include "render/example_timeline.h"
#include "render/page/html.h"
#include "render/sections/trace/example_traces.h"

#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

using namespace debrief;

namespace {

/// Hands out names, one after the other.
class Names {
public:
  explicit Names(const std::string& text) {
    std::istringstream lines{text};
    for (std::string line; std::getline(lines, line) && names_.size() < 64;)
      names_.push_back(line + std::string{fuzz::kMark});
    if (names_.empty()) names_.emplace_back(fuzz::kMark);
  }

  std::string next() { return names_[at_++ % names_.size()]; }

private:
  std::vector<std::string> names_;
  std::size_t at_ = 0;
};

result::Finding finding(Names& names) {
  result::Finding out;
  out.kind = result::FindingKind::input_bound;
  out.severity = result::Severity::critical;
  out.score = 0.4;
  out.ground = names.next();
  out.title = names.next();
  out.why = names.next();
  out.next = names.next();
  out.evidence = {{names.next(), 12, "%"}};
  out.windows = {{kTimelineStart, kTimelineStart + 5 * kSecond}};
  out.window_count = 1;
  out.where = {{names.next(), names.next(), names.next(), 0.3}};
  return out;
}

result::Timeline timeline(Names& names) {
  result::Timeline out;
  out.span = {kTimelineStart, kTimelineStart + 20 * kSecond};
  out.nodes = {{names.next(),
                {example_metric("GPU", "%", {names.next(), names.next()}, 20),
                 example_metric("CPU", "%", {names.next()}, 20)}}};
  out.steps = {{names.next(), names.next(), {{kTimelineStart, kSecond}}}};
  out.phases = {
      {{result::PhaseKind::steps, names.next()}, {kTimelineStart, kTimelineStart + 10 * kSecond}}};
  return out;
}

void fill_quality(result::DataQuality& quality, Names& names) {
  quality.complete = false;
  quality.skipped = {{names.next(), 3, names.next()}};
  quality.repaired = {{names.next(), 1, names.next()}};
  quality.damaged_files = {{names.next(), 1, names.next()}};
  quality.ignored = {{names.next(), names.next()}};
  quality.ignored_count = 1;
  quality.clock_skew = {{names.next(), 37}};
  quality.missing_nodes = {names.next()};
  quality.missing_ranks = {names.next()};
}

result::Result result_of(Names& names) {
  using result::AssertionStatus;
  result::Result out = example_result(names.next());
  out.traces = hostile_traces(names.next());
  out.job.framework = names.next();
  out.job.instance_type = names.next();
  out.job.status = names.next();
  out.job.processes = {names.next()};
  out.job.hyperparameters[names.next()] = names.next();
  out.findings = {finding(names)};
  out.verdict.finding = 0;
  out.timeline = timeline(names);
  fill_quality(out.data_quality, names);
  out.provenance.input = names.next();
  out.provenance.parameters[names.next()] = names.next();
  out.gate = {false, names.next(), {}};
  for (const auto status :
       {AssertionStatus::failed, AssertionStatus::skipped, AssertionStatus::passed})
    out.gate->assertions.push_back(
        {"require", names.next(), status, names.next(), names.next(), names.next()});
  return out;
}

void expect_no_mark(std::string_view markdown) {
  for (const char* raw : {"<zq", "&zq", "<!--", "\"<"})
    fuzz::expect(markdown.find(raw) == markdown.npos, "Markdown without marks", markdown);
}

void make_page(const result::Result& result) {
  const std::string page = render::to_html(result);
  fuzz::expect_markup(page);
  fuzz::expect(page.find("&lt;zq") != page.npos, "names are shown");
}

void make_diff(const result::Result& result) {
  static const result::Result plain = example_result();
  const compare::Diff diff = compare::make_diff(plain, result);
  fuzz::expect_markup(render::to_html(diff));
  expect_no_mark(render::to_markdown(diff));
}

void make_texts(const result::Result& result) {
  fuzz::expect_markup(render::to_junit(result));
  expect_no_mark(render::to_markdown(result));
  for (const result::RuleRow& rule : result.rules)
    fuzz::expect(nlohmann::json::accept(render::rule_output_text(rule)), "a rule's file is JSON");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Names names{{reinterpret_cast<const char*>(data), size}};
  const result::Result result = result_of(names);
  // A page takes as long as all the others: what is made of an input goes by its length.
  switch (size % 4) {
  case 0:
    make_page(result);
    break;
  case 1:
    make_diff(result);
    break;
  default:
    make_texts(result);
  }
  return 0;
}
