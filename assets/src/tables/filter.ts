// A box above a long table that leaves the rows with some words in them.

import { make } from "../dom";
import type { Rows } from "./rows";

/** Fewer rows are found faster by looking. */
const worthFiltering = 12;

export function addFilter(rows: Rows): void {
  if (rows.all.length < worthFiltering) return;
  const input = make("input", {
    type: "search",
    "aria-label": `Filter: ${rows.caption}`,
    autocomplete: "off",
    spellcheck: "false",
  });
  const found = make("span", { role: "status" });
  const filter = (): void => {
    rows.filter(input.value);
    found.textContent = input.value.trim() ? `${rows.matching().length} of ${rows.all.length}` : "";
  };
  input.addEventListener("input", filter);
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    if (!input.value) input.blur();
    input.value = "";
    event.preventDefault();
    filter();
  });
  rows.table
    .closest(".scroll")
    ?.before(make("div", { class: "filter" }, make("label", {}, "Filter ", input), " ", found));
}

/** Puts the cursor into the filter that is on the screen, else the next below, else the first. */
export function focusFilter(): void {
  const inputs = Array.from(document.querySelectorAll<HTMLInputElement>(".filter input")).filter(
    (input) => input.offsetParent,
  );
  const seen = inputs.find((input) => {
    const frame = input.closest(".filter")?.nextElementSibling;
    return (frame ?? input).getBoundingClientRect().bottom > 0;
  });
  (seen ?? inputs[0])?.focus();
}
