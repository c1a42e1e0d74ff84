// Two result documents that may be anybody's, with a NUL between them (one alone is compared with
// itself), and everything that `diff` and `check --baseline` make of them.
#include "compare/diff.h"
#include "expect.h"
#include "gate/demands.h"
#include "markup.h"
#include "memory_file.h"
#include "render/diff/diff_page.h"
#include "result/json.h"
#include "result/saved_result.h"
#include "util/error.h"

#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>

using namespace debrief;

namespace {

std::optional<result::Result> read(std::string_view text) {
  const fuzz::MemoryFile file{text};
  auto result = result::read_result(file.path());
  if (result) {
    const nlohmann::json written = result::to_json(*result);
    fuzz::expect(result::to_json(result::from_json(written)) == written,
                 "what is written is read and written alike");
  }
  return result;
}

void hold_against_baseline(const result::Result& baseline, const result::Result& result) {
  const std::vector<compare::Figure> figures = compare::figures_of(result);
  for (const compare::Figure& figure : figures)
    fuzz::expect(std::isfinite(figure.value), "a figure is a number", figure.name);
  try {
    gate::compare_with_baseline(baseline, result, {});
  } catch (const Error&) {
    // A baseline without any figure.
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  const std::size_t border = text.find('\0');
  try {
    const auto before = read(text.substr(0, border));
    const auto after = border == text.npos ? before : read(text.substr(border + 1));
    if (!before || !after) return 0;
    hold_against_baseline(*before, *after);
    const compare::Diff diff = compare::make_diff(*before, *after);
    fuzz::expect(nlohmann::json::accept(compare::to_json_text(diff)), "a diff is JSON");
    render::to_markdown(diff);
    // The page takes as long as a hundred comparisons: it is made of some, chosen by the input.
    if (size % 16 == 0) fuzz::expect_markup(render::to_html(diff));
  } catch (const Error&) {
    // A document that is broken, or of another version, is one sentence.
  }
  return 0;
}
