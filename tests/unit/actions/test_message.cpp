#include "actions/message.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

namespace debrief::actions {

namespace {

Event event() {
  return {"train <!channel>",     "gpu-box",  "idle_gpus for 10min", "No GPU has been busy & more.",
          "/runs/42/report.html", test::at(0)};
}

} // namespace

TEST_CASE("a webhook's body is Slack's, and names of a job mention nobody") {
  const auto body = nlohmann::json::parse(webhook_body(event()));
  CHECK(body.size() == 1);
  const auto text = body["text"].get<std::string>();
  CHECK(text.starts_with("debrief: train &lt;!channel&gt; on gpu-box\n"));
  CHECK(text.find("No GPU has been busy &amp; more.") != text.npos);
  CHECK(text.find("Report: /runs/42/report.html") != text.npos);
}

TEST_CASE("a mail has its headers, and lines that end as mail's do") {
  const std::string mail = mail_of(event(), "debrief@gpu-box", "a@b.example");
  CHECK(mail.starts_with("Date: Tue, 14 Nov 2023 22:13:20 +0000\r\nFrom: debrief "
                         "<debrief@gpu-box>\r\nTo: <a@b.example>\r\nSubject: =?UTF-8?B?"));
  CHECK(mail.find("\r\n\r\ndebrief: train <!channel> on gpu-box\r\n") != mail.npos);
  for (std::size_t at = 0; at < mail.size(); ++at)
    if (mail[at] == '\n') REQUIRE(mail[at - 1] == '\r');
}

TEST_CASE("no name of a job adds a header to a mail") {
  Event hostile = event();
  hostile.job = "a\r\nBcc: c@d";
  const std::string mail = mail_of(hostile, "debrief@gpu-box", "a@b.example");
  CHECK(mail.find("\nBcc:") == mail.npos);
}

} // namespace debrief::actions
