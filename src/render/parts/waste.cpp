#include "render/parts/waste.h"

#include "render/parts/cause_words.h"
#include "render/parts/cells.h"
#include "render/parts/finding_words.h"
#include "render/parts/format.h"
#include "render/parts/share_chart.h"
#include "util/number_text.h"

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
  for (const TimeShare& share : time_shares(waste))
    out.push_back({share.name, share.hours, share.meaning});
  return out;
}

void add_waste(Section& section, const result::Waste& waste, bool with_chart) {
  if (!waste.paid || *waste.paid <= 0) return;
  const WasteScale scale = scale_of(waste);
  std::vector<Share> shares;
  std::vector<Column> columns = {
      {"Cause", Kind::head}, {capitalized(scale.unit), Kind::number}, {"Share", Kind::number}};
  if (waste.price) columns.push_back({"USD", Kind::number});
  const char* const by_cause =
      waste.unit == result::WasteUnit::gpu_hours ? "GPU time by cause" : "Time by cause";
  Table table{by_cause, std::move(columns)};
  const auto add = [&](const std::string& name, double hours) {
    std::vector<Cell> cells = {name, hours_cell(hours, scale),
                               exact_percent_text(100 * hours / *waste.paid)};
    if (waste.price) cells.push_back(money_cell(hours * *waste.price));
    table.add(std::move(cells));
  };
  for (const WasteRow& row : waste_rows(waste)) {
    shares.push_back({"", row.name, row.hours, scale.words(row.hours), row.meaning});
    add(row.name, row.hours);
  }
  add("Total", *waste.paid);
  if (with_chart) {
    section.draw(share_chart(fmt::format("{} ({}, from {})", where_it_went(waste),
                                         scale.words(*waste.paid), waste.basis),
                             shares));
    section.show(table.plain());
  } else {
    section.show_folded(table.plain(), by_cause);
  }
}

} // namespace debrief::render
