// Figures as a reader wants them, or as plain numbers in base units, on the whole page. The style writes the
// units into the heads.

const human = new Map<HTMLElement, string>();

export const unitsAreRaw = (): boolean => document.documentElement.dataset["units"] === "raw";

/** What a cell says, and the number behind it; null where the text is all there is. */
export interface Figure {
  text: string;
  raw: string | null;
}

export const figureOf = (cell: HTMLElement): Figure => ({
  text: human.get(cell) ?? cell.textContent,
  raw: cell.dataset["raw"] ?? null,
});

/** Gives a cell another figure, shown as the page shows figures now. */
export function setFigure(cell: HTMLElement, { text, raw }: Figure): void {
  if (raw === null) delete cell.dataset["raw"];
  else cell.dataset["raw"] = raw;
  const isRaw = unitsAreRaw() && raw !== null;
  if (isRaw) human.set(cell, text);
  else human.delete(cell);
  cell.textContent = isRaw ? raw : text;
}

export function toggleUnits(): void {
  if (unitsAreRaw()) {
    human.forEach((text, cell) => (cell.textContent = text));
    human.clear();
    delete document.documentElement.dataset["units"];
    return;
  }
  for (const cell of document.querySelectorAll<HTMLElement>("[data-raw]")) {
    human.set(cell, cell.textContent);
    cell.textContent = cell.dataset["raw"] ?? "";
  }
  document.documentElement.dataset["units"] = "raw";
}
