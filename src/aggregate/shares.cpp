#include "aggregate/shares.h"

#include <fmt/format.h>

#include <algorithm>

namespace debrief::aggregate {

namespace {

using result::ShareRow;

void sum_up_rest(std::vector<ShareRow>& rows) {
  if (rows.size() <= kMaxShares) return;
  ShareRow rest{"", fmt::format("and {} more", rows.size() - kMaxShares + 1), 0, 0.0, 0};
  for (std::size_t i = kMaxShares - 1; i < rows.size(); ++i) {
    rest.percent += rows[i].percent;
    *rest.seconds += *rows[i].seconds;
    *rest.calls += *rows[i].calls;
  }
  rows.resize(kMaxShares - 1);
  rows.push_back(std::move(rest));
}

} // namespace

void set_percents(std::vector<ShareRow>& rows) {
  double sum = 0;
  for (const ShareRow& row : rows)
    sum += *row.seconds;
  for (ShareRow& row : rows)
    row.percent = sum > 0 ? 100 * *row.seconds / sum : 0;
}

std::vector<ShareRow> shares(const ShareSums& sums) {
  std::vector<ShareRow> rows;
  for (const auto& [name, sum] : sums)
    if (sum.duration > 0) rows.push_back({"", name, 0, in_seconds(sum.duration), sum.calls});
  set_percents(rows);
  std::stable_sort(rows.begin(), rows.end(),
                   [](const ShareRow& a, const ShareRow& b) { return a.percent > b.percent; });
  sum_up_rest(rows);
  return rows;
}

} // namespace debrief::aggregate
