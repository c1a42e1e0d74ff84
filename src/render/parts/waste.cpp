#include "render/parts/waste.h"

#include "render/parts/cells.h"
#include "render/parts/finding_words.h"
#include "render/parts/format.h"
#include "render/parts/share_chart.h"

#include <fmt/format.h>

namespace debrief::render {

namespace {

Cell hours_cell(double hours, const WasteScale& scale) {
  Cell cell{scale.number(hours)};
  cell.raw = plain_number(scale.per_hour * hours);
  return cell;
}

Cell money_cell(double money) {
  Cell cell{two_decimals(money)};
  cell.raw = plain_number(money);
  return cell;
}

} // namespace

std::vector<WasteRow> waste_rows(const result::Waste& waste) {
  std::vector<WasteRow> out;
  const auto add = [&](std::string name, double hours) {
    if (hours > 0) out.push_back({std::move(name), hours});
  };
  add("busy", waste.busy);
  for (const result::WastePart& part : waste.parts)
    add(result::kind_words(part.kind), part.hours);
  add("other idle", waste.other);
  add("not measured", waste.unmeasured);
  return out;
}

void add_waste(Section& section, const result::Waste& waste) {
  if (!waste.paid || *waste.paid <= 0) return;
  const WasteScale scale = scale_of(waste);
  std::vector<Share> shares;
  std::vector<Column> columns = {{"Part", Kind::head},
                                 {capitalized(scale.unit), Kind::number},
                                 {"Share", Kind::number},
                                 {"Of what was paid", Kind::bar}};
  if (waste.price) columns.insert(columns.begin() + 3, {"USD", Kind::number});
  Table table{"Time paid for, by where it went", std::move(columns)};
  const auto add = [&](const std::string& name, double hours, double from) {
    const double percent = 100 * hours / *waste.paid;
    std::vector<Cell> cells = {name, hours_cell(hours, scale),
                               fmt::format("{:.1f}\u00A0%", percent), share_bar(percent, from)};
    if (waste.price) cells.insert(cells.begin() + 3, money_cell(hours * *waste.price));
    table.add(std::move(cells));
  };
  double before = 0;
  for (const WasteRow& row : waste_rows(waste)) {
    shares.push_back({"", row.name, row.hours, scale.words(row.hours)});
    add(row.name, row.hours, 100 * before / *waste.paid);
    before += row.hours;
  }
  add("paid", *waste.paid, 0);
  section.draw(share_chart(
      fmt::format("Where {} went; busy is told by {}", scale.words(*waste.paid), waste.basis),
      shares));
  section.show(table.plain());
}

} // namespace debrief::render
