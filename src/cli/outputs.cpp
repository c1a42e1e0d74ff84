#include "cli/outputs.h"

#include "cli/terminal.h"
#include "render/documents/junit.h"
#include "render/documents/markdown.h"
#include "render/documents/rule_outputs.h"
#include "render/page/html.h"
#include "result/json.h"
#include "rules/rule.h"
#include "util/error.h"
#include "util/pending_file.h"
#include "util/size.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

namespace debrief::cli {

std::string validate_not_empty(const std::string& value) {
  return value.empty() ? "is empty; name a file, or leave the option out" : "";
}

void Outputs::add_page_to(CLI::App& command, const std::string& help) {
  command.add_option("-o,--output", page, help)->type_name("FILE")->check(validate_not_empty);
}

void Outputs::add_junit_to(CLI::App& command) {
  command
      .add_option("--junit", junit, "Also write JUnit XML, one test case per check; '-' is\nstdout")
      ->type_name("FILE")
      ->check(validate_not_empty);
}

void Outputs::add_others_to(CLI::App& command) {
  command.add_option("--json", json, "Also write the result as JSON; '-' is stdout")
      ->type_name("FILE")
      ->check(validate_not_empty);
  command
      .add_option("--markdown", markdown,
                  "Also write a summary for a pull request, at most 60\nlines; '-' is stdout")
      ->type_name("FILE")
      ->check(validate_not_empty);
  command
      .add_option(
          "--rule-outputs", rule_outputs,
          "Also write a file for each rule, <Rule>.json, as SageMaker\ndoes, into this folder")
      ->type_name("DIR")
      ->check(validate_not_empty);
  command
      .add_option("--max-size", max_size,
                  "Maximum size of the page, such as 500kB or 8MB; samples\nare thinned to fit. "
                  "Default: 8MB")
      ->type_name("SIZE");
}

std::size_t Outputs::size_limit() const {
  const auto size = parse_size(max_size);
  if (!size)
    throw Error(fmt::format("--max-size: invalid size '{}' (try 500kB, 8MB)", printable(max_size)));
  return *size;
}

std::vector<NamedFile> Outputs::files() const {
  return {{"-o", page}, {"--json", json}, {"--markdown", markdown}, {"--junit", junit}};
}

std::vector<NamedFile> Outputs::all_files() const {
  std::vector<NamedFile> all = files();
  if (!rule_outputs.empty())
    for (const rules::Rule& rule : rules::all_rules())
      all.push_back(
          {"--rule-outputs",
           (std::filesystem::path{rule_outputs} / (rule.declaration.name + ".json")).string()});
  if (!rule_outputs.empty())
    for (const std::string& name : custom_rules)
      all.push_back(
          {"--rule-outputs", (std::filesystem::path{rule_outputs} / (name + ".json")).string()});
  return all;
}

bool Outputs::take_stdout() const {
  size_limit();
  const std::vector<NamedFile> files = all_files();
  refuse_same_file(files);
  return std::any_of(files.begin(), files.end(),
                     [](const NamedFile& named) { return is_stdout(named.file); });
}

void Outputs::write(const result::Result& result, pipeline::StageClock& clock, bool quiet) const {
  std::uint64_t bytes = 0;
  const auto write_text = [&](const std::string& file, const std::string& text) {
    write_file(file, text);
    bytes += text.size();
  };
  if (!rule_outputs.empty()) bytes += render::write_rule_outputs(result, rule_outputs);
  if (!json.empty()) write_text(json, result::to_json_text(result));
  if (!markdown.empty()) write_text(markdown, render::to_markdown(result));
  if (!junit.empty() && result.gate) write_text(junit, render::to_junit(result));
  if (page.empty()) {
    clock.end_stage("render", bytes);
    return;
  }
  render::PageOptions options;
  options.max_size = size_limit();
  options.reload_seconds = reload_seconds;
  options.text_done = [&] { clock.end_stage("render", bytes); };
  const std::string html = render::to_html(result, options);
  write_file(page, html);
  clock.end_stage("embed", html.size());
  if (!quiet && html.size() > options.max_size)
    print_note(fmt::format(
        "the page is {}, over --max-size {}; only samples can be thinned, and none are left",
        to_human_bytes(static_cast<double>(html.size())), printable(max_size)));
}

} // namespace debrief::cli
