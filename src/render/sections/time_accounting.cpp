#include "render/sections/time_accounting.h"

#include "render/parts/cells.h"
#include "render/parts/format.h"
#include "render/parts/section.h"
#include "render/parts/share_chart.h"
#include "util/text.h"
#include "util/time.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace debrief::render {

using nlohmann::json;

json accounting_view(const result::TimeAccounting& accounting) {
  if (!accounting.total || accounting.parts.empty())
    return missing("Where the time went is not accounted for: that needs the moments at which the "
                   "job began and ended, from system metrics or a framework timeline.");
  Section section;
  const auto longest = std::max_element(
      accounting.parts.begin(), accounting.parts.end(),
      [](const result::TimePart& a, const result::TimePart& b) { return a.seconds < b.seconds; });
  section.say(accounting.parts.size() == 1
                  ? fmt::format("All of the {} are {}.", to_human_duration(*accounting.total),
                                printable(longest->part))
                  : fmt::format("Of the {}, the greatest part is {}: {}, {:.1f} %.",
                                to_human_duration(*accounting.total), printable(longest->part),
                                to_human_duration(longest->seconds), longest->percent));
  std::vector<Share> shares;
  for (const result::TimePart& part : accounting.parts)
    shares.push_back({"", part.part, part.seconds, to_human_duration(part.seconds)});
  section.draw(share_figure("Parts of the job's time", shares));
  Table table(
      fmt::format("Where the time went; the parts sum to {}", to_human_duration(*accounting.total)),
      {{"Part", Kind::head},
       {"Time", Kind::number},
       {"Share (%)", Kind::number},
       {"One after the other", Kind::bar}});
  double before = 0;
  for (const result::TimePart& part : accounting.parts) {
    table.add({printable(part.part), duration_cell(part.seconds), two_decimals(part.percent),
               share_bar(part.percent, before)});
    before += part.percent;
  }
  section.show(table);
  return section.view();
}

} // namespace debrief::render
