// What a subcommand writes of a result: the page, the result object, a summary, JUnit, SageMaker's
// rule files. Each where its option names a file.
#pragma once

#include "cli/inputs.h"
#include "pipeline/stage_clock.h"
#include "result/result.h"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace debrief::cli {

/// For an option that names a file: a variable that is not set must not switch it off.
std::string validate_not_empty(const std::string& value);

struct Outputs {
  std::string page;
  std::string json;
  std::string markdown;
  std::string junit;
  std::string rule_outputs; ///< a folder
  std::vector<std::string> custom_rules =
      {}; ///< names of the config's rules, which have files, too
  std::string max_size = "8MB";
  int reload_seconds = 0; ///< after which the page reloads itself; 0: never

  void add_page_to(CLI::App& command, const std::string& help);
  void add_junit_to(CLI::App& command);
  void add_others_to(CLI::App& command);

  /// Whether one of them goes to stdout. Throws Error where two outputs have one place, and for a
  /// --max-size that is none: before any work.
  bool take_stdout() const;

  /// Writes them; a page that is larger than it may be is noted on stderr unless `quiet`. JUnit
  /// needs a gate, and is left out without one.
  void write(const result::Result& result, pipeline::StageClock& clock, bool quiet) const;

  /// Those that go to a file each, and with them SageMaker's rule files.
  std::vector<NamedFile> files() const;
  std::vector<NamedFile> all_files() const;

  /// What --max-size says, in bytes; throws Error where that is no size.
  std::size_t size_limit() const;
};

} // namespace debrief::cli
