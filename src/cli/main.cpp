// The program: finds the subcommand, runs it, and turns what went wrong into one sentence and an
// exit code.
#include "cli/command.h"
#include "cli/terminal.h"
#include "util/error.h"
#include "util/memory.h"
#include "util/out_of_memory.h"
#include "util/pending_file.h"
#include "util/text.h"
#include "util/version.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace debrief::cli {

namespace {

/// A file that is opened must not become the standard output or error of a program that was started
/// without. What is written there fails as before.
void hold_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF)
      static_cast<void>(::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY));
}

int to_int(ExitCode code) {
  return static_cast<int>(code);
}

/// Every option's name of a command, "--json" and "-o" alike.
std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames())
      names.push_back("--" + name);
    for (const std::string& name : option->get_snames())
      names.push_back("-" + name);
  }
  return names;
}

std::string help_hint(const CLI::App& command) {
  const std::string name = command.get_parent() != nullptr ? " " + command.get_name() : "";
  return fmt::format("; see 'debrief{} --help'", name);
}

/// What the command line has that no option takes. "--" says that what follows is no option.
std::vector<std::string> extras_of(const CLI::App& command) {
  std::vector<std::string> extras = command.remaining();
  std::erase(extras, "--");
  return extras;
}

/// Says so of the first of them.
[[noreturn]] void refuse_extra(const CLI::App& command, const std::string& extra) {
  if (extra.starts_with("-"))
    throw Error(fmt::format("unknown option '{}'{}{}", printable(extra),
                            did_you_mean(extra, option_names(command)), help_hint(command)));
  if (command.get_parent() != nullptr)
    throw Error(fmt::format("unexpected argument '{}'{}", printable(extra), help_hint(command)));
  std::vector<std::string> commands;
  for (const CLI::App* sub : command.get_subcommands({}))
    commands.push_back(sub->get_name());
  throw Error(fmt::format("unknown command '{}'{}{}", printable(extra),
                          did_you_mean(extra, commands), help_hint(command)));
}

/// CLI11's complaint as the end of a sentence: first letter small, no full stop.
std::string complaint(const CLI::ParseError& error) {
  std::string text = printable(error.what());
  while (text.ends_with('.') || text.ends_with(' '))
    text.pop_back();
  return text;
}

/// Cuts off what follows "--" after `debrief record`: the command, with options of its own.
std::vector<std::string> take_command(int& argc, char** argv) {
  if (argc < 2 || std::strcmp(argv[1], "record") != 0) return {};
  char** const end = argv + argc;
  char** const mark = std::find_if(
      argv, end, [](const char* argument) { return std::strcmp(argument, "--") == 0; });
  if (mark == end) return {};
  argc = static_cast<int>(mark - argv);
  return {mark + 1, end};
}

ExitCode run(int argc, char** argv) {
  CLI::App app{"debrief turns what a training job left on disk into one HTML report that shows "
               "where its GPU time went."};
  app.name("debrief");
  app.set_version_flag("--version", fmt::format("debrief {}", kVersion));
  app.footer("Run 'debrief COMMAND --help' for a command's options.\nExit codes: 0 done, or check "
             "passed; 1 check failed; 2 wrong usage or unreadable input;\n3 --strict and "
             "incomplete input; 70 out of memory, or a bug in debrief; record: the command's.");
  std::vector<std::pair<std::string, Run>> commands;
  commands.emplace_back("report", add_report(app));
  commands.emplace_back("check", add_check(app));
  commands.emplace_back("diff", add_diff(app));
  commands.emplace_back("export", add_export(app));
  commands.emplace_back("rules", add_rules(app));
  commands.emplace_back("watch", add_watch(app));
  commands.emplace_back("trust", add_trust(app));
  commands.emplace_back("record", add_record(app, take_command(argc, argv)));
  app.allow_extras();
  for (const auto& [name, run] : commands)
    app.get_subcommand(name)->allow_extras();

  const auto chosen = [&]() -> const CLI::App& {
    const auto subcommands = app.get_subcommands();
    return subcommands.empty() ? app : *subcommands.front();
  };
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", &chosen() == &app ? app.help() : chosen().help(app.get_name()));
    return ExitCode::done;
  } catch (const CLI::CallForVersion& version) {
    fmt::print("{}\n", version.what());
    return ExitCode::done;
  } catch (const CLI::ParseError& error) {
    // A misspelled option often leaves another one missing: the misspelling is the better thing to
    // say.
    if (const auto extras = extras_of(chosen()); !extras.empty())
      refuse_extra(chosen(), extras.front());
    throw Error(complaint(error) + help_hint(chosen()));
  }
  if (const auto extras = extras_of(chosen()); !extras.empty())
    refuse_extra(chosen(), extras.front());
  for (const auto& [name, run] : commands)
    if (app.got_subcommand(name)) return run();
  fmt::print("{}", app.help());
  return ExitCode::bad_input;
}

std::string internal_error(const std::exception& error) {
  return fmt::format("internal error: {}; please report it with the input that caused it",
                     printable(error.what()));
}

/// A thread that cannot be started is a want of memory, most often.
std::string refused_by_system(const std::system_error& error) {
  if (error.code() != std::errc::resource_unavailable_try_again) return internal_error(error);
  return fmt::format("not enough memory or threads ({}); run it on a larger machine",
                     error.code().message());
}

/// What the system refused while something was printed.
std::string unwritable_stdout(const std::system_error& error) {
  return fmt::format("standard output: cannot be written ({}); choose another place or make room "
                     "there",
                     error.code().message());
}

/// Says in one sentence what ended the program.
ExitCode explain(const std::exception_ptr& failure, bool color) {
  try {
    std::rethrow_exception(failure);
  } catch (const Error& error) {
    print_error(error.what(), color);
    return ExitCode::bad_input;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::system_error& error) {
    if (std::ferror(stdout) != 0) {
      print_error(unwritable_stdout(error), color);
      return ExitCode::bad_input;
    }
    print_error(refused_by_system(error), color);
  } catch (const std::exception& error) {
    print_error(internal_error(error), color);
  }
  return ExitCode::internal;
}

bool has_argument(int argc, char** argv, const char* wanted) {
  return std::any_of(argv, argv + argc,
                     [&](const char* argument) { return std::strcmp(argument, wanted) == 0; });
}

} // namespace

} // namespace debrief::cli

int main(int argc, char** argv) {
  using namespace debrief;
  cli::hold_standard_streams();
  take_stack();
  mmap_large_allocations();
  remove_pending_files_on_signal();
  prepare_for_out_of_memory();
  const bool color = cli::wants_color(cli::has_argument(argc, argv, "--no-color"), STDERR_FILENO);
  // Where no memory is left, it may not be enough for the words of another failure either.
  try {
    try {
      const ExitCode code = cli::run(argc, argv);
      flush_stdout();
      return cli::to_int(code);
    } catch (...) {
      return cli::to_int(cli::explain(std::current_exception(), color));
    }
  } catch (const std::bad_alloc&) {
    cli::print_to_stderr(color ? "\x1b[1;31mdebrief:\x1b[0m " : "debrief: ");
    cli::print_to_stderr(kOutOfMemory);
    cli::print_to_stderr("\n");
  }
  return cli::to_int(ExitCode::internal);
}
