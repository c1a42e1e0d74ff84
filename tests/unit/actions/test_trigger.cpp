#include "actions/trigger.h"
#include "util/error.h"

#include <catch2/catch_test_macros.hpp>

namespace debrief::actions {

namespace {

using std::chrono::milliseconds;

Trigger parsed(const std::string& text) {
  return parse_trigger(text, "--on");
}

std::string refusal(const std::string& text) {
  try {
    parsed(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

} // namespace

TEST_CASE("a trigger is a condition and an action") {
  const Trigger trigger = parsed("idle_gpus for 10min=stop");
  CHECK(trigger.condition.text == "idle_gpus for 10min");
  CHECK(trigger.condition.kind == result::FindingKind::idle_gpus);
  CHECK(trigger.condition.held == milliseconds{600'000});
  CHECK(trigger.action.what == Action::What::stop);
  CHECK(trigger.action.grace == milliseconds{30'000});
  CHECK(parsed("input_bound = stop:2min").action.grace == milliseconds{120'000});
}

TEST_CASE("a severity's own equals sign does not end the condition") {
  const Trigger trigger = parsed("severity>=critical=webhook:https://a.example/x?y=z");
  CHECK(trigger.condition.least == result::Severity::critical);
  CHECK_FALSE(trigger.condition.kind);
  CHECK(trigger.action.what == Action::What::webhook);
  CHECK(trigger.action.target == "https://a.example/x?y=z");
  CHECK(parsed("severity >= warning for 90s=email:a@b.example").condition.held ==
        milliseconds{90'000});
}

TEST_CASE("what an action runs is a shell's line") {
  const Trigger trigger = parsed("step_stalls=run:./notify.sh --to=me 'a b'");
  CHECK(trigger.action.what == Action::What::run);
  CHECK(trigger.action.target == "./notify.sh --to=me 'a b'");
}

TEST_CASE("a kind that does not exist is refused with those that do") {
  const std::string sentence = refusal("input_bond=stop");
  CHECK(sentence.find("'input_bond' is not a kind of finding (did you mean 'input_bound'?)") !=
        sentence.npos);
  CHECK(sentence.find("input_bound, cpu_bound, io_bound") != sentence.npos);
}

TEST_CASE("what means nothing is refused") {
  const auto refused = [](const std::string& text, const std::string& sentence) {
    INFO(text);
    CHECK(refusal(text).find(sentence) != std::string::npos);
  };
  refused("input_bound", "has no action");
  refused("input_bound=", "is not an action");
  refused("input_bound=halt", "'halt' is not an action");
  refused("input_bound for ages=stop", "'ages' is not a time");
  refused("severity=stop", "write a severity as severity>=critical");
  refused("severity>=bad=stop", "not a severity");
  refused("input_bound=stop:soon", "'soon' is not a time between SIGTERM and SIGKILL");
  refused("input_bound=stop:2h", "at most an hour");
  refused("input_bound=webhook:ftp://a", "a webhook needs an address");
  refused("input_bound=webhook:https://a b", "a webhook needs an address");
  refused("input_bound=email:nobody", "is not a mail address");
  refused("input_bound=email:a@b,c@d", "is not a mail address");
  refused("input_bound=email:a@b\r\nBcc: c@d", "is not a mail address");
  refused("input_bound=run:", "there is no command to run");
}

TEST_CASE("only addresses of mail servers are taken") {
  CHECK_NOTHROW(check_mail_server("smtp://localhost:25", "smtp"));
  CHECK_NOTHROW(check_mail_server("smtps://mail.example.com", "smtp"));
  CHECK_THROWS_AS(check_mail_server("file:///etc/passwd", "smtp"), Error);
  CHECK_THROWS_AS(check_mail_server("smtp://", "smtp"), Error);
}

TEST_CASE("a plan sends where a webhook or a mail is in it") {
  Plan plan;
  plan.triggers = {parsed("idle=stop"), parsed("idle=run:true")};
  CHECK_FALSE(plan.sends());
  plan.triggers.push_back(parsed("idle=email:a@b.example"));
  CHECK(plan.sends());
}

} // namespace debrief::actions
