// Sends what actions have to say, by libcurl. Nothing is sent but what a trigger asks for.
#pragma once

#include "actions/message.h"
#include "actions/trigger.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace debrief::actions {

/// How a message fared.
struct Delivery {
  std::size_t number = 0; ///< as it was given
  std::string trouble;    ///< empty: it arrived
};

/// Sends each message on a thread of its own: a server that does not answer holds up nobody.
class Outbox {
public:
  /// Throws Error where the machine has no libcurl.
  explicit Outbox(MailServer mail);

  /// `number` is the caller's, for deliveries().
  void send(const Action& action, const Event& event, std::size_t number);

  /// What has ended since the last call.
  std::vector<Delivery> deliveries();

  /// Waits until all are sent, but no longer than they may take.
  void wait();

private:
  struct State;
  MailServer mail_;
  /// Shared with the threads, which may outlive this.
  std::shared_ptr<State> state_;
};

} // namespace debrief::actions
