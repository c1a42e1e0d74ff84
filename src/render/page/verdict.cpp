#include "render/page/verdict.h"

#include "render/parts/finding_words.h"
#include "render/parts/format.h"
#include "render/parts/unbroken.h"
#include "result/words.h"
#include "util/text.h"

#include <fmt/format.h>

namespace debrief::render {

using nlohmann::json;

json verdict_view(const result::Result& result) {
  const result::Verdict& verdict = result.verdict;
  if (verdict.kind.empty()) return nullptr;
  const Standing& standing = standing_of(verdict);
  std::string more = capitalized(fmt::format("{} confidence", to_text(verdict.confidence)));
  if (const std::string lost = lost_words(result.waste); !lost.empty()) more = lost + ". " + more;
  return {{"word", standing.word},
          {"class", standing.css},
          {"path", standing.path},
          {"fill", standing.color.light},
          {"title", unbroken(printable(verdict.title))},
          {"why", unbroken(printable(verdict.why))},
          {"next", unbroken(printable(verdict.next))},
          {"more", unbroken(more) + '.'}};
}

} // namespace debrief::render
