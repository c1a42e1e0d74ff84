// A long table comes in two parts, the second folded away and without its bars, so that it can be read without
// scripts. With them it is one table that shows its first rows until it is opened.

import { shownText } from "./cells";

/** A bar like the table's others, of the marks that its row notes: "0 80.5 pale,0 20.1 strong". */
function drawBar(note: string, model: Element): Element {
  const bar = model.cloneNode(true) as Element;
  const [scale, mark] = Array.from(bar.children);
  bar.removeAttribute("role");
  bar.removeAttribute("aria-label");
  bar.setAttribute("aria-hidden", "true"); // the row's figures say the same
  if (!scale || !mark) return bar;
  bar.replaceChildren(
    scale,
    ...note.split(",").map((words) => {
      const [x = "0", width = "0", kind = "strong"] = words.split(" ");
      const drawn = mark.cloneNode() as Element;
      for (const [name, value] of [
        ["x", x],
        ["width", width],
        ["class", kind],
      ] as const)
        drawn.setAttribute(name, value);
      return drawn;
    }),
  );
  return bar;
}

/** Gives the row a cell for each drawing that the whole table has. */
function addDrawings(row: HTMLTableRowElement, heads: readonly HTMLTableCellElement[], model: Element | null): void {
  const note = row.cells[0]?.dataset["bar"];
  heads.forEach((head, at) => {
    if (!head.classList.contains("drawing")) return;
    const cell = row.insertCell(at);
    cell.className = "drawing";
    if (note && model) cell.append(drawBar(note, model));
  });
}

/** Joins the table with its rest. Tells how many rows were seen, and what is hidden: "95 more operators". */
export function mergeRest(table: HTMLTableElement): { few: number; more: string } | undefined {
  const body = table.tBodies[0];
  const fold = table.closest(".scroll")?.nextElementSibling;
  const rest = fold?.matches("details.rest") ? fold.querySelector("table") : null;
  if (!fold || !body || !rest) return undefined;
  const few = body.rows.length;
  const more = rest.closest("details")?.querySelector("summary");
  const model = body.querySelector("td.drawing svg");
  const heads = Array.from(table.tHead?.rows[0]?.cells ?? []);
  for (const row of Array.from(rest.tBodies[0]?.rows ?? [])) {
    addDrawings(row, heads, model);
    body.append(row);
  }
  fold.remove();
  return { few, more: more ? shownText(more) : "" };
}
