// Tables that can be sorted by clicks on a column's head: one direction, the other, as it was. Rows are moved,
// never rebuilt.

import { makeButton } from "../dom";
import { isNumber, isUnknown, rawText } from "./cells";
import type { Rows } from "./rows";

const collator = new Intl.Collator("en", { numeric: true });

/** Orders numbers before anything else, which is ordered as text in which digits count as numbers. */
export function compareCells(a: string, b: string): number {
  if (isNumber(a) && isNumber(b)) return Number(a) - Number(b);
  if (isNumber(a) !== isNumber(b)) return isNumber(a) ? -1 : 1;
  return collator.compare(a, b);
}

/** The rows by their texts; what is not known comes last, whichever the direction. */
export function sorted<T>(rows: readonly T[], text: (row: T) => string, descending: boolean): T[] {
  const keyed = rows.map((row) => ({ row, key: text(row) }));
  const known = keyed.filter(({ key }) => !isUnknown(key));
  known.sort((a, b) => compareCells(a.key, b.key) * (descending ? -1 : 1));
  return [...known, ...keyed.filter(({ key }) => isUnknown(key))].map(({ row }) => row);
}

/** What a click makes of an order. Of numbers the largest are looked for first. */
export function orderAfter(order: string, numbers: boolean): string {
  const orders = numbers ? ["none", "descending", "ascending"] : ["none", "ascending", "descending"];
  return orders[(orders.indexOf(order) + 1) % orders.length] ?? "none";
}

/** Puts a button into each head cell of the table. */
export function makeSortable(rows: Rows): void {
  const heads = Array.from(rows.table.tHead?.rows[0]?.cells ?? []);
  heads.forEach((head, column) => {
    if (head.classList.contains("drawing")) return; // pictures have no order
    const button = makeButton(
      "",
      () => {
        const order = orderAfter(head.getAttribute("aria-sort") ?? "none", head.classList.contains("number"));
        for (const other of heads) other.removeAttribute("aria-sort");
        if (order === "none") return rows.arrange(rows.all);
        head.setAttribute("aria-sort", order);
        const text = (row: HTMLTableRowElement): string => {
          const cell = row.cells[column];
          return cell ? (cell.dataset["order"] ?? rawText(cell)) : "";
        };
        rows.arrange(sorted(rows.all, text, order === "descending"));
      },
      { class: "sort", "aria-label": head.textContent.trim() },
    );
    // Laid over the words: a head that is repeated on the next sheet of paper has its text, but no button.
    head.classList.add("sorts");
    head.append(button);
  });
}
