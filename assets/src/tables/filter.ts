// A box whose words leave, of many things alike, those that have them.

import { announce, make, makeButton } from "../dom";
import type { Rows } from "./rows";

/** Fewer are found faster by looking. */
export const worthFiltering = 12;

/**
 * @param caption what is filtered
 * @param all how many there are
 * @param filter leaves what has the query's words, everything for an empty one, and counts what is left
 */
export function makeFilter(caption: string, all: number, filter: (query: string) => number): HTMLElement {
  const input = make("input", {
    type: "search",
    "aria-label": `Filter: ${caption}`,
    autocomplete: "off",
    spellcheck: "false",
  });
  const found = make("span", { role: "status" });
  const show = (): void => {
    const count = filter(input.value);
    found.textContent = input.value.trim() ? `${count} of ${all}` : "";
    none.hidden = count > 0;
  };
  const clear = makeButton("Clear", () => {
    input.value = "";
    show();
    input.focus();
  });
  const none = make("span", { class: "none", hidden: "" }, "Nothing matches. ", clear);
  input.addEventListener("input", show);
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    if (!input.value) input.blur();
    input.value = "";
    event.preventDefault();
    show();
  });
  return make("div", { class: "filter" }, make("label", {}, "Filter ", input), " ", found, none);
}

/** A box above a long table that leaves the rows with some words in them. */
export function addFilter(rows: Rows): void {
  if (rows.all.length < worthFiltering) return;
  const box = makeFilter(rows.caption, rows.all.length, (query) => {
    rows.filter(query);
    return rows.matching().length;
  });
  const frame = rows.table.closest(".scroll");
  const columns = frame?.previousElementSibling;
  // The box that shows more columns stays next to the table.
  (columns?.matches(".more-columns") ? columns : frame)?.before(box);
}

/** Puts the cursor into the first filter whose table is on the screen. */
export function focusFilter(): void {
  const inputs = Array.from(document.querySelectorAll<HTMLInputElement>(".filter input")).filter(
    (input) => input.offsetParent,
  );
  const seen = inputs.find((input) => {
    const filter = input.closest(".filter");
    let table = filter?.nextElementSibling;
    if (table?.matches(".more-columns")) table = table.nextElementSibling;
    const { bottom } = (table ?? input).getBoundingClientRect();
    return bottom > 0 && input.getBoundingClientRect().top < innerHeight;
  });
  if (seen) seen.focus();
  else announce("No table with a filter is on the screen");
}
