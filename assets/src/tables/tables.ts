// Everything that the script adds to tables.

import { addFilter } from "./filter";
import { watchFrames } from "./frames";
import { mergeRest } from "./merge";
import { Rows } from "./rows";
import { makeSortable } from "./sort";
import { addTools } from "./tools";

export function setUpTables(): Rows[] {
  watchFrames();
  const tables = Array.from(document.querySelectorAll<HTMLTableElement>("main table"));
  return tables
    .filter((table) => !table.closest(".rest"))
    .map((table) => {
      const rest = mergeRest(table);
      const rows = new Rows(table, rest?.few);
      if (table.classList.contains("sortable")) makeSortable(rows);
      addFilter(rows);
      addTools(rows, rest?.more ?? "");
      return rows;
    });
}
