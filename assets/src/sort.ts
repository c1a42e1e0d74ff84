// Tables that can be sorted by a click on a column's head. Rows are moved, never rebuilt.

/** A number in a cell as C++ wrote it: "48 470", "1.25 MB", "5.3 ms"; NaN where it is no number. */
export function cellNumber(text: string): number {
  const match = /^(-?[\d\u202f]+(?:\.\d+)?)\s*(\S*)$/u.exec(text.trim());
  if (!match) return NaN;
  const scale: Record<string, number> = {
    "": 1, B: 1, kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12, PB: 1e15,
    "µs": 1e-6, ms: 1e-3, s: 1,
  };
  return Number(match[1]?.replace(/\u202f/gu, "")) * (scale[match[2] ?? ""] ?? NaN);
}

/** Orders numbers as numbers, anything else as text in which digits count as numbers. */
export function compareCells(a: string, b: string): number {
  const x = cellNumber(a);
  const y = cellNumber(b);
  if (!Number.isNaN(x) && !Number.isNaN(y)) return x - y;
  return a.localeCompare(b, "en", { numeric: true });
}

function sortBy(table: HTMLTableElement, column: number, descending: boolean): void {
  const body = table.tBodies[0];
  if (!body) return;
  const text = (row: HTMLTableRowElement): string => row.cells[column]?.textContent ?? "";
  const rows = Array.from(body.rows);
  rows.sort((a, b) => compareCells(text(a), text(b)) * (descending ? -1 : 1));
  body.append(...rows);
}

/** Puts a button into each head cell of the table. */
export function makeSortable(table: HTMLTableElement): void {
  const heads = Array.from(table.tHead?.rows[0]?.cells ?? []);
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sort";
    button.append(...Array.from(head.childNodes));
    head.append(button);
    button.addEventListener("click", () => {
      const descending = head.getAttribute("aria-sort") === "ascending";
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", descending ? "descending" : "ascending");
      sortBy(table, column, descending);
    });
  });
}
