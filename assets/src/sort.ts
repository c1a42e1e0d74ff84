// Tables that can be sorted by a click on a column's head. Rows are moved, never rebuilt.

const units: Record<string, number> = {
  "": 1, B: 1, kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12, PB: 1e15,
  "µs": 1e-6, ms: 1e-3, s: 1, min: 60, h: 3600, d: 86400,
};

/** A number in a cell as C++ wrote it: "48 470", "1.25 MB", "5.3 ms", "1 min 5 s"; NaN where it is no number. */
export function cellNumber(text: string): number {
  const plain = text.trim().replace(/\u202f/gu, "");
  const negative = plain.startsWith("-");
  const part = /(\d+(?:\.\d+)?(?:e[+-]?\d+)?)\s*([^\d\s]*)\s*/uy;
  part.lastIndex = negative ? 1 : 0;
  if (part.lastIndex >= plain.length) return NaN;
  let sum = 0;
  while (part.lastIndex < plain.length) {
    const match = part.exec(plain);
    if (!match) return NaN;
    sum += Number(match[1]) * (units[match[2] ?? ""] ?? NaN);
  }
  return negative ? -sum : sum;
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
    if (head.classList.contains("drawing")) return; // pictures have no order
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
