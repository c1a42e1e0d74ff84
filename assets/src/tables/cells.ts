// What a table's cells say, and a table as plain data.

/** What C++ writes where a figure is not known. */
const unknown = "–";

export const isUnknown = (text: string): boolean => text === "" || text === unknown;

/** Whether the text is a plain number, as C++ writes them: no sign but a minus, no exponent. */
export const isNumber = (text: string): boolean => /^-?\d+(\.\d+)?$/u.test(text);

/** What a cell shows. */
export const shownText = (cell: HTMLElement): string => cell.textContent.trim();

/** The number behind it in the column's base unit where there is one, else what it shows. */
export const rawText = (cell: HTMLElement): string => cell.dataset["raw"] ?? shownText(cell);

/** What C++ calls a table's columns, whatever their heads say; empty where it calls them nothing. */
export const columnsOf = (table: HTMLTableElement): string[] =>
  Array.from(table.tHead?.rows[0]?.cells ?? [], (head) => head.dataset["column"] ?? "");

/** What a cell is about: its key where it has one, else its text, which is a name of the job. */
export const keyOf = (cell: HTMLElement | undefined): string => cell?.dataset["key"] ?? cell?.textContent.trim() ?? "";

export interface TableData {
  heads: readonly { name: string; unit: string; isNumber: boolean }[];
  rows: readonly (readonly string[])[];
}

/** A column's name, with its unit where it has one. */
export const headWords = (name: string, unit: string): string => (unit ? `${name} (${unit})` : name);

/** The table without its drawings. */
export function readTable(
  table: HTMLTableElement,
  rows: readonly HTMLTableRowElement[],
  text: (cell: HTMLElement) => string,
): TableData {
  const heads = Array.from(table.tHead?.rows[0]?.cells ?? []);
  const columns = heads.map((_, at) => at).filter((at) => !heads[at]?.classList.contains("drawing"));
  return {
    heads: columns.map((at) => ({
      name: heads[at] ? shownText(heads[at]) : "",
      unit: heads[at]?.dataset["unit"] ?? "",
      isNumber: heads[at]?.classList.contains("number") ?? false,
    })),
    rows: rows.map((row) => columns.map((at) => (row.cells[at] ? text(row.cells[at]) : ""))),
  };
}
