#include "render/page/head.h"

#include "render/page/chapters.h"
#include "render/page/summary.h"
#include "render/parts/quality_words.h"
#include "util/text.h"

#include <vector>

namespace debrief::render {

using nlohmann::json;

json head_view(const result::Result& result, const std::vector<MadeSection>& sections,
               Placeholders& placeholders) {
  const std::string notice = quality_notice(result.data_quality);
  return {{"title", printable(result.job.name)},
          {"version", result.provenance.version},
          {"meta", job_facts(result)},
          {"summary", summary_view(result, sections, placeholders)},
          {"notice", notice.empty() ? json(nullptr) : json(notice)}, // an empty text would count
          {"nav", nav_view(sections)}};
}

} // namespace debrief::render
