// `debrief trust`: a person says that a config file may start programs and send messages; and takes
// it back.
#include "cli/command.h"
#include "cli/config_trust.h"
#include "trust/consent_store.h"
#include "util/text.h"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>

namespace debrief::cli {

namespace {

struct TrustOptions {
  std::string file = pipeline::kConfigName;
  bool yes = false;
  bool list = false;
  bool revoke = false;
};

constexpr const char* kTrustExamples = R"(Examples:
  debrief trust
  debrief trust repo/debrief.json --yes
  debrief trust --list
  debrief trust --revoke repo/debrief.json
Trust ends when the file, or one in its folder that its commands name, changes.)";

/// Where a message goes, without what may be a secret: "https://hooks.slack.com".
std::string host_of(const std::string& address) {
  const std::size_t begin = address.find("://") + 3;
  const std::size_t end = std::min(address.find_first_of("/?#", begin), address.size());
  const std::size_t user = address.substr(0, end).rfind('@');
  return address.substr(0, begin) + (user == address.npos
                                         ? address.substr(begin, end - begin)
                                         : address.substr(user + 1, end - user - 1));
}

std::string action_words(const actions::Action& action) {
  const char* const name = actions::name_of(action.what);
  switch (action.what) {
  case actions::Action::What::stop:
    return "stop the command";
  case actions::Action::What::webhook:
    return fmt::format("{} {}", name, host_of(action.target));
  case actions::Action::What::email:
  case actions::Action::What::run:
    return fmt::format("{} {}", name, action.target);
  }
  return name;
}

/// Everything that it would start, a line each.
void print_contents(const pipeline::Config& config, const trust::Consent& consent) {
  fmt::print("{} starts:\n", consent.config);
  for (const custom_rules::CustomRule& rule : config.custom_rules)
    if (const auto* program = rule.program())
      fmt::print("  rule {}: {}\n", rule.name,
                 printable(fmt::format("{}", fmt::join(program->words, " "))));
  for (const actions::Trigger& trigger : config.actions.triggers)
    fmt::print("  on {}: {}\n", printable(trigger.condition.text),
               printable(action_words(trigger.action)));
  if (config.actions.mail != actions::MailServer{})
    fmt::print("  mail server: {}\n", printable(host_of(config.actions.mail.url)));
  for (const auto& [file, hash] : consent.files)
    fmt::print("  with {} as it is now\n", file);
}

/// Throws Error unless a person says yes.
void ask() {
  if (::isatty(STDIN_FILENO) != 1 || ::isatty(STDOUT_FILENO) != 1)
    throw Error("trusting a file takes a person at a terminal; read the file and add --yes, or "
                "give --config to the command that uses it");
  fmt::print("Trust it? [y/N] ");
  std::fflush(stdout);
  const int answer = std::getchar();
  if (answer != 'y' && answer != 'Y') throw Error("nothing is trusted; answer y to trust the file");
}

ExitCode trust_file(const TrustOptions& options) {
  if (std::filesystem::path{options.file}.filename() != pipeline::kConfigName)
    throw Error(
        fmt::format("{}: is read only where --config names it, which needs no trust; give a "
                    "file called {}",
                    printable(options.file), pipeline::kConfigName));
  pipeline::Config config;
  const std::string text = pipeline::read_config_text(options.file);
  pipeline::apply_config(text, options.file, config);
  if (!starts_something(config)) {
    fmt::print("{}: starts nothing, so it needs no trust\n", printable(options.file));
    return ExitCode::done;
  }
  // Hashed before it is shown: what is agreed to is what was there by then.
  const trust::Consent consent =
      trust::consent_to(trust::name_of_config(options.file), text, commands_of(config));
  print_contents(config, consent);
  if (!options.yes) ask();
  trust::keep_consent(consent);
  fmt::print("trusted: {}\n", consent.config);
  return ExitCode::done;
}

ExitCode revoke_trust(const std::string& file) {
  const std::string name = trust::name_of_config(file);
  if (!trust::drop_consent(name))
    throw Error(
        fmt::format("{}: is not trusted; 'debrief trust --list' shows what is", printable(name)));
  fmt::print("no longer trusted: {}\n", printable(name));
  return ExitCode::done;
}

/// What is known of a trusted file without running it.
const char* state_of(const trust::Consent& consent) {
  const auto hash = trust::sha256_of_file(consent.config);
  if (!hash) return "not there";
  if (*hash != consent.sha256) return "changed since";
  for (const auto& [file, known] : consent.files)
    if (trust::sha256_of_file(trust::folder_of_config(consent.config) + "/" + file) != known)
      return "its files changed since";
  return "trusted";
}

ExitCode list_trust() {
  for (const trust::Consent& consent : trust::all_consents())
    fmt::print("{}: {}\n", printable(consent.config), state_of(consent));
  return ExitCode::done;
}

} // namespace

Run add_trust(CLI::App& app) {
  auto* command = app.add_subcommand("trust", "Let a debrief.json start its programs and actions");
  auto options = std::make_shared<TrustOptions>();
  command->add_option("FILE", options->file, "Default: debrief.json in the current folder")
      ->type_name("");
  auto* yes = command->add_flag("--yes", options->yes, "Do not ask; for scripts");
  auto* list = command->add_flag("--list", options->list, "List what is trusted");
  command->add_flag("--revoke", options->revoke, "Trust it no longer")
      ->excludes(yes)
      ->excludes(list);
  list->excludes(yes);
  command->footer(kTrustExamples);
  return [options] {
    if (options->list) return list_trust();
    return options->revoke ? revoke_trust(options->file) : trust_file(*options);
  };
}

} // namespace debrief::cli
