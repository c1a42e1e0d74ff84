// A box above a long table that leaves the rows with some words in them.

import { announce, make, makeButton } from "../dom";
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
    const count = rows.matching().length;
    found.textContent = input.value.trim() ? `${count} of ${rows.all.length}` : "";
    none.hidden = count > 0;
  };
  const clear = makeButton("Clear", () => {
    input.value = "";
    filter();
    input.focus();
  });
  const none = make("span", { class: "none", hidden: "" }, "Nothing matches. ", clear);
  input.addEventListener("input", filter);
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    if (!input.value) input.blur();
    input.value = "";
    event.preventDefault();
    filter();
  });
  const frame = rows.table.closest(".scroll");
  const columns = frame?.previousElementSibling;
  // The box that shows more columns stays next to the table.
  (columns?.matches(".more-columns") ? columns : frame)?.before(
    make("div", { class: "filter" }, make("label", {}, "Filter ", input), " ", found, none),
  );
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
