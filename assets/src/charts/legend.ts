// A legend's entries hide and show the marks that they stand for.

import { makeButton } from "../dom";

export function setUpLegends(): void {
  for (const entry of document.querySelectorAll<HTMLElement>("figure .legend > li[data-key]")) {
    const groups = Array.from(entry.closest("figure")?.querySelectorAll<SVGGElement>("g[data-key]") ?? []).filter(
      (group) => group.dataset["key"] === entry.dataset["key"],
    );
    if (groups.length === 0) continue;
    const button = makeButton(
      "",
      () => {
        const shown = button.getAttribute("aria-pressed") !== "true";
        button.setAttribute("aria-pressed", String(shown));
        for (const group of groups) group.style.display = shown ? "" : "none";
      },
      { "aria-pressed": "true" },
    );
    button.append(...Array.from(entry.childNodes));
    entry.append(button);
  }
}
