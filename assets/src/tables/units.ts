// Figures as a reader wants them, or as plain numbers in base units, on the whole page. The style writes the
// units into the heads.

const human = new Map<HTMLElement, string>();

export const unitsAreRaw = (): boolean => document.documentElement.dataset["units"] === "raw";

export function toggleUnits(): void {
  if (unitsAreRaw()) {
    human.forEach((text, cell) => (cell.textContent = text));
    human.clear();
    delete document.documentElement.dataset["units"];
    return;
  }
  for (const cell of document.querySelectorAll<HTMLElement>("[data-raw]")) {
    human.set(cell, cell.textContent ?? "");
    cell.textContent = cell.dataset["raw"] ?? "";
  }
  document.documentElement.dataset["units"] = "raw";
}
