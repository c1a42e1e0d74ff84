// A box that finds scalars among the small charts, which are folded away by what their names begin with.

import { makeFilter, worthFiltering } from "../tables/filter";
import { isMatch } from "../tables/match";

/** Leaves the charts whose name has the query's words, and opens their groups; nothing where there are few. */
export function setUpSearch(): void {
  const groups = Array.from(document.querySelectorAll<HTMLDetailsElement>("details.chart-group"), (group) => ({
    group,
    charts: Array.from(group.querySelectorAll<HTMLElement>("figure"), (figure) => ({
      figure,
      name: figure.querySelector("figcaption")?.textContent ?? "",
    })),
  }));
  const all = groups.reduce((sum, { charts }) => sum + charts.length, 0);
  if (all < worthFiltering) return;
  let asked = "";
  groups[0]!.group.before(
    makeFilter("More scalars", all, (query) => {
      const words = query.trim();
      let count = 0;
      for (const { group, charts } of groups) {
        for (const { figure, name } of charts) figure.hidden = !isMatch(name, words);
        const found = charts.filter(({ figure }) => !figure.hidden).length;
        count += found;
        group.hidden = found === 0;
        if (words !== asked) group.open = words !== "" && found > 0;
      }
      asked = words;
      return count;
    }),
  );
}
