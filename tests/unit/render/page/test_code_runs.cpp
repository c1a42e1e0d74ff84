#include "render/page/code_runs.h"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include <string>

using namespace debrief;
using nlohmann::json;

namespace {

/// Runs as one text: code in brackets, its words apart, the word joiner as "~".
std::string shown(std::string_view sentence) {
  std::string out;
  for (const json& run : render::runs_of(sentence)) {
    if (run["code"].get<bool>()) {
      out += '[';
      for (const json& word : run["words"])
        out += (out.back() == '[' ? "" : "|") + word.get<std::string>();
      out += ']';
    } else {
      std::string text = run["text"];
      if (text.starts_with("\u2060")) text.replace(0, std::string{"\u2060"}.size(), "~");
      out += text;
    }
  }
  return out;
}

} // namespace

TEST_CASE("what a reader would type is code, with the sentence's punctuation outside") {
  CHECK(shown("Set num_workers=14 (now 2).") == "Set [num_workers=14] (now 2).");
  CHECK(shown("Remove .item() and blocking copies.") == "Remove [.item()] and blocking copies.");
  CHECK(shown("Write baseline.json first.") == "Write [baseline.json] first.");
}

TEST_CASE("a quoted command is one run whose words stay whole") {
  CHECK(shown("Gate with 'debrief check JOB --baseline b.json' next.") ==
        "Gate with [debrief|check|JOB|--baseline|b.json] next.");
}

TEST_CASE("no line begins with the punctuation behind code") {
  CHECK(shown("Set pin_memory=True.") == "Set [pin_memory=True]~.");
  CHECK(shown("Stop with 'debrief record', or by hand.") ==
        "Stop with [debrief|record]~, or by hand.");
}

TEST_CASE("a sentence without code is one run, and so is one with a lone quote") {
  CHECK(shown("The GPU's memory is full.") == "The GPU's memory is full.");
  CHECK(shown("") == "");
}
