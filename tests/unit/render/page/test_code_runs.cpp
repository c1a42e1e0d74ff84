#include "render/page/code_runs.h"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include <string>

namespace test_code_runs {

using namespace debrief;
using nlohmann::json;

namespace {

/// Runs as one text: code in brackets, its words apart, those that may be broken with a "~".
std::string shown(std::string_view sentence) {
  std::string out;
  for (const json& run : render::runs_of(sentence)) {
    if (!run["code"].get<bool>()) {
      out += run["text"].get<std::string>();
      continue;
    }
    out += '[';
    for (const json& word : run["words"])
      out += (out.back() == '[' ? "" : "|") + word["text"].get<std::string>() +
             (word["whole"].get<bool>() ? "" : "~");
    out += ']';
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
  CHECK(shown("Gate with 'debrief check JOB --baseline b.json', next.") ==
        "Gate with [debrief|check|JOB|--baseline|b.json], next.");
  CHECK(shown("Save it with --json baseline.json, then go on.") ==
        "Save it with [--json|baseline.json], then go on.");
}

TEST_CASE("code longer than a narrow line may be broken") {
  CHECK(shown("Try torch.nn.utils.clip_grad_norm_().") ==
        "Try [torch.nn.utils.clip_grad_norm_()].");
  const std::string name(33, 'f');
  CHECK(shown("Look at " + name + "().") == "Look at [" + name + "()~].");
}

TEST_CASE("a sentence without code is one run, and so is one with a lone quote") {
  CHECK(shown("The GPU's memory is full.") == "The GPU's memory is full.");
  CHECK(shown("") == "");
}

} // namespace test_code_runs
