// What is to happen to a running job, and when: "idle_gpus for 10min=stop",
// "severity>=critical=webhook:https://…", as `debrief record --on` and the config file have it.
#pragma once

#include "result/findings.h"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace debrief::actions {

/// A kind of finding, or findings from some severity on; exactly one of them is set.
struct Condition {
  std::string text; ///< as it was written
  std::optional<result::FindingKind> kind = {};
  std::optional<result::Severity> least = {};
  std::chrono::milliseconds held{0}; ///< for so long without a break
};

struct Action {
  enum class What { stop, webhook, email, run };

  What what = What::stop;
  std::string target = {}; ///< an address, a program; it may be a secret, and is shown to nobody
  std::chrono::milliseconds grace{30'000}; ///< from SIGTERM to SIGKILL
};

struct Trigger {
  Condition condition;
  Action action;
  bool of_config = false; ///< it stands in a config file, and no person wrote it for this run
};

/// "stop", "webhook", "email", "run"
const char* name_of(Action::What what);

/// Throws Error; `where` names the text in it: "--on 'diverged=stop'".
Trigger parse_trigger(const std::string& text, const std::string& where);

/// Where mail goes out.
struct MailServer {
  std::string url = "smtp://localhost:25";
  std::string from = {}; ///< empty: debrief at this host
  std::string user = {}; ///< empty: nobody logs in; the password is in DEBRIEF_SMTP_PASSWORD

  bool operator==(const MailServer&) const = default;
};

/// Throws Error where the address is none of a mail server.
void check_mail_server(const std::string& url, const std::string& where);

/// What is to be done about a running job.
struct Plan {
  std::vector<Trigger> triggers;
  MailServer mail;

  /// Whether anything leaves the machine.
  bool sends() const;
};

} // namespace debrief::actions
