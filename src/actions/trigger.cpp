#include "actions/trigger.h"

#include "util/duration_text.h"
#include "util/error.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace debrief::actions {

namespace {

constexpr std::array kActionNames{"stop", "webhook", "email", "run"};
constexpr std::chrono::milliseconds kMostHeld{std::chrono::hours{24 * 30}};
constexpr std::chrono::milliseconds kMostGrace{std::chrono::hours{1}};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ')
    text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ')
    text.remove_suffix(1);
  return text;
}

/// The "=" between condition and action; not that of ">=".
std::size_t find_equals(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at)
    if (text[at] == '=' && (at == 0 || text[at - 1] != '>')) return at;
  return text.npos;
}

std::vector<std::string> kind_names() {
  std::vector<std::string> names;
  for (const result::FindingKind kind : result::kFindingKinds)
    names.emplace_back(to_text(kind));
  return names;
}

result::Severity parse_least(std::string_view text, const std::string& where) {
  for (const auto severity :
       {result::Severity::info, result::Severity::warning, result::Severity::critical})
    if (trimmed(text) == result::to_text(severity)) return severity;
  throw Error(fmt::format(
      "{}: not a severity; write severity>=info, severity>=warning or severity>=critical", where));
}

Condition parse_condition(std::string_view text, const std::string& where) {
  constexpr std::string_view kFor = " for ";
  constexpr std::string_view kSeverity = "severity";
  Condition condition;
  condition.text = text;
  if (const std::size_t at = text.find(kFor); at != text.npos) {
    const auto held = parse_duration(trimmed(text.substr(at + kFor.size())));
    if (!held || *held > kMostHeld)
      throw Error(fmt::format("{}: '{}' is not a time; write it as 'for 10min'", where,
                              printable(trimmed(text.substr(at + kFor.size())))));
    condition.held = *held;
    text = trimmed(text.substr(0, at));
  }
  if (text.starts_with(kSeverity)) {
    text = trimmed(text.substr(kSeverity.size()));
    if (!text.starts_with(">="))
      throw Error(fmt::format("{}: write a severity as severity>=critical", where));
    condition.least = parse_least(text.substr(2), where);
    return condition;
  }
  const std::vector<std::string> names = kind_names();
  const auto found = std::find(names.begin(), names.end(), text);
  if (found == names.end())
    throw Error(fmt::format("{}: '{}' is not a kind of finding{}; use {}, or severity>=critical",
                            where, printable(text), did_you_mean(text, names),
                            fmt::join(names, ", ")));
  condition.kind = result::kFindingKinds[static_cast<std::size_t>(found - names.begin())];
  return condition;
}

/// Mail goes to the address as it is written, so it must be one and nothing more.
bool is_mail_address(std::string_view text) {
  const std::size_t at = text.find('@');
  return at != text.npos && at > 0 && at + 1 < text.size() && text.rfind('@') == at &&
         std::none_of(text.begin(), text.end(), [](char letter) {
           return letter <= ' ' || letter == '<' || letter == '>' || letter == ',' || letter == 127;
         });
}

bool is_address_of(std::string_view text, std::initializer_list<std::string_view> schemes) {
  const bool plain = std::all_of(text.begin(), text.end(),
                                 [](char letter) { return letter > ' ' && letter != 127; });
  return plain && std::any_of(schemes.begin(), schemes.end(), [&](std::string_view scheme) {
           return text.starts_with(scheme) && text.size() > scheme.size();
         });
}

Action parse_action(std::string_view text, const std::string& where) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  const std::string_view name = text.substr(0, colon);
  const std::string_view target = trimmed(text.substr(std::min(colon + 1, text.size())));
  const auto found = std::find(kActionNames.begin(), kActionNames.end(), name);
  if (found == kActionNames.end())
    throw Error(fmt::format(
        "{}: '{}' is not an action; write stop, webhook:URL, email:ADDRESS or run:COMMAND", where,
        printable(name)));
  Action action;
  action.what = static_cast<Action::What>(found - kActionNames.begin());
  action.target = target;
  switch (action.what) {
  case Action::What::stop:
    if (colon == text.size()) break;
    if (const auto grace = parse_duration(target); grace && *grace <= kMostGrace)
      action.grace = *grace;
    else
      throw Error(fmt::format(
          "{}: '{}' is not a time between SIGTERM and SIGKILL; write stop:60s, at most an hour",
          where, printable(target)));
    action.target.clear();
    break;
  case Action::What::webhook:
    if (!is_address_of(target, {"http://", "https://"}))
      throw Error(fmt::format("{}: a webhook needs an address; write webhook:https://…", where));
    break;
  case Action::What::email:
    if (!is_mail_address(target))
      throw Error(fmt::format("{}: '{}' is not a mail address; write email:you@example.com", where,
                              printable(target)));
    break;
  case Action::What::run:
    if (target.empty())
      throw Error(fmt::format("{}: there is no command to run; write run:./notify.sh", where));
    break;
  }
  return action;
}

} // namespace

const char* name_of(Action::What what) {
  return kActionNames[static_cast<std::size_t>(what)];
}

Trigger parse_trigger(const std::string& text, const std::string& where) {
  const std::size_t equals = find_equals(text);
  if (equals == text.npos)
    throw Error(fmt::format(
        "{}: has no action; write it as CONDITION=ACTION, such as input_bound=stop", where));
  const std::string_view all = text;
  return {parse_condition(trimmed(all.substr(0, equals)), where),
          parse_action(trimmed(all.substr(equals + 1)), where), false};
}

void check_mail_server(const std::string& url, const std::string& where) {
  if (!is_address_of(url, {"smtp://", "smtps://"}))
    throw Error(fmt::format(
        "{}: not a mail server; write it as smtp://localhost:25 or smtps://mail.example.com",
        where));
}

bool Plan::sends() const {
  return std::any_of(triggers.begin(), triggers.end(), [](const Trigger& trigger) {
    return trigger.action.what == Action::What::webhook ||
           trigger.action.what == Action::What::email;
  });
}

} // namespace debrief::actions
