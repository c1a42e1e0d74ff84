// What a webhook or a mail says about a job.
#pragma once

#include "util/time.h"

#include <string>

namespace debrief::actions {

/// What happened, to which job. Titles are a job's own text.
struct Event {
  std::string job;
  std::string host;
  std::string condition;
  std::string why;
  std::string report; ///< where it is; empty: none is made
  Microseconds time = 0;
};

/// "train on gpu-box: idle_gpus for 10min"
std::string subject_of(const Event& event);

/// Lines of plain text.
std::string text_of(const Event& event);

/// The JSON that Slack's incoming webhooks take, and Mattermost's: {"text": …}. What Slack would
/// read as a mention or a link is escaped.
std::string webhook_body(const Event& event);

/// A mail in UTF-8 with its headers, lines ending in CR LF.
std::string mail_of(const Event& event, const std::string& from, const std::string& to);

} // namespace debrief::actions
