// A box that finds scalars or tensors among a section's small charts, which are folded away in groups.

import { makeFilter, worthFiltering } from "../tables/filter";
import { isMatch } from "../tables/match";

/** Leaves the charts whose name has the query's words, and opens their groups. */
function addSearch(section: HTMLElement): void {
  const groups = Array.from(section.querySelectorAll<HTMLDetailsElement>("details.chart-group"), (group) => ({
    group,
    charts: Array.from(group.querySelectorAll<HTMLElement>("figure"), (figure) => ({
      figure,
      name: figure.querySelector("figcaption")?.textContent ?? "",
    })),
  }));
  const all = groups.reduce((sum, { charts }) => sum + charts.length, 0);
  if (all < worthFiltering) return;
  let asked = "";
  const heading = section.querySelector("h2, h3")?.textContent.trim() ?? "";
  groups[0]!.group.before(
    makeFilter(`${heading}, small charts`, all, (query) => {
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

/** A search for every section with small charts; nothing where there are few. */
export function setUpSearch(): void {
  document.querySelectorAll<HTMLElement>("section:not(.chapter):has(details.chart-group)").forEach(addSearch);
}
