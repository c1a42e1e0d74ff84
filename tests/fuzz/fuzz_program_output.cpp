// What the program of a custom rule answers, and the row and the page that are made of it.
#include "custom_rules/program.h"
#include "markup.h"
#include "render/example.h"
#include "render/page/html.h"
#include "result/json.h"
#include "util/error.h"

#include <cstdint>

using namespace debrief;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const result::Result job = example_result();
  static const custom_rules::CustomRule rule{.name = "Mine", .description = "d", .how = {}};
  result::Result result;
  result.job = job.job;
  try {
    result.rules.push_back(custom_rules::row_of_output(
        custom_rules::parse_program_output({reinterpret_cast<const char*>(data), size}), rule,
        job));
  } catch (const Error&) {
    return 0; // the row says what is wrong
  }
  result.rules.back().rule = rule.name;
  result::to_json_text(result);
  fuzz::expect_markup(render::to_html(result, {}));
  return 0;
}
