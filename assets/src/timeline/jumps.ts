// From a place of the page to its moment: rows of incidents get a button, and whatever has a `data-window`
// ("from..to", milliseconds after the start) leads there.

import { formatHash, pushPlace } from "../shell/permalink";
import { columnsOf } from "../tables/cells";
import { makeButton } from "./dom";
import { parseWindow } from "./state";
import type { View } from "./view";

/** What is around a window is shown as well: so much of its length at each side, and at least so many milliseconds. */
const margin = 0.25;
const leastMargin = 500;

export interface Target {
  from: number;
  to: number;
  node?: string | undefined;
  rule?: string | undefined;
}

export function goTo({ state }: View, section: HTMLElement, { from, to, node, rule }: Target): void {
  const around = Math.max(leastMargin, (to - from) * margin);
  const shown = { from: Math.max(0, from - around), to: Math.min(state.length, to + around) };
  pushPlace({ id: section.id, timeline: { ...shown, node: state.node === "" ? "" : (node ?? state.node) } });
  state.mark(rule ?? "");
  if (node !== undefined && state.node !== "") state.setNode(node); // all nodes stay in view
  state.setRange(shown.from, shown.to);
  section.scrollIntoView();
  section.querySelector<HTMLElement>(".live[tabindex]")?.focus({ preventScroll: true });
}

/** The word is the style's, so that a cell's text stays what C++ wrote, for sorting and copying. */
function showButton(words: string, act: () => void): HTMLButtonElement {
  const button = makeButton("", act, words);
  button.className = "show";
  return button;
}

function addButtons(view: View, section: HTMLElement, table: HTMLTableElement): void {
  const rule = table.closest<HTMLElement>("[data-rule]")?.dataset["rule"];
  const column = columnsOf(table).indexOf("from");
  if (!rule || column < 0) return;
  for (const row of Array.from(table.tBodies[0]?.rows ?? [])) {
    const cell = row.cells[column];
    const text = cell?.textContent.trim() ?? "";
    const from = Date.parse(text) - view.index.start;
    const where = row.cells[0]?.textContent ?? "";
    const near = view.index.incidents.filter((one) => one.rule === rule && Math.abs(one.from - from) < 2);
    const incident = near.find(({ node, device }) => where.includes(node) && where.includes(device)) ?? near[0];
    if (!cell || !incident) continue;
    const node = view.incidents.nodeOf(incident) || undefined;
    cell.append(
      " ",
      showButton(`Show ${text} on the timeline`, () => goTo(view, section, { ...incident, node })),
    );
  }
}

export function setUpJumps(view: View, section: HTMLElement): void {
  for (const table of document.querySelectorAll<HTMLTableElement>("#rules table")) addButtons(view, section, table);
  // Without the script they lead to the section; a copy of the link leads to the window.
  for (const link of document.querySelectorAll<HTMLAnchorElement>("a[data-window]")) {
    const window = parseWindow(link.dataset["window"] ?? "");
    if (window) link.href = formatHash({ id: section.id, timeline: { ...window, node: link.dataset["node"] ?? "" } });
  }
  document.addEventListener("click", (event) => {
    const element = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-window]") : null;
    const window = parseWindow(element?.dataset["window"] ?? "");
    if (!element || !window) return;
    event.preventDefault();
    goTo(view, section, { ...window, node: element.dataset["node"], rule: element.dataset["rule"] });
  });
}
