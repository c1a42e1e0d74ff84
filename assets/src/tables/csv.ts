// A table as CSV (RFC 4180): plain numbers, with units in the heads; what is not known is empty.

import { headWords, isNumber, isUnknown, type TableData } from "./cells";

/** A spreadsheet takes text that begins like this for a formula. */
const formula = /^[=+\-@\t\r]/u;

export function csvField(text: string): string {
  if (isNumber(text)) return text;
  const safe = formula.test(text) ? `'${text}` : text;
  return /[",\r\n]/u.test(safe) ? `"${safe.replace(/"/gu, '""')}"` : safe;
}

export function toCsv({ heads, rows }: TableData): string {
  const lines = [
    heads.map(({ name, unit }) => headWords(name, unit)),
    ...rows.map((row) => row.map((text) => (isUnknown(text) ? "" : text))),
  ];
  return lines.map((line) => `${line.map(csvField).join(",")}\r\n`).join("");
}
