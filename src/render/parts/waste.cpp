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

const char* by_cause(const result::Waste& waste) {
  return waste.unit == result::WasteUnit::gpu_hours ? "GPU time by cause" : "Time by cause";
}

Table waste_table(const result::Waste& sum, const std::vector<WasteRow>& rows) {
  const WasteScale scale = scale_of(sum);
  std::vector<Column> columns = {
      {"Cause", Kind::head}, {capitalized(scale.unit), Kind::number}, {"Share", Kind::number}};
  if (sum.price) columns.push_back({"USD", Kind::number});
  Table table{by_cause(sum), std::move(columns)};
  const auto add = [&](const std::string& name, double hours) {
    std::vector<Cell> cells = {name, hours_cell(hours, scale),
                               exact_percent_text(100 * hours / *sum.paid)};
    if (sum.price) cells.push_back(money_cell(hours * *sum.price));
    table.add(std::move(cells));
  };
  for (const WasteRow& row : rows)
    add(row.name, row.hours);
  add("Total", *sum.paid);
  return table;
}

} // namespace

std::vector<WasteRow> waste_rows(std::span<const result::Waste> wastes) {
  std::vector<WasteRow> out;
  for (const TimeShare& share : time_shares(wastes))
    out.push_back({share.name, share.hours, share.meaning});
  return out;
}

void add_waste(Section& section, const result::Waste& waste) {
  if (!waste.paid || *waste.paid <= 0) return;
  Table table = waste_table(waste, waste_rows({&waste, 1}));
  section.show_folded(table.plain(), by_cause(waste));
}

void add_waste_of_jobs(Section& section, const result::Waste& sum,
                       std::span<const result::Waste> wastes) {
  if (!sum.paid || *sum.paid <= 0) return;
  const WasteScale scale = scale_of(sum);
  const std::vector<WasteRow> rows = waste_rows(wastes);
  std::vector<Share> shares;
  for (const WasteRow& row : rows)
    shares.push_back({"", row.name, row.hours, scale.words(row.hours), row.meaning});
  section.draw(share_chart(
      fmt::format("{} ({}, from {})", where_it_went(sum), scale.words(*sum.paid), sum.basis),
      shares));
  Table table = waste_table(sum, rows);
  section.show(table.plain());
}

} // namespace debrief::render
