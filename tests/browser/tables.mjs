// A report's tables as plain objects, and figures read back from their text.

/**
 * @typedef {{ caption: string, rows: Record<string, string>[], keys: (string | null)[] }} Table
 * Rows by head; `keys` are the titles of the rows' heads.
 */

/** All tables of a page by section. @returns {Promise<Record<string, Table[]>>} */
export function readTables(page) {
  return page.evaluate(() => {
    const text = (node) => node.textContent.trim();
    const read = (table) => {
      const heads = Array.from(table.tHead.rows[0].cells, text);
      const rows = Array.from(table.tBodies[0].rows);
      return {
        caption: text(table.caption),
        rows: rows.map((row) => Object.fromEntries(Array.from(row.cells, (cell, at) => [heads[at], text(cell)]))),
        keys: rows.map((row) => row.cells[0].getAttribute("title")),
      };
    };
    const sections = Array.from(document.querySelectorAll("main section"));
    return Object.fromEntries(
      sections.map((section) => [section.id, Array.from(section.querySelectorAll("table"), read)]),
    );
  });
}

const units = {
  "": 1,
  B: 1,
  kB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
  PB: 1e15,
  µs: 1e-6,
  ms: 1e-3,
  s: 1,
  min: 60,
  h: 3600,
  d: 86400,
};

/** "48 470", "1.25 MB", "1 min 5 s" -> a number; NaN where it is none. */
export function figure(text) {
  const plain = text.replace(/,/gu, "");
  if (!/^-?\d/u.test(plain)) return NaN;
  let sum = 0;
  for (const [, number, unit] of plain.replace(/^-/u, "").matchAll(/([\d.]+(?:e[+-]?\d+)?)\s*([^\d\s]*)/gu))
    sum += Number(number) * (units[unit] ?? NaN);
  return plain.startsWith("-") ? -sum : sum;
}
