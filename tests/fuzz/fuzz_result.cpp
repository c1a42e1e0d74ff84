// Two result documents that may be anybody's, with a NUL between them (one alone is compared with
// itself), and everything that `diff` and `check --baseline` make of them.
#include "compare/diff.h"
#include "compare/diff_json.h"
#include "expect.h"
#include "gate/baseline.h"
#include "markup.h"
#include "memory_file.h"
#include "render/diff/diff_page.h"
#include "util/error.h"

#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>

using namespace debrief;

namespace {

std::optional<nlohmann::json> read(std::string_view text) {
  const fuzz::MemoryFile file{text};
  return compare::read_document(file.path());
}

void hold_against_baseline(const nlohmann::json& baseline, const nlohmann::json& document) {
  const std::vector<compare::Figure> figures = compare::figures_of(document);
  for (const compare::Figure& figure : figures)
    fuzz::expect(std::isfinite(figure.value), "a figure is a number", figure.name);
  try {
    gate::compare_with_baseline(baseline, figures, {});
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
